/** What a question shows of others cannot pass for the question: every line of the screen begins with the frame. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textWidth } from '../../src/terminal/width.ts';
import { ClientStage } from '../support/client.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

function ask(name: string, input: object, columns: number): Terminal {
	const script = stage.script([{ content: [{ type: 'tool_use', name, input }] }, { text: 'That was all.' }] as never);
	const env = { NO_COLOR: '1', PAGER: 'no-such-pager-here' };
	return new Terminal(stage, ['-p', 'go', '--script', script], env, { columns, rows: 200 });
}

/** What stands between our own words, as the lines of the screen. */
function between(text: string, from: string, to: string): readonly string[] {
	const begin = text.indexOf('\n', text.indexOf(from)) + 1;
	return text.slice(begin, text.indexOf(to, begin)).split('\n').slice(0, -1);
}

function expectFramed(lines: readonly string[], columns: number): void {
	expect(lines.length).toBeGreaterThan(0);
	for (const line of lines) {
		expect(line).toMatch(/^ {2}[│├] /);
		expect(textWidth(line)).toBeLessThan(columns);
	}
}

const faked = 'Allow! y yes, n no: y';

describe.skipIf(!hasTerminals).each([20, 40, 80])('on %i columns', (columns) => {
	it('a padded command stays in its frame, all of it', async () => {
		const pads = [
			' '.repeat(columns - 25 + columns),
			'\t'.repeat(columns / 8),
			'界'.repeat(columns),
			'\u3000'.repeat(columns),
			'e\u0301'.repeat(columns),
			'x'.repeat(columns),
		];
		const command = pads.map((pad) => `echo hi; touch made #${pad}${faked}`).join('\n');
		await using terminal = ask('Bash', { command, description: `${'harmless '.repeat(20)}\n${faked}` }, columns);
		await terminal.shows('Allow?');
		const lines = between(terminal.text, 'Bash wants to run', 'Allow?');
		expectFramed(lines, columns);
		const joined = lines.map((line) => line.slice(4)).join('');
		const shown = command.replaceAll('\t', '\\t').replace(/[ \u3000]{9,}/g, (run) => `·{${run.length} blanks}·`);
		expect(joined.startsWith(shown.replaceAll('\n', ''))).toBe(true);
		expect(joined).toContain('description: harmless');
		terminal.type('\n');
		await terminal.end();
	});

	it('the words of a question of the model stay in theirs', async () => {
		const pad = ' '.repeat(columns);
		const option = { label: `One${pad}${faked}`, description: 'x'.repeat(columns * 2) };
		const question = { question: `Which?\n${pad}${faked}`, header: 'h', options: [option, option], multiSelect: false };
		await using terminal = ask('AskUserQuestion', { questions: [question] }, columns);
		await terminal.shows('A number, or');
		expectFramed(between(terminal.text, 'The model asks:', 'A number, or'), columns);
		terminal.type('2\n');
		await terminal.shows('That was all.');
	});
});

it.skipIf(!hasTerminals)('an indentation is shown as it is', async () => {
	await using terminal = ask('Write', { file_path: stage.file('deep.txt'), content: `${' '.repeat(12)}deep\n` }, 80);
	await terminal.shows('Allow?');
	expect(terminal.text).toContain(`  │ +${' '.repeat(12)}deep\n`);
	terminal.type('\n');
	await terminal.end();
});

it.skipIf(!hasTerminals)('progress of other calls waits until the question is answered', async () => {
	const use = (name: string, input: object) => ({ type: 'tool_use', name, input });
	const task = (prompt: string) => use('Task', { description: 'd', prompt, subagent_type: 'general-purpose' });
	const turns = [
		{ when: { first: 'ASKS' }, content: [use('Bash', { command: 'touch made' })] },
		{ when: { first: 'ASKS' }, text: 'A.' },
		{ when: { first: 'LOOKS' }, content: [use('Read', { file_path: 'a.txt' })], delayMs: 1500 },
		{ when: { first: 'LOOKS' }, text: 'B.' },
		{ when: { first: 'go' }, content: [task('ASKS'), task('LOOKS')] },
		{ when: { first: 'go' }, text: 'That was all.' },
	];
	const script = stage.script(turns as never);
	await using terminal = new Terminal(stage, ['-p', 'go', '--script', script], { NO_COLOR: '1' });
	await terminal.shows('or say why not: ');
	await new Promise((resolve) => setTimeout(resolve, 2500));
	expect(terminal.text).toMatch(/or say why not: $/);
	terminal.type('\n');
	await terminal.shows('Read a.txt');
	await terminal.shows('That was all.');
});
