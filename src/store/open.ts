/** Opening a session: its main file and what lies beside it, as one value. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
	type Codec,
	readParts,
	readSession,
	type SideFile,
	sessionBuilder,
	sideHeaders,
	type Taker,
} from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { readRegular } from '../log/regular-file.ts';
import {
	type Entry,
	type Header,
	type Issue,
	isObject,
	type JsonObject,
	memorySource,
	reusedPieces,
	type Session,
	type Source,
	type Subagent,
} from '../model/index.ts';
import { InputError } from './errors.ts';
import { diskFolders } from './folders.ts';
import { identify } from './identify.ts';
import type { NamedSource } from './open-source.ts';

export interface OpenOptions {
	/** Read sub-agents' files too. Default true. */
	readonly subagents?: boolean;
}

/** Opens the session in the file at `path`. Throws an InputError when there is none. */
export async function openSession(path: string, options: OpenOptions = {}): Promise<Session> {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	using source = found.source;
	const { codec } = found;
	const side = codec.places.sideFiles(path, diskFolders);
	const subagents = options.subagents === false ? [] : openSubagents(codec, side);
	const session = linkCalls(codec, { ...decodeSource(codec, source), subagents });
	return { ...session, header: withSideHeaders(codec, path, session.header) };
}

/** A session that goes by, part by part. */
export interface SessionStream extends Disposable {
	/** Who it is, as far as it has been read; without records and entries. */
	session(): Session;
	/** Its entries, in order, to be gone through once. */
	readonly parts: Iterable<readonly Entry[]>;
}

/**
 * What `openSession` gives, for sessions whose entries nobody has to hold all at once. Undefined where that cannot be: a document and a
 * transcript in a database are read whole, and the files of sub-agents are read with the calls that started them. `seen` is shown
 * what is read of the file, from first to last; it holds until the next.
 */
export function streamSession(path: string, seen?: (bytes: Uint8Array) => void): SessionStream | undefined {
	const found = identify(path);
	if (!found.ok) throw new InputError(found.rule, found.message);
	const { codec, source } = found;
	const side = codec.places.sideFiles(path, diskFolders);
	const many = side.some((file) => file.role === 'subagent');
	if (many || codec.capabilities.container !== 'lines' || !existsSync(source.path)) {
		source[Symbol.dispose]();
		return undefined;
	}
	const beside = withSideHeaders(codec, path, {});
	const empty = sessionBuilder(codec, reopened(source), fallbackId(codec, source)).build([]);
	let header: Header = {};
	let entries: Entry[] = [];
	let issues: readonly Issue[] = [];
	const taker: Taker = {
		record: () => undefined,
		entry: (entry) => void entries.push(entry),
		header(patch) {
			header = { ...header, ...patch };
		},
	};
	function* parts(): Generator<readonly Entry[]> {
		const reading = readParts(codec, source, taker, seen);
		for (let part = reading.next(); ; part = reading.next()) {
			if (part.done) issues = part.value;
			yield entries;
			entries = [];
			if (part.done) return;
		}
	}
	return {
		session() {
			const { id = empty.id, dialect = empty.dialect } = header;
			return { ...empty, id, dialect, header: { ...beside, ...header }, issues };
		},
		parts: parts(),
		[Symbol.dispose]: () => source[Symbol.dispose](),
	};
}

/** Who a session is, without its entries where they need not be held to know that. */
export async function openHeader(path: string): Promise<Session> {
	using stream = streamSession(path);
	if (!stream) return await openSession(path, { subagents: false });
	for (const _ of stream.parts);
	return stream.session();
}

/** Decodes a whole source. The session keeps its bytes reachable after `source` is closed by opening the path again. */
function decodeSource(codec: Codec, source: NamedSource): Session {
	const reading = readSession(codec);
	const inMemory = staysInMemory(source) ? memorySource(source.read(0, source.size)) : undefined;
	const builder = sessionBuilder(codec, inMemory ?? reopened(source), fallbackId(codec, source));
	for (const piece of reusedPieces(inMemory ?? source)) builder.add(reading.push(piece));
	builder.add(reading.end());
	return builder.build(reading.issues());
}

/** The id of a session whose file does not say it. */
export function fallbackId(codec: Codec, source: NamedSource): string {
	return codec.places.idOf?.(source.path) ?? stemOf(source.path);
}

const keptInMemory = 1 << 22;

/** A session value may live long: it holds no file open. Small files stay in memory, larger ones are opened again. */
function staysInMemory(source: NamedSource): boolean {
	return source.size <= keptInMemory || !existsSync(source.path);
}

/** The bytes of a file that is closed again after each reading. */
export function reopened({ path, size }: NamedSource): Source {
	return {
		size,
		read(at, length) {
			using file = openFile(path);
			return file.read(at, Math.min(length, size - at));
		},
		readInto(at, target) {
			using file = openFile(path);
			return file.readInto?.(at, target.subarray(0, Math.max(0, size - at))) ?? 0;
		},
	};
}

/** What the session at `path` and the files beside it say about it. */
export function withSideHeaders(codec: Codec, path: string, main: Header): Header {
	return sideHeaders(codec, () => codec.places.sideFiles(path, diskFolders), main, bytesOf);
}

function bytesOf(path: string): Uint8Array {
	using source = openFile(path);
	return source.read(0, Math.min(source.size, longestSideFile));
}

/** A list of thousands of sessions takes less. */
const longestSideFile = 1 << 24;

function openSubagents(codec: Codec, side: readonly SideFile[]): readonly Subagent[] {
	return side
		.filter((file) => file.role === 'subagent')
		.map((file) => {
			using source = openFile(file.path);
			const session = decodeSource(codec, source);
			const meta = subagentMeta(side, file);
			const id = file.id ?? session.header.agent ?? stemOf(file.path);
			return { id, path: file.path, session, ...(meta ? { meta } : {}) };
		});
}

/** What the client noted about a sub-agent beside its file. */
export function subagentMeta(side: readonly SideFile[], file: SideFile): JsonObject | undefined {
	const meta = side.find((other) => other.role === 'subagent-meta' && other.id === file.id);
	if (!meta) return undefined;
	try {
		const value: unknown = JSON.parse(readRegular(meta.path).toString('utf8'));
		return isObject(value) ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined; // a note about a sub-agent is not worth refusing its session
		throw error;
	}
}

/** Adds the tool call that started each sub-agent, where the format tells. */
function linkCalls(codec: Codec, session: Session): Session {
	if (session.subagents.length === 0 || !codec.read.subagentCalls) return session;
	const calls = codec.read.subagentCalls(session);
	const subagents = session.subagents.map((subagent) => {
		const call = calls.get(subagent.id);
		return call === undefined ? subagent : { ...subagent, call };
	});
	return { ...session, subagents };
}

/** A file's name without what every session file of its format ends in. */
export function stemOf(path: string): string {
	return basename(path).replace(/(\.messages)?\.jsonl?$/, '');
}
