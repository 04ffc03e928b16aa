/** Session protocol §7 and 12.4: calls, results and what is kept of them for display, held against what the command wrote. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../support/model-server.ts';
import { blocks, isResult, type Line, messages, profiles, SeedStage } from '../support/seed-runs.ts';

const use = (name: string, input: { readonly [key: string]: string }) => ({ type: 'tool_use' as const, name, input });

const turns = [
	{
		content: [
			use('Read', { file_path: 'a.txt' }),
			use('Bash', { command: 'echo out; echo err >&2' }),
			use('Write', { file_path: 'new.txt', content: 'one\ntwo\n' }),
		],
	},
	{ content: [use('Edit', { file_path: 'new.txt', old_string: 'two', new_string: 'three' })] },
	{ text: 'Done.' },
];

interface Body {
	readonly messages: readonly { readonly content: readonly { readonly type: string }[] }[];
}

describe.each(profiles)('a run that reads, runs, writes and edits (%s)', (profile) => {
	const stage = new SeedStage(profile);
	afterAll(() => stage[Symbol.dispose]());
	let said: readonly Line[] = [];
	let requests: readonly { readonly body: Body }[] = [];

	beforeAll(async () => {
		await using server = await startModelServer({ turns, strict: true });
		await stage.begin('go', server);
		said = messages(stage.all());
		requests = server.requests as unknown as typeof requests;
	});

	const resultOf = (name: string): Line | undefined => {
		const call = said
			.flatMap(blocks)
			.find((block) => block.type === 'tool_use' && 'name' in block && block.name === name);
		return said.find((line) =>
			blocks(line).some(({ tool_use_id }) => tool_use_id !== undefined && tool_use_id === call?.id),
		);
	};

	it('7.1: a call is a block with its id, its name and its input', () => {
		const calls = said.flatMap(blocks).filter(({ type }) => type === 'tool_use');
		expect(calls).toMatchObject([
			{ name: 'Read', input: { file_path: 'a.txt' } },
			{ name: 'Bash', input: { command: 'echo out; echo err >&2' } },
			{ name: 'Write', input: { file_path: 'new.txt' } },
			{ name: 'Edit', input: { old_string: 'two' } },
		]);
		expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
	});

	it('7.2: every call has a result of its own, a user message that names it, with the output as a string', () => {
		const calls = said.flatMap(blocks).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
		const results = said.filter(isResult);
		expect(results.map((line) => blocks(line)[0]?.tool_use_id)).toEqual(calls);
		for (const line of results) {
			expect(line).toMatchObject({ type: 'user', message: { role: 'user' } });
			expect(blocks(line)).toEqual([expect.objectContaining({ type: 'tool_result', content: expect.any(String) })]);
		}
	});

	it('7.3 Read: type text, and the file with its path, content and lines', () => {
		expect(resultOf('Read')?.toolUseResult).toMatchObject({
			type: 'text',
			file: {
				filePath: stage.file('a.txt'),
				content: expect.stringContaining('hello\nworld'),
				numLines: expect.any(Number),
				startLine: 1,
				totalLines: expect.any(Number),
			},
		});
	});

	it('7.3 Bash: what it printed on either side, and whether it was interrupted', () => {
		expect(resultOf('Bash')?.toolUseResult).toMatchObject({
			stdout: expect.stringContaining('out'),
			stderr: expect.any(String),
			interrupted: false,
			isImage: false,
		});
	});

	it('7.3 Write: a new file has no original and nothing to patch', () => {
		expect(resultOf('Write')?.toolUseResult).toMatchObject({
			type: 'create',
			filePath: stage.file('new.txt'),
			content: 'one\ntwo\n',
			structuredPatch: [],
			originalFile: null,
		});
	});

	it('7.3 Edit: both texts, the original and the patch in hunks', () => {
		expect(resultOf('Edit')?.toolUseResult).toMatchObject({
			filePath: stage.file('new.txt'),
			oldString: 'two',
			newString: 'three',
			originalFile: 'one\ntwo\n',
			structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' one', '-two', '+three'] }],
			userModified: false,
			replaceAll: false,
		});
	});

	it('7.3: what is kept for display is never sent', () => {
		expect(requests).toHaveLength(3);
		const sent = JSON.stringify(requests.map(({ body }) => body.messages));
		for (const key of ['toolUseResult', 'structuredPatch', 'originalFile', 'totalLines'])
			expect(sent).not.toContain(key);
		expect(sent).toContain('tool_result');
	});

	it('12.4: several calls in one reply are all run, and answered together in the next request', () => {
		expect(requests).toHaveLength(3);
		const last = requests[1]?.body.messages.at(-1);
		expect(last?.content.filter(({ type }) => type === 'tool_result')).toHaveLength(3);
	});
});
