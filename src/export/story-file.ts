/** Opens the story of a session file: lines are read as they are asked for, a document all at once. */
import type { Codec, SideFile } from '../codecs/index.ts';
import { asLogError, codeOf } from '../log/errors.ts';
import { openFile } from '../log/file-source.ts';
import { compact, type Entry, recordBytes, type Subagent, stringAt } from '../model/index.ts';
import { thisMachine } from '../store/find/folders.ts';
import { ownSubagentFiles } from '../store/handle/subagents.ts';
import { type RunNote, runNotes, runNotesFile } from '../store/own-data/run-notes.ts';
import { emptySession } from '../store/reader/recent.ts';
import { openReader, SessionReader } from '../store/reader/session-reader.ts';
import { lookBack } from '../store/reader/tail.ts';
import { stemOf, subagentMeta } from '../store/reader/whole.ts';
import { isToldBeside, type Story, type StoryOptions, type SubagentStory, storyOn } from './story.ts';
import { storyOf } from './story-memory.ts';
import { lastTurns } from './transcript.ts';

/** Opens the session at `path`. Throws an InputError when there is none, or when `at` names no entry of it. */
export async function openStory(path: string, options: StoryOptions = {}): Promise<Story> {
	const reader = openReader(path);
	if (reader.codec.capabilities.container === 'lines') return withNotes(lineStory(reader, options));
	using document = reader;
	return withNotes(storyOf(document.whole({ subagents: options.subagents === true }), options));
}

/** With what our own data holds of the session. */
function withNotes(story: Story): Story {
	const { found, withoutNotes } = notesOf(story);
	const notes = Map.groupBy(found, ({ after }) => after);
	return {
		...story,
		notedAfter: (entry) => (notes.get(entry) ?? []).map(({ noted }) => noted),
		...compact({ withoutNotes }),
	};
}

/** A session can be read by whoever may not read what lies in our own data. */
function notesOf(story: Story): { readonly found: readonly RunNote[]; readonly withoutNotes?: string } {
	try {
		return { found: runNotes(thisMachine(), story) };
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
		const path = runNotesFile(thisMachine(), story);
		return { found: [], withoutNotes: asLogError(path, 'read', error).message };
	}
}

/** A story of lines. `callable`: the sub-agents that it may call; by default those with files beside it. */
function lineStory(reader: SessionReader, options: StoryOptions, callable?: readonly Subagent[]): Story {
	const { last, at } = options;
	try {
		const end = last === undefined || at !== undefined ? undefined : lastOf(reader, options, last, callable);
		return end ?? storyFrom(reader, 0, options, callable);
	} catch (error) {
		reader[Symbol.dispose](); // nobody gets a story whose end would close the file
		throw error;
	}
}

/** The story of the last turns, read from the end of a large file. Undefined where that has not all that belongs to them. */
function lastOf(reader: SessionReader, options: StoryOptions, last: number, callable?: readonly Subagent[]) {
	return lookBack(reader.source, (from): Story | undefined => {
		const story = { ...storyFrom(reader, from, options, callable), partial: true };
		const first = lastTurns(story, last);
		return first > 0 && !hasCompaction(story, first) ? story : undefined;
	});
}

/** A compaction may keep messages from anywhere before it. */
function hasCompaction(story: Story, from: number): boolean {
	for (let place = from; place < story.length; place += 1) {
		const entry = story.entry(place);
		if (entry?.kind === 'compaction' || (entry?.kind === 'message' && entry.origin === 'compaction')) return true;
	}
	return false;
}

function storyFrom(reader: SessionReader, from: number, options: StoryOptions, callable?: readonly Subagent[]): Story {
	const { codec, source } = reader;
	const outline = reader.outline((entry) => isToldBeside(entry, options), from);
	const subagents = options.subagents ? (callable ?? subagentsOf(reader)) : [];
	const open = ({ id, path: file }: Subagent): SubagentStory => ({
		id,
		open: () => lineStory(subagentReader(codec, file ?? ''), withoutLeaf(options), subagents),
	});
	return storyOn(outline, options, {
		id: outline.header.id ?? reader.fallbackId,
		format: codec.id,
		header: reader.headerWith(outline.header),
		name: reader.path,
		bytes: (record) => recordBytes(source, record),
		subagents: subagents.map(open),
		subagentsOf(call) {
			const calls = calledBy(codec, subagents, outline.answer(call)?.entry);
			return subagents.filter(({ id }) => calls.get(id) === call).map(open);
		},
		[Symbol.dispose]: () => reader[Symbol.dispose](),
	});
}

/** A reader for a sub-agent's file, which has its session's format whatever its content looks like. */
function subagentReader(codec: Codec, path: string): SessionReader {
	return new SessionReader(path, { ok: true, codec, dialect: 'unknown', source: openFile(path) });
}

function withoutLeaf({ at: _, last: __, ...options }: StoryOptions): StoryOptions {
	return options;
}

/** The sub-agents with files of their own: beside the session, or with our own data where its client has no place for them. */
function subagentsOf({ codec, path, sideFiles }: SessionReader): readonly Subagent[] {
	const own = ownSubagentFiles(path, thisMachine());
	return [...subagentsBeside(codec, sideFiles), ...own.map((file) => ({ ...file, session: emptySession(codec) }))];
}

/** Each is read only when it is shown. */
function subagentsBeside(codec: Codec, side: readonly SideFile[]): readonly Subagent[] {
	return side
		.filter((file) => file.role === 'subagent')
		.map((file) => {
			const meta = subagentMeta(side, file);
			return {
				id: file.id ?? stemOf(file.path),
				path: file.path,
				session: emptySession(codec),
				...(meta ? { meta } : {}),
			};
		});
}

/** Which call started which sub-agent, as far as the notes beside them and one result tell. */
function calledBy(codec: Codec, subagents: readonly Subagent[], answer?: Entry): ReadonlyMap<string, string> {
	if (!codec.read.subagentCalls) {
		return new Map(subagents.map(({ id, meta }) => [id, (meta && stringAt(meta, 'toolUseId')) ?? '']));
	}
	return codec.read.subagentCalls({ ...emptySession(codec), entries: answer ? [answer] : [], subagents });
}
