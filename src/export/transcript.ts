/** Makes a transcript: which parts of each entry are shown and which only on request, what is told once only, and what counts as a turn for `--last`. */
import { codecOf, isNoted, type Noted, notedFrom, type PermissionFacts, prompted } from '../codecs/index.ts';
import {
	type Block,
	blockText,
	type ClientProgressEvent,
	compact,
	type Entry,
	type EntryId,
	entryText,
	type HookEvent,
	isPrompt,
	type JsonObject,
	type MessageEntry,
	shortened,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';
import { CallBatch, type CallGroup } from './call-batch.ts';
import { type ChecklistItem, checklistOf, checklistSubject } from './checklist.ts';
import { askedText, changedInput, eventNote, hookedCall, hookText, isHook, noteText, permissionText } from './notes.ts';
import { isError, type Story, type SubagentStory } from './story.ts';
import { changeOf, inputSubject, subjectOf, withoutErrorTags } from './tool-words.ts';

/** What is shown of each entry; the story decides which entries there are. */
export interface TellOptions {
	readonly thinking?: boolean;
	/** Show hooks, queue operations, notices, settings, and what the client added by itself. */
	readonly events?: boolean;
	/** Hooks with all that is known of them, and who let a call run. */
	readonly hooks?: boolean;
}

export interface TranscriptOptions extends TellOptions {
	/** Show only so many of the last turns. */
	readonly last?: number;
}

export type TranscriptPart =
	| { readonly kind: 'prompt' | 'reply' | 'thinking' | 'injected'; readonly text: string; readonly from: Entry }
	| ToolPart
	/** Why the model gave no answer, or only a part of one. */
	| { readonly kind: 'error'; readonly text: string; readonly from: Entry }
	/** `call`: the tool call that it is about, beside which it stands; `changedTo`: the input that was run instead of the model's. */
	| {
			readonly kind: 'note';
			readonly text: string;
			readonly call?: string;
			readonly changedTo?: JsonObject;
			readonly from: Entry;
	  }
	| { readonly kind: 'compaction'; readonly text: string; readonly from: Entry }
	| { readonly kind: 'branch'; readonly leaf: EntryId; readonly from: Entry }
	/** How many entries before this one are not shown; absent where only the end of a large file was read. */
	| { readonly kind: 'omitted'; readonly entries?: number; readonly from: Entry }
	/** `parts` can be iterated once, before the next part is asked for. */
	| {
			readonly kind: 'subagent';
			readonly agent: string;
			readonly parts: Iterable<TranscriptPart>;
			readonly from: Entry;
	  };

/** A tool call with its result. */
export interface ToolPart {
	readonly kind: 'tool';
	readonly call: string;
	readonly name: string;
	/** What the call was about, in a line: a path, a command, a pattern. */
	readonly subject: string;
	/** The call's change to a file, as a unified diff without its header. */
	readonly change?: string;
	/** What is to be done, for calls that keep such a list. */
	readonly list?: readonly ChecklistItem[];
	/** Absent while there is no result. */
	readonly output?: string;
	/** True while a result may still come, because the agent is at work. */
	readonly open?: boolean;
	readonly isError: boolean;
	readonly from: Entry;
}

/** The parts one after the other, so that a session of gigabytes is never held. */
export function* transcript(story: Story, options: TranscriptOptions = {}): Generator<TranscriptPart, void, undefined> {
	yield* tidied(wholeStory(story, options));
}

function* wholeStory(story: Story, options: TranscriptOptions): Generator<TranscriptPart, void, undefined> {
	const shown = new Set<string>();
	const from = yield* told(story, options, shown);
	if (from === undefined || !story.whole || options.last !== undefined) return;
	const { last: _, ...inner } = options;
	for (const subagent of story.subagents) yield* subagentPart(subagent, from, inner, shown);
}

/**
 * The parts without repetitions: a client that compacts and then writes the summary records one compaction twice, one
 * that marks a reply as interrupted may say so in a message, too, and one that writes its settings every time repeats
 * what is known.
 */
function* tidied(parts: Iterable<TranscriptPart>): Generator<TranscriptPart, void, undefined> {
	let cut: TranscriptPart | undefined;
	let stopped = false;
	const known = new Map<string, string>();
	for (const part of parts) {
		if (cut && part.kind !== 'compaction') yield cut;
		cut = undefined;
		const stops = part.kind === 'note' && part.text === interrupted;
		if (stops && stopped) continue;
		stopped = stops;
		if (part.kind === 'compaction' && part.text === '') cut = part;
		else if (!isKnown(part, known)) yield part;
	}
	if (cut) yield cut;
}

/** True for settings, and application data, that equal the last ones of their kind. */
function isKnown(part: TranscriptPart, known: Map<string, string>): boolean {
	if (part.kind !== 'note') return false;
	const { from, text } = part;
	const isRepeated = from.kind === 'setting' || (from.kind === 'event' && from.event.type === 'custom');
	if (!isRepeated) return false;
	const key = from.kind === 'setting' ? Object.keys(from.set).join(' ') : text;
	const before = known.get(key);
	known.set(key, text);
	return before === text;
}

/** Shows everything: a user who names an entry wants to see it, whatever its kind. */
const everything: TellOptions = { thinking: true, events: true };

/** The parts of the entries; returns the last entry. */
function* told(
	story: Story,
	options: TranscriptOptions,
	shown: Set<string>,
): Generator<TranscriptPart, Entry | undefined, undefined> {
	const { last, ...inner } = options;
	const first = last === undefined ? 0 : lastTurns(story, last);
	const batch = new CallBatch();
	function* placed(groups: readonly CallGroup[]): Generator<TranscriptPart, void, undefined> {
		for (const { call, parts } of groups) {
			yield* parts;
			if (!call) continue;
			for (const subagent of story.subagentsOf(call.call)) yield* subagentPart(subagent, call.from, inner, shown);
		}
	}
	let from: Entry | undefined;
	for (let place = first; place < story.length; place += 1) {
		const entry = story.entry(place);
		if (entry === undefined) continue;
		if (from === undefined && first > 0)
			yield { kind: 'omitted', ...(story.partial ? {} : { entries: first }), from: entry };
		from = entry;
		const isNamed = !story.whole && place === story.length - 1;
		yield* placed(batch.add(entry, [...entryParts(story, entry, isNamed ? everything : options)]));
	}
	yield* placed(batch.end());
	return from;
}

/** The parts of an entry, and what is noted of it. */
function* entryParts(story: Story, entry: Entry, options: TellOptions): Generator<TranscriptPart, void, undefined> {
	if (isHook(entry)) yield* changedParts(entry.event, entry);
	yield* partsOf(entry, story.answer, options);
	yield* permissionParts(entry, story.format, options);
	for (const noted of [...notedIn(entry), ...story.notedAfter(entry.id)]) yield* notedParts(noted, entry, options);
	for (const leaf of story.branchesAfter(entry.id)) yield { kind: 'branch', leaf, from: entry };
}

/** The place of the prompt with which the last turns begin. */
export function lastTurns(story: Story, wanted: number): number {
	let left = wanted;
	for (let place = story.length - 1; place > 0; place -= 1) {
		const entry = story.entry(place);
		if (entry === undefined || !isPrompt(entry) || isOwnRun(entry)) continue;
		left -= 1;
		if (left === 0) return place;
	}
	return 0;
}

/** A command that the user has run beside the prompts, or what it has printed: no turn. */
function isOwnRun(entry: Entry): boolean {
	const { isOutput, command } = prompted(entryText(entry));
	return isOutput || command !== undefined;
}

/** The part of a sub-agent, which is shown once, where its call is. */
function* subagentPart(
	{ id, open }: SubagentStory,
	from: Entry,
	options: TranscriptOptions,
	shown: Set<string>,
): Generator<TranscriptPart, void, undefined> {
	if (shown.has(id)) return;
	shown.add(id);
	using story = open();
	yield { kind: 'subagent', agent: id, parts: tidied(told(story, options, shown)), from };
}

type Answer = (call: string) => ToolResultBlock | undefined;

/** The parts of one entry. `answer` finds the results of its calls. */
export function partsOf(entry: Entry, answer: Answer, options: TellOptions): readonly TranscriptPart[] {
	switch (entry.kind) {
		case 'message':
			return messageParts(entry, answer, options);
		case 'compaction':
			return [{ kind: 'compaction', text: entry.summary ?? '', from: entry }];
		case 'summary':
			if (entry.of === 'branch')
				return [{ kind: 'note', text: `Summary of a branch left behind: ${entry.text}`, from: entry }];
			return options.events ? [{ kind: 'note', text: `Summary of a conversation: ${entry.text}`, from: entry }] : [];
		case 'event':
			if (options.hooks && isHook(entry)) return [hookPart(entry.event, hookText(entry), entry)];
			if (options.events && isHook(entry)) return noteOf(entry).map((part) => ({ ...part, ...callOf(entry.event) }));
			if (isError(entry)) return [{ kind: 'error', text: entry.event.message, from: entry }];
			return options.events ? noteOf(entry) : [];
		case 'setting':
		case 'outcome':
		case 'label':
			return options.events ? noteOf(entry) : [];
		default:
			return [];
	}
}

/** That a call was denied is always told: its result is what the model was told, which may be less. */
function permissionParts(entry: Entry, format: Story['format'], options: TellOptions): readonly TranscriptPart[] {
	if (entry.kind !== 'message' || entry.extra === undefined) return [];
	const facts = codecOf(format)?.live.permissionOf?.(entry.extra);
	const result = entry.content.find((block) => block.type === 'tool_result');
	return facts ? factsParts(facts, result?.call, entry, options) : [];
}

function factsParts(
	facts: PermissionFacts,
	call: string | undefined,
	from: Entry,
	options: TellOptions,
): readonly TranscriptPart[] {
	const { decision, source, input } = facts;
	const changed = input === undefined ? [] : [changedPart(`the ${source}`, input, call, from)];
	if (decision === 'accept' && !options.hooks && !options.events) return changed;
	return [...changed, { kind: 'note', text: permissionText(facts), ...compact({ call }), from }];
}

/** A note in the file itself, where the format takes data of applications. */
function notedIn(entry: Entry): readonly Noted[] {
	if (entry.kind !== 'event' || entry.event.type !== 'custom' || !isNoted(entry.event)) return [];
	const noted = notedFrom(entry.event.data);
	return noted ? [noted] : [];
}

function notedParts(noted: Noted, from: Entry, options: TellOptions): readonly TranscriptPart[] {
	const { what } = noted;
	if (what === 'permission') return factsParts(noted.facts, noted.call, from, options);
	if (what === 'asked') {
		if (!options.hooks && !options.events) return [];
		return [{ kind: 'note', text: askedText(noted), call: noted.call, from }];
	}
	if (what === 'deferred')
		return [{ kind: 'note', text: `a hook has put off a call of ${noted.tool}`, call: noted.call, from }];
	if (what === 'pr_link')
		return options.events ? [{ kind: 'note', text: eventNote(noted.link) ?? noted.link.url, from }] : [];
	if (what === 'interrupted') return [{ kind: 'note', text: interrupted, from }];
	if (what !== 'hook') return [];
	const { hook } = noted;
	const text = options.hooks ? hookText({ event: hook }) : options.events ? eventNote(hook) : undefined;
	return [...changedParts(hook, from), ...(text === undefined ? [] : [hookPart(hook, text, from)])];
}

type Hooked = HookEvent | ClientProgressEvent;

function hookPart(hook: Hooked, text: string, from: Entry): TranscriptPart {
	return { kind: 'note', text, ...callOf(hook), from };
}

function callOf(hook: Hooked): { readonly call?: string } {
	return compact({ call: hookedCall(hook) });
}

/** What a hook made of a call is always told: the call itself says what the model wanted. */
function changedParts(hook: Hooked, from: Entry): readonly TranscriptPart[] {
	const input = changedInput(hook);
	return input === undefined ? [] : [changedPart('a hook', input, hookedCall(hook), from)];
}

function changedPart(who: string, changedTo: JsonObject, call: string | undefined, from: Entry): TranscriptPart {
	return {
		kind: 'note',
		text: `${who} changed this call to: ${inputText(changedTo)}`,
		...compact({ call }),
		changedTo,
		from,
	};
}

/** All of its fields: what a call is about may be what the hook has left alone. */
function inputText(input: JsonObject): string {
	if (Object.keys(input).length === 1) return inputSubject(input);
	return shortened(JSON.stringify(input), longestInput);
}

const longestInput = 500;

function noteOf(entry: Entry): readonly Extract<TranscriptPart, { kind: 'note' }>[] {
	const text = noteText(entry);
	return text === undefined ? [] : [{ kind: 'note', text, from: entry }];
}

const interrupted = 'interrupted by the user';

function messageParts(entry: MessageEntry, answer: Answer, options: TellOptions): readonly TranscriptPart[] {
	if (entry.origin === 'compaction') return [{ kind: 'compaction', text: textOf(entry.content), from: entry }];
	if (entry.origin === 'interruption') return [{ kind: 'note', text: interrupted, from: entry }];
	if (entry.role === 'system')
		return options.events ? [{ kind: 'injected', text: textOf(entry.content), from: entry }] : [];
	if (entry.role === 'user') return userParts(entry, options);
	const parts: TranscriptPart[] = [];
	// Some clients keep an error as the text of a reply, others beside the part of the reply that came.
	const error = entry.response?.error;
	for (const block of entry.content) {
		if (block.type === 'thinking') {
			if (options.thinking && block.text !== '') parts.push({ kind: 'thinking', text: block.text, from: entry });
		} else if (block.type === 'tool_call') parts.push(toolPart(block, answer(block.id), entry));
		else if (blockText(block).trim() !== '' && blockText(block) !== error)
			parts.push({ kind: 'reply', text: blockText(block), from: entry });
	}
	if (error !== undefined) parts.push({ kind: 'error', text: error, from: entry });
	if (entry.response?.stop === 'aborted') parts.push({ kind: 'note', text: interrupted, from: entry });
	return parts;
}

function userParts(entry: MessageEntry, options: TellOptions): readonly TranscriptPart[] {
	const text = textOf(entry.content.filter((block) => block.type !== 'tool_result'));
	if (text.trim() === '') return [];
	if (isPrompt(entry)) return [{ kind: 'prompt', text, from: entry }];
	return options.events ? [{ kind: 'injected', text, from: entry }] : [];
}

function textOf(blocks: readonly Block[]): string {
	return blocks.map(blockText).join('\n');
}

export function toolPart(call: ToolCallBlock, result: ToolResultBlock | undefined, from: Entry): ToolPart {
	const change = changeOf(call, result);
	const list = checklistOf(call, result);
	return {
		kind: 'tool',
		call: call.id,
		name: call.name,
		subject: list ? checklistSubject(list) : subjectOf(call),
		...compact({ change, list, output: result && withoutErrorTags(blockText(result)) }),
		isError: result?.isError ?? false,
		from,
	};
}
