/** Session protocol §12: the checklist of a client, box by box, held against what the command wrote and sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { framesIn } from '../support/client.ts';
import { type ModelRequestSeen, startModelServer } from '../support/model-server.ts';
import {
	blocks,
	copyOf,
	isResult,
	keptIn,
	type Line,
	messageAbove,
	messages,
	ofType,
	profiles,
	SeedStage,
} from '../support/seed-runs.ts';

const use = (name: string, input: { readonly [key: string]: string }) => ({ type: 'tool_use' as const, name, input });
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface Body {
	readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
	readonly tools?: readonly { readonly name: string; readonly input_schema: object }[];
}

interface Block {
	readonly type: string;
	readonly text?: string;
	readonly id?: string;
	readonly tool_use_id?: string;
}

const bodyOf = (request: ModelRequestSeen | undefined): Body => request?.body as unknown as Body;
const textIn = (body: Body): string => JSON.stringify(body.messages);

describe.each(profiles)('two prompts, the second on another branch (%s)', (profile) => {
	const stage = new SeedStage(profile);
	afterAll(() => stage[Symbol.dispose]());
	let lines: readonly Line[] = [];
	let graph: readonly Line[] = [];
	let text = '';
	let requests: readonly ModelRequestSeen[] = [];
	let result: { readonly usage: { readonly input_tokens: number; readonly output_tokens: number } } | undefined;

	beforeAll(async () => {
		await using server = await startModelServer({
			strict: true,
			turns: [
				{
					content: [
						{ type: 'text', text: 'I write.' },
						use('Read', { file_path: 'a.txt' }),
						use('Write', { file_path: 'a.txt', content: 'changed\n' }),
						use('Bash', { command: 'echo one; sleep 3; echo two; sleep 1; echo three' }),
					],
					usage: { input: 100, output: 10 },
				},
				{ text: 'Written.', usage: { input: 120, output: 5 } },
				{ text: 'Good bye.', usage: { input: 140, output: 3 } },
			],
		});
		const first = await stage.begin('write it', server, '--output-format', 'json');
		result = JSON.parse(first.out) as typeof result;
		stage.checkOut('other');
		await stage.goOn('and now?', server);
		lines = stage.all();
		graph = lines.filter((line) => line.uuid !== undefined);
		text = readFileSync(stage.main, 'utf8');
		requests = server.requests;
	}, 60_000);

	it('12.1 the session has a UUID of version 4, on every line', () => {
		const ids = new Set(graph.map(({ sessionId }) => sessionId));
		expect(ids.size).toBe(1);
		expect([...ids][0]).toMatch(uuid4);
	});

	it('12.1 the file is where the client looks for it, in the folder of the project, named after the session', async () => {
		if (profile === 'published') return; // what only follows the document is written where the user says
		const slug = stage.cwd.replace(/[^a-zA-Z0-9]/g, '-');
		expect(stage.main).toBe(join(stage.home, '.claude/projects', slug, `${graph[0]?.sessionId}.jsonl`));
		expect((await stage.sessions()).map(({ path }) => path)).toContain(stage.main);
	});

	it('12.1 the folder’s name keeps its leading dash, as §2 and every client have it', () => {
		if (profile === 'published') return;
		expect(basename(dirname(stage.main))).toMatch(/^-/);
	});

	it('12.1 every line has the session’s made-up name: three words', () => {
		const names = new Set(graph.map(({ slug }) => slug));
		expect(names.size).toBe(1);
		expect([...names][0]).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
	});

	it('12.1 every line has the folder, the branch of its moment and the version', () => {
		for (const line of graph)
			expect(line).toMatchObject({ cwd: stage.cwd, version: profile === 'published' ? '2.1.29' : '2.1.325' });
		const second = graph.findIndex(({ message }) => message?.content === 'and now?');
		expect(new Set(graph.slice(0, second).map(({ gitBranch }) => gitBranch))).toEqual(new Set(['main']));
		expect(new Set(graph.slice(second).map(({ gitBranch }) => gitBranch))).toEqual(new Set(['other']));
	});

	it('12.2 every message is one line of JSON, without blanks between', () => {
		expect(text.endsWith('\n')).toBe(true);
		for (const line of text.trimEnd().split('\n')) expect(JSON.stringify(JSON.parse(line))).toBe(line);
	});

	it('12.2 every message has a UUID of its own', () => {
		const ids = graph.map((line) => line.uuid ?? '');
		for (const id of ids) expect(id).toMatch(uuid);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('12.2 every message names the one before as its parent, the first none', () => {
		const said = messages(lines);
		expect(said[0]?.parentUuid).toBeNull();
		for (const [index, line] of said.entries()) if (index > 0) expect(messageAbove(line, lines)).toBe(said[index - 1]);
	});

	it('12.2 the state of a file is kept before it changes', () => {
		const kept = keptIn(lines);
		expect(Object.keys(kept)).toEqual(['a.txt']);
		const snapshots = ofType(lines, 'file-history-snapshot');
		const update = lines.findIndex(({ isSnapshotUpdate }) => isSnapshotUpdate === true);
		const changed = lines.findIndex(
			(line) => isResult(line) && JSON.stringify(line.toolUseResult).includes('originalFile'),
		);
		expect(update).toBeLessThan(changed);
		expect(snapshots.some(({ isSnapshotUpdate }) => isSnapshotUpdate === false)).toBe(true);
		const copies = join(stage.home, '.claude/file-history', String(graph[0]?.sessionId));
		const before = profile === 'published' ? kept['a.txt'] : readFileSync(join(copies, copyOf(kept, 'a.txt')), 'utf8');
		expect(before).toBe('hello\nworld\n');
	});

	it('12.2 times are ISO 8601, each later than the one before', () => {
		const times = graph.map(({ timestamp }) => timestamp ?? '');
		for (const time of times) expect(time).toMatch(iso);
		expect([...new Set(times)].sort()).toEqual(times);
	});

	it('12.3 the API gets messages of user and assistant in turns, as it wants them', () => {
		for (const request of requests) {
			expect(request.rejected).toBeUndefined();
			const roles = bodyOf(request).messages.map(({ role }) => role);
			expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
		}
	});

	it('12.3 every request describes the tools', () => {
		for (const request of requests) {
			const { tools = [] } = bodyOf(request);
			expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['Read', 'Write', 'Edit', 'Bash']));
			for (const tool of tools) expect(tool.input_schema).toMatchObject({ type: 'object' });
		}
	});

	it('12.3 a reply that streams is a line per block', () => {
		const [one, two, three] = ofType(lines, 'assistant');
		expect([one, two, three].map((line) => blocks(line).map(({ type }) => type))).toEqual([
			['text'],
			['tool_use'],
			['tool_use'],
		]);
	});

	it('12.3 the blocks of a reply share its request id, and other replies have others', () => {
		const ids = ofType(lines, 'assistant').map(({ requestId }) => requestId);
		expect(ids).toEqual([ids[0], ids[0], ids[0], ids[0], ids[4], ids[5]]);
		expect(new Set(ids).size).toBe(3);
	});

	it('12.3 tools run when the reply ends for them, and nobody is asked again when it does not', () => {
		expect(requests).toHaveLength(3);
		const stops = ofType(lines, 'assistant').map(({ message }) => message?.stop_reason);
		expect(stops.slice(3)).toEqual(['tool_use', 'end_turn', 'end_turn']);
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('changed\n');
	});

	it('12.4 calls of a reply are read from it, run, and answered in result blocks of user messages', () => {
		const calls = messages(lines)
			.flatMap(blocks)
			.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
		const answered = messages(lines)
			.filter(isResult)
			.flatMap(blocks)
			.map(({ tool_use_id }) => tool_use_id);
		expect(answered).toEqual(calls);
		for (const line of messages(lines).filter(isResult)) expect(line.toolUseResult).toBeTypeOf('object');
	});

	it('12.6 what a run used is what its replies say', () => {
		expect(result?.usage).toMatchObject({ input_tokens: 220, output_tokens: 15 });
	});

	it('12.7 what a long command prints is told while it runs', () => {
		const [progress] = ofType(lines, 'progress');
		expect(progress).toMatchObject({ data: { type: 'bash_progress', fullOutput: expect.stringContaining('one') } });
		expect(lines.filter(({ parentUuid }) => parentUuid === progress?.uuid)).toEqual([]);
	});

	it('12.7 every turn ends with its duration', () => {
		const durations = ofType(lines, 'system').filter(({ subtype }) => subtype === 'turn_duration');
		expect(durations).toHaveLength(2);
		for (const { durationMs } of durations) expect(durationMs).toBeTypeOf('number');
	});

	it('12.8 going on reads the file that is there, and adds to it only', () => {
		const third = bodyOf(requests[2]);
		for (const said of ['write it', 'I write.', 'Written.', 'and now?']) expect(textIn(third)).toContain(said);
		expect(stage.added().length).toBeGreaterThan(2);
	});
});

/** Sessions of the document, gone on with: what the model is sent. */
describe('12.8 sessions that are there already', () => {
	const stage = new SeedStage('client');
	afterAll(() => stage[Symbol.dispose]());

	const base = {
		sessionId: '00000000-0000-4000-8000-000000000001',
		isSidechain: false,
		userType: 'external',
		cwd: '/home/user/project',
		version: '2.1.29',
	};
	let seconds = 0;
	const at = () => `2026-01-03T10:00:${String(++seconds).padStart(2, '0')}.000Z`;
	const user = (id: string, parent: string | null, content: unknown) => ({
		type: 'user',
		parentUuid: parent,
		uuid: id,
		timestamp: at(),
		isMeta: false,
		...base,
		message: { role: 'user', content },
	});
	const reply = (id: string, parent: string, message: string, block: object) => ({
		type: 'assistant',
		parentUuid: parent,
		uuid: id,
		timestamp: at(),
		requestId: `req_${message}`,
		...base,
		message: {
			model: 'claude-sonnet-4-5',
			id: `msg_${message}`,
			type: 'message',
			role: 'assistant',
			content: [block],
			stop_reason: null,
			stop_sequence: null,
			usage: { input_tokens: 1, output_tokens: 1 },
		},
	});
	const text = (said: string) => ({ type: 'text', text: said });

	async function sent(lines: readonly object[]): Promise<Body> {
		await using server = await startModelServer({ turns: [{ text: 'on it' }], strict: true });
		const file = join(stage.cwd, '..', `there-${++seconds}.jsonl`);
		writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		const { code, err } = await stage.run(['-p', 'go on', '-r', file], { env });
		expect({ code, err }).toMatchObject({ code: 0 });
		return bodyOf(server.requests[0]);
	}

	it('the whole conversation is read, blocks of one reply are one message, and the prompt comes last', async () => {
		const sample = join(import.meta.dirname, '../seeds/claude-code-session-protocol/11-full-conversation.jsonl');
		const { messages: got } = await sent(framesIn(readFileSync(sample, 'utf8')));
		expect(got.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
		expect(JSON.stringify(got[0])).toContain('Read the README and tell me what this project does');
		expect(JSON.stringify(got.at(-1))).toContain('go on');
	});

	it('the chain decides, not the order of the lines', async () => {
		const lines = [
			user('a', null, 'first'),
			reply('b', 'a', '1', text('one')),
			user('c', 'b', 'second'),
			reply('d', 'c', '2', text('two')),
		];
		const got = await sent([lines[2], lines[0], lines[1], lines[3]].filter((line) => line !== undefined));
		expect(textIn(got).search('first')).toBeLessThan(textIn(got).search('second'));
	});

	it('the latest message of the chain is where it goes on: a branch that was left is not sent', async () => {
		const body = await sent([
			user('a', null, 'first'),
			reply('b', 'a', '1', text('one')),
			user('c', 'b', 'taken back'),
			reply('d', 'c', '2', text('left behind')),
			user('e', 'b', 'asked instead'),
			reply('f', 'e', '3', text('kept')),
		]);
		expect(textIn(body)).toContain('asked instead');
		expect(textIn(body)).not.toContain('taken back');
		expect(textIn(body)).not.toContain('left behind');
	});

	it('lines of one request are one message', async () => {
		const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a.txt' } };
		const { messages: got } = await sent([
			user('a', null, 'first'),
			reply('b', 'a', '1', text('I look.')),
			reply('c', 'b', '1', call),
			user('d', 'c', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'hello' }]),
			reply('e', 'd', '2', text('seen')),
		]);
		expect(
			got.map(({ content }) => (typeof content === 'string' ? ['text'] : content.map(({ type }) => type))),
		).toEqual([['text'], ['text', 'tool_use'], ['tool_result'], ['text'], ['text']]);
	});

	it('a compacted one starts from its summary', async () => {
		const boundary = {
			type: 'system',
			subtype: 'compact_boundary',
			parentUuid: null,
			logicalParentUuid: 'b',
			uuid: 'x',
			timestamp: at(),
			content: 'Conversation compacted',
			isMeta: false,
			level: 'info',
			compactMetadata: { trigger: 'auto', preTokens: 167503 },
			...base,
		};
		const body = await sent([
			user('a', null, 'long ago'),
			reply('b', 'a', '1', text('forgotten')),
			{ type: 'summary', summary: 'Code audit fixes so far', leafUuid: 'b' },
			boundary,
			user('c', null, 'after it'),
			reply('d', 'c', '2', text('remembered')),
		]);
		expect(textIn(body)).toContain('Code audit fixes so far');
		expect(textIn(body)).toContain('remembered');
		expect(textIn(body)).not.toContain('long ago');
		expect(textIn(body)).not.toContain('forgotten');
	});
});
