/** Rewinds with the checkpoints that a session's own client took, for prompts that Reprise has no history of: which files they cover, and which are left as they are. */
import { basename, isAbsolute, join, resolve } from 'node:path';
import { codecOf } from '../../codecs/index.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { sha256Of } from '../../log/sha256.ts';
import {
	type Entry,
	type EntryId,
	type EntryOf,
	type FileSnapshot,
	isObject,
	type Session,
} from '../../model/index.ts';
import { filesSeenIn } from '../reader/stale.ts';
import type { Copies } from './copies.ts';
import { absent, type FileForm, formAt, largestCopy, sameBytes, tooLarge } from './forms.ts';
import type { FileStory } from './plan-files.ts';

export interface CheckpointQuery {
	readonly session: Session;
	/** The session that is rewound, where that is a copy of the first. */
	readonly seen?: Session;
	/** When the copy was made: what its original has changed since is not the copy's. */
	readonly until?: number;
	/** Its main file. */
	readonly path: string;
	/** The entry to go back to. */
	readonly to: EntryId;
	/** The folder that its names start from; nothing outside it is told of. */
	readonly folder: string;
	readonly copies: Copies;
	/** Prompts whose changes are known better. */
	readonly known: ReadonlySet<EntryId>;
}

export interface TakenStories {
	readonly stories: readonly FileStory[];
	readonly missed: readonly string[];
}

interface Mention {
	readonly first: number;
	last: number;
	/** The states of the file from the moment to go back to, in order. */
	readonly states: FileSnapshot['state'][];
}

/**
 * A client keeps the state of files per prompt: where the entry is a prompt, that is the moment before it; where it stands inside a
 * turn, files that were changed on both sides of it are known only as they were when the turn was over.
 */
export function storiesTaken(query: CheckpointQuery): TakenStories {
	const { session, to, folder } = query;
	const { until = Number.POSITIVE_INFINITY } = query;
	const entries = session.entries.filter(({ time }) => !(Date.parse(time ?? '') > until));
	const at = entries.findLastIndex(({ id }) => id === to);
	const { mentions, early } = mentionsAfter(entries, at, to, query.known);
	const missed: string[] = [];
	const stale = staleness(query.seen ?? session);
	const stories = [...mentions].flatMap(([name, mention]): readonly FileStory[] => {
		const path = isAbsolute(name) ? name : resolve(folder, name);
		if (!path.startsWith(`${folder}/`)) {
			missed.push(`${name} is not in ${folder}: it is left as it is`);
			return [];
		}
		const [first] = mention.states;
		const target = first ? formOfState(first, path, query) : absent;
		return [
			{
				path,
				target,
				left: leftOf(path, mention, query, stale),
				others: false,
				first: mention.first,
				last: mention.last,
			},
		];
	});
	for (const file of filesNamedAfter(entries, at)) {
		const name = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
		if (early.has(name) && !mentions.has(name))
			missed.push(`${name} was changed before and after that entry in one turn, and its client keeps files per prompt`);
	}
	return { stories, missed };
}

function mentionsAfter(entries: readonly Entry[], at: number, to: EntryId, known: ReadonlySet<EntryId>) {
	const positions = new Map(entries.map((entry, index) => [entry.id, index]));
	const named = new Map<string, Set<string>>();
	const mentions = new Map<string, Mention>();
	/** Files that were changed before the entry, in the turn that it belongs to or in an earlier one. */
	const early = new Set<string>();
	for (const [index, entry] of entries.entries()) {
		if (!isTaken(entry) || (entry.of !== undefined && known.has(entry.of))) continue;
		const { of = '' } = entry;
		const ofTurn = named.get(of) ?? new Set();
		named.set(of, ofTurn);
		const isLater = (positions.get(of) ?? index) > at || of === to;
		for (const { path, state } of entry.files) {
			// An update repeats what the turn began with: only the file that it adds has not been changed before.
			if (isLater || (index > at && !ofTurn.has(path))) {
				const time = Date.parse(entry.time ?? '') || 0;
				const mention = mentions.get(path) ?? { first: time, last: time, states: [] };
				mention.last = time;
				mention.states.push(state);
				mentions.set(path, mention);
			} else early.add(path);
			ofTurn.add(path);
		}
	}
	return { mentions, early };
}

function isTaken(entry: Entry): entry is EntryOf<'checkpoint'> {
	return entry.kind === 'checkpoint' && entry.agent === undefined;
}

/** The files that calls after the entry name. */
function filesNamedAfter(entries: readonly Entry[], at: number): ReadonlySet<string> {
	const files = new Set<string>();
	for (const entry of entries.slice(at + 1)) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type !== 'tool_call' || !isObject(block.input)) continue;
			if (typeof block.input.file_path === 'string' && block.name !== 'Read') files.add(block.input.file_path);
		}
	}
	return files;
}

/** A client keeps no modes: the file that is there keeps its own. */
function formOfState(state: FileSnapshot['state'], path: string, query: CheckpointQuery): FileForm {
	if (state.is === 'absent') return absent;
	const bytes = bytesOf(state, query);
	if (!bytes) return { is: 'unknown', why: 'the copy that its client made is gone' };
	if (bytes.length > largestCopy) return tooLarge;
	const now = formAt(path);
	const sha256 = sha256Of(bytes);
	query.copies.keep(bytes, sha256);
	return { is: 'file', mode: now.is === 'file' ? now.mode : 0o644, size: bytes.length, sha256 };
}

function bytesOf(state: FileSnapshot['state'], { session, path }: CheckpointQuery): Uint8Array | undefined {
	if (state.is === 'inline') return Buffer.from(state.text, 'utf8');
	if (state.is === 'absent') return undefined;
	const folder = codecOf(session.format)?.places.sideFolder?.(resolve(path), 'backup');
	// The name is the session's word: it is a name, and leads nowhere.
	if (folder === undefined || basename(state.name) !== state.name || state.name.startsWith('.')) return undefined;
	return readIfThere(join(folder, state.name), largestCopy + 1);
}

/** What the session left in a file, as far as its results tell. */
function leftOf(
	path: string,
	{ states }: Mention,
	query: CheckpointQuery,
	stale: ReadonlyMap<string, boolean>,
): FileForm | undefined {
	const now = formAt(path);
	const changed = stale.get(path);
	if (changed === false) return now;
	if (changed === true) return { is: 'unknown', why: 'other than the session left it' };
	const isKnown = states.some((state) => {
		if (state.is === 'absent') return now.is === 'absent';
		return sameBytes(formOfState(state, path, query), now);
	});
	return isKnown ? now : undefined;
}

function staleness(session: Session): ReadonlyMap<string, boolean> {
	const { stale, fresh } = filesSeenIn(session);
	return new Map([
		...stale.map(({ path }) => [path, true] as const),
		...fresh.map(({ path }) => [path, false] as const),
	]);
}
