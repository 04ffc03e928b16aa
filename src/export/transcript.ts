/** A session as a reader wants it: what was said and done, in order, whichever agent wrote it. */
import {
	type Block,
	blockText,
	branches,
	type Entry,
	type EntryId,
	entryText,
	history,
	isPrompt,
	type MessageEntry,
	type Session,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';
import { changeOf, subjectOf } from './tool-words.ts';

export interface TranscriptOptions {
	/** Read up to this entry instead of the current leaf. */
	readonly at?: EntryId;
	readonly thinking?: boolean;
	/** Hooks, queue operations, notices, settings. */
	readonly events?: boolean;
	readonly subagents?: boolean;
}

export type Part =
	| { readonly kind: 'prompt' | 'reply' | 'thinking' | 'injected'; readonly text: string; readonly from: Entry }
	| ToolPart
	| { readonly kind: 'note'; readonly text: string; readonly from: Entry }
	| { readonly kind: 'compaction'; readonly text: string; readonly from: Entry }
	| { readonly kind: 'branch'; readonly leaf: EntryId; readonly from: Entry }
	| { readonly kind: 'subagent'; readonly agent: string; readonly parts: readonly Part[]; readonly from: Entry };

/** A tool call with what came of it. */
export interface ToolPart {
	readonly kind: 'tool';
	readonly name: string;
	/** What it was about, in a line: a path, a command, a pattern. */
	readonly subject: string;
	/** The change it made to a file, as a unified diff without its header. */
	readonly change?: string;
	/** Absent while nothing has answered. */
	readonly output?: string;
	readonly isError: boolean;
	readonly from: Entry;
}

export function transcript(session: Session, options: TranscriptOptions = {}): readonly Part[] {
	const entries = options.at === undefined ? history(session) : history(session, options.at);
	const answers = resultsOf(session.entries);
	const forks = forksOf(session, entries);
	const shown = new Set<string>();
	const parts: Part[] = [];
	for (const entry of entries) {
		parts.push(...partsOf(entry, answers, options));
		if (options.subagents) parts.push(...subagentsOf(session, entry, options, shown));
		for (const leaf of forks.get(entry.id) ?? []) parts.push({ kind: 'branch', leaf, from: entry });
	}
	return parts;
}

/** Results by the call they answer. Clients put them on side branches of the graph, so the whole file is looked at. */
function resultsOf(entries: readonly Entry[]): ReadonlyMap<string, ToolResultBlock> {
	const found = new Map<string, ToolResultBlock>();
	for (const entry of entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) if (block.type === 'tool_result') found.set(block.call, block);
	}
	return found;
}

/** Other branches by the entry of this path after which they begin. */
function forksOf(session: Session, entries: readonly Entry[]): ReadonlyMap<EntryId, readonly EntryId[]> {
	const onPath = new Set(entries.map((entry) => entry.id));
	const found = new Map<EntryId, EntryId[]>();
	for (const { leaf, from } of branches(session)) {
		if (onPath.has(leaf) || from === null || !onPath.has(from)) continue;
		found.set(from, [...(found.get(from) ?? []), leaf]);
	}
	return found;
}

function partsOf(
	entry: Entry,
	answers: ReadonlyMap<string, ToolResultBlock>,
	options: TranscriptOptions,
): readonly Part[] {
	switch (entry.kind) {
		case 'message':
			return messageParts(entry, answers, options);
		case 'compaction':
			return [{ kind: 'compaction', text: entry.summary ?? '', from: entry }];
		case 'summary':
			return entry.of === 'branch'
				? [{ kind: 'note', text: `Summary of a branch left behind: ${entry.text}`, from: entry }]
				: [];
		case 'event':
		case 'setting':
		case 'outcome':
		case 'label':
			return options.events ? noteOf(entry) : [];
		default:
			return [];
	}
}

function noteOf(entry: Entry): readonly Part[] {
	const name = entry.kind === 'event' ? entry.event.type : entry.kind;
	const text = entryText(entry).trim();
	return [{ kind: 'note', text: text === '' ? name : `${name}: ${text}`, from: entry }];
}

function messageParts(
	entry: MessageEntry,
	answers: ReadonlyMap<string, ToolResultBlock>,
	options: TranscriptOptions,
): readonly Part[] {
	if (entry.origin === 'compaction') return [{ kind: 'compaction', text: textOf(entry.content), from: entry }];
	if (entry.role === 'system')
		return options.events ? [{ kind: 'injected', text: textOf(entry.content), from: entry }] : [];
	if (entry.role === 'user') return userParts(entry, options);
	const parts: Part[] = [];
	for (const block of entry.content) {
		if (block.type === 'thinking') {
			if (options.thinking && block.text !== '') parts.push({ kind: 'thinking', text: block.text, from: entry });
		} else if (block.type === 'tool_call') parts.push(toolPart(block, answers.get(block.id), entry));
		else if (blockText(block).trim() !== '') parts.push({ kind: 'reply', text: blockText(block), from: entry });
	}
	if (parts.length === 0 && entry.response?.error !== undefined) {
		parts.push({ kind: 'note', text: `error: ${entry.response.error}`, from: entry });
	}
	return parts;
}

function userParts(entry: MessageEntry, options: TranscriptOptions): readonly Part[] {
	const text = textOf(entry.content.filter((block) => block.type !== 'tool_result'));
	if (text.trim() === '') return [];
	if (isPrompt(entry)) return [{ kind: 'prompt', text, from: entry }];
	return options.events ? [{ kind: 'injected', text, from: entry }] : [];
}

function textOf(blocks: readonly Block[]): string {
	return blocks.map(blockText).join('\n');
}

function toolPart(call: ToolCallBlock, result: ToolResultBlock | undefined, from: Entry): ToolPart {
	const change = changeOf(call, result);
	return {
		kind: 'tool',
		name: call.name,
		subject: subjectOf(call),
		...(change === undefined ? {} : { change }),
		...(result === undefined ? {} : { output: blockText(result) }),
		isError: result?.isError ?? false,
		from,
	};
}

/** A sub-agent is told where its call stands, once. */
function subagentsOf(session: Session, entry: Entry, options: TranscriptOptions, shown: Set<string>): readonly Part[] {
	if (entry.kind !== 'message') return [];
	const calls = new Set(entry.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])));
	return session.subagents
		.filter((subagent) => subagent.call !== undefined && calls.has(subagent.call) && !shown.has(subagent.id))
		.map((subagent): Part => {
			shown.add(subagent.id);
			const { at: _, ...rest } = options;
			return { kind: 'subagent', agent: subagent.id, parts: transcript(subagent.session, rest), from: entry };
		});
}
