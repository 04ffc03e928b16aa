/** A story, from which a transcript is made: which entries of a session are shown and in which order, and which entry a shortened id means. */
import type { Noted } from '../codecs/index.ts';
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
import { isEndedHook, isHook } from './notes.ts';

export interface StoryOptions {
	/** Ends at this entry (its id, or a unique beginning of it) instead of the current leaf. */
	readonly at?: EntryId;
	/** Includes events beside the conversation, where they happened. */
	readonly events?: boolean;
	/** With hooks, where they ran. */
	readonly hooks?: boolean;
	readonly subagents?: boolean;
	/** Only so many of the last turns are asked for: the rest of a large file need not be read. */
	readonly last?: number;
}

/** The entries to show, by place: 0 is the first. */
export interface Story extends Disposable {
	readonly id: string;
	readonly format: Session['format'];
	readonly header: Header;
	readonly length: number;
	/** Numbers of lines, or of messages in a document, that cannot be read. */
	readonly unreadable: readonly number[];
	/** Numbers of lines that are not told, because a later line has their id and says something else. */
	readonly replaced: readonly number[];
	/** True when the story ends at the leaf, and not at an entry that somebody named. */
	readonly whole: boolean;
	/** True when only the end of the file was read: there are earlier entries, nobody knows how many. */
	readonly partial?: boolean;
	/** Undefined when the file has been truncated meanwhile. */
	entry(place: number): Entry | undefined;
	/** The bytes and the number of the record that an entry was read from. */
	record(place: number): { readonly index: number; bytes(): Uint8Array } | undefined;
	/** The result of a tool call, wherever in the file it is. */
	answer(call: string): ToolResultBlock | undefined;
	/** What runs have noted beside the session after an entry: hooks, and who let a call run. */
	notedAfter(entry: EntryId): readonly Noted[];
	/** Why that could not be read, for the user. */
	readonly withoutNotes?: string;
	/** The leaves of other branches that begin after an entry. */
	branchesAfter(entry: EntryId): readonly EntryId[];
	/** The sub-agents with files of their own. */
	readonly subagents: readonly SubagentStory[];
	subagentsOf(call: string): readonly SubagentStory[];
}

export interface SubagentStory {
	readonly id: string;
	open(): Story;
}

/** What a story needs besides an outline. */
interface Told extends Pick<Story, 'id' | 'format' | 'header' | 'subagents' | 'subagentsOf'>, Disposable {
	/** The session's name for the message that an entry was not found. */
	readonly name: string;
	bytes(record: Pick<SessionRecord, 'at' | 'length'>): Uint8Array;
}

export function storyOn(outline: Outline, { at }: StoryOptions, { name, bytes, ...told }: Told): Story {
	const leaf = at === undefined ? outline.leaf : entryNamed(outline.ids(), at, name);
	const onPath = leaf === null ? [] : outline.told(leaf);
	const end = at === undefined ? Number.POSITIVE_INFINITY : (onPath.at(-1) ?? 0);
	const shown = new Set(onPath);
	const places = interleaved(
		onPath,
		outline.beside.filter((position) => position < end && !shown.has(position)),
		(position) => position,
	);
	const forks = outline.forks(onPath);
	return {
		...told,
		length: places.length,
		unreadable: unreadableIn(outline.issues),
		replaced: outline.replaced ?? [],
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
		notedAfter: () => [],
		branchesAfter: (entry) => forks.get(entry) ?? [],
	};
}

/** The id that is meant: the whole one, or a beginning that no other id has. */
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

/** True for an entry beside the conversation that is shown at its place in the file. */
export function isToldBeside(entry: Entry, options: StoryOptions): boolean {
	if (entry.agent !== undefined) return false;
	if (options.hooks && isEndedHook(entry)) return true;
	if (entry.parent !== undefined) return false;
	if (entry.kind === 'compaction' || isError(entry)) return true;
	if (options.hooks && isHook(entry)) return true;
	const kinds: readonly Entry['kind'][] = ['event', 'setting', 'outcome', 'label'];
	return options.events === true && kinds.includes(entry.kind);
}

/** True for the error that left a prompt without an answer; one after which the client tried again is not. */
export function isError(entry: Entry): entry is EventEntry & { readonly event: ClientErrorEvent } {
	return entry.kind === 'event' && entry.event.type === 'error' && entry.event.attempt === undefined;
}

/** Numbers of the records that are torn or not JSON. */
function unreadableIn(issues: readonly Issue[]): readonly number[] {
	return issues.filter(({ rule }) => /\/(torn|not-json)$/.test(rule)).map(({ line }) => line);
}

/** The entries of the story up to this one. Empty where it is not in the story. */
export function idsUpTo(story: Story, last: EntryId): ReadonlySet<EntryId> {
	const ids = new Set<EntryId>();
	for (let place = 0; place < story.length; place += 1) {
		const entry = story.entry(place);
		if (entry) ids.add(entry.id);
		if (entry?.id === last) return ids;
	}
	return new Set();
}
