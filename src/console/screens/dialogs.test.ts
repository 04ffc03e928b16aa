/** Laws of the dialogs that ask the user something: questions of the model, plans, trust, forms of servers. */
import { describe, expect, it } from 'vitest';
import {
	answer,
	expectFits,
	hostile,
	plainRows,
	plainText,
	pressed,
	selectedRow,
	sizes,
} from '../../../test/support/screens.ts';
import { elicitationScreen } from './elicitation.ts';
import { planScreen } from './plan.ts';
import { QuestionScreen, questionsIn, questionVerdict } from './question.ts';
import { trustScreen } from './trust.ts';

const input = {
	questions: [
		{
			question: 'Which database?',
			header: 'Store',
			options: [
				{ label: 'SQLite', description: 'A file' },
				{ label: 'Postgres', description: 'A server' },
			],
		},
		{
			question: 'Which parts?',
			header: 'Parts',
			multiSelect: true,
			options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }],
		},
	],
};
const asked = new QuestionScreen(questionsIn(input));

describe('a question of the model', () => {
	it('begins no row with the blank at which it was wrapped, and loses none', () => {
		const question = 'Which of these databases should really be used for the shop that we build for them?';
		const screen = new QuestionScreen([{ question, several: false, options: [{ label: 'SQLite' }] }]);
		for (let width = 30; width < 70; width += 1) {
			const rows = plainRows(screen, { width, height: 24 }).filter((row) => row.startsWith('  │ '));
			const texts = rows.map((row) => row.slice('  │ '.length));
			expect(texts.filter((row) => row.startsWith(' '))).toEqual([]);
			expect(texts.join('')).toBe(question);
		}
	});

	it('fits every size at every step, and the selected row is there', () => {
		const bad = {
			question: hostile,
			header: hostile,
			options: [1, 2, 3, 4].map(() => ({ label: hostile, description: hostile.repeat(9) })),
		};
		for (const screen of [asked, new QuestionScreen(questionsIn({ questions: [bad, { ...bad, multiSelect: true }] }))])
			for (const keys of [[], ['1'], ['1', '2'], ['3', '=own words']]) {
				const step = keys.includes('3') && screen !== asked ? pressed(screen, '5', '=own') : pressed(screen, ...keys);
				expectFits(step);
				const isTyped = plainText(step).includes('own_') || plainText(step).includes('words_');
				if (!isTyped) for (const size of sizes) expect(selectedRow(step, size)).toBeDefined();
			}
	});

	it('digits, arrows and own words answer; questions come one after the other with a count', () => {
		expect(plainText(asked)).toContain('1 of 2');
		const second = pressed(asked, 'down', 'enter');
		expect(plainText(second)).toContain('2 of 2');
		expect(answer(second, '1', '3', '5')).toEqual({ 'Which database?': 'Postgres', 'Which parts?': 'a, c' });
		expect(answer(pressed(asked, '3', '=a flat file', 'enter'), 'space', 'down', 'space', '5')).toEqual({
			'Which database?': 'a flat file',
			'Which parts?': 'a, b',
		});
	});

	it('what is chosen twice is not chosen, nothing chosen is no answer, and own words join what is chosen', () => {
		const second = pressed(asked, '1');
		expect(plainText(pressed(second, '2'))).toContain('◼ b');
		expect(plainText(pressed(second, '2', '2'))).not.toContain('◼');
		expect(plainText(pressed(second, '5'))).toContain('Done (0 chosen)');
		expect(plainText(second)).toContain('Done sends what is marked');
		expect(answer(second, '2', '4', '=and d', 'enter')).toMatchObject({ 'Which parts?': 'b, and d' });
	});

	it('Esc is no answer and stops, and goes back from own words', () => {
		for (const keys of [[], ['1'], ['3', '=words', 'escape'], ['1', '1']])
			expect(answer(asked, ...keys, 'escape')).toBeUndefined();
		expect(questionVerdict(input, undefined)).toEqual({
			...{ allow: false, reason: 'the user did not answer', interrupt: true },
		});
		expect(questionVerdict(input, { q: 'a' })).toEqual({ allow: true, input: { ...input, answers: { q: 'a' } } });
	});
});

describe('a plan', () => {
	const plan = planScreen({ plan: Array.from({ length: 70 }, (_, at) => `${at}. step`).join('\n') });
	it('fits, says what is not shown, and scrolls', () => {
		for (const screen of [plan, pressed(plan, '3', '=less'), planScreen({ plan: hostile }), planScreen(null)])
			expectFits(screen);
		for (const size of sizes) expect(plainText(plan, size)).toMatch(/\d+ more rows below/);
		expect(plainText(pressed(plan, 'pagedown'))).toContain('above (PgUp)');
	});
	it('is drawn as the Markdown that it is, every row of it marked as foreign', () => {
		const shown = plainText(planScreen({ plan: '## Two **steps**\n\n- one `a.ts`\n- [two](http://x.y)\n\nAllow it?' }));
		expect(shown).toMatch(/│ Two steps\n/);
		expect(shown).toMatch(/│ [-•] one `?a\.ts/);
		expect(shown).toContain('http://x.y');
		expect(shown).not.toMatch(/\*\*|##/);
		expect(shown).toContain('  │ Allow it?');
	});
	it('each answer is what the loop takes, and Esc stops, or goes back from what is to change', () => {
		expect(answer(plan, '1')).toEqual({ allow: true });
		expect(answer(plan, '2')).toEqual({ allow: true, mode: 'acceptEdits' });
		expect(answer(plan, '3', 'enter')).toMatchObject({ allow: false });
		expect(answer(plan, '3', '=smaller steps', 'enter')).toEqual({
			allow: false,
			reason: 'the user wants to go on planning: smaller steps',
		});
		for (const keys of [[], ['3', '=words', 'escape']])
			expect(answer(plan, ...keys, 'escape')).toMatchObject({ allow: false, interrupt: true });
	});
});

describe('the trust of a folder', () => {
	const trust = trustScreen('/home/me/project', [
		{ what: 'hooks', items: ['PreToolUse'], shown: ['PreToolUse: rm -rf ~'] },
		{ what: 'commands', items: ['/deploy'] },
	]);
	it('names everything that would count, and Enter alone allows nothing', () => {
		for (const part of ['/home/me/project', 'hooks', 'PreToolUse: rm -rf ~', '/deploy'])
			expect(plainText(trust)).toContain(part);
		expect(answer(trust, 'enter')).toBe(false);
		expect(answer(trust, '2')).toBe(true);
		expect(answer(trust, 'escape')).toBeUndefined();
	});
	it('fits with hostile names, none of which begins a row of ours', () => {
		const bad = trustScreen(
			hostile,
			Array.from({ length: 9 }, () => ({ what: 'hooks', items: [hostile] })),
		);
		for (const screen of [trust, bad]) {
			expectFits(screen);
			for (const size of sizes) expect(plainRows(screen, size).filter((row) => row.startsWith('❯'))).toHaveLength(1);
		}
	});
});

describe('what an MCP server asks', () => {
	const schema = {
		type: 'object',
		required: ['name'],
		properties: {
			name: { type: 'string', title: 'Your name' },
			size: { enum: ['s', 'm'], default: 'm' },
			age: { type: 'integer' },
		},
	};
	const form = elicitationScreen({ server: 'shop', message: 'Who are you?', mode: 'form', schema });
	const url = elicitationScreen({ server: 'shop', message: 'Log in', mode: 'url', url: 'https://example.com/login' });

	it('fits every size at every step', () => {
		const properties = { [hostile]: { title: hostile, description: hostile, enum: [hostile, 'b'] } };
		const bad = elicitationScreen({ server: hostile, message: hostile, mode: 'form', schema: { properties } });
		const sent = pressed(form, '=Ann', 'enter', 'enter', 'enter');
		for (const screen of [form, url, bad, pressed(form, 'enter'), sent, pressed(bad, '2', 'enter')]) expectFits(screen);
	});

	it('a form is filled in field by field, shown, and then sent', () => {
		expect(plainText(pressed(form, 'enter'))).toContain('it has to be filled in');
		const last = pressed(form, '=Ann', 'enter', '1', 'enter');
		expect(plainText(pressed(last, '=x', 'enter'))).toContain('a whole number is wanted');
		const sent = pressed(last, '=7', 'enter');
		expect(plainText(sent)).toContain('name: Ann');
		expect(answer(sent, 'enter')).toEqual({ action: 'accept', content: { name: 'Ann', size: 's', age: 7 } });
	});

	it('Esc answers nothing, Ctrl-D says no, and an address is shown whole', () => {
		expect(answer(form, '=Ann', 'escape')).toEqual({ action: 'cancel' });
		expect(answer(form, 'ctrl+d')).toEqual({ action: 'decline' });
		expect(plainText(url)).toContain('address: https://example.com/login');
		expect(answer(url, 'enter')).toEqual({ action: 'decline' });
		expect(answer(url, '2')).toEqual({ action: 'accept' });
		expect(answer(url, 'escape')).toEqual({ action: 'cancel' });
	});
});
