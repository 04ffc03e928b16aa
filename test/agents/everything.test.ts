/** Everything at once, in each format: a long session of the command that loses nothing, is checked clean, and goes on with what `context` says. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FormatId, isObject, type JsonObject } from '../../src/model/index.ts';
import type { ListedAgent } from '../support/agents-stage.ts';
import { ClientStage, type Frame, framesIn } from '../support/client.ts';
import { playEverything, type Station } from '../support/everything.ts';

type Files = { readonly [name: string]: string };

interface Looked extends Omit<Station, 'server'> {
	readonly files: Files;
	/** What the client would send, block by block. */
	readonly context: readonly string[];
	/** What the next process sent first. */
	sent?: readonly string[];
	readonly issues: readonly unknown[];
}

interface Message {
	readonly role: string;
	readonly content: string | readonly JsonObject[];
}

/** Block by block, so that it does not matter how blocks are put into messages; what an API takes for the same is the same. */
function blocksOf(messages: readonly Message[]): readonly string[] {
	return messages.flatMap(({ role, content }) => {
		const blocks: readonly JsonObject[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
		return blocks.map((block) => `${role} ${JSON.stringify(sorted(plain(block)))}`);
	});
}

function plain({ cache_control: _, is_error, ...block }: JsonObject): JsonObject {
	// Thinking that nobody has signed, as Clido keeps it, is sent as text.
	if (block.type === 'thinking' && block.signature === undefined) return { type: 'text', text: block.thinking ?? '' };
	const { content } = block;
	const texts = Array.isArray(content) ? content.map((part) => (isObject(part) ? part.text : '')).join('\n') : content;
	return {
		...block,
		...(texts === undefined ? {} : { content: texts }),
		...(is_error === true ? { is_error } : {}),
	};
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, sorted(value[key])]),
	);
}

function filesIn(folder: string): Files {
	const names = readdirSync(folder).filter((name) => name !== '.git');
	return Object.fromEntries(
		names.map((name) => {
			const path = `${folder}/${name}`;
			return [name, lstatSync(path).isSymbolicLink() ? `→ ${readlinkSync(path)}` : readFileSync(path, 'utf8')];
		}),
	);
}

const changed = { 'a.txt': 'hullo\nWorld\none\n' };
const before = { ...changed, 'b.txt': 'b\n', 'made.txt': 'made\n' };
const done = { ...before, 'b.txt': 'B\n' };
const filesAt: readonly Files[] = [
	{ ...changed, 'moved.txt': 'b\n', 'c.txt': 'c\n' },
	before,
	{ ...before, 'a.txt': 'hullo\nWorld\none\nmore\n', 'c.txt': 'C\r\n', link: '→ c.txt' },
	before,
	done,
	done,
	{ ...done, 'rest.txt': 'Rest\n' },
];

/** Everything that anybody said, whether the conversation still leads there or not. */
const said = [
	...['Change a.txt', 'Let two helpers work', 'Now c.txt', 'Now c.txt, otherwise', 'And once more?'],
	...['Two more helpers', 'Now the rest', 'Was that all?'],
	...['Looking, and editing in the shell.', 'Changed it.', 'look once more', 'Looked once more: it is changed.'],
	...['Both at once.', 'Both are done.', 'c.txt is there.', 'Otherwise, then.', 'Once more.', 'Those two are done.'],
	...[
		'The rest is written.',
		'That was all.',
		'One is done.',
		'Two is done.',
		'Three is done.',
		'Four has nothing to do.',
	],
	...['The first summary', 'The second summary', 'The third summary'],
];

const formats: readonly FormatId[] = ['claude-code', 'openclaw', 'cline', 'clido'];

describe.each(formats)('everything at once in a session of %s', (format) => {
	const stage = new ClientStage();
	afterAll(() => stage[Symbol.dispose]());
	const stations: Looked[] = [];
	const last = (): Looked => stations.at(-1) as Looked;
	const rejected: string[] = [];

	beforeAll(async () => {
		let asked = 0;
		await playEverything(stage, format, async ({ server, ...station }) => {
			const previous = stations.at(-1);
			const first = server.requests[asked];
			if (previous && first) previous.sent = blocksOf(first.body.messages as unknown as readonly Message[]);
			asked = server.requests.length;
			const { messages } = JSON.parse((await stage.run(['context', station.path, '--json'])).out) as {
				readonly messages: readonly Message[];
			};
			const { issues } = JSON.parse((await stage.run(['check', station.path, '--json'])).out) as { issues: unknown[] };
			const { paths, hooks, results } = station;
			const then = { paths: [...paths], hooks: [...hooks], results: [...results] };
			stations.push({ ...station, ...then, files: filesIn(stage.cwd), context: blocksOf(messages), issues });
			rejected.splice(0, rejected.length, ...server.requests.flatMap(({ rejected: why }) => why ?? []));
		});
	}, 300_000);

	it('every prompt is answered, and a strict server takes every request', () => {
		expect(last().results.map((result) => result.replace(/ about .*/, ''))).toEqual([
			'success: Looked once more: it is changed.',
			'success: Both are done.',
			'success: Compacted:',
			'success: c.txt is there.',
			'success: Otherwise, then.',
			'success: Once more.',
			'success: Those two are done.',
			'success: Compacted:',
			'success: The rest is written.',
			'success: That was all.',
		]);
		expect(rejected).toEqual([]);
	});

	it('no check finds anything, wherever the session is left', () => {
		expect(stations.flatMap(({ issues }) => issues)).toEqual([]);
	});

	it('whoever goes on sends exactly what context says, wherever the session was left, but for the new name of Task', () => {
		const resumed = stations.filter(({ sent }) => sent !== undefined);
		expect(resumed.map(({ after }) => after)).toHaveLength(3);
		for (const { after, context, sent = [] } of resumed) {
			// Claude Code itself puts this behind a prompt that nobody has answered.
			const theirs = context.at(-1)?.includes('No response requested.') ? context.slice(0, -1) : context;
			// It also sends calls of Task under the name that the tool has there now. Here the tool has kept its name.
			const own = theirs.map((text) => text.replace(/"name":"Agent"(,"type":"tool_use"\}$)/, '"name":"Task"$1'));
			expect({ after, sent: sent.slice(0, own.length) }).toEqual({ after, sent: own });
		}
	});

	it('files are what commands and tools made of them, and go back with the conversation', () => {
		expect(stations.map(({ files }) => files)).toEqual(filesAt);
	});

	it('hooks are called at every point, for sub-agents too', () => {
		const times = (point: string): number => last().hooks.filter((one) => one === point).length;
		const points = ['UserPromptSubmit', 'Stop', 'PreCompact', 'SubagentStart', 'SubagentStop'];
		expect(points.map((point) => [point, times(point)])).toEqual([
			['UserPromptSubmit', 8],
			['Stop', 9],
			['PreCompact', 3],
			['SubagentStart', 4],
			['SubagentStop', 4],
		]);
		expect([times('PreToolUse'), times('PostToolUse')]).toEqual([20, 19]);
	});

	it('nothing that was said is lost, and the sub-agents are all there', async () => {
		const { paths } = last();
		const beside = format === 'cline' ? paths.map((one) => one.replace('.messages.json', '.compaction.json')) : [];
		const text = [...paths, ...beside].map(textIn).join('\n');
		expect(said.filter((words) => !text.includes(words))).toEqual([]);
		// A session that a rewind has made has copies of those that it speaks of.
		const listed = paths.map(async (one) => JSON.parse((await stage.run(['agents', one, '--json'])).out) as Listed);
		const agents = (await Promise.all(listed)).flatMap((one) => one.agents);
		expect([...new Set(agents.map(({ report, state }) => `${state}: ${report}`))].sort()).toEqual([
			'completed: Four has nothing to do.',
			'completed: One is done.',
			'completed: Three is done.',
			'completed: Two is done.',
		]);
		for (const agent of agents) {
			expect(JSON.parse((await stage.run(['check', agent.path, '--json'])).out)).toMatchObject({ issues: [] });
		}
	});

	it('a compaction quotes what the user said, and nothing that hooks said', () => {
		// Clido goes on with everything that was said.
		if (format === 'clido') return;
		const summary = String(last().context[0]);
		const quoted = [...summary.matchAll(/<user_message>\\n(.*?)\\n<\/user_message>/g)].map(([, words]) => words);
		// Both prompts about c.txt were taken back.
		expect(quoted).toEqual(['Change a.txt', 'Let two helpers work', 'Two more helpers']);
	});
});

interface Listed {
	readonly agents: readonly ListedAgent[];
}

it('every prompt and command that had to wait is in the queue of a Claude Code session and taken from it, and every compaction has a summary of its own', async () => {
	using stage = new ClientStage();
	let files: readonly (readonly Frame[])[] = [];
	await playEverything(stage, 'claude-code', async ({ paths }) => {
		files = paths.map((path) => framesIn(readFileSync(path, 'utf8')));
	});
	const queued = files.flat().filter(({ type }) => type === 'queue-operation');
	expect(queued.flatMap(({ content }) => content ?? [])).toEqual([
		...['Let two helpers work', '/compact keep the names', 'Now c.txt', 'And once more?'],
		...['Now the rest', 'Was that all?'],
	]);
	expect(queued.filter(({ operation }) => operation === 'dequeue')).toHaveLength(queued.length / 2);
	const [first = []] = files;
	const boundaries = first.filter(({ subtype }) => subtype === 'compact_boundary');
	expect(boundaries.map(({ compactMetadata }) => (compactMetadata as Frame).trigger)).toEqual(['manual', 'auto']);
	const summaries = first.filter(({ type }) => type === 'summary');
	expect(summaries.map(({ leafUuid }) => leafUuid)).toEqual(boundaries.map((line) => line.logicalParentUuid));
});

function textIn(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return ''; // a session that was not compacted has no such file
	}
}
