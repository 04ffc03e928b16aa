/** Pairs calls with results: every call has an id of its own and one result, right behind the reply that made it. */

import { stringAt } from '../model/index.ts';
import { unanswered } from '../wires/index.ts';
import type { ApiLimits } from './api-limits.ts';
import type { Clean } from './prepare.ts';
import type { Block } from './prepare-blocks.ts';

/** A call while its result is searched. */
interface Pair {
	readonly block: Block;
	/** The call's id in the session. */
	readonly id: string;
	result?: Clean;
}

/** A message; for a reply with its calls in order, and none for others. */
interface Step {
	readonly message: Clean;
	readonly pairs: readonly Pair[];
}

export interface SettledCalls {
	readonly messages: readonly Clean[];
	/** The session's ids of calls without a result. */
	readonly open: readonly string[];
}

export function settleCalls(messages: readonly Clean[], ids: Ids, limits: ApiLimits): SettledCalls {
	const steps = paired(messages);
	return {
		messages: steps.flatMap((step) => settled(step, ids, limits)),
		open: steps.flatMap(({ pairs }) => pairs.flatMap(({ id, result }) => (result ? [] : [id]))),
	};
}

/**
 * Pairs each result with the newest call before it that has its id and no result yet. Results without a call, second
 * results and results before their call are left out: every server refuses them.
 */
function paired(messages: readonly Clean[]): readonly Step[] {
	const steps: Step[] = [];
	const open = new Map<string, Pair[][]>();
	for (const message of messages) {
		if (message.role === 'toolResult') {
			const lists = open.get(stringAt(message, 'toolCallId') ?? '') ?? [];
			while (lists.at(-1)?.length === 0) lists.pop();
			const pair = lists.at(-1)?.shift();
			if (pair) pair.result = message;
			continue;
		}
		const calls = message.role === 'assistant' ? message.content.filter((block) => block.type === 'toolCall') : [];
		const pairs: Pair[] = calls.map((block) => ({ block, id: String(block.id) }));
		if (pairs.length > 0) {
			for (const [id, list] of Map.groupBy(pairs, (pair) => pair.id)) {
				const lists = open.get(id) ?? [];
				lists.push(list);
				open.set(id, lists);
			}
		}
		steps.push({ message, pairs });
	}
	return steps;
}

function settled({ message, pairs }: Step, ids: Ids, limits: ApiLimits): readonly Clean[] {
	const failed = message.stopReason === 'error' || message.stopReason === 'aborted';
	if (!failed && pairs.length === 0) return [message];
	// Of a failed reply only what really happened is sent: calls that have a result, and what was said before them.
	const kept = failed ? pairs.filter((pair) => pair.result) : pairs;
	if (failed && kept.length === 0) return [];
	const named = new Map(kept.map((pair) => [pair.block, ids.fit(pair.id, stringAt(pair.block, 'thoughtSignature'))]));
	const content = message.content.flatMap((block) => {
		if (block.type !== 'toolCall') return failed && block.type === 'thinking' ? [] : [block];
		const id = named.get(block);
		return id === undefined ? [] : [{ ...block, id }];
	});
	const reply: Clean = failed ? { ...message, content, stopReason: 'toolUse' } : { ...message, content };
	const results = kept.map((pair) => resultOf(pair, named.get(pair.block) ?? ''));
	return [reply, ...withImages(results, limits)];
}

function resultOf({ block, result }: Pair, toolCallId: string): Clean {
	const { name: toolName } = block;
	if (result) return { ...result, toolCallId, toolName: toolName ?? '', isError: result.isError === true };
	const content = [{ type: 'text', text: unanswered } as const];
	return { role: 'toolResult', toolCallId, toolName: toolName ?? '', content, isError: true };
}

/** The results, followed by their images as a message where the API takes none inside. */
function withImages(results: readonly Clean[], { imagesApart }: ApiLimits): readonly Clean[] {
	const images: Block[] = [];
	const plain = results.map((result) => {
		const apart = imagesApart === 'always' || (imagesApart === 'of errors' && result.isError === true);
		const own = apart ? result.content.filter((block) => block.type === 'image') : [];
		if (own.length === 0) return result;
		images.push(...own);
		const rest = result.content.filter((block) => block.type !== 'image');
		const content: readonly Block[] = rest.length > 0 ? rest : [{ type: 'text', text: '(see attached image)' }];
		return { ...result, content };
	});
	if (images.length === 0) return plain;
	const lead: Block = { type: 'text', text: 'Attached image(s) from tool result:' };
	return [...plain, { role: 'user', content: [lead, ...images] }];
}

/** Gives each call a unique id that the API takes, made only from what came before: a server's cache stays valid. */
export class Ids {
	readonly #limits: ApiLimits;
	readonly #before: Ids | undefined;
	readonly #given = new Set<string>();
	/** The numbers to try next behind a name, so that a thousand calls with one id are not all tried for the next. */
	readonly #numbers = new Map<string, number>();

	/** `before`: ids that are given already and stay as they are. */
	constructor(limits: ApiLimits, before?: Ids) {
		this.#limits = limits;
		this.#before = before;
	}

	/** The id for a call. pi keeps the item's id behind the call's, Reprise keeps it in the call's signature. */
	fit(id: string, signature = ''): string {
		if (!this.#limits.itemIds) return this.#unique(id);
		const [call = '', item = signature] = id.split('|');
		const own = this.#unique(call);
		return /^fc_[a-zA-Z0-9_-]{0,60}[a-zA-Z0-9-]$/.test(item) ? `${own}|${item}` : own;
	}

	#unique(id: string): string {
		const { longestId } = this.#limits;
		const safe = shorten(id.replaceAll(/[^a-zA-Z0-9_-]/g, '_'), longestId);
		let fit = this.has(safe) ? undefined : safe;
		for (let digits = 1; fit === undefined; digits++)
			fit = this.#numbered(shorten(safe, longestId - digits - 1), digits);
		this.#given.add(fit);
		return fit;
	}

	/** The name with the first number of so many digits that is free; undefined where none is. */
	#numbered(name: string, digits: number): string | undefined {
		const key = `${digits} ${name}`;
		const end = 10 ** digits;
		for (let n = this.#numbers.get(key) ?? Math.max(2, end / 10); n < end; n++) {
			const fit = `${name}_${n}`;
			this.#numbers.set(key, n + 1);
			if (!this.has(fit)) return fit;
		}
		return undefined;
	}

	has(id: string): boolean {
		return this.#given.has(id) || this.#before?.has(id) === true;
	}
}

/** An id of at most `length` characters; the Responses API takes none that ends with an underscore. */
function shorten(id: string, length: number): string {
	return id.slice(0, length).replace(/_+$/, '') || 'call';
}
