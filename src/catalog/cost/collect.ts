/** Reads the responses of many session files into one ledger. */
import { codecOf, type Folders, type UsageSink } from '../../codecs/index.ts';
import type { FormatId, Source } from '../../model/index.ts';
import { type CostFile, Ledger, type LedgerOptions } from './ledger.ts';
import { CostReader } from './read.ts';

/** A session file to be read, as discovery finds it. */
export interface SessionFile {
	readonly path: string;
	readonly id: string;
	readonly agent: string;
	readonly format: FormatId;
	/** For a sub-agent's own file: the id of its session. */
	readonly parent?: string;
}

/** How files are reached. The catalog knows no disk: paths may lead into databases as well. */
export interface Access {
	open(path: string): Source & Disposable;
	readonly folders: Folders;
	/** The folder of a session's project where somebody has said that it is another now than its lines tell. */
	folderOf?(session: { readonly format: FormatId; readonly id: string }): string | undefined;
}

/** A file that could not be read: the rest of the answer still stands. */
export interface Unread {
	readonly path: string;
	readonly message: string;
}

export interface Collected {
	readonly ledger: Ledger;
	readonly files: readonly CostFile[];
	readonly unread: readonly Unread[];
}

export interface CollectOptions extends LedgerOptions {
	/** Called before each file. */
	progress?(done: number, of: number): void;
}

export function collectCosts(sessions: Iterable<SessionFile>, access: Access, options: CollectOptions = {}): Collected {
	const ledger = new Ledger(options);
	const reader = new CostReader();
	const files: CostFile[] = [];
	const unread: Unread[] = [];
	const list = [...sessions];
	for (const [index, session] of list.entries()) {
		options.progress?.(index, list.length);
		try {
			const file = collectFile(session, access, reader, ledger);
			if (file.cwd === undefined) addSideFolder(file, session.path, access);
			files.push(file);
		} catch (error) {
			if (!isFileError(error)) throw error;
			unread.push({ path: session.path, message: error.message });
		}
	}
	return { ledger, files: withFoldersOfSessions(files), unread };
}

/** Reads the file that tells of the session's responses: its main file, or the one beside it that does so in its place. */
function collectFile(session: SessionFile, access: Access, reader: CostReader, ledger: Ledger): CostFile {
	const { agent, format } = session;
	const rules = codecOf(format)?.usage;
	const id = session.parent ?? session.id;
	const cwd = access.folderOf?.({ format, id });
	let file: CostFile = { path: session.path, session: id, agent, format, ...(cwd === undefined ? {} : { cwd }) };
	const sinkOf = (path: string): UsageSink => {
		file = { ...file, path };
		return ledger.sink(file);
	};
	if (rules === undefined || reader.readBeside(rules, session.path, access, sinkOf)) return file;
	using source = access.open(session.path);
	reader.read(rules, source, sinkOf(session.path));
	return file;
}

/** Of a session file, as opposed to a database: those have a number of their own. */
export function isFileError(error: unknown): error is Error & { readonly code: string } {
	return error instanceof Error && 'code' in error && !('errcode' in error);
}

/** Where the transcript does not name its folder, a file beside it may. */
function addSideFolder(file: CostFile, path: string, { open, folders }: Access): void {
	const codec = codecOf(file.format);
	if (codec?.sideHeader === undefined) return;
	for (const side of codec.locate.sideFiles(path, folders)) {
		if (side.role !== 'manifest' && side.role !== 'index') continue;
		using source = open(side.path);
		const { cwd } = codec.sideHeader(side.role, source.read(0, source.size), side.id);
		if (cwd) {
			file.cwd = cwd;
			return;
		}
	}
}

/** A sub-agent's file that names no folder belongs to that of its session. */
function withFoldersOfSessions(files: readonly CostFile[]): readonly CostFile[] {
	const folders = new Map<string, string>();
	for (const { format, session, cwd } of files) if (cwd) folders.set(`${format} ${session}`, cwd);
	for (const file of files) {
		const known = folders.get(`${file.format} ${file.session}`);
		if (file.cwd === undefined && known !== undefined) file.cwd = known;
	}
	return files;
}
