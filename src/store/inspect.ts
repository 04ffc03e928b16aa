/** What a session is, counted: the answer to `reprise inspect`. */
import { codecOf } from '../codecs/index.ts';
import { type Block, branches, type Issue, type Session } from '../model/index.ts';

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

export function inspectSession(session: Session): Inspection {
	return {
		format: session.format,
		dialect: session.dialect,
		sessionId: session.id,
		cwd: session.header.cwd ?? null,
		title: session.header.title ?? null,
		version: session.header.version ?? null,
		records: countRecords(session),
		blocks: countBlocks(session),
		entries: session.entries.length,
		branches: branches(session).length,
		subagents: session.subagents.map((subagent) => ({
			id: subagent.id,
			path: subagent.path ?? null,
			call: subagent.call ?? null,
			entries: subagent.session.entries.length,
			issues: subagent.session.issues,
		})),
		issues: session.issues,
	};
}

type Counts = { [type: string]: number };

function count(counts: Counts, type: string): void {
	counts[type] = (counts[type] ?? 0) + 1;
}

function countRecords(session: Session): Counts {
	const counts: Counts = Object.create(null) as Counts;
	const lines = codecOf(session.format)?.capabilities.container === 'lines';
	for (const record of session.records) {
		if (record.type !== '') count(counts, record.type);
		else if (lines) count(counts, '(blank)');
	}
	return { ...counts };
}

function countBlocks(session: Session): Counts {
	const counts: Counts = Object.create(null) as Counts;
	const name = codecOf(session.format)?.blockName;
	const visit = (block: Block): void => {
		count(counts, name?.(block) ?? (block.type === 'opaque' ? block.of : block.type));
		if (block.type === 'tool_result') for (const inner of block.content) if (inner.type === 'image') visit(inner);
	};
	for (const entry of session.entries) if (entry.kind === 'message') entry.content.forEach(visit);
	return { ...counts };
}
