/** The question whether a tool may run shows all of what would happen, and takes yes, always, and no with a reason. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { hasTerminals, Terminal, type TerminalSize } from '../support/terminal.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const call = (name: string, input: { readonly [field: string]: string | boolean }) => ({
	content: [{ type: 'tool_use' as const, name, input }],
});
const bash = (command: string) => call('Bash', { command });

function ask(
	turns: readonly object[],
	env: object = {},
	flags: readonly string[] = [],
	size: TerminalSize = {},
): Terminal {
	const script = stage.script([...turns, { text: 'That was all.' }] as never);
	return new Terminal(stage, ['-p', 'go', '--script', script, ...flags], { NO_COLOR: '1', ...env }, size);
}

describe.skipIf(!hasTerminals)('the permission question', () => {
	it('shows every line of a command and spells out what a terminal would hide', async () => {
		await using terminal = ask([bash('echo one\ntouch made; \u001b[2K\recho harmless\u200b \u202e')]);
		await terminal.shows('Allow? ');
		expect(terminal.text).toContain('  │ echo one\n  │ touch made; \\x1b[2K\\recho harmless\\u{200b} \\u{202e}\n');
		terminal.type('y\n');
		await terminal.shows('That was all.');
		expect(await terminal.end()).toBe(0);
	});

	it('hides no line and no sign of what is asked about, however long it is', async () => {
		const lines = Array.from({ length: 60 }, (_, index) => `echo line ${index}`);
		const command = [...lines, 'touch behind-the-end; echo \u202eharmless'].join('\n');
		await using terminal = ask([bash(command)], { PAGER: 'no-such-pager-here' }, [], { columns: 200 });
		await terminal.shows('Allow');
		terminal.type('\n');
		await terminal.shows('That was all.');
		const shown = terminal.text.slice(0, terminal.text.indexOf('That was all.')).split('\n');
		for (const line of lines) expect(shown.filter((one) => one.endsWith(` ${line}`))).toHaveLength(1);
		expect(shown.some((one) => one.endsWith('touch behind-the-end; echo \\u{202e}harmless'))).toBe(true);
		expect(existsSync(stage.file('behind-the-end'))).toBe(false);
	});

	it('shows a long command in the pager, all of it, and again on request', async () => {
		const lines = Array.from({ length: 60 }, (_, index) => `echo line ${index}`);
		const pager = join(stage.cwd, '..', 'pager.sh');
		const shown = join(stage.cwd, '..', 'shown.txt');
		writeFileSync(pager, `#!/bin/sh\ncat >> '${shown}'\n`, { mode: 0o755 });
		await using terminal = ask([bash([...lines, 'touch hidden'].join('\n'))], { PAGER: pager });
		await terminal.shows('61 lines, shown in the pager; v shows them again');
		await terminal.shows('view again (v)');
		const first = readFileSync(shown, 'utf8');
		expect(first).toMatch(/^The question whether it may run follows when you leave this \(q\)\.\n/);
		expect(first).toContain('  │ echo line 0\n');
		expect(first).toContain('  │ touch hidden\n');
		terminal.type('v\n');
		await terminal.shows('Allow? ');
		expect(readFileSync(shown, 'utf8')).toBe(first + first);
		terminal.type('\n');
		await terminal.shows('That was all.');
		expect(existsSync(stage.file('hidden'))).toBe(false);
	});

	it('prints a long command as a whole where there is no pager', async () => {
		const lines = Array.from({ length: 60 }, (_, index) => `touch line${index}`);
		await using terminal = ask([bash(lines.join('\n'))], { PAGER: 'no-such-pager-here' });
		await terminal.shows('Allow? ');
		for (const line of lines) expect(terminal.text).toContain(`  │ ${line}\n`);
		terminal.type('\n');
		await terminal.shows('That was all.');
	});

	it('shows what would change in a file', async () => {
		const file = stage.file('a.txt');
		await using terminal = ask(
			[
				call('Read', { file_path: file }),
				call('Edit', { file_path: file, old_string: 'hello', new_string: 'good bye' }),
				call('Write', { file_path: file, content: 'hello\nmoon\n' }),
			],
			{},
			[],
			{ columns: 200 },
		);
		await terminal.shows('Allow? ');
		expect(terminal.text).toContain(`  │ ${file}\n  │ @@ -1,2 +1,2 @@\n  │ -hello\n  │ +good bye\n  │  world\n`);
		terminal.type('n\n');
		await terminal.shows('Why not?');
		terminal.type('it is fine as it is\n');
		await terminal.shows('Allow? ');
		expect(terminal.text).toContain(`${file} (replaces the file that is there)`);
		expect(terminal.text).toContain('  │  hello\n  │ -world\n  │ +moon\n');
		terminal.type('y\n');
		await terminal.shows('That was all.');
		expect(readFileSync(file, 'utf8')).toBe('hello\nmoon\n');
	});

	it('shows an edit where it is in the file, with the lines around it, everywhere it happens', async () => {
		const file = stage.file('long.txt');
		const lines = Array.from({ length: 40 }, (_, index) =>
			index === 9 || index === 29 ? 'here' : `line ${index + 1}`,
		);
		writeFileSync(file, `${lines.join('\n')}\n`);
		const edit = { file_path: file, old_string: 'here', new_string: 'there', replace_all: true };
		await using terminal = ask([call('Read', { file_path: file }), call('Edit', edit)], {}, [], { rows: 50 });
		await terminal.shows('Allow? ');
		for (const at of [10, 30]) {
			const around = (from: number) => [0, 1, 2].map((more) => `  │  line ${from + more}\n`).join('');
			expect(terminal.text).toContain(
				`  │ @@ -${at - 3},7 +${at - 3},7 @@\n${around(at - 3)}  │ -here\n  │ +there\n${around(at + 1)}`,
			);
		}
		terminal.type('y\n');
		await terminal.shows('That was all.');
		expect(readFileSync(file, 'utf8').match(/^there$/gm)).toHaveLength(2);
	});

	it('nobody is asked about a change that cannot work: the model gets the reason', async () => {
		const file = stage.file('a.txt');
		writeFileSync(stage.file('twice.txt'), 'x\nx\n');
		const edit = (path: string, old: string) =>
			call('Edit', { file_path: stage.file(path), old_string: old, new_string: 'new' });
		await using terminal = ask([
			edit('a.txt', 'hello'),
			call('Write', { file_path: file, content: 'new' }),
			call('Read', { file_path: file }),
			edit('a.txt', 'not in it'),
			call('Read', { file_path: stage.file('twice.txt') }),
			edit('twice.txt', 'x'),
		]);
		await terminal.shows('That was all.');
		expect(await terminal.end()).toBe(0);
		expect(terminal.text).not.toContain('Allow?');
		expect(terminal.text).toContain('4 tool calls failed;');
		const [session] = await stage.sessions();
		const written = readFileSync(session?.path ?? '', 'utf8');
		expect(written).toContain('File has not been read yet');
		expect(written).toContain('String to replace not found in file.');
		expect(written).toContain('Found 2 matches of the string to replace');
	});

	it('of a file that the model may not read unasked it learns nothing unasked', async () => {
		const outside = join(stage.cwd, '..', 'secrets');
		mkdirSync(outside);
		writeFileSync(join(outside, 'key.pem'), 'secret');
		const file = join(outside, 'key.txt');
		await using terminal = ask([call('Edit', { file_path: file, old_string: 'a', new_string: 'b' })]);
		await terminal.shows('Allow? ');
		expect(terminal.text).toContain('old_string: a');
		terminal.type('\n');
		await terminal.shows('That was all.');
		await terminal.end();
		const [session] = await stage.sessions();
		expect(readFileSync(session?.path ?? '', 'utf8')).not.toContain('key.pem');
	});

	it('says that a file stays as it is, and shows a last line end that comes', async () => {
		const file = stage.file('open.txt');
		writeFileSync(file, 'one');
		await using terminal = ask(
			[
				call('Read', { file_path: file }),
				call('Write', { file_path: file, content: 'one' }),
				call('Write', { file_path: file, content: 'one\n' }),
			],
			{},
			[],
			{ columns: 200 },
		);
		await terminal.shows(`  │ ${file} (the file stays as it is)\nAllow? `);
		terminal.type('y\n');
		await terminal.shows(
			'(replaces the file that is there)\n  │ @@ -1,1 +1,1 @@\n  │ -one\n  │ \\ No newline at end of file\n  │ +one\n',
		);
		terminal.type('y\n');
		await terminal.shows('That was all.');
	});

	it('a reason is told to the model', async () => {
		await using terminal = ask([bash('touch made')]);
		await terminal.shows('Allow? ');
		terminal.type('use the Write tool instead\n');
		await terminal.shows('That was all.');
		await terminal.end();
		expect(terminal.text).toMatch(/1 tool call was denied; reprise show last/);
		const [session] = await stage.sessions();
		expect(readFileSync(session?.path ?? '', 'utf8')).toContain('the user said no: use the Write tool instead');
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it('Ctrl-D is a no, at every question', async () => {
		await using terminal = ask([bash('touch made'), bash('touch made'), bash('git tag one')]);
		await terminal.shows('Allow? ');
		terminal.type('\u0004');
		await terminal.shows('no answer counts as no');
		await terminal.shows('Allow? ');
		terminal.type('n\n');
		await terminal.shows('Why not?');
		terminal.type('\u0004');
		await terminal.shows('2 always (a)');
		terminal.type('a\n');
		await terminal.shows('1 in this session (s)');
		terminal.type('\u0004');
		await terminal.shows('That was all.');
		expect(await terminal.end()).toBe(0);
		expect(terminal.text).not.toContain('Abort');
		const [session] = await stage.sessions();
		expect(
			readFileSync(session?.path ?? '', 'utf8').match(/was denied: the user said no\./g)?.length,
		).toBeGreaterThanOrEqual(3);
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it('plan mode asks about no change: the model is told to say what it would change', async () => {
		const turns = [bash('touch made'), call('Write', { file_path: 'new.txt', content: 'x' }), bash('ls')];
		await using terminal = ask(turns, {}, ['--permission-mode', 'plan']);
		await terminal.shows('That was all.');
		expect(await terminal.end()).toBe(0);
		expect(terminal.text).not.toContain('Allow?');
		const [session] = await stage.sessions();
		const written = readFileSync(session?.path ?? '', 'utf8');
		for (const tool of ['Bash', 'Write'])
			expect(written).toContain(
				`Permission to use ${tool} was denied: in plan mode no file is changed, and nothing is run`,
			);
		expect(terminal.text).toContain('2 tool calls were denied');
		expect(terminal.text).not.toContain('--allowedTools');
		expect((await stage.run(['show', 'last'])).out).toContain('denied by plan mode');
		expect(existsSync(stage.file('made')) || existsSync(stage.file('new.txt'))).toBe(false);
	});

	it('always shows the rule before it holds, and it holds for this session', async () => {
		await using terminal = ask([bash('git tag one'), bash('git tag two')]);
		await terminal.shows('2 always (a)');
		terminal.type('a\n');
		await terminal.shows('The rule would be Bash(git tag *)');
		await terminal.shows('1 in this session (s)');
		terminal.type('s\n');
		await terminal.shows('That was all.');
		expect(terminal.text.match(/Allow\?/g)).toHaveLength(1);
		expect(existsSync(stage.file('.claude'))).toBe(false);
	});

	it('or is saved in the project’s own settings, and what was there stays', async () => {
		const path = stage.file('.claude/settings.local.json');
		mkdirSync(stage.file('.claude'));
		writeFileSync(path, JSON.stringify({ cleanupPeriodDays: 9, permissions: { deny: ['Bash(rm *)'] } }));
		await using terminal = ask([bash('git tag one')]);
		await terminal.shows('2 always (a)');
		terminal.type('a\n');
		// The question breaks between words, and a path may be longer than a line.
		for (const words of ['2 in', path, 'for good (p)']) await terminal.shows(words);
		terminal.type('p\n');
		await terminal.shows('has the rule Bash(git tag *)');
		await terminal.shows('That was all.');
		expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
			cleanupPeriodDays: 9,
			permissions: { deny: ['Bash(rm *)'], allow: ['Bash(git tag *)'] },
		});
	});

	it('a rule that was saved for good counts in that folder, and only the user’s own does', async () => {
		const rule = 'Bash(git tag *)';
		await using terminal = ask([bash('git tag one')]);
		await terminal.shows('always (a)');
		terminal.type('a\n');
		await terminal.shows('for good');
		terminal.type('p\n');
		await terminal.shows('That was all.');
		expect(terminal.text).not.toContain('once this folder is trusted');
		const path = stage.file('.claude/settings.local.json');
		const later = () => stage.script([bash('git tag two'), { text: 'That was all.' }]);
		// Nobody is asked whether the folder is trusted: what it has is its user's.
		await using next = new Terminal(stage, ['-p', 'go', '--script', later()], { NO_COLOR: '1' });
		await next.shows('That was all.');
		expect(next.text).not.toMatch(/trust|Allow\?/);
		// A repository brings another one along, and the same in another folder: these wait.
		const theirs = { permissions: { allow: [rule, 'Bash(git push:*)'] } };
		writeFileSync(path, JSON.stringify(theirs));
		const beside = await stage.run(['-p', 'go', '--script', later()]);
		expect(beside.err).toContain('does not count: allow rules (Bash(git push:*)).');
		const elsewhere = stage.file('below');
		mkdirSync(join(elsewhere, '.claude'), { recursive: true });
		writeFileSync(join(elsewhere, '.claude/settings.local.json'), JSON.stringify(theirs));
		const there = await stage.run(['-p', 'go', '--script', later()], { cwd: elsewhere });
		expect(there.err).toContain(`does not count: allow rules (${rule}, Bash(git push:*)).`);
		// In the project's own settings it is the project's word.
		writeFileSync(path, '{}');
		writeFileSync(stage.file('.claude/settings.json'), JSON.stringify({ permissions: { allow: [rule] } }));
		expect((await stage.run(['-p', 'go', '--script', later()])).err).toContain(`allow rules (${rule})`);
	});
});
