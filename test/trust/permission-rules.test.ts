/** Rules as users write them: in flags and settings files, well formed and not, trusted and not. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { bash, put, read, settings, trust, tryCalls, write } from '../support/permission-run.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const anything = ['--permission-mode', 'bypassPermissions'];

describe('a rule that is none', () => {
	const malformed = [
		['Bash(npm test:*', 'not closed'],
		['Bash()', 'empty'],
		['()', 'a rule is a tool'],
		['!Bash', 'no tool'],
		['bash', 'write Bash'],
		['BASH(touch:*)', 'write Bash'],
		['Fly(touch:*)', 'no tool Fly'],
		['Bash(:*)', 'no command'],
		['Bash(touch:*))', 'closed'],
		['Bash( touch x )', 'blank'],
		['*', 'no tool'],
		['mcp__*', 'server'],
		['WebFetch(example.com)', 'domain:'],
		['Write(src/**)', 'write Edit(src/**)'],
		['NotebookEdit(src/**)', 'write Edit(src/**)'],
		['Glob(src/**)', 'write Read(src/**)'],
		['Edit(../x/**)', '//absolute'],
	] as const;
	it.each(malformed)('in a flag is an error that names it: %s', async (rule, reason) => {
		const { code, err } = await tryCalls(stage, [bash('touch made')], '--allowedTools', rule);
		expect({ code, named: err.includes(rule), reason: err.includes(reason) }).toEqual({
			code: 2,
			named: true,
			reason: true,
		});
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it('in a settings file is left out alone, and said', async () => {
		settings(stage, 'user', { allow: [...malformed.map(([rule]) => rule), 'Bash (touch:*)', 'Bash(mkdir:*)'] });
		const { code, err, denied } = await tryCalls(stage, [bash('touch made'), bash('mkdir folder')]);
		expect(code).toBe(0);
		expect(denied).toEqual([{ command: 'touch made' }]);
		for (const [rule] of malformed) expect(err).toContain(`permissions.allow: ${rule} is left out`);
		expect(existsSync(stage.file('folder'))).toBe(true);
	});

	it.each([
		['deny', 'Bash(touch:*', 'not closed'],
		['deny', 'bash(touch:*)', 'write Bash'],
		['ask', 'Bash( touch x )', 'blank'],
		['deny', 'Read(!secret)', 'negated'],
		['deny', 'mcp__*', 'server'],
		['deny', '*', 'no tool'],
		['ask', '', 'empty'],
	])('that was to %s in the user’s own settings stops the client: %s', async (kind, rule, reason) => {
		const mended = settings(stage, 'user', { [kind]: [rule] });
		for (const flags of [[], ['--settings', JSON.stringify({ permissions: { [kind]: [rule] } })]]) {
			const { code, err } = await tryCalls(stage, [bash('touch made')], ...anything, ...flags);
			expect({ stopped: code !== 0, lines: err.trim().split('\n').length }).toEqual({ stopped: true, lines: 1 });
			expect(err).toContain(`permissions.${kind}: ${rule} is not a rule: `);
			expect(err).toContain(reason);
			if (flags.length === 0) writeFileSync(mended, '{}');
		}
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it('that was to deny a tool which nobody has stops nothing, and is said', async () => {
		settings(stage, 'user', { deny: ['Fly(touch:*)'] });
		const { code, err } = await tryCalls(stage, [bash('touch made')], ...anything);
		expect(code).toBe(0);
		expect(err).toContain('permissions.deny: Fly(touch:*) is left out: there is no tool Fly');
		expect(existsSync(stage.file('made'))).toBe(true);
	});

	it.each(['project', 'local'] as const)(
		'that was to deny in a %s file counts for the whole tool, and that is said',
		async (file) => {
			settings(stage, file, { deny: ['bash(touch:*'], ask: ['Write( b )'] });
			const { code, err } = await tryCalls(stage, [bash('mkdir made'), write('b')], ...anything);
			expect(code).toBe(0);
			expect(err).toContain(
				'permissions.deny: bash(touch:* counts for every call of Bash until it is mended: a bracket is not closed',
			);
			expect(err).toContain('permissions.ask: Write( b ) counts for every call of Write until it is mended');
			expect(existsSync(stage.file('made'))).toBe(false);
			expect(existsSync(stage.file('b'))).toBe(false);
		},
	);

	it('denies and asks as it reads, although Claude Code ignores it', async () => {
		settings(stage, 'user', { deny: ['Write(locked/**)'], ask: ['Write(careful)'] });
		const calls = [write('locked/a'), write('careful'), write('free')];
		const { denied, err } = await tryCalls(stage, calls, '--permission-mode', 'bypassPermissions');
		expect(denied.map((input) => (input as { file_path: string }).file_path)).toEqual(['locked/a', 'careful']);
		expect(err).not.toContain('left out');
	});
});

describe('settings files', () => {
	it('deny beats ask beats allow, wherever they stand', async () => {
		trust(stage);
		settings(stage, 'user', { allow: ['Bash(touch:*)'], deny: ['Bash(mkdir:*)'] });
		settings(stage, 'project', { allow: ['Bash(mkdir:*)', 'Bash(cp:*)'], ask: ['Bash(touch b)'] });
		settings(stage, 'local', { deny: ['Bash(cp a.txt no)'] });
		const calls = [
			bash('touch a'),
			bash('touch b'),
			bash('mkdir c'),
			bash('cp a.txt no'),
			bash('cp a.txt yes'),
			bash('touch d'),
		];
		const { denied } = await tryCalls(stage, calls, '--disallowedTools', 'Bash(touch d)');
		expect(denied).toEqual([
			{ command: 'touch b' },
			{ command: 'mkdir c' },
			{ command: 'cp a.txt no' },
			{ command: 'touch d' },
		]);
		expect(['a', 'yes', 'b', 'c', 'no', 'd'].map((name) => existsSync(stage.file(name)))).toEqual([
			true,
			true,
			false,
			false,
			false,
			false,
		]);
	});

	it('of a folder that is not trusted can forbid, not allow', async () => {
		put(stage, '../extra/f');
		settings(stage, 'project', {
			allow: ['Bash(touch:*)'],
			deny: ['Read(secret)'],
			additionalDirectories: ['../extra'],
			defaultMode: 'bypassPermissions',
		});
		put(stage, 'secret');
		const calls = [bash('touch made'), read('secret'), read('../extra/f')];
		const first = await tryCalls(stage, calls);
		expect(first.denied).toHaveLength(3);
		expect(first.err).toContain(
			'is not trusted, so what it brings does not count: allow rules (Bash(touch:*)); added folders (../extra)',
		);
		expect(first.err).toContain('a project cannot ask for bypassPermissions');
		trust(stage);
		const second = await tryCalls(stage, calls);
		expect(second.denied).toEqual([{ file_path: 'secret' }]);
		expect(existsSync(stage.file('made'))).toBe(true);
	});

	it('a project may make the mode stricter, and the user’s mode counts', async () => {
		settings(stage, 'user', { defaultMode: 'acceptEdits' });
		expect((await tryCalls(stage, [write('a')])).denied).toEqual([]);
		settings(stage, 'project', { defaultMode: 'plan' });
		expect((await tryCalls(stage, [write('b')])).denied).toHaveLength(1);
		expect((await tryCalls(stage, [write('c')], '--permission-mode', 'acceptEdits')).denied).toEqual([]);
	});

	const wrong = [
		['{', 'it is not JSON'],
		['[]', 'it is not an object'],
		['{"permissions": 1}', 'permissions is not an object'],
		['{"permissions": {"deny": "Bash"}}', 'permissions.deny is not a list'],
		['{"permissions": {"ask": [1]}}', 'permissions.ask holds something that is not a text'],
	] as const;
	const lighter = [
		['{"permissions": {"allow": "Bash"}}', 'permissions.allow is not a list'],
		['{"permissions": {"defaultMode": "x"}}', 'permissions.defaultMode is not one of'],
	] as const;

	it.each([
		...lighter.map((one) => ['user', ...one] as const),
		...[...wrong, ...lighter].map((one) => ['project', ...one] as const),
	])('of the %s that are wrong are one line with path and field: %s', async (whose, text, problem) => {
		const path = settings(stage, whose, text);
		const { code, err } = await tryCalls(stage, [read('a.txt')]);
		expect(code).toBe(0);
		expect(err.split('\n').filter((line) => line.includes(path))).toEqual([expect.stringContaining(problem)]);
	});

	it.each(wrong)('of the user that cannot be kept let nothing run: %s', async (text, problem) => {
		const path = settings(stage, 'user', text);
		const { code, err } = await tryCalls(stage, [bash('touch made')], '--allowedTools', 'Bash');
		expect(code).not.toBe(0);
		expect(err.trim().split('\n')).toEqual([expect.stringContaining(`${path}: ${problem}`)]);
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it('that are no ordinary file hang nothing', async () => {
		writeFileSync(join(stage.home, '.claude.json'), '{');
		settings(stage, 'user', '');
		expect((await tryCalls(stage, [read('a.txt')])).denied).toEqual([]);
	});

	it('a tool that is denied as a whole is not offered', async () => {
		const { out } = await stage.run([
			'-p',
			'x',
			'--script',
			stage.script([{ text: 'y' }]),
			'--output-format',
			'stream-json',
			'--verbose',
			'--disallowedTools',
			'Bash',
			'Edit',
		]);
		const init = JSON.parse(out.split('\n')[0] ?? '') as { tools: string[] };
		expect(init.tools).toContain('Read');
		// A rule about Edit is one about every tool that changes files.
		for (const name of ['Bash', 'Edit', 'Write', 'NotebookEdit']) expect(init.tools).not.toContain(name);
	});
});
