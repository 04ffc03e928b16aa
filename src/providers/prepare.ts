/**
 * Makes any conversation one that a strict server accepts, before it takes the shape of an API: whatever came out of a file, every
 * call is answered once and at once, nothing is blank, and the user has the first and the last word.
 */
import type { AgentMessage } from '../codecs/openclaw/index.ts';
import { plainMessage, rulesOf, type Target, type Wire } from '../codecs/openclaw/index.ts';
import type { JsonObject } from '../model/index.ts';
import { type ApiLimits, limitsOf } from './limits.ts';
import { type Block, cleanBlocks } from './prepare-blocks.ts';
import { settleCalls } from './prepare-calls.ts';

/** A message whose content is known to be sound. */
export interface Clean extends JsonObject {
	readonly role: 'user' | 'assistant' | 'toolResult';
	readonly content: readonly Block[];
}

const rules = rulesOf('0.87.1');

/** The conversation in the shape of one API, fit for the strictest server that speaks it. */
export function wired<M>(wire: Wire<M>, messages: readonly AgentMessage[], target: Target): readonly M[] {
	const { messages: sent, refused } = wire(prepare(messages, target), target, rules);
	if (refused !== undefined) throw new Error(`a conversation could not be sent: ${refused}`);
	return sent;
}

export function prepare(messages: readonly AgentMessage[], target: Target): readonly Clean[] {
	const limits = limitsOf(target);
	const clean: Clean[] = [];
	for (const message of messages) {
		const one = cleanedOnce(message as unknown as JsonObject, target, limits);
		if (one) clean.push(one);
	}
	const settled = settleCalls(clean, limits).filter((message) => message.role === 'toolResult' || hasContent(message));
	return framed(settled);
}

interface Cleaned {
	readonly provider: string;
	readonly api: string;
	readonly model: string;
	/** What it was made of: a message that got another content is looked at again. */
	readonly content: unknown;
	readonly length: number;
	readonly clean: Clean | undefined;
}

/** A conversation is sent again with every step of a run: what was said before is not looked at each time. */
const known = new WeakMap<object, Cleaned>();

function cleanedOnce(input: JsonObject, target: Target, limits: ApiLimits): Clean | undefined {
	const { provider, api, model } = target;
	const { content } = input;
	const length = typeof content === 'string' || Array.isArray(content) ? content.length : 0;
	const before = known.get(input);
	if (
		before?.content === content &&
		before?.length === length &&
		before.model === model &&
		before.api === api &&
		before.provider === provider
	) {
		return before.clean;
	}
	const clean = cleaned(input, target, limits);
	known.set(input, { provider, api, model, content, length, clean });
	return clean;
}

function cleaned(input: JsonObject, target: Target, limits: ApiLimits): Clean | undefined {
	const message = plainMessage(input);
	if (message === undefined) return undefined;
	const role = message.role as Clean['role'];
	return { ...message, role, content: cleanBlocks(message, target, limits) };
}

function hasContent(message: Clean): boolean {
	return message.content.length > 0;
}

/** Stands where the API wants the user to speak and nobody did. */
const opening: Clean = { role: 'user', content: [{ type: 'text', text: '(The conversation begins here.)' }] };
const closing: Clean = { role: 'user', content: [{ type: 'text', text: '(Go on.)' }] };

function framed(messages: readonly Clean[]): readonly Clean[] {
	const first = messages[0]?.role === 'user' ? [] : [opening];
	const last = messages.at(-1)?.role === 'assistant' ? [closing] : [];
	return [...first, ...messages, ...last];
}

/** Turns of one role that follow each other as one: some APIs want the roles to take turns. */
export function joined<
	K extends string,
	T extends { readonly role: string } & { readonly [P in K]: readonly unknown[] },
>(turns: readonly T[], key: K): readonly T[] {
	const result: T[] = [];
	for (const turn of turns) {
		const last = result.at(-1);
		if (last?.role === turn.role) result[result.length - 1] = { ...last, [key]: [...last[key], ...turn[key]] };
		else result.push(turn);
	}
	return result;
}
