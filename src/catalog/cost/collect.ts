/** Reads the responses of many session files into one ledger. */
import type { Folders, UsageSink } from '../../codecs/index.ts';
import { codecOf, sideHeaders } from '../../codecs/index.ts';
import type { Carried, FormatId, Source } from '../../model/index.ts';
import { isFileError } from '../file-error.ts';
import { type CostFile, Ledger, type LedgerOptions } from './ledger.ts';
import { readCosts, readCostsBeside } from './read.ts';
import { type Standing, Standings } from './standing.ts';

/** A session file to be read, as discovery finds it. */
export interface SessionFile {
	readonly path: string;
	readonly id: string;
	readonly agent: string;
	readonly format: FormatId;
	/** The session that a sub-agent's own file belongs to; absent for a main file. */
	readonly parent?: string;
}

/** How files are reached. The catalog itself opens none: a path may lead into a database as well. */
export interface Access {
	open(path: string): Source & Disposable;
	readonly folders: Folders;
	/** The folder that a user has assigned to a session by `relink`, where its lines still name another. */
	folderOf?(session: { readonly format: FormatId; readonly id: string }): string | undefined;
	/** Notes of hand-offs: which parts of sessions other sessions wrote. */
	carried?(): readonly Carried[];
}

/** A file that could not be read: the rest of the answer still stands. */
export interface Unread {
	readonly path: string;
	readonly message: string;
}

export interface Collected {
	readonly ledger: Ledger;
	readonly unread: readonly Unread[];
}

export interface CollectOptions extends LedgerOptions {
	/** Reports how many of how many files are done. */
	progress?(done: number, of: number): void;
	/** All sessions that there are, where only some are read: what these hold of others counts for those. */
	readonly among?: readonly SessionFile[];
}

export function collectCosts(sessions: Iterable<SessionFile>, access: Access, options: CollectOptions = {}): Collected {
	const list = [...sessions];
	const ledger = new Ledger(options);
	const standings = new Standings(access.carried?.() ?? [], options.among ?? list);
	const files: CostFile[] = [];
	const unread: Unread[] = [];
	for (const [index, session] of list.entries()) {
		options.progress?.(index, list.length);
		try {
			const file = collect(session, access, ledger, standings.of(session));
			if (file.cwd === undefined) addSideFolder(file, session.path, access);
			files.push(file);
		} catch (error) {
			if (!isFileError(error)) throw error;
			unread.push({ path: session.path, message: error.message });
		}
	}
	addFoldersOfSessions(files);
	return { ledger, unread };
}

/** Reads a session's responses from its main file, or from the side file that records them instead. */
function collect(session: SessionFile, access: Access, ledger: Ledger, standing: Standing | undefined): CostFile {
	const { agent, format } = session;
	const rules = codecOf(format)?.places.usage;
	const id = session.parent ?? session.id;
	const cwd = access.folderOf?.({ format, id });
	const known = { ...(cwd === undefined ? {} : { cwd }), ...(standing === undefined ? {} : { standing }) };
	let file: CostFile = { path: session.path, session: id, agent, format, ...known };
	const sinkOf = (path: string): UsageSink => {
		file = { ...file, path };
		return ledger.sink(file);
	};
	if (rules === undefined || readCostsBeside(rules, session.path, access, sinkOf)) return file;
	using source = access.open(session.path);
	readCosts(rules, source, sinkOf(session.path));
	return file;
}

/** Takes the folder from a side file where the transcript does not name one. */
function addSideFolder(file: CostFile, path: string, { open, folders }: Access): void {
	const codec = codecOf(file.format);
	if (!codec) return;
	const read = (side: string): Uint8Array => {
		using source = open(side);
		return source.read(0, source.size);
	};
	const { cwd } = sideHeaders(codec, () => codec.places.sideFiles(path, folders), {}, read);
	if (cwd) file.cwd = cwd;
}

/** Gives a sub-agent's file that names no folder the folder of its session. */
function addFoldersOfSessions(files: readonly CostFile[]): void {
	const folders = new Map<string, string>();
	for (const { format, session, cwd } of files) if (cwd) folders.set(`${format} ${session}`, cwd);
	for (const file of files) {
		const known = folders.get(`${file.format} ${file.session}`);
		if (file.cwd === undefined && known !== undefined) file.cwd = known;
	}
}
