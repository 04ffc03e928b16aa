/** Laws of the session picker. */
import { describe, expect, it } from 'vitest';
import { answer, expectFits, hostile, plainText, pressed, selectedRow, sizes } from '../../../test/support/screens.ts';
import { ageText } from './age.ts';
import { type PickedSession, SessionsScreen } from './sessions.ts';

const now = Date.UTC(2026, 10, 18);
const session = (id: string, more: Partial<PickedSession> = {}): PickedSession => ({
	id,
	path: `/s/${id}.jsonl`,
	agent: 'claude-code',
	title: `about ${id}`,
	gitBranch: 'main',
	folder: '~/project',
	updated: now - 7_200_000,
	costUsd: 0.4321,
	state: 'idle',
	format: 'claude-code',
	here: true,
	elsewhere: false,
	...more,
});
const sessions = [
	session('parser'),
	session('lexer', { gitBranch: 'dev', state: 'running', agent: 'pi' }),
	session('elsewhere', {
		here: false,
		elsewhere: true,
		state: 'unknown',
		folder: '~/other',
		title: null,
		costUsd: null,
	}),
];
const picker = new SessionsScreen({ sessions, now, branch: 'main' });

describe('the session picker', () => {
	it('fits every size in every state, and the selected row is there', () => {
		const bad = new SessionsScreen({
			sessions: Array.from({ length: 40 }, (_, at) =>
				session(`${hostile}${at}`, { title: hostile, gitBranch: hostile, folder: hostile, agent: hostile }),
			),
			now,
			branch: hostile,
		});
		for (const screen of [picker, bad]) {
			const hits = [{ path: '/s/x', entry: 'e', agent: hostile, title: hostile, snippet: hostile, time: now }];
			const shown = pressed(screen, 'down', 'space');
			const states = [
				...[screen, pressed(screen, 'ctrl+a'), pressed(screen, 'ctrl+b'), pressed(screen, 'down', 'ctrl+r')],
				...[pressed(screen, 'tab'), pressed(screen, 'tab', '=words').withHits('words', hits), pressed(screen, '=good')],
				...[shown, shown.withPreview(shown.wants?.of ?? '', `${hostile}\n`.repeat(60))],
			];
			for (const state of states) expectFits(state);
			for (const size of sizes) expect(selectedRow(screen, size)).not.toBe('New session');
		}
		expectFits(new SessionsScreen({ sessions: [], now }));
	});

	it('shows title, agent, branch, age, cost and whether it runs; and the folder where it is another one', () => {
		const text = plainText(pressed(picker, 'ctrl+a'));
		expect(text).toContain('idle 2h · claude-code · main · $0.43');
		expect(text).toContain('— 2h · claude-code · main · cost — · ~/other');
		expect(text).toContain('● about lexer');
		expect(text).toContain('running · pi · dev');
		expect(text).toContain('(no title)');
		expect(plainText(picker)).not.toContain('~/project');
	});

	it('begins with this project, Ctrl-A shows all, Ctrl-B those of the branch, each key again goes back', () => {
		expect(plainText(picker)).not.toContain('(no title)');
		expect(plainText(pressed(picker, 'ctrl+a', 'ctrl+a'))).toBe(plainText(picker));
		expect(plainText(pressed(picker, 'ctrl+b'))).not.toContain('lexer');
		expect(plainText(pressed(picker, 'ctrl+b', 'ctrl+b'))).toBe(plainText(picker));
		expect(plainText(new SessionsScreen({ sessions: [session('x', { here: false })], now }))).toContain('all projects');
	});

	it('Enter opens what is selected, the first row and Ctrl-N begin a new one, Esc gives nothing', () => {
		expect(answer(picker, '=lexer', 'enter')).toEqual({ is: 'open', path: '/s/lexer.jsonl' });
		expect(answer(picker, '=idle', 'enter')).toEqual({ is: 'open', path: '/s/parser.jsonl' });
		expect(answer(picker, 'up', 'enter')).toEqual({ is: 'new' });
		expect(answer(picker, 'enter')).toEqual({ is: 'open', path: '/s/parser.jsonl' });
		expect(answer(picker, '=lex', 'ctrl+n')).toEqual({ is: 'new' });
		for (const keys of [[], ['tab'], ['down', 'space'], ['down', 'ctrl+r']])
			expect(answer(picker, ...keys, 'escape')).toBeUndefined();
		expect(plainText(new SessionsScreen({ sessions, now, onlyOld: true }))).not.toContain('New session');
	});

	it('what the others on the screen have cost is wanted, too, the nearest first; what takes long only under the cursor', () => {
		const all = ['a', 'b', 'c', 'd'].map((id) => {
			const { costUsd: _, ...uncounted } = session(id);
			return uncounted;
		});
		let screen = pressed(new SessionsScreen({ sessions: all, now, onlyOld: true }), 'down');
		const asked: string[] = [];
		for (let of = screen.wants?.of; of !== undefined; of = screen.wants?.of) {
			asked.push(of.slice(3, 4));
			screen = of.includes('/c.') ? screen.withLater(of) : screen.withCost(of, 1);
		}
		expect(asked).toEqual(['b', 'c', 'a', 'd']);
		expect(pressed(screen, 'down').wants?.of).toBe('/s/c.jsonl');
	});

	it('a copy says of which session it is one', () => {
		const copy = session('copy', { title: 'about parser', copyOf: 'claude-code 0123abcd' });
		expect(plainText(new SessionsScreen({ sessions: [...sessions, copy], now }))).toContain(
			'copy of claude-code 0123abcd',
		);
	});

	it('what the selected one has cost is wanted where nobody has counted, and given in once', () => {
		const { costUsd: _, ...uncounted } = session('new-one');
		const screen = new SessionsScreen({ sessions: [uncounted], now });
		expect(screen.wants).toEqual({ what: 'cost', of: '/s/new-one.jsonl' });
		expect(plainText(screen)).not.toContain('$');
		const known = screen.withCost('/s/new-one.jsonl', 1.5);
		expect([known.wants, plainText(known).includes('$1.50')]).toEqual([undefined, true]);
		expect(plainText(screen.withCost('/s/new-one.jsonl', null))).toContain('cost —');
	});

	it('a preview is wanted, given in, scrolled and left; one that comes late for another session is left out', () => {
		const open = pressed(picker, 'space');
		expect(open.wants).toEqual({ what: 'preview', of: '/s/parser.jsonl' });
		expect(plainText(open)).toContain('Reading …');
		expect(plainText(open.withPreview('/s/other', 'no'))).toContain('Reading …');
		const read = open.withPreview('/s/parser.jsonl', 'words\n'.repeat(80));
		expect(read.wants).toBeUndefined();
		expect(plainText(pressed(read, 'pagedown'))).toContain('above (PgUp)');
		expect(answer(read, 'enter')).toEqual({ is: 'open', path: '/s/parser.jsonl' });
		expect(plainText(pressed(read, 'space'))).toBe(plainText(picker));
		expect(pressed(picker, '=about', 'right').wants?.what).toBe('preview');
		expect(plainText(pressed(picker, '=about', 'space'))).toContain('Filter: about');
	});

	it('what was said is searched by a question that is wanted as it is typed, and old answers are left out', () => {
		// What was typed to narrow the list is looked for.
		expect(pressed(picker, '=sign error', 'tab').wants).toEqual({ what: 'search', of: 'sign error' });
		const search = pressed(picker, 'tab', '=sign error');
		expect(search.wants).toEqual({ what: 'search', of: 'sign error' });
		const hit = {
			path: '/s/lexer.jsonl',
			entry: 'e7',
			agent: 'pi',
			title: 'about lexer',
			snippet: 'the sign was wrong',
			time: now,
		};
		expect(plainText(search.withHits('sign', [hit]))).toContain('Searching …');
		const found = search.withHits('sign error', [hit]);
		expect(found.wants).toBeUndefined();
		expect(plainText(found)).toContain('the sign was wrong');
		const long = search.withHits('sign error', [
			{ ...hit, title: 'a long title '.repeat(20), snippet: 'sign '.repeat(90) },
		]);
		expect(plainText(long)).toMatch(/^ +pi · now · ~\/project · sign/m);
		const deep = picker.withSessions([session('lexer', { folder: `/${'deep/'.repeat(30)}project` })]);
		const below = plainText(pressed(deep, 'tab', '=sign error').withHits('sign error', [hit]));
		expect(below).toMatch(/pi · now · …\/\S*\/project · the sign was wrong/);
		expect(answer(found, 'enter')).toEqual({ is: 'open', path: '/s/lexer.jsonl', entry: 'e7' });
		expect(plainText(search.withHits('sign error', []))).toContain('Nobody said that.');
		expect(plainText(pressed(found, 'tab'))).toBe(plainText(picker));
	});

	it('a title is edited and goes on with the list, which is given anew', () => {
		expectFits(picker.withProblem(hostile));
		const renamed = answer(picker, 'ctrl+r', '= 2', 'enter');
		expect(renamed).toMatchObject({ is: 'rename', path: '/s/parser.jsonl', title: 'about parser 2' });
		if (renamed?.is !== 'rename') throw new Error('not renamed');
		const next = renamed.then.withSessions([session('parser', { title: 'about parser 2' })]);
		expect(selectedRow(next)).toBe('about parser 2');
		expect(plainText(pressed(picker, 'ctrl+r', 'ctrl+u', 'enter'))).toBe(plainText(picker));
	});

	it('ages are short, and a clock that was set back gives none', () => {
		expect([now, now + 9e9, now - 300_000, now - 3e8, 0].map((time) => ageText(time, now))).toEqual([
			'now',
			'now',
			'5m',
			'3d',
			'1970-01-01',
		]);
	});
});
