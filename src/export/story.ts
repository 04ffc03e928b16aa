/** What a transcript is told from: a session in memory, or a file of any size that is read while it is told. */
import {
	type ClientErrorEvent,
	type Entry,
	type EntryId,
	type EventEntry,
	type Header,
	type Issue,
	interleaved,
	type Session,
	type SessionRecord,
	type ToolResultBlock,
} from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import type { Outline } from '../store/reader/outline.ts';
import { isHook } from './notes.ts';

export interface StoryOptions {
	/** Up to this entry, or the only one whose id begins so, instead of the current leaf. */
	readonly at?: EntryId;
	/** With what happened beside the conversation, where it happened. */
	readonly events?: boolean;
	/** With hooks, where they ran. */
	readonly hooks?: boolean;
	readonly subagents?: boolean;
}

/** Entries are named by their place: 0 is the first that is told. */
export interface Story extends Disposable {
	readonly id: string;
	readonly format: Session['format'];
	readonly header: Header;
	readonly length: number;
	/** Lines of the file, or messages of a document, that nobody can read. */
	readonly unreadable: readonly number[];
	/** It goes to where the conversation ends, not to an entry that somebody has named. */
	readonly whole: boolean;
	/** Undefined when the file has been cut meanwhile. */
	entry(place: number): Entry | undefined;
	/** The bytes of the record that an entry stands in; records have numbers. */
	record(place: number): { readonly index: number; bytes(): Uint8Array } | undefined;
	/** What came of a tool call, wherever in the file it stands. */
	answer(call: string): ToolResultBlock | undefined;
	/** The leaves of other branches that begin after an entry. */
	branchesAfter(entry: EntryId): readonly EntryId[];
	/** Those with files of their own. */
	readonly subagents: readonly SubagentStory[];
	subagentsOf(call: string): readonly SubagentStory[];
}

export interface SubagentStory {
	readonly id: string;
	open(): Story;
}

/** What a story has besides what is in an outline. */
interface Told extends Pick<Story, 'id' | 'format' | 'header' | 'subagents' | 'subagentsOf'>, Disposable {
	/** What the session is called where an entry of it is not found. */
	readonly name: string;
	bytes(record: Pick<SessionRecord, 'at' | 'length'>): Uint8Array;
}

export function storyOn(outline: Outline, { at }: StoryOptions, { name, bytes, ...told }: Told): Story {
	const leaf = at === undefined ? outline.leaf : entryNamed(outline.ids(), at, name);
	const onPath = leaf === null ? [] : outline.told(leaf);
	const end = at === undefined ? Number.POSITIVE_INFINITY : (onPath.at(-1) ?? 0);
	const places = interleaved(
		onPath,
		outline.beside.filter((position) => position < end),
		(position) => position,
	);
	const forks = outline.forks(onPath);
	return {
		...told,
		length: places.length,
		unreadable: unreadableIn(outline.issues),
		whole: at === undefined,
		entry(place) {
			const position = places[place];
			return position === undefined ? undefined : outline.entry(position);
		},
		record(place) {
			const position = places[place];
			const record = position === undefined ? undefined : outline.record(position);
			return record && { index: record.index, bytes: () => bytes(record) };
		},
		answer: (call) => outline.answer(call)?.block,
		branchesAfter: (entry) => forks.get(entry) ?? [],
	};
}

/** The entry that is meant: by its id, or by a beginning that no other has. */
function entryNamed(ids: Iterable<EntryId>, wanted: string, file: string): EntryId {
	const begun = new Set<EntryId>();
	for (const id of ids) {
		if (id === wanted) return id;
		if (wanted !== '' && id.startsWith(wanted) && begun.size < 3) begun.add(id);
	}
	const [only, ...others] = begun;
	if (only === undefined)
		throw new InputError('no-entry', `${file} has no entry ${wanted}: reprise show SESSION --ids lists them`);
	if (others.length === 0) return only;
	const some = [only, ...others].join(', ');
	throw new InputError('ambiguous', `${wanted} is the beginning of more than one entry of ${file}: ${some} …`);
}

/** True for entries that are told although nothing follows them, in their place in the file. */
export function isToldBeside(entry: Entry, options: StoryOptions): boolean {
	if (entry.parent !== undefined || entry.agent !== undefined) return false;
	if (entry.kind === 'compaction' || isError(entry)) return true;
	if (options.hooks && isHook(entry)) return true;
	const kinds: readonly Entry['kind'][] = ['event', 'setting', 'outcome', 'label'];
	return options.events === true && kinds.includes(entry.kind);
}

/** Why there is no answer. What was tried again did not end anything. */
export function isError(entry: Entry): entry is EventEntry & { readonly event: ClientErrorEvent } {
	return entry.kind === 'event' && entry.event.type === 'error' && entry.event.attempt === undefined;
}

export function callsOf(entry: Entry): readonly string[] {
	if (entry.kind !== 'message') return [];
	return entry.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : []));
}

/** Where records are cut off or are no JSON. */
function unreadableIn(issues: readonly Issue[]): readonly number[] {
	return issues.filter(({ rule }) => /\/(torn|not-json)$/.test(rule)).map(({ line }) => line);
}
