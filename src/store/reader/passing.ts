/** Reads a session of lines part by part, so that nobody has to hold all of its entries. */
import { type Codec, readParts, type SideFile, sessionBuilder, type Taker } from '../../codecs/index.ts';
import type { Entry, Header, Issue, Session } from '../../model/index.ts';
import type { NamedSource } from './open-source.ts';
import { fallbackId, reopened, withSideHeaders } from './whole.ts';

export interface PassingSession {
	/** The session as far as it has been read, without records and entries. */
	session(): Session;
	/** The entries in order; they can be iterated once. */
	readonly parts: Iterable<readonly Entry[]>;
}

/** Reads a session in passing. `seen` gets the bytes of the file in order; each piece is valid until the next. */
export function passingSession(
	codec: Codec,
	source: NamedSource,
	side: readonly SideFile[],
	seen?: (bytes: Uint8Array) => void,
): PassingSession {
	const beside = withSideHeaders(codec, side, {});
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
	};
}
