/** Reads the responses of many session files into one ledger. */
import { availableParallelism } from 'node:os';
import type { Folders, UsageRules, UsageSink } from '../../codecs/index.ts';
import { codecOf, sideHeaders } from '../../codecs/index.ts';
import type { Carried, FormatId, Source } from '../../model/index.ts';
import type { LineValues } from '../../scan/index.ts';
import { isFileError } from '../file-error.ts';
import { type CostFile, Ledger, type LedgerOptions } from './ledger.ts';
import { pricesFor } from './prices.ts';
import { CostReader } from './read.ts';
import { ScanAhead, type Scanned } from './scan-ahead.ts';
import { Standings } from './standing.ts';

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
	/** Whether a path is that of a plain file, which another thread may read as well. */
	isPlain?(path: string): boolean;
	/** The folder of a session's project where somebody has said that it is another now than its lines tell. */
	folderOf?(session: { readonly format: FormatId; readonly id: string }): string | undefined;
	/** What is known of hand-offs: which parts of sessions other sessions wrote. */
	carried?(): readonly Carried[];
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
	/** Called now and then. */
	progress?(done: number, of: number): void;
	/** Bytes after which another thread helps, where there is one to spare and enough left for it. */
	readonly helpAfter?: number;
}

export function collectCosts(sessions: Iterable<SessionFile>, access: Access, options: CollectOptions = {}): Collected {
	const list = [...sessions];
	const collecting = new Collecting(list, access, options);
	let ahead: ScanAhead | undefined;
	try {
		for (const index of list.keys()) {
			options.progress?.(collecting.settled.size, list.length);
			if (ahead === undefined || ahead.claim(index)) collecting.settle({ index, values: undefined });
			for (const scanned of ahead?.take() ?? []) collecting.settle(scanned);
			if (collecting.bytes < (options.helpAfter ?? usualHelp) || options.explain) continue;
			collecting.bytes = Number.NEGATIVE_INFINITY; // asked once
			ahead = scanAhead(list, index + 1, access);
			if (ahead) pricesFor(collecting.ledger); // loads them while the other thread is at work; in the end it would have none
		}
		while (ahead && collecting.settled.size < list.length) {
			const scanned = ahead.wait();
			if (scanned === undefined) break;
			for (const one of scanned) collecting.settle(one);
		}
	} finally {
		ahead?.[Symbol.dispose]();
	}
	// What the other thread has not told of.
	for (const index of list.keys()) collecting.settle({ index, values: undefined });
	return collecting.collected();
}

/** When so much was read there is probably more, and a thread pays that takes a twentieth of a second to start. */
const usualHelp = 1 << 22;
const fewest = 8;

/** Undefined where it would not pay. */
function scanAhead(list: readonly SessionFile[], from: number, access: Access): ScanAhead | undefined {
	const plans: UsageRules[] = [];
	const files = list.map(({ path, format }, index) => {
		const rules = codecOf(format)?.places.usage;
		if (index < from || rules === undefined || !access.isPlain?.(path)) return undefined;
		if (rules.elements !== undefined || rules.beside !== undefined || rules.wholeRecords) return undefined;
		if (!plans.includes(rules)) plans.push(rules);
		return { path, plan: plans.indexOf(rules) };
	});
	if (availableParallelism() < 2 || files.filter((file) => file !== undefined).length < fewest) return undefined;
	return new ScanAhead(
		files,
		plans.map(({ fields, gate }) => ({ fields, gate })),
	);
}

class Collecting {
	readonly settled = new Set<number>();
	/** Of the files that were read here. */
	bytes = 0;
	readonly #list: readonly SessionFile[];
	readonly #access: Access;
	readonly ledger: Ledger;
	readonly #reader = new CostReader();
	readonly #standings: Standings;
	readonly #files: (CostFile | undefined)[] = [];
	readonly #unread: (Unread | undefined)[] = [];

	constructor(list: readonly SessionFile[], access: Access, options: LedgerOptions) {
		this.#list = list;
		this.#access = access;
		this.ledger = new Ledger(options);
		this.#standings = new Standings(access.carried?.() ?? [], list);
	}

	/** Takes in a file, once: what was found in it elsewhere, or by reading it here. */
	settle({ index, values }: Scanned): void {
		const session = this.#list[index];
		if (session === undefined || this.settled.has(index)) return;
		this.settled.add(index);
		try {
			const file = this.#collect(session, values);
			if (file.cwd === undefined) addSideFolder(file, session.path, this.#access);
			this.#files[index] = file;
		} catch (error) {
			if (!isFileError(error)) throw error;
			this.#unread[index] = { path: session.path, message: error.message };
		}
	}

	/** Reads the file that tells of the session's responses: its main file, or the one beside it that does so in its place. */
	#collect(session: SessionFile, values: LineValues | undefined): CostFile {
		const { agent, format } = session;
		const rules = codecOf(format)?.places.usage;
		const id = session.parent ?? session.id;
		const cwd = this.#access.folderOf?.({ format, id });
		const standing = this.#standings.of(session);
		const known = { ...(cwd === undefined ? {} : { cwd }), ...(standing === undefined ? {} : { standing }) };
		let file: CostFile = { path: session.path, session: id, agent, format, ...known };
		const sinkOf = (path: string): UsageSink => {
			file = { ...file, path };
			return this.ledger.sink(file);
		};
		if (rules === undefined) return file;
		if (values !== undefined) {
			this.#reader.visit(rules, values, sinkOf(session.path));
			return file;
		}
		if (this.#reader.readBeside(rules, session.path, this.#access, sinkOf)) return file;
		using source = this.#access.open(session.path);
		this.bytes += source.size;
		this.#reader.read(rules, source, sinkOf(session.path));
		return file;
	}

	/** In the order of the list, whoever was faster. */
	collected(): Collected {
		const files = this.#files.filter((file) => file !== undefined);
		const unread = this.#unread.filter((file) => file !== undefined);
		return { ledger: this.ledger, files: withFoldersOfSessions(files), unread };
	}
}

/** Where the transcript does not name its folder, a file beside it may. */
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
