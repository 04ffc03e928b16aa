/** A session of lines that goes by, part by part: nobody has to hold all of its entries. */
import { type Codec, readParts, type SideFile, sessionBuilder, type Taker } from '../../codecs/index.ts';
import type { Entry, Header, Issue, Session } from '../../model/index.ts';
import type { NamedSource } from './open-source.ts';
import { fallbackId, reopened, withSideHeaders } from './whole.ts';

export interface PassingSession {
	/** Who it is, as far as it has been read; without records and entries. */
	session(): Session;
	/** Its entries, in order, to be gone through once. */
	readonly parts: Iterable<readonly Entry[]>;
}

/** `seen` is shown what is read of the file, from first to last; it holds until the next. */
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
