/** Turns prepared turns into the messages of a request, as the client's provider layer does. */
import { compact, type EntryId, isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import type { WireMessage } from '../../shared/context/context.ts';
import { parseJson } from '../../shared/read/parse.ts';
import type { ClientRules } from './clients.ts';
import { imageBlock, type MediaBudget, mediaBudget, omitted } from './media.ts';
import { resultOf, sound } from './results.ts';
import { emptyContent } from './runtime-messages.ts';
import { isResult, type Part, type Turn } from './turns.ts';

export interface Wire {
	readonly messages: readonly WireMessage[];
	readonly from: readonly (readonly EntryId[])[];
	readonly refused?: string;
}

export function wireMessages(turns: readonly Turn[], rules: ClientRules): Wire {
	const steps = stepsOf(turns, rules);
	const refused = missingResult(steps);
	if (refused !== undefined) return { messages: [], from: [], refused };
	const messages: WireMessage[] = [];
	const from: (readonly EntryId[])[] = [];
	for (const group of grouped(steps)) {
		const parts = group.role === 'assistant' ? callsLast(group.parts.filter(isSent)) : group.parts;
		if (parts.length === 0 && !rules.emptyReplies) continue;
		messages.push({ role: group.role, content: parts.map((part) => part.block) });
		from.push([...new Set(group.parts.flatMap((part) => (part.from === undefined ? [] : [part.from])))]);
	}
	return { messages, from };
}

/** One thing said: a prompt, a reply, or results. */
interface Step {
	readonly role: 'user' | 'assistant' | 'tool';
	readonly parts: readonly Part[];
}

function stepsOf(turns: readonly Turn[], rules: ClientRules): readonly Step[] {
	const steps: Step[] = [];
	const budget = mediaBudget();
	/** Images that a model made: a reply may not hold any, so they go into the next prompt. */
	let made: Part[] = [];
	const push = (role: 'user' | 'assistant', parts: readonly Part[]): void => {
		if (parts.length > 0) steps.push({ role, parts: notBlank(parts).filter((part) => part.block.text !== '') });
	};
	const take = (): readonly Part[] => {
		const parts = made.map(({ block, from }) => ({ block: shown(block, budget), ...compact({ from }) }));
		made = [];
		return parts;
	};
	for (const turn of turns) {
		for (const segment of segmentsOf(turn)) {
			if (segment.every(isResult)) {
				const parts = segment.map((part) => ({ ...part, block: resultOf(part.block, budget) }));
				steps.push({ role: 'tool', parts });
			} else if (turn.role === 'assistant') {
				const parts = segment.map((part) => ({ ...part, block: replyBlock(part.block, rules) }));
				for (const part of segment) if (isMedia(part.block)) made.push(part);
				push('assistant', parts);
			} else {
				const parts = segment
					.filter((part) => part.block.type !== 'tool_use')
					.map((part) => ({ ...part, block: promptBlock(part.block, budget) }));
				push('user', [...parts, ...take()]);
			}
		}
	}
	push('user', take());
	return steps;
}

/** The segments of a turn: results are separate, wherever they are. An empty turn says that it is empty. */
function segmentsOf(turn: Turn): readonly (readonly Part[])[] {
	if (turn.parts.length === 0)
		return [[{ block: { type: 'text', text: emptyContent }, ...compact({ from: turn.from }) }]];
	const segments: Part[][] = [];
	for (const part of turn.parts) {
		const last = segments.at(-1);
		if (last?.[0] && isResult(last[0]) === isResult(part)) last.push(part);
		else segments.push([part]);
	}
	return segments;
}

function notBlank(parts: readonly Part[]): readonly Part[] {
	const blank = parts.every(({ block }) => block.type === 'text' && stringAt(block, 'text')?.trim() === '');
	return blank ? [{ block: { type: 'text', text: emptyContent }, ...compact({ from: parts[0]?.from }) }] : parts;
}

function isMedia(block: JsonObject): boolean {
	return block.type === 'image' || block.type === 'media';
}

function modalityOf(block: JsonObject): string {
	return block.type === 'image' ? 'image' : String(isObject(block.media) ? block.media.modality : undefined);
}

function replyBlock(block: JsonObject, rules: ClientRules): JsonObject {
	if (isMedia(block)) return { type: 'text', text: `[generated ${modalityOf(block)}]` };
	if (block.type === 'file') return fileText(block);
	if (block.type === 'text') return { type: 'text', text: sound(stringAt(block, 'text') ?? '') };
	if (block.type !== 'tool_use') return thought(block);
	const { id, name } = block;
	return { type: 'tool_use', ...compact({ id }), name, input: inputOf(block.input, rules) };
}

/** A thinking block. Unsigned thinking is dropped later; until then it keeps a reply from being empty. */
function thought(block: JsonObject): JsonObject {
	const thinking = sound(stringAt(block, 'thinking') ?? '');
	return { type: 'thinking', thinking, ...compact({ signature: stringAt(block, 'signature') }) };
}

function isSent({ block }: Part): boolean {
	return block.type !== 'thinking' || block.signature !== undefined;
}

function inputOf(input: Json | undefined, rules: ClientRules): JsonObject {
	if (isObject(input)) return input;
	const parsed = typeof input === 'string' && rules.parsesInput ? parseJson(input) : undefined;
	return isObject(parsed) ? parsed : { rawInvalidInput: input };
}

function promptBlock(block: JsonObject, budget: MediaBudget): JsonObject {
	if (block.type === 'file') return fileText(block);
	if (isMedia(block)) return shown(block, budget);
	return { type: 'text', text: sound(stringAt(block, 'text') ?? '') };
}

function fileText(block: JsonObject): JsonObject {
	const content = sound(stringAt(block, 'content') ?? '');
	return { type: 'text', text: `<file_content path="${String(block.path)}">\n${content}\n</file_content>` };
}

/** A block that a model can see: images, and a text for every other kind of media. */
function shown(block: JsonObject, budget: MediaBudget): JsonObject {
	if (block.type === 'image') return image(stringAt(block, 'mediaType'), stringAt(block, 'data') ?? '', budget);
	const media = isObject(block.media) ? block.media : {};
	const from = isObject(media.source) ? media.source : {};
	if (media.modality !== 'image' || from.type === 'artifact') {
		return { type: 'text', text: `[generated ${modalityOf(block)} unavailable to this model]` };
	}
	return image(stringAt(media, 'mediaType'), stringAt(from, from.type === 'url' ? 'url' : 'data') ?? '', budget);
}

function image(mediaType: string | undefined, data: string, budget: MediaBudget): JsonObject {
	const url = /^https?:/i.test(data) && URL.canParse(data) ? new URL(data).href : undefined;
	if (url !== undefined) {
		return budget.remote() ? { type: 'image', source: { type: 'url', url } } : { type: 'text', text: omitted };
	}
	const found = budget.image(mediaType, data);
	return found ? imageBlock(found) : { type: 'text', text: omitted };
}

/** Why the client gives up: somebody speaks before a call has its result, unless the result is made up. */
function missingResult(steps: readonly Step[]): string | undefined {
	const open = new Set<Json | undefined>();
	for (const { role, parts } of [...steps, { role: 'user', parts: [] }]) {
		if (role === 'user' && open.size > 0) {
			const [are, s] = open.size > 1 ? ['s are', 's'] : [' is', ''];
			return `Tool result${are} missing for tool call${s} ${[...open].map(String).join(', ')}.`;
		}
		for (const { block } of parts) {
			if (role === 'assistant' && block.type === 'tool_use') open.add(block.id);
			else if (role === 'tool') open.delete(block.tool_use_id);
		}
	}
	return undefined;
}

/** Groups consecutive prompts and results into one message, and consecutive replies into another. */
function grouped(steps: readonly Step[]): readonly { readonly role: string; readonly parts: readonly Part[] }[] {
	const groups: { readonly role: string; readonly parts: Part[] }[] = [];
	for (const step of steps) {
		const role = step.role === 'assistant' ? 'assistant' : 'user';
		const last = groups.at(-1);
		if (last?.role !== role) groups.push({ role, parts: [...step.parts] });
		else for (const part of step.parts) last.parts.push(part);
	}
	return groups;
}

/** The blocks with calls last; text between two thinking blocks goes before the calls made there. */
function callsLast(parts: readonly Part[]): readonly Part[] {
	const ordered: Part[] = [];
	let calls: Part[] = [];
	for (const part of parts) {
		if (part.block.type === 'tool_use') calls.push(part);
		else {
			if (part.block.type === 'thinking') {
				for (const call of calls) ordered.push(call);
				calls = [];
			}
			ordered.push(part);
		}
	}
	return [...ordered, ...calls];
}
