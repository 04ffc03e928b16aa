/** Long conversations with strict models that can take little: generated, over four providers, in every format. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../src/agent/contracts.ts';
import { resumeConversation } from '../../src/agent/recording/resume.ts';
import type { AgentMessage, FormatId } from '../../src/model/index.ts';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { uncompactSession } from '../../src/store/manage/uncompact.ts';
import { defineTool } from '../../src/tools/define.ts';
import { stage } from '../support/agent.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { envFor, modelNames, type ProtocolName, providerAt } from '../support/model-server-ask.ts';
import { seed } from '../support/mutate.ts';
import type { Scratch } from '../support/scratch.ts';

const protocols: readonly ProtocolName[] = ['anthropic', 'responses', 'google', 'ollama'];
const formats: readonly FormatId[] = ['claude-code', 'openclaw', 'cline', 'clido'];
const perProvider = 25;
const manyPrompts = 62;

/** Numbers from 0 to 1 that look random and are the same every time. */
function numbers(from: number): () => number {
	let state = from >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

class Random {
	readonly #next: () => number;

	constructor(from: number) {
		this.#next = numbers(from);
	}

	upTo(most: number): number {
		return Math.floor(this.#next() * most);
	}

	pick<T>(from: readonly T[]): T {
		return from[this.upTo(from.length)] as T;
	}

	/** About so many characters of prose, code, another script or digits. */
	text(length: number): string {
		const word = this.pick<() => string>([
			() => this.pick(['the', 'parser', 'reads', 'tokens', 'before', 'rendering', 'every', 'frame']),
			() => this.pick(['const x = [1, 2];', 'if (a) {', '} else {', 'return fn(y);', '// note']),
			() => this.pick(['文件', '读取', '错误', '已修复', '下一步']),
			() => String(this.upTo(1_000_000)),
		]);
		let text = '';
		while (text.length < length) text += `${word()} `;
		return text.trim();
	}
}

/** A tool whose results are as long as the conversation needs. */
function talker(random: Random, window: number): Tool {
	return defineTool({
		name: 'look',
		description: 'Looks at something.',
		effect: 'read',
		input: z.strictObject({ what: z.string() }),
		subjects: () => [],
		run: async ({ what }) => ({
			content: [{ type: 'text', text: `${what}: ${random.text(random.upTo(window / 3))}` }],
		}),
	});
}

/** Replies for a turn: some calls, several at once now and then, and an answer. */
function turnsFor(random: Random, window: number): readonly ScriptTurnInput[] {
	const calls = Array.from(
		{ length: random.upTo(3) },
		(): ScriptTurnInput => ({
			content: [
				...(random.upTo(2) === 0 ? [{ type: 'text' as const, text: random.text(60) }] : []),
				...Array.from({ length: 1 + random.upTo(2) }, () => ({
					type: 'tool_use' as const,
					name: 'look',
					input: { what: random.text(20) },
				})),
			],
		}),
	);
	return [...calls, { text: random.text(40 + random.upTo(window / 20)) }];
}

const summary: ScriptTurnInput = {
	when: { last: 'is about to be replaced by a summary' },
	repeat: true,
	text: '<title>A long talk</title><summary>Many things were looked at.</summary>',
};

interface Talk {
	readonly protocol: ProtocolName;
	readonly format: FormatId;
	readonly window: number;
	readonly prompts: readonly string[];
	readonly turns: readonly ScriptTurnInput[];
	readonly random: Random;
}

function talkOf(protocol: ProtocolName, number: number): Talk {
	const random = new Random(seed + number * 7919 + protocols.indexOf(protocol));
	const window = 6000 + random.upTo(8000);
	// The last of each provider goes on for fifty turns after it was compacted for the first time.
	const count = number === perProvider - 1 ? manyPrompts : 16 + random.upTo(6);
	const prompts = Array.from({ length: count }, (_, at) => `prompt ${at}: ${random.text(1 + random.upTo(80))}`);
	const turns = prompts.flatMap(() => turnsFor(random, window));
	return { protocol, format: formats[number % formats.length] as FormatId, window, prompts, turns, random };
}

interface Held {
	readonly machine: Scratch['machine'];
	readonly said: readonly AgentMessage[];
	readonly path: string;
	/** How many prompts had been answered when the conversation was compacted for the first time. */
	readonly firstCompaction: number | undefined;
	readonly compactions: number;
}

async function hold(talk: Talk, server: ModelServer, check: (held: Held) => Promise<void>): Promise<void> {
	const { provider, model } = await providerAt(modelNames[talk.protocol], envFor(server.url));
	const compaction = { auto: true, window: talk.window, words: talk.window };
	const config = { model, tools: [talker(talk.random, talk.window)], compaction };
	await using scene = await stage(provider, { format: talk.format, config });
	const said: AgentMessage[] = [];
	let firstCompaction: number | undefined;
	const made = () => scene.observed.filter((event) => event.type === 'compacted');
	for (const [at, prompt] of talk.prompts.entries()) {
		const { result } = await scene.run(prompt);
		expect(result.problem).toBeUndefined();
		said.push(...result.messages);
		if (made().length > 0) firstCompaction ??= at;
	}
	expect(made().flatMap(({ problem }) => problem ?? [])).toEqual([]);
	await check({
		said,
		path: scene.handle.path,
		machine: scene.scratch.machine,
		firstCompaction,
		compactions: made().length,
	});
}

/**
 * The messages as a model receives them: everything but when they came, what they used, and the ids that OpenAI gives to texts and
 * calls, for which not every format has a place.
 */
function sentOf(messages: readonly AgentMessage[]): readonly object[] {
	return messages.map((message) => {
		if (message.role === 'toolResult') {
			const { role, toolCallId, toolName, content, isError } = message;
			return { role, toolCallId, toolName, content, isError };
		}
		if (message.role !== 'user' && message.role !== 'assistant') return message;
		const { role, content } = message;
		const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
		return { role, content: blocks.map(withoutId) };
	});
}

function withoutId(block: object): object {
	const {
		textSignature: _,
		thoughtSignature,
		...rest
	} = block as { textSignature?: string; thoughtSignature?: string };
	return thoughtSignature === undefined || thoughtSignature.startsWith('fc_') ? rest : { ...rest, thoughtSignature };
}

describe.each(protocols)('with a strict model of %s', (protocol) => {
	it(`${perProvider} conversations are compacted before the limit, never between a call and its result, keep every prompt, and give back the whole context when that is undone`, async () => {
		for (let number = 0; number < perProvider; number += 1) {
			const talk = talkOf(protocol, number);
			await using server = await startModelServer({
				strict: true,
				window: talk.window,
				turns: [summary, ...talk.turns],
				fallback: { text: 'ok' },
			});
			await hold(talk, server, async ({ said, path, machine, firstCompaction, compactions }) => {
				// The strict server refuses a request that is too long, and one with a call without its result.
				expect(server.requests.flatMap(({ rejected }) => rejected ?? [])).toEqual([]);
				expect(compactions).toBeGreaterThan(0);
				const last = JSON.stringify(server.requests.at(-1)?.body);
				expect(talk.prompts.filter((prompt) => !last.includes(prompt))).toEqual([]);
				if (talk.prompts.length === manyPrompts) expect(firstCompaction).toBeLessThan(manyPrompts - 50);
				const whole = (await uncompactSession(path, undefined, { machine })).path;
				expect(sentOf(resumeConversation(whole).conversation.messages)).toEqual(sentOf(said));
			});
		}
	});
});
