/** What a session is, counted: the answer to `reprise inspect`. */

import { type Codec, codecOf, readAll, type SideFile } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import type { Issue, Session } from '../../model/index.ts';
import type { NamedSource } from './open-source.ts';
import { openReader } from './session-reader.ts';
import { type Tallied, Tally } from './tally.ts';
import { stemOf } from './whole.ts';

export interface Inspection {
	readonly format: string;
	readonly dialect: string;
	readonly sessionId: string;
	readonly cwd: string | null;
	readonly title: string | null;
	readonly version: string | null;
	/** Records by the format's own type names; `(broken)` for those that could not be read, `(blank)` for empty lines. */
	readonly records: { readonly [type: string]: number };
	/** Blocks by the format's own type names. */
	readonly blocks: { readonly [type: string]: number };
	readonly entries: number;
	readonly branches: number;
	readonly subagents: readonly InspectedSubagent[];
	readonly issues: readonly Issue[];
}

export interface InspectedSubagent {
	readonly id: string;
	readonly path: string | null;
	readonly call: string | null;
	readonly entries: number;
	readonly issues: readonly Issue[];
}

/**
 * What `inspectSession(await openSession(path))` says, without holding the session. Throws an InputError when there is
 * no session at `path`.
 */
export async function inspectFile(path: string): Promise<Inspection> {
	using reader = openReader(path);
	const { codec, sideFiles: side } = reader;
	// Any text may tell which call started a sub-agent, so the whole session is read.
	if (codec.read.subagentCalls && side.some(isSubagent)) return inspectSession(reader.whole());
	const tallied = tallyOf(codec, reader.source);
	const subagents = side.filter(isSubagent).map((file) => inspectSubagent(codec, file));
	const { id = reader.fallbackId, dialect = 'unknown' } = tallied.header;
	const header = reader.headerWith(tallied.header);
	return inspectionOf({ format: codec.id, dialect, id }, { ...tallied, header }, subagents);
}

/** What a session is made of: format, records, blocks, branches, sub-agents. */
export function inspectSession(session: Session): Inspection {
	const tally = new Tally(codecOf(session.format));
	tally.add(session);
	const subagents = session.subagents.map((subagent) => ({
		id: subagent.id,
		path: subagent.path ?? null,
		call: subagent.call ?? null,
		entries: subagent.session.entries.length,
		issues: subagent.session.issues,
	}));
	return inspectionOf(session, tally.end(session.issues), subagents);
}

function inspectionOf(
	{ format, dialect, id }: Pick<Session, 'format' | 'dialect' | 'id'>,
	{ header, records, blocks, entries, branches, issues }: Tallied,
	subagents: readonly InspectedSubagent[],
): Inspection {
	return {
		format,
		dialect,
		sessionId: id,
		cwd: header.cwd ?? null,
		title: header.title ?? null,
		version: header.version ?? null,
		records,
		blocks,
		entries,
		branches,
		subagents,
		issues,
	};
}

function tallyOf(codec: Codec, source: NamedSource): Tallied {
	const tally = new Tally(codec);
	return tally.end(readAll(codec, source, tally));
}

const isSubagent = (file: SideFile): boolean => file.role === 'subagent';

function inspectSubagent(codec: Codec, file: SideFile): InspectedSubagent {
	using source: NamedSource = openFile(file.path);
	const { header, entries, issues } = tallyOf(codec, source);
	return { id: file.id ?? header.agent ?? stemOf(file.path), path: file.path, call: null, entries, issues };
}
