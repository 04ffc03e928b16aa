/** The pass that all wires share, as pi does it: another model's thinking, open calls, failed replies, images that a model does not take. */
import { type AgentMessage, isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';
import { branchText, compactionText, shellText, unanswered } from './texts.ts';

/** A message in the session's own form; one that comes from a file may be damaged. */
export type WireInput = AgentMessage | JsonObject;

/** A message as Anthropic's Messages API takes it: the shape that holds what the clients of all formats send. */
export interface WireMessage {
	readonly role: string;
	readonly content: string | readonly JsonObject[];
}

/** How versions of pi and OpenClaw differ in shaping a request. */
export interface WireRules {
	/** True for pi 0.87.1: missing content counts as empty, and ids and placeholders have their newer form. */
	readonly modern: boolean;
	/** True for OpenClaw: thinking is sent back unchanged, and an empty result is sent as a text that says so. */
	readonly openclaw: boolean;
	/** True where Ollama is told which call a result answers. */
	readonly namesCalls: boolean;
	/** True where thinking that became text stands in a paragraph of its own; pi lets the reply follow it without a space. */
	readonly apart?: boolean;
}

/** The rules of the newest pi as our own requests follow them. */
export const newestRules: WireRules = { modern: true, openclaw: false, namesCalls: true, apart: true };

/** The model that is asked, its provider and its API. */
export interface Target {
	readonly provider: string;
	readonly api: string;
	readonly model: string;
	/** False for a model that takes no images: it gets a text in their place. */
	readonly images?: boolean;
}

export interface Wired<M = JsonObject> {
	readonly messages: readonly M[];
	/** For each message the indexes of the inputs that it was made from; empty for what the client invents. */
	readonly from: readonly (readonly number[])[];
	/** Why the client fails before it sends anything. */
	readonly refused?: string;
}

/** Turns messages into what one API takes, without side effects. `before` counts messages sent earlier. */
export type Wire<M = JsonObject> = (
	messages: readonly WireInput[],
	target: Target,
	rules: WireRules,
	before?: number,
) => Wired<M>;

/** A message with a role that every API knows, and the indexes of its inputs. */
export interface Turn {
	readonly message: JsonObject;
	readonly from: readonly number[];
}

export interface Prepared {
	readonly turns: readonly Turn[];
	readonly refused?: string;
}

/** Makes the ids of another model's tool calls fit the API. `source` is the reply that made the call. */
export type FitId = (id: string, source: JsonObject) => string;

/** Settles roles, foreign thinking, open calls and failed replies, so that only the shape is left to each API. */
export function prepare(messages: readonly WireInput[], target: Target, rules: WireRules, fitId: FitId): Prepared {
	const turns: Turn[] = [];
	const renamed = new Map<Json | undefined, string>();
	for (const [at, input] of messages.entries()) {
		const plain = plainMessage(input as JsonObject);
		if (plain === undefined) continue;
		const message = isAbsent(plain.content) && rules.modern ? { ...plain, content: [] } : plain;
		const refused = flawOf(message);
		if (refused !== undefined) return { turns: [], refused };
		turns.push({ message: adapt(message, target, fitId, renamed), from: [at] });
	}
	return { turns: answered(turns) };
}

/** An ordinary message for one of the client's own kinds; undefined for a kind that no model receives. */
export function plainMessage(message: JsonObject): JsonObject | undefined {
	const says = (text: string) => ({ role: 'user', content: [{ type: 'text', text }], timestamp: message.timestamp });
	switch (message.role) {
		case 'user':
		case 'assistant':
		case 'toolResult':
			return message;
		case 'bashExecution':
			return message.excludeFromContext ? undefined : says(shellText(message));
		case 'custom':
			if (typeof message.content === 'string') return says(message.content);
			return { role: 'user', content: message.content, timestamp: message.timestamp };
		case 'branchSummary':
			return says(branchText(spoken(message.summary)));
		case 'compactionSummary':
			return says(compactionText(spoken(message.summary)));
		default:
			return undefined;
	}
}

/** A value as JavaScript would write it into a text. */
function spoken(value: Json | undefined): string {
	return typeof value === 'object' && value !== null ? '[object Object]' : String(value);
}

/** What pi's conversions cannot read in a message: every request with it would fail before it is sent. */
function flawOf(message: JsonObject): string | undefined {
	const { role, content } = message;
	const where = `the content of a message with the role ${String(role)}`;
	if (role === 'user' && typeof content === 'string') return undefined;
	if (!Array.isArray(content)) return `${where} is no array, so that every request fails`;
	for (const block of content as readonly Json[]) {
		if (block === null) return `${where} holds null, so that every request fails`;
		if (!isObject(block) || role === 'toolResult') continue;
		if (block.type === 'text' && typeof block.text !== 'string') return `${where} holds a text without text`;
		if (block.type === 'thinking' && block.thinking && typeof block.thinking !== 'string') {
			return `${where} holds thinking that is no text`;
		}
		if (block.type === 'toolCall' && typeof block.id !== 'string') return `${where} holds a tool call without id`;
	}
	return undefined;
}

function isAbsent(value: Json | undefined): boolean {
	return value === undefined || value === null;
}

/** The blocks of a message that passed `flawOf`; a value that is no object becomes a block without a type. */
export function blocksOf(message: JsonObject): readonly JsonObject[] {
	const { content } = message;
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	return Array.isArray(content) ? (content as readonly Json[]).map((block) => (isObject(block) ? block : {})) : [];
}

export function isSameModel(message: JsonObject, target: Target): boolean {
	return message.provider === target.provider && message.api === target.api && message.model === target.model;
}

function adapt(message: JsonObject, target: Target, fitId: FitId, renamed: Map<Json | undefined, string>): JsonObject {
	const viewed = target.images === false ? withoutImages(message) : message;
	if (viewed.role === 'toolResult') {
		const id = renamed.get(viewed.toolCallId);
		return id ? { ...viewed, toolCallId: id } : viewed;
	}
	if (viewed.role !== 'assistant') return viewed;
	const same = isSameModel(viewed, target);
	const content: JsonObject[] = [];
	for (const block of blocksOf(viewed)) {
		const kept = same ? ownBlock(block) : foreignBlock(block, viewed, fitId, renamed);
		if (kept) content.push(kept);
	}
	return { ...viewed, content };
}

/** A block for the model that wrote it. Signed thinking stays even if empty: the signature may hold all of it. */
function ownBlock(block: JsonObject): JsonObject | undefined {
	if (block.type !== 'thinking' || block.redacted || block.thinkingSignature) return block;
	return isBlank(block.thinking) ? undefined : block;
}

/** A block for another model, which cannot use signatures: thinking becomes plain text that it will not imitate, marked as `thought` for wires. */
function foreignBlock(
	block: JsonObject,
	message: JsonObject,
	fitId: FitId,
	renamed: Map<Json | undefined, string>,
): JsonObject | undefined {
	switch (block.type) {
		case 'thinking':
			return block.redacted || isBlank(block.thinking)
				? undefined
				: { type: 'text', text: block.thinking, thought: true };
		case 'text':
			return { type: 'text', text: block.text };
		case 'toolCall': {
			const { thoughtSignature: _, ...call } = block;
			const id = stringAt(block, 'id') ?? '';
			const fitted = fitId(id, message);
			if (fitted === id) return call;
			renamed.set(id, fitted);
			return { ...call, id: fitted };
		}
		default:
			return block;
	}
}

const omitted: { readonly [role: string]: string } = {
	user: '(image omitted: model does not support images)',
	toolResult: '(tool image omitted: model does not support images)',
};

/** The message with one text in place of each run of images. */
function withoutImages(message: JsonObject): JsonObject {
	const text = omitted[String(message.role)];
	if (text === undefined || typeof message.content === 'string') return message;
	const content: JsonObject[] = [];
	for (const block of blocksOf(message)) {
		if (block.type !== 'image') content.push(block);
		else if (content.at(-1)?.text !== text) content.push({ type: 'text', text });
	}
	return { ...message, content };
}

/** The turns without failed replies, and with results for calls that were open when the conversation went on. */
function answered(turns: readonly Turn[]): readonly Turn[] {
	const result: Turn[] = [];
	let open: readonly JsonObject[] = [];
	let answers = new Set<Json | undefined>();
	const close = (): void => {
		for (const call of open)
			if (!answers.has(call.id)) result.push({ message: failedResult(call, unanswered), from: [] });
		open = [];
		answers = new Set();
	};
	for (const turn of turns) {
		const { message } = turn;
		if (message.role === 'toolResult') answers.add(message.toolCallId);
		else close();
		if (message.role === 'assistant') {
			if (message.stopReason === 'error' || message.stopReason === 'aborted') continue;
			open = blocksOf(message).filter((block) => block.type === 'toolCall');
		}
		result.push(turn);
	}
	close();
	return result;
}

/** What stands for the result of a call that has none. */
export function failedResult(call: JsonObject, text: string): JsonObject {
	return {
		role: 'toolResult',
		toolCallId: call.id,
		toolName: call.name,
		content: [{ type: 'text', text }],
		isError: true,
	};
}

/** Results that follow each other in one group, for APIs that take them together; every other turn alone. */
export function groupsOf(turns: readonly Turn[]): readonly (readonly [Turn, ...Turn[]])[] {
	const groups: [Turn, ...Turn[]][] = [];
	for (const turn of turns) {
		const last = groups.at(-1);
		if (last?.[0].message.role === 'toolResult' && turn.message.role === 'toolResult') last.push(turn);
		else groups.push([turn]);
	}
	return groups;
}

/** The text without half surrogate pairs, which pi removes because many servers refuse them. */
export function sound(text: Json | undefined): string {
	if (typeof text !== 'string') return '';
	return text.isWellFormed() ? text : text.replaceAll(/\p{Surrogate}/gu, '');
}

export function isBlank(text: Json | undefined): boolean {
	return typeof text !== 'string' || text.trim() === '';
}

/** The texts of a tool result as one. */
export function resultText(blocks: readonly JsonObject[]): string {
	const texts = blocks.filter((block) => block.type === 'text').map((block) => block.text);
	return texts.map((text) => (typeof text === 'string' ? text : '')).join('\n');
}

export function imagesIn(blocks: readonly JsonObject[]): readonly JsonObject[] {
	return blocks.filter((block) => block.type === 'image');
}

export function dataUrl(image: JsonObject): string {
	return `data:${String(image.mimeType)};base64,${String(image.data)}`;
}

/** A short name for a long one: the cyrb53 hash in base 36, both halves. */
export function shortHash(text: string): string {
	let a = 0xdeadbeef;
	let b = 0x41c6ce57;
	for (let i = 0; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		a = Math.imul(a ^ unit, 2654435761);
		b = Math.imul(b ^ unit, 1597334677);
	}
	a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
	b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
	return (b >>> 0).toString(36) + (a >>> 0).toString(36);
}

/** Collects the messages for an API, each with the indexes of its inputs. */
export class Sent<M = JsonObject> {
	readonly messages: M[] = [];
	readonly from: (readonly number[])[] = [];

	add(message: M, from: readonly number[]): void {
		this.messages.push(message);
		this.from.push(from);
	}
}

export function refusal<M>(refused: string): Wired<M> {
	return { messages: [], from: [], refused };
}
