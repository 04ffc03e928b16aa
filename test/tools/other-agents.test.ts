/** Calls of other agents that ask for several things at once: run one by one, answered once, and written as that agent writes them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/index.ts';
import { ClientStage, framesIn, initIn } from '../support/client.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const call = (name: string, input: object) => ({ content: [{ type: 'tool_use', id: 'the_call', name, input }] });

function put(name: string, content: string): void {
	mkdirSync(dirname(stage.file(name)), { recursive: true });
	writeFileSync(stage.file(name), content);
}

/** Begins a session that knows the agent's own names, goes on with these calls, and gives its file. */
async function goOn(
	format: string,
	first: object,
	turns: readonly object[],
	...flags: readonly string[]
): Promise<string> {
	const script = (...all: readonly object[]) => stage.script([...all, { text: 'Done.' }] as never);
	await stage.run(['-p', 'go', '--session-format', format, '--script', script(first)]);
	const mode = flags.length > 0 ? flags : ['--permission-mode', 'bypassPermissions'];
	const ended = await stage.run(['-c', '-p', 'on', ...mode, '--script', script(...turns)]);
	expect(ended).toMatchObject({ code: 0 });
	const [session] = await stage.sessions();
	return readFileSync(session?.path ?? '', 'utf8');
}

describe('Cline', () => {
	const begin = call('run_commands', { commands: ['echo begun'] });
	const resultIn = (text: string): JsonObject | undefined => {
		const { messages } = JSON.parse(text) as { messages: readonly { readonly content: Json }[] };
		const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Json[]) : []));
		return blocks.filter(isObject).findLast(({ type }) => type === 'tool_result');
	};
	const answered = async (turn: object, ...flags: readonly string[]) =>
		resultIn(await goOn('cline', begin, [turn], ...flags));

	it('several files are read in one call, each with whether it could be', async () => {
		put('b.txt', 'one\ntwo\nthree\n');
		const files = [{ path: stage.file('a.txt') }, { path: 'none.txt' }, { path: 'b.txt', start_line: 2, end_line: 3 }];
		expect(await answered(call('read_files', { files }))).toEqual({
			...{ type: 'tool_result', tool_use_id: 'the_call', name: 'read_files' },
			content: [
				{ query: stage.file('a.txt'), result: '1 | hello\n2 | world', success: true },
				{ query: 'none.txt', result: '', error: 'Error reading file: File does not exist.', success: false },
				{ query: 'b.txt:2-3', result: '2 | two\n3 | three', success: true },
			],
		});
	});

	it.each([
		['a path alone', { path: 'a.txt' }],
		['a list of paths', { paths: ['a.txt'] }],
		['texts for files', { files: ['a.txt'] }],
	])('files are named as its models name them: %s', async (_, input) => {
		expect((await answered(call('read_files', input)))?.content).toMatchObject([{ query: 'a.txt', success: true }]);
	});

	it('a file that a rule denies keeps the others from nothing', async () => {
		put('secret.txt', 'the secret');
		const turn = call('read_files', { files: [{ path: 'secret.txt' }, { path: 'a.txt' }] });
		const flags = ['--permission-mode', 'default', '--disallowedTools', 'Read(secret.txt)'];
		const result = await answered(turn, ...flags);
		expect(result?.content).toMatchObject([{ success: false }, { result: '1 | hello\n2 | world', success: true }]);
		expect(JSON.stringify(result)).not.toContain('the secret');
	});

	it('several commands are run one after the other, and one that fails stops none', async () => {
		const commands = ['echo a > made; cat made', 'echo b; exit 3', 'cat made'];
		expect((await answered(call('run_commands', { commands })))?.content).toEqual([
			{ query: 'echo a > made; cat made', result: 'a\n', success: true },
			...[
				{
					query: 'echo b; exit 3',
					result: 'b\n[Command exited with code 3]',
					error: 'Command exited with code 3',
					success: false,
				},
			],
			{ query: 'cat made', result: 'a\n', success: true },
		]);
	});

	it('every command is asked about', async () => {
		const turn = call('run_commands', { commands: ['echo fine', 'touch made'] });
		const result = await answered(turn, '--permission-mode', 'default', '--allowedTools', 'Bash(echo:*)');
		expect(result?.content).toMatchObject([{ success: true }, { success: false }]);
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it('searches are made one by one, in any case and with the lines around', async () => {
		const queries = ['WORLD', 'zebra', '(', 'hel+o'];
		expect((await answered(call('search_codebase', { queries })))?.content).toMatchObject([
			{ query: 'WORLD', result: 'Results for pattern: WORLD\n\na.txt-1-hello\na.txt:2:world\n', success: true },
			{ query: 'zebra', result: 'No results found for pattern: zebra', success: true },
			{ query: '(', error: expect.stringMatching(/^Search failed: .*regex parse error/s), success: false },
			{ query: 'hel+o', success: true },
		]);
	});

	it('a search does not find what a rule hides', async () => {
		put('secret.txt', 'the secret world');
		const turn = call('search_codebase', { queries: 'world' });
		const result = await answered(turn, '--permission-mode', 'default', '--disallowedTools', 'Read(secret.txt)');
		expect(result?.content).toMatchObject([{ result: expect.stringContaining('a.txt:2:world'), success: true }]);
		expect(JSON.stringify(result)).not.toContain('the secret');
	});

	it('an edit is told with its lines', async () => {
		const text = await goOn('cline', begin, [
			call('read_files', { files: [{ path: 'a.txt' }] }),
			call('editor', { path: 'a.txt', old_text: 'world', new_text: 'all' }),
		]);
		expect(resultIn(text)?.content).toBe(
			JSON.stringify({ query: 'edit:a.txt', result: 'Edited a.txt\n```diff\n-2: world\n+2: all\n```', success: true }),
		);
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('hello\nall\n');
	});

	describe('a patch', () => {
		const patch = (...lines: readonly string[]) =>
			call('apply_patch', { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
		const patched = async (lines: readonly string[], ...flags: readonly string[]) => {
			const files = ['a.txt', 'b.txt', 'c.txt'].map((path) => ({ path }));
			const turns = [call('read_files', { files }), patch(...lines)];
			const { content } = resultIn(await goOn('cline', patch('*** Delete File: none'), turns, ...flags)) ?? {};
			return JSON.parse(String(content)) as {
				readonly result: string;
				readonly success: boolean;
				readonly error?: string;
			};
		};
		const textOf = (name: string) =>
			existsSync(stage.file(name)) ? readFileSync(stage.file(name), 'utf8') : undefined;
		const filesNow = () => ({ a: textOf('a.txt'), b: textOf('b.txt'), c: textOf('c.txt'), d: textOf('sub/d.txt') });
		beforeEach(() => {
			put('b.txt', 'one\ntwo\nthree\nfour\nmax = 10\nlast');
			put('c.txt', 'gone\n');
		});
		const all = [
			...['*** Add File: sub/d.txt', '+new', '+file'],
			...['*** Update File: b.txt', '@@', ' one', '-two', '+2', '@@ three', '+3½', '@@', '-last', '+end'],
			'*** Delete File: c.txt',
		];

		it('adds, changes and removes files, and is told as Cline tells it', async () => {
			expect(await patched(all)).toEqual({
				query: 'apply_patch',
				result: 'Successfully applied patch to the following files:\nsub/d.txt\nb.txt\nc.txt: [deleted]',
				success: true,
			});
			const b = 'one\n2\nthree\n3½\nfour\nmax = 10\nend';
			expect(filesNow()).toEqual({ a: 'hello\nworld\n', b, c: undefined, d: 'new\nfile' });
		});

		it('is asked about file by file, and one that is denied keeps the others from nothing', async () => {
			const flags = ['--permission-mode', 'acceptEdits', '--disallowedTools', 'Edit(b.txt)', 'Bash(rm:*)'];
			const { success, result, error } = await patched(all, ...flags);
			expect({ success, result }).toEqual({
				success: false,
				result: 'Successfully applied patch to the following files:\nsub/d.txt',
			});
			expect(error).toMatch(/^apply_patch failed: b\.txt: .*denied.*\nc\.txt: .*denied/s);
			expect(filesNow()).toMatchObject({ b: expect.stringContaining('two'), c: 'gone\n', d: 'new\nfile' });
		});

		it('that cannot be meant changes nothing', async () => {
			const wrong: readonly (readonly [why: string, ...lines: readonly string[]])[] = [
				['not found', '*** Update File: b.txt', '@@', '-max = 1', '+max = 2'],
				['not found', '*** Update File: b.txt', '@@', '-x = 10', '+x = 2'],
				['not found', '*** Update File: b.txt', '@@', ' one', '-zebra', '+2'],
				['already exists', '*** Add File: b.txt', '+x'],
				['not as the tool', '*** Update File: b.txt', '*** Move to: e.txt', '@@', '-two', '+2'],
				['No changes', '*** Update File: b.txt', '@@', ' one'],
				['not as the tool', '-one', '+two'],
			];
			const before = filesNow();
			const turns = [
				call('read_files', { files: [{ path: 'b.txt' }] }),
				...wrong.map(([, ...lines]) => patch(...lines)),
			];
			const session = await goOn('cline', patch('*** Delete File: none'), turns);
			const failures = [...session.matchAll(/apply_patch failed: [^}]*/g)].map(([text]) => text);
			expect(failures).toEqual(wrong.map(([why]) => expect.stringContaining(why)));
			expect(filesNow()).toEqual(before);
		});
	});

	it('what was read is known again when the session goes on', async () => {
		await goOn('cline', begin, [call('read_files', { files: [{ path: 'a.txt' }] })]);
		const script = stage.script([
			call('editor', { path: 'a.txt', old_text: 'hello', new_text: 'hi' }),
			{ text: 'x' },
		] as never);
		const { err } = await stage.run(['-c', '-p', 'on', '--permission-mode', 'acceptEdits', '--script', script]);
		expect(err).toMatch(/^reprise: going on with .*\n$/);
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('hi\nworld\n');
	});
});

interface Told {
	readonly toolName: string;
	readonly content: readonly { readonly text: string }[];
	readonly details?: Json;
	readonly isError: boolean;
}

/** The results in a file of pi or OpenClaw. */
function resultsIn(text: string): readonly Told[] {
	const messages = framesIn(text).map(({ message }) => message as (Told & { readonly role: string }) | undefined);
	return messages.filter((message) => message !== undefined).filter(({ role }) => role === 'toolResult');
}

describe('OpenClaw', () => {
	const begin = call('exec', { command: 'true' });

	it('a session that has called exec goes on with it, and rules for Bash count for it', async () => {
		const turns = ['echo it ran', 'touch made'].map((command) => call('exec', { command, timeout: 5 }));
		const text = await goOn('openclaw', begin, turns, '--permission-mode', 'default', '--allowedTools', 'Bash(echo:*)');
		expect(resultsIn(text).slice(-2)).toMatchObject([
			{ toolName: 'exec', content: [{ text: 'it ran' }], isError: false },
			{ toolName: 'exec', isError: true },
		]);
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it.each([
		['exec', 'bash'],
		['bash', 'exec'],
	])('a session that calls its shell %s is not offered %s', async (used, other) => {
		const text = (...turns: readonly object[]) => stage.script([...turns, { text: 'Done.' }] as never);
		const first = call(used, { command: 'true' });
		await stage.run(['-p', 'go', '--session-format', 'openclaw', '--script', text(first)]);
		const { out } = await stage.run(['-c', '-p', 'on', '--output-format', 'stream-json', '--script', text()]);
		const tools = initIn(out).tools;
		expect(tools).toContain(used);
		expect(tools).not.toContain(other);
		expect(tools).not.toContain('Bash');
	});
});

describe('pi', () => {
	const begin = call('bash', { command: 'echo begun' });
	const read = call('read', { path: 'a.txt' });
	const edit = (...pairs: readonly (readonly [string, string])[]) =>
		call('edit', { path: 'a.txt', edits: pairs.map(([oldText, newText]) => ({ oldText, newText })) });
	const results = async (...turns: readonly object[]) => resultsIn(await goOn('pi', begin, turns));

	it.each([
		[{}, '.hidden\na.txt\nlib/'],
		[{ path: 'lib' }, 'x y.ts'],
		[{ limit: 1 }, '.hidden'],
	])('ls lists a folder, unasked: %j', async (input, names) => {
		put('.hidden', '');
		put('lib/x y.ts', '');
		const told = resultsIn(await goOn('pi', begin, [call('ls', input)], '--permission-mode', 'plan'));
		expect(told.at(-1)).toMatchObject({ toolName: 'ls', content: [{ text: names }], isError: false });
	});

	it('ls of a folder elsewhere is asked about', async () => {
		const turn = call('ls', { path: "/etc; touch 'made" });
		const told = resultsIn(await goOn('pi', begin, [turn], '--permission-mode', 'default'));
		expect(told.at(-1)).toMatchObject({ toolName: 'ls', isError: true });
		expect(existsSync(stage.file('made'))).toBe(false);
	});

	it('a file is read without numbers', async () => {
		expect((await results(read)).at(-1)).toMatchObject({ toolName: 'read', content: [{ text: 'hello\nworld\n' }] });
	});

	it('several edits are made together, each in the file as it was', async () => {
		// The second text is there only once as long as the first edit is not made.
		const told = (await results(read, edit(['hello', 'world'], ['world', 'all']))).at(-1);
		expect(told).toMatchObject({
			...{ toolName: 'edit', isError: false },
			content: [{ text: 'Successfully replaced 2 block(s) in a.txt.' }],
			details: { diff: '-1 hello\n 1 world\n+2 all', firstChangedLine: 1 },
		});
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('world\nall\n');
	});

	it.each([
		['one that is not there', edit(['hello', 'x'], ['zebra', 'y']), 'edits[1]: String to replace not found in file.'],
		['two that overlap', edit(['hello\nwor', 'x'], ['world', 'y']), 'edits[0] and edits[1] overlap in a.txt.'],
		['nothing new', edit(['hello', 'hello'], ['world', 'world']), 'No changes to make in a.txt'],
	])('all edits are made or none: %s', async (_, turn, why) => {
		const told = (await results(read, turn)).at(-1);
		expect(told).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(why) }] });
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('hello\nworld\n');
	});

	it('rules count for several edits as for one', async () => {
		const flags = ['--dangerously-skip-permissions', '--disallowedTools', 'Edit(a.txt)'];
		await goOn('pi', begin, [read, edit(['hello', 'x'], ['world', 'y'])], ...flags);
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('hello\nworld\n');
	});
});
