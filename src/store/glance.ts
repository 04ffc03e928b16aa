/** A look at a session's first and last bytes: whose project it is, what it is called, and nothing that costs more. */
import { type Codec, codecOf, type DecodeSink, type Line, promptTitle } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { type Entry, entryText, type Header, isPrompt, type Json, type Source } from '../model/index.ts';
import { databasePath } from './database.ts';
import type { FoundSession } from './discover.ts';
import { diskFolders } from './folders.ts';
import { identify } from './identify.ts';

export interface Glance {
	readonly id?: string;
	/** The folder it was started in, as the session itself says. */
	readonly cwd?: string;
	/** The folder its last lines name; a session may wander, or have been resumed elsewhere. */
	readonly lastCwd?: string;
	/** The title it has in its client, else the beginning of its first prompt. */
	readonly title?: string;
	/** True when the title is the user's or the client's own, not a prompt. */
	readonly named: boolean;
	readonly gitBranch?: string;
	readonly created?: string;
	readonly version?: string;
	readonly model?: string;
}

/** Small first, so that ten thousand sessions are listed in a second; the largest reaches a prompt behind a recorded request. */
const windows = [1 << 13, 1 << 16, 1 << 19];
const tailWindow = 1 << 15;

/** Never fails on content: what cannot be told is absent. Undefined when the session cannot be opened at all. */
export function glance(session: Pick<FoundSession, 'path' | 'format'>): Glance | undefined {
	const codec = codecOf(session.format);
	if (!codec) return undefined;
	const found = sourceOf(session.path);
	if (!found) return undefined;
	using source = found;
	const seen = look(codec, source);
	const header = { ...sideHeader(codec, session.path), ...defined(seen.header) };
	const { id, cwd, gitBranch, created, version, model } = header;
	const title = header.title?.trim() || seen.prompt;
	return {
		...(id === undefined ? {} : { id }),
		...(cwd === undefined ? {} : { cwd }),
		...(seen.lastCwd === undefined ? {} : { lastCwd: seen.lastCwd }),
		...(title ? { title } : {}),
		named: !!header.title?.trim(),
		...(gitBranch === undefined ? {} : { gitBranch }),
		...(created === undefined ? {} : { created }),
		...(version === undefined ? {} : { version }),
		...(model === undefined ? {} : { model }),
	};
}

function sourceOf(path: string): (Source & Disposable) | undefined {
	if (databasePath(path).session !== undefined) {
		const found = identify(path);
		return found.ok ? found.source : undefined;
	}
	try {
		return openFile(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && 'syscall' in error) return undefined; // gone, or not ours to read
		throw error;
	}
}

interface Seen {
	readonly header: Header;
	readonly prompt?: string;
	readonly lastCwd?: string;
}

function look(codec: Codec, source: Source): Seen {
	const head = firstOf(codec, source, (seen) => seen.header.cwd !== undefined && seen.prompt !== undefined);
	if (codec.capabilities.container !== 'lines') return head;
	const at = Math.max(0, source.size - tailWindow);
	const lastCwd = lastFolder(codec, source);
	// The decoder goes on where it stopped, so that a title the user gave is not taken for less than a later made-up one.
	const header =
		head.end < source.size ? decode(codec, source, Math.max(head.end, at), tailWindow, head.state).header : {};
	return { ...head, header: { ...head.header, ...header }, ...(lastCwd === undefined ? {} : { lastCwd }) };
}

/** The smallest window from the start that tells enough, else the largest. */
function firstOf(codec: Codec, source: Source, enough: (seen: Decoded) => boolean): Decoded {
	let seen = decode(codec, source, 0, windows[0] ?? 0);
	for (const length of windows.slice(1)) {
		if (enough(seen) || seen.end >= source.size) break;
		seen = decode(codec, source, 0, length);
	}
	return seen;
}

/** The folders a session names, without its title: what a search through all sessions for those of a project asks. */
export function foldersOf(session: Pick<FoundSession, 'path' | 'format'>): readonly string[] {
	const codec = codecOf(session.format);
	const found = codec && sourceOf(session.path);
	if (!codec || !found) return [];
	using source = found;
	const { header } = firstOf(codec, source, (seen) => seen.header.cwd !== undefined);
	const first = sideHeader(codec, session.path).cwd ?? header.cwd;
	const last = codec.capabilities.container === 'lines' ? lastFolder(codec, source) : undefined;
	return [first, last].filter((folder) => folder !== undefined);
}

interface Decoded extends Seen {
	/** After the last whole line. */
	readonly end: number;
	readonly state: Json;
}

/** Decodes the whole lines in a window, or as much of a document as it holds. */
function decode(codec: Codec, source: Source, at: number, length: number, from?: Json): Decoded {
	const window = source.read(at, length);
	const start = from === undefined ? 0 : startOfLine(source, at, window);
	const bytes = window.subarray(start);
	const decoder = codec.decoder(from);
	let header: Header = {};
	let prompt: string | undefined;
	const sink = collect(
		(patch) => {
			header = { ...header, ...patch };
		},
		(entry) => {
			if (prompt === undefined && isPrompt(entry)) prompt = promptTitle(entryText(entry));
		},
	);
	const visit = (line: Line): void => {
		if (line.part !== 'gap') decoder.visit(line, sink);
	};
	const reader = codec.reader();
	reader.push(bytes, visit);
	const state = decoder.state();
	// A document is read as far as it goes; a line that was cut off by the window tells nothing.
	const all = at + window.length >= source.size;
	if (all || codec.capabilities.container === 'document') reader.end(visit);
	const end = all ? source.size : at + start + reader.position().at;
	return { header, end, state, ...(prompt === undefined ? {} : { prompt }) };
}

function startOfLine(source: Source, at: number, window: Uint8Array): number {
	if (source.read(at - 1, 1)[0] === newline) return 0;
	const end = window.indexOf(newline);
	return end === -1 ? window.length : end + 1; // one line may fill the window
}

const newline = 10;

/** The folder that the last line with one names: each line is asked by itself, from the end. */
function lastFolder(codec: Codec, source: Source): string | undefined {
	const from = Math.max(0, source.size - tailWindow);
	const tail = source.read(from, tailWindow);
	let cwd: string | undefined;
	const sink = collect((patch) => {
		cwd = patch.cwd ?? cwd;
	});
	let end = tail.lastIndexOf(newline);
	while (end > 0 && cwd === undefined) {
		const start = tail.lastIndexOf(newline, end - 1);
		if (start === -1 && from > 0) break; // the window begins in the middle of it
		codec.reader().push(tail.subarray(start + 1, end + 1), (line) => {
			if (line.part === 'item') codec.decoder().visit(line, sink);
		});
		end = start;
	}
	return cwd;
}

function collect(header: (patch: Header) => void, entry: (entry: Entry) => void = () => undefined): DecodeSink {
	return { header, entry, issue: () => undefined };
}

function defined(header: Header): Header {
	return Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined && value !== ''));
}

const longestSideFile = 1 << 22;

/** Some formats keep folder and title in a file beside the messages. */
function sideHeader(codec: Codec, path: string): Header {
	if (!codec.sideHeader) return {};
	let header: Header = {};
	for (const file of codec.locate.sideFiles(path, diskFolders)) {
		if (file.role === 'subagent' || file.role === 'subagent-meta' || file.role === 'trace') continue;
		header = { ...codec.sideHeader(file.role, diskFolders.head(file.path, longestSideFile), file.id), ...header };
	}
	return header;
}
