/** Glances at a session for lists: folder, branch and times from its first and last bytes, its title wherever that stands, and what stands in for a missing one. */
import { type Codec, codecOf, type DecodeSink, FirstLook } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import type { Header, Source } from '../../model/index.ts';
import type { FoundSession } from '../find/discover.ts';
import { diskFolders } from '../find/folders.ts';
import { databasePath } from './database.ts';
import { identify } from './identify.ts';
import { withSideHeaders } from './whole.ts';

export interface Glance {
	readonly id?: string;
	/** The folder that the session was started in, as its file says. */
	readonly cwd?: string;
	/** The folder that its last lines name: a session may change folders, or have been resumed elsewhere. */
	readonly lastCwd?: string;
	/** The title that the client shows, else the beginning of the first prompt. */
	readonly title?: string;
	/** The beginning of the first prompt. */
	readonly prompt?: string;
	/** True when the title is the user's or the client's own, not a prompt. */
	readonly named: boolean;
	readonly gitBranch?: string;
	readonly created?: string;
}

const tailWindow = 1 << 15;
const newline = 10;

/** Title, folder, branch and times. Undefined when the session cannot be opened. */
export function glance(session: Pick<FoundSession, 'path' | 'format'>): Glance | undefined {
	return glanceAt(session, 'all');
}

/** `ends`: without a title that stands far from both ends of the file, for which all of it would have to be searched. */
function glanceAt(session: Pick<FoundSession, 'path' | 'format'>, reach: 'all' | 'ends'): Glance | undefined {
	const codec = codecOf(session.format);
	if (!codec) return undefined;
	const found = sourceOf(session.path);
	if (!found) return undefined;
	using source = found;
	const seen = new FirstLook().look(codec, source, reach);
	const header = withSideHeaders(codec, codec.places.sideFiles(session.path, diskFolders), defined(seen.header));
	const { id, cwd, gitBranch, created } = header;
	const lastCwd = codec.capabilities.container === 'lines' ? lastFolder(codec, source) : undefined;
	const title = header.title?.trim() || seen.prompt;
	return {
		...(id === undefined ? {} : { id }),
		...(cwd === undefined ? {} : { cwd }),
		...(lastCwd === undefined ? {} : { lastCwd }),
		...(title ? { title } : {}),
		...(seen.prompt ? { prompt: seen.prompt } : {}),
		named: !!header.title?.trim(),
		...(gitBranch === undefined ? {} : { gitBranch }),
		...(created === undefined ? {} : { created }),
	};
}

/** The beginning of the first prompt, as `FirstLook` shortens it: equal where a session is a copy of another. */
export function firstPrompt({ path, format }: Pick<FoundSession, 'path' | 'format'>): string | undefined {
	const codec = codecOf(format);
	const found = codec && sourceOf(path);
	if (!found) return undefined;
	using source = found;
	return new FirstLook().look(codec, source, 'ends').prompt;
}

function sourceOf(path: string): (Source & Disposable) | undefined {
	if (databasePath(path).session !== undefined) {
		const found = identify(path);
		return found.ok ? found.source : undefined;
	}
	try {
		return openFile(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error && 'syscall' in error) return undefined; // gone, or unreadable
		throw error;
	}
}

/** The folders a session names: the one it began in and the one its last lines name. */
export function foldersOf(session: Pick<FoundSession, 'path' | 'format'>): readonly string[] {
	const { cwd, lastCwd } = glanceAt(session, 'ends') ?? {};
	return [cwd, lastCwd].filter((folder) => folder !== undefined);
}

/** The folder named by the last line that names one. Lines are decoded one by one from the end. */
function lastFolder(codec: Codec, source: Source): string | undefined {
	const from = Math.max(0, source.size - tailWindow);
	const tail = source.read(from, tailWindow);
	let cwd: string | undefined;
	const sink: DecodeSink = {
		entry: () => undefined,
		header(patch) {
			cwd = patch.cwd ?? cwd;
		},
		issue: () => undefined,
	};
	let end = tail.lastIndexOf(newline);
	while (end > 0 && cwd === undefined) {
		const start = tail.lastIndexOf(newline, end - 1);
		if (start === -1 && from > 0) break; // the window begins in the middle of this line
		codec.read.reader().push(tail.subarray(start + 1, end + 1), (line) => {
			if (line.part === 'item') codec.read.decoder().visit(line, sink);
		});
		end = start;
	}
	return cwd;
}

function defined(header: Header): Header {
	return Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined && value !== ''));
}
