/** Reads a session: bytes in, records and entries out, in pieces of any size. */
import type { Entry, Header, Issue, Json, Session, SessionRecord, Source } from '../../../model/index.ts';
import { history, lastInGraph, memorySource, reusedPieces } from '../../../model/index.ts';
import type { Codec, DecodeSink } from '../../codec.ts';
import { collectIssues } from '../check/issues.ts';
import { type LineLinks, leafOfLinks, linksIndex, linksOf } from '../context/leaf.ts';
import type { Line } from './line.ts';
import type { ReadPosition } from './line-reader.ts';

/** The type for a record that cannot be read. */
const brokenType = '(broken)';

/** What is needed to go on with a file that has grown. It can be serialised. */
export interface ReadState {
	readonly position: ReadPosition;
	readonly decoder: Json;
}

/** The records and entries that some bytes brought. */
export interface Portion {
	readonly records: readonly SessionRecord[];
	readonly entries: readonly Entry[];
	readonly header: Header;
	/** The links of its lines, in formats that link them. */
	readonly links?: readonly LineLinks[];
}

export interface SessionReading {
	push(bytes: Uint8Array): Portion;
	/** Ends the input for now: a last line without a newline is read as it is. */
	end(): Portion;
	/** The state behind the last whole record: reading on from it gives the same as reading at once. */
	state(): ReadState;
	issues(): readonly Issue[];
}

/** Receives what each line brings. */
export interface Taker {
	record(record: SessionRecord): void;
	entry(entry: Entry): void;
	/** Sets header fields; of two patches the later wins, field by field. */
	header(patch: Header): void;
	links?(links: LineLinks): void;
}

export interface LineReading {
	visit(line: Line): void;
	state(): Json;
	issues(): readonly Issue[];
}

/** Decodes lines that the caller has split and parsed. */
function readLines(codec: Codec, taker: Taker, from?: Json): LineReading {
	const decoder = codec.read.decoder(from);
	const collected = collectIssues(codec.check.rules);
	const sink: DecodeSink = {
		entry: (entry) => taker.entry(entry),
		header: (patch) => taker.header(patch),
		issue: collected.report,
	};
	const fields = taker.links && codec.context.resumePath?.envelope;
	return {
		visit(line) {
			collected.visiting(line);
			const links = fields && linksOf(line, fields);
			if (links) taker.links?.(links);
			const type = line.part === 'gap' ? '' : decoder.visit(line, sink) || brokenType;
			taker.record({ index: line.index, at: line.at, length: line.length, line: line.line, type });
		},
		state: () => decoder.state(),
		issues: () => collected.issues(),
	};
}

/** Gives a source to a taker part by part. `seen` gets the bytes of each part, which are valid until the next. */
export function* readParts(
	codec: Codec,
	source: Source,
	taker: Taker,
	seen?: (bytes: Uint8Array) => void,
	from?: ReadState,
): Generator<void, readonly Issue[]> {
	const reader = codec.read.reader(from?.position);
	const lines = readLines(codec, taker, from?.decoder);
	for (const piece of reusedPieces(source, from?.position.at)) {
		seen?.(piece);
		reader.push(piece, lines.visit);
		yield;
	}
	reader.end(lines.visit);
	return lines.issues();
}

/** Gives a whole source to a taker at once, or all of it behind `from`. Returns the flaws of its lines. */
export function readAll(codec: Codec, source: Source, taker: Taker, from?: ReadState): readonly Issue[] {
	const parts = readParts(codec, source, taker, undefined, from);
	for (let part = parts.next(); ; part = parts.next()) if (part.done) return part.value;
}

/** Reads a session piece by piece, from its beginning or from where an earlier reading stopped. */
export function readSession(codec: Codec, from?: ReadState): SessionReading {
	let records: SessionRecord[] = [];
	let entries: Entry[] = [];
	let links: LineLinks[] = [];
	let header: Header = {};
	const taker: Taker = {
		record: (record) => void records.push(record),
		entry: (entry) => void entries.push(entry),
		header(patch) {
			header = { ...header, ...patch };
		},
		links: (line) => void links.push(line),
	};
	const reader = codec.read.reader(from?.position);
	const lines = readLines(codec, taker, from?.decoder);
	let state = from?.decoder ?? lines.state();

	function taken(): Portion {
		const portion = { records, entries, header, links };
		records = [];
		entries = [];
		links = [];
		header = {};
		return portion;
	}

	return {
		push(bytes) {
			reader.push(bytes, lines.visit);
			state = lines.state();
			return taken();
		},
		end() {
			// The state stays as it was: an unfinished line is read again when it is whole.
			reader.end(lines.visit);
			return taken();
		},
		state: () => ({ position: reader.position(), decoder: state }),
		issues: lines.issues,
	};
}

/** Decodes a whole session from memory. `fallbackId` is its id if the file states none. */
export function decodeBytes(codec: Codec, bytes: Uint8Array, fallbackId = ''): Session {
	const reading = readSession(codec);
	const session = sessionBuilder(codec, memorySource(bytes), fallbackId);
	session.add(reading.push(bytes));
	session.add(reading.end());
	return session.build(reading.issues());
}

export interface SessionBuilder {
	add(portion: Portion): void;
	build(issues: readonly Issue[], subagents?: Session['subagents']): Session;
}

/** Builds a session of portions. */
export function sessionBuilder(codec: Codec, source: Source, fallbackId: string): SessionBuilder {
	const records: SessionRecord[] = [];
	const entries: Entry[] = [];
	const links: LineLinks[] = [];
	let header: Header = {};
	const index = () => linksIndex(links, codec.context.resumePath?.envelope ?? [], source);
	const bridgesTo = (leaf: Session['leaf']): Pick<Session, 'bridges'> => {
		const { resumePath } = codec.context;
		if (!resumePath?.bridges || history({ entries }, leaf)[0]?.parent == null) return {};
		return { bridges: resumePath.bridges(index()) };
	};
	return {
		add(portion) {
			for (const record of portion.records) records.push(record);
			for (const entry of portion.entries) entries.push(entry);
			for (const line of portion.links ?? []) links.push(line);
			header = { ...header, ...portion.header };
		},
		build(issues, subagents = []) {
			const { id = fallbackId, dialect = 'unknown' } = header;
			const base = { id, format: codec.id, dialect, header, source, records };
			const leaf = leafOfLinks(codec, dialect, index, lastInGraph(entries));
			return { ...base, entries, leaf, ...bridgesTo(leaf), issues, subagents };
		},
	};
}
