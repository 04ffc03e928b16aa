/** Calls of other agents that ask for several things at once: run one by one, answered once, and written as that agent writes them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/model/index.ts';
import { ClientStage } from '../support/client.ts';

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

describe('pi', () => {
	const begin = call('bash', { command: 'echo begun' });
	const read = call('read', { path: 'a.txt' });
	const edit = (...pairs: readonly (readonly [string, string])[]) =>
		call('edit', { path: 'a.txt', edits: pairs.map(([oldText, newText]) => ({ oldText, newText })) });
	interface Told {
		readonly toolName: string;
		readonly content: readonly { readonly text: string }[];
		readonly details?: Json;
		readonly isError: boolean;
	}
	const results = async (...turns: readonly object[]): Promise<readonly Told[]> =>
		(await goOn('pi', begin, turns))
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line).message)
			.filter((message) => message?.role === 'toolResult');

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
