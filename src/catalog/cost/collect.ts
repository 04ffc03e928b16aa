/** Reads the responses of many session files into one ledger. */
import type { Folders } from '../../codecs/index.ts';
import { codecOf } from '../../codecs/index.ts';
import type { FormatId, Source } from '../../model/index.ts';
import { claudeCosts } from './claude-code.ts';
import { clidoCosts } from './clido.ts';
import { clineCosts } from './cline.ts';
import { type CostFile, Ledger, type LedgerOptions } from './ledger.ts';
import { openclawCosts } from './openclaw.ts';
import type { ReadCosts } from './sighting.ts';

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

export const costReaders: { readonly [F in FormatId]: () => ReadCosts } = {
	'claude-code': claudeCosts,
	cline: clineCosts,
	clido: clidoCosts,
	openclaw: openclawCosts,
};

export function collectCosts(sessions: Iterable<SessionFile>, access: Access, options: CollectOptions = {}): Collected {
	const ledger = new Ledger(options);
	const files: CostFile[] = [];
	const unread: Unread[] = [];
	const ready = new Map<FormatId, ReadCosts>();
	const list = [...sessions];
	for (const [index, session] of list.entries()) {
		options.progress?.(index, list.length);
		const read = ready.get(session.format) ?? costReaders[session.format]();
		ready.set(session.format, read);
		const { path, agent, format } = session;
		const file: CostFile = { path, session: session.parent ?? session.id, agent, format };
		try {
			using source = access.open(path);
			read(source, ledger.sink(file));
			if (file.cwd === undefined) addSideFolder(file, access);
			files.push(file);
		} catch (error) {
			if (!(error instanceof Error && 'code' in error)) throw error;
			unread.push({ path, message: error.message });
		}
	}
	return { ledger, files: withFoldersOfSessions(files), unread };
}

/** Where the transcript does not name its folder, a file beside it may. */
function addSideFolder(file: CostFile, { open, folders }: Access): void {
	const codec = codecOf(file.format);
	if (codec?.sideHeader === undefined) return;
	for (const side of codec.locate.sideFiles(file.path, folders)) {
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
