/** The agent loop: what a streamed piece and a tool call cost with everything written down, and what stays in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Anthropic from '@anthropic-ai/sdk';
import type { AgentConfig, Conversation } from '../src/agent/config.ts';
import type { Provider, Tool } from '../src/agent/contracts.ts';
import { ReplyBuilder } from '../src/agent/replies/reply-builder.ts';
import { newConversation, startRun } from '../src/agent/run.ts';
import { nodeHost } from '../src/host/node-host.ts';
import type { FormatId } from '../src/model/index.ts';
import { anthropic } from '../src/providers/anthropic.ts';
import { createHandle } from '../src/store/handle/create.ts';
import type { SessionHandle } from '../src/store/handle/handle.ts';
import type { Benchmark, Goal, Group, Variant } from './lib/bench.ts';
import { benchFolder } from './lib/dataset.ts';
import { type Plan, startModelProcess } from './lib/model-process.ts';

interface Load extends Omit<Plan, 'file'> {
	readonly prompts: number;
}

const system = 'You are measured.';
const schema = {
	type: 'object' as const,
	properties: { path: { type: 'string' }, n: { type: 'number' } },
	required: ['path'],
};

/** What the tool does, in all variants. */
async function look(path: string): Promise<string> {
	return (await readFile(path, 'utf8')).split('\n').slice(0, 20).join('\n');
}

const lookTool: Tool = {
	name: 'Look',
	description: 'The beginning of a file.',
	inputSchema: schema,
	effect: 'read',
	parse: (input) => ({ ok: true, input }),
	subjects: () => [],
	run: async (input) => ({
		content: [{ type: 'text', text: await look((input as { readonly path: string }).path) }],
	}),
};

/** In a scratch folder with a file to look at and a server to ask. */
async function staged(load: Load, run: (url: string, folder: string) => Promise<number>): Promise<number> {
	const folder = mkdtempSync(join(benchFolder(), 'loop-'));
	const file = join(folder, 'notes.txt');
	writeFileSync(file, 'a line of notes that is neither long nor short\n'.repeat(12));
	using server = await startModelProcess({ ...load, file });
	try {
		return await run(server.url, folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The vendor's own stream, its own bookkeeping of the reply, and the messages in a list: what a loop is without a session. */
export function bareLoop(load: Load): Variant {
	return {
		name: 'the SDK’s stream, nothing written',
		run: () =>
			staged(load, async (baseURL) => {
				const client = new Anthropic({ apiKey: 'none', baseURL, maxRetries: 0 });
				const messages: Anthropic.MessageParam[] = [];
				let heard = 0;
				for (let n = 0; n < load.prompts; n += 1) {
					messages.push({ role: 'user', content: `prompt ${n}` });
					for (let open = true; open; ) {
						const content = await bareReply(client, messages, (text) => {
							heard += text.length;
						});
						messages.push({ role: 'assistant', content });
						const results = await bareResults(content);
						open = results.length > 0;
						if (open) messages.push({ role: 'user', content: results });
					}
				}
				return heard;
			}),
	};
}

const bareTools = [{ name: lookTool.name, description: lookTool.description, input_schema: schema }];

async function bareReply(
	client: Anthropic,
	messages: Anthropic.MessageParam[],
	heard: (text: string) => void,
): Promise<Anthropic.ContentBlock[]> {
	const asked = { model: 'claude-bench', max_tokens: 32_000, system, tools: bareTools, messages };
	const stream = client.messages.stream(asked);
	for await (const event of stream) {
		if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') heard(event.delta.text);
	}
	return (await stream.finalMessage()).content;
}

async function bareResults(content: Anthropic.ContentBlock[]): Promise<Anthropic.ToolResultBlockParam[]> {
	const results: Anthropic.ToolResultBlockParam[] = [];
	for (const block of content) {
		if (block.type !== 'tool_use') continue;
		const text = await look((block.input as { readonly path: string }).path);
		results.push({ type: 'tool_result', tool_use_id: block.id, content: text });
	}
	return results;
}

async function sessionIn(folder: string, format: FormatId): Promise<SessionHandle> {
	const machine = { platform: 'linux', home: folder, env: { REPRISE_HOME: join(folder, 'own') } } as const;
	return await createHandle({ format, cwd: folder, home: join(folder, 'home'), machine });
}

function configured(provider: Provider, cwd: string): AgentConfig {
	const host = nodeHost();
	return { provider, model: 'claude-bench', system, tools: [lookTool], cwd, mode: 'bypassPermissions', host };
}

export function ourLoop(format: FormatId, load: Load, goal?: Goal): Variant {
	return {
		name: `reprise, written as ${format}`,
		...(goal ? { goal } : {}),
		run: () =>
			staged(load, async (url, folder) => {
				const provider = anthropic({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none' } });
				await using handle = await sessionIn(folder, format);
				const config = configured(provider, folder);
				const conversation = newConversation();
				let heard = 0;
				for (let n = 0; n < load.prompts; n += 1) {
					const run = startRun(handle, conversation, `prompt ${n}`, config, {
						onEvent(event) {
							if (event.type !== 'message_update') return;
							const streamed = event.assistantMessageEvent;
							if (streamed.type === 'text_delta') heard += streamed.delta.length;
						},
					});
					const { outcome, problem } = await run.result;
					if (outcome !== 'success') throw new Error(problem);
				}
				return heard;
			}),
	};
}

const compared = (title: string, load: Load, goal: Goal): Group => ({
	title,
	variants: [
		bareLoop(load),
		ourLoop('claude-code', load, goal),
		ourLoop('clido', load, goal),
		ourLoop('openclaw', load, goal),
	],
});

/** A model that answers at once and never looks at what it is asked. */
const parrot: Provider = {
	id: 'offline',
	api: 'offline',
	async *stream({ model }) {
		const reply = new ReplyBuilder({ api: 'offline', provider: 'offline', model, now: Date.now() });
		yield reply.start();
		yield reply.textStart();
		yield reply.textDelta(0, 'Yes, that is how it is.');
		yield reply.textEnd(0);
		yield reply.done('stop');
	},
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMb(): number {
	collect();
	collect();
	return process.memoryUsage().heapUsed / 1e6;
}

/** Turns of one session, and the heap that is in use after them beside the conversation itself. */
function turns(count: number, goal?: Goal): Variant {
	let heap = 0;
	return {
		name: `${count.toLocaleString('en')} turns`,
		...(goal ? { goal } : {}),
		amount: () => heap,
		async run() {
			const folder = mkdtempSync(join(benchFolder(), 'loop-'));
			try {
				await using handle = await sessionIn(folder, 'claude-code');
				const conversation: Conversation = newConversation();
				const config = configured(parrot, folder);
				for (let n = 0; n < count; n += 1) await startRun(handle, conversation, `prompt ${n}`, config).result;
				conversation.messages.length = 0;
				heap = heapMb();
			} finally {
				rmSync(folder, { recursive: true, force: true });
			}
			return undefined;
		},
	};
}

export const benchmark: Benchmark = {
	title: 'The agent loop',
	about:
		'One scripted stream of the Messages API from a server in a process of its own, on loopback, in pieces of about eight events. The ' +
		'bound is the vendor’s SDK alone: its stream, its bookkeeping of the reply, messages in a list, the same tool, nothing written. ' +
		'Ours has the loop, events, permissions, and every block and result in the session’s file before the next step; a turn ends ' +
		'with an fsync. The last group keeps one session open: the amount is the heap in use afterwards, without the conversation.',
	groups: [
		compared('40,000 streamed pieces of text in 20 replies', { prompts: 20, deltas: 2000, calls: 0 }, { ratio: 1.3 }),
		compared('400 tool calls in 20 turns', { prompts: 20, deltas: 20, calls: 20 }, { ratio: 1.3 }),
		{
			title: 'Turns of one session',
			variants: [turns(1000), turns(10_000, { amount: { ratio: 1.2, unit: 'MB of heap' } })],
		},
	],
};
