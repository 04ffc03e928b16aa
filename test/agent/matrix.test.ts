/** One conversation over five wires, written in four formats and two profiles: what can be held is the same everywhere. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resumeConversation } from '../../src/agent/recording/resume.ts';
import { startRun } from '../../src/agent/run.ts';
import { codecOf } from '../../src/codecs/index.ts';
import {
	type Block,
	type Capabilities,
	type FormatId,
	type MessageEntry,
	type Profile,
	path,
	responseKey,
} from '../../src/model/index.ts';
import { openHandle } from '../../src/store/handle/handle.ts';
import { checkFile } from '../../src/store/reader/check.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { type Stage, stage } from '../support/agent.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { formats } from '../support/sessions.ts';
import { type WireCase, wireCases } from '../support/wires.ts';

const profiles: readonly Profile[] = ['client', 'published'];
const pixel = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64');

/** Text, thinking with a signature, parallel tools, an error and a retry, a cut stream, images both ways, long output. */
const turns = [
	{ error: { status: 429, message: 'slow down', headers: { 'retry-after': '0' } } },
	{
		content: [
			{ type: 'thinking' as const, thinking: 'I should look at both.', signature: 'c2lnbmVk' },
			{ type: 'text' as const, text: 'Looking.' },
			{ type: 'tool_use' as const, name: 'Read', input: { file_path: 'a.txt' } },
			{ type: 'tool_use' as const, name: 'Read', input: { file_path: 'pixel.png' } },
			{ type: 'tool_use' as const, name: 'Bash', input: { command: 'seq 1 4000' } },
		],
		usage: { input: 120, output: 30, cacheRead: 7, cacheWrite: 3 },
	},
	{ text: 'This is cut off in the middle', chunk: 5, cut: { chunks: 2, how: 'close' as const } },
	{ text: 'Both are fine: 日本語 👋.', usage: { input: 200, output: 9 } },
	{ text: 'You are welcome.' },
];

/** What a wire does not carry, so that no format can hold it. */
const wireLacks: { readonly [wire: string]: readonly (readonly ['signature', string])[] } = {
	anthropic: [],
	'openai-responses': [['signature', 'the signature is the whole reasoning item, not what the script says']],
	'openai-chat': [['signature', 'thinking has no proof on this wire, only a field name']],
	google: [['signature', 'thinking has no proof of its own on this wire; calls may have one']],
	ollama: [['signature', 'thinking has no proof on this wire']],
};

interface Plain {
	readonly said: string;
	readonly thinking?: string;
	readonly signature?: string | undefined;
}

/** What a format holds in a profile: its capabilities, less what only the real client's files have. */
interface Holds {
	readonly images: boolean;
	readonly imagesInResults: boolean;
	/** `as text`: another provider's thinking would be refused by the client's own, so that it is written as text. */
	readonly thinking: 'whole' | 'as text' | 'no';
	readonly signature: boolean;
}

/** The documents of Cline and Clido have fewer kinds of blocks than their clients write. */
const published: { readonly [F in FormatId]?: Partial<Holds> } = {
	cline: { images: false, signature: false },
	clido: { images: false, imagesInResults: false, thinking: 'no' },
};

function holdsOf(format: FormatId, profile: Profile, wire: WireCase): Holds {
	const can = codecOf(format)?.capabilities as Capabilities;
	const foreign = format === 'claude-code' && wire.name !== 'anthropic';
	return {
		images: can.images,
		imagesInResults: can.imagesInResults,
		thinking: !can.thinking ? 'no' : foreign ? 'as text' : 'whole',
		signature: can.thinkingSignatures && !wireLacks[wire.name]?.some(([field]) => field === 'signature'),
		...(profile === 'published' ? published[format] : {}),
	};
}

/** What a message says, as far as every format that is able to says the same. */
function plain(block: Block, holds: Holds): Plain {
	switch (block.type) {
		case 'text':
			return { said: block.text };
		case 'thinking': {
			const signature = holds.signature ? { signature: block.signature } : {};
			return { said: 'thinking', thinking: block.text, ...signature };
		}
		case 'tool_call':
			return { said: `call ${block.name} ${JSON.stringify(block.input)}` };
		case 'tool_result':
			return { said: `result ${block.isError} ${block.content.map((one) => plain(one, holds).said).join('')}` };
		default:
			return { said: block.type };
	}
}

/** Messages with the blocks of one reply together; results each on their own. */
function neutral(entries: readonly MessageEntry[], holds: Holds): readonly unknown[] {
	const messages: { role: string; key: string | undefined; blocks: Plain[] }[] = [];
	for (const entry of entries) {
		if (entry.audience === 'user' || entry.response?.error !== undefined) continue;
		const blocks = entry.content.map((block) => plain(block, holds));
		const key = entry.response && responseKey(entry.response);
		const last = messages.at(-1);
		if (last && key !== undefined && last.key === key) last.blocks.push(...blocks);
		else messages.push({ role: entry.role, key, blocks });
	}
	return messages.map(({ role, blocks }) => ({ role, blocks }));
}

async function converse(work: Stage): Promise<void> {
	writeFileSync(join(work.config.cwd, 'pixel.png'), Buffer.from(pixel, 'base64'));
	const { result } = await work.run([
		{ type: 'text', text: 'What is in these?' },
		{ type: 'image', data: pixel, mimeType: 'image/png' },
	]);
	expect(result.problem).toBeUndefined();
}

async function goOn(work: Stage, file: string): Promise<void> {
	const resumed = resumeConversation(file);
	await using handle = await openHandle(file, { machine: work.scratch.machine, profile: work.handle.profile });
	const { result } = startRun(handle, resumed.conversation, 'Thanks', work.config);
	expect((await result).outcome).toBe('success');
}

async function written(wire: WireCase, format: FormatId, profile: Profile, server: ModelServer) {
	const provider = wire.provider(server.url);
	const create = { header: { model: wire.model, provider: provider.id, gitBranch: 'main' } };
	await using work = await stage(provider, { format, profile, create, config: { model: wire.model } });
	await converse(work);
	await work.handle[Symbol.asyncDispose]();
	const file = work.handle.path;
	await goOn(work, file);
	const { issues } = await checkFile(file);
	const errors = issues.filter((issue) => issue.severity === 'error' && (issue.profile ?? profile) === profile);
	const session = await openSession(file);
	return { errors, entries: path(session).filter((entry) => entry.kind === 'message') };
}

describe.concurrent.each(wireCases)('over $name', (wire) => {
	it.each(formats.flatMap((format) => profiles.map((profile) => [format, profile] as const)))(
		'%s, %s: the same conversation, a file that passes, a server that never refuses',
		async (format, profile) => {
			await using server = await startModelServer({ turns, strict: true });
			const { errors, entries } = await written(wire, format, profile, server);
			expect(server.requests.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
			expect(errors).toEqual([]);
			const holds = holdsOf(format, profile, wire);
			expect(neutral(entries, holds)).toEqual(expected(holds));
		},
		30_000,
	);
});

function expected(holds: Holds): readonly unknown[] {
	const lines = Array.from({ length: 4000 }, (_, i) => i + 1).join('\n');
	const image = (held: boolean) => (held ? 'image' : '[image: image/png]');
	return [
		{ role: 'user', blocks: [{ said: 'What is in these?' }, { said: image(holds.images) }] },
		{
			role: 'assistant',
			blocks: [
				...thinking(holds),
				{ said: 'Looking.' },
				{ said: 'call Read {"file_path":"a.txt"}' },
				{ said: 'call Read {"file_path":"pixel.png"}' },
				{ said: 'call Bash {"command":"seq 1 4000"}' },
			],
		},
		{ role: 'user', blocks: [{ said: 'result false      1→hello\n     2→world\n     3→' }] },
		{ role: 'user', blocks: [{ said: `result false ${image(holds.imagesInResults)}` }] },
		{ role: 'user', blocks: [{ said: `result false ${lines}` }] },
		{ role: 'assistant', blocks: [{ said: 'Both are fine: 日本語 👋.' }] },
		{ role: 'user', blocks: [{ said: 'Thanks' }] },
		{ role: 'assistant', blocks: [{ said: 'You are welcome.' }] },
	];
}

function thinking(holds: Holds): readonly Plain[] {
	const text = 'I should look at both.';
	if (holds.thinking === 'no') return [];
	if (holds.thinking === 'as text') return [{ said: `<thinking>\n${text}\n</thinking>` }];
	return [{ said: 'thinking', thinking: text, ...(holds.signature ? { signature: 'c2lnbmVk' } : {}) }];
}
