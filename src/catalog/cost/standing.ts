/** Decides which records of a session count for another: those that a hand-off brought, while the other exists. */
import { type Carried, type CarriedPart, compact, type NamedSession } from '../../model/index.ts';
import type { SessionFile } from './collect.ts';

/** What hand-offs say about a file. It can be serialised. */
export interface Standing {
	/** True when others hold copies of what the session wrote. */
	readonly copied?: true;
	/** The parts of the file that count for another session. */
	readonly parts: readonly CopiedPart[];
}

export interface CopiedPart extends Pick<CarriedPart, 'from' | 'to' | 'until' | 'forked'> {
	/** The id of the session that the part counts for. */
	readonly of: string;
}

/**
 * A carried response counts for the session that wrote it. If that is gone, one copy takes its place: the one with most
 * of it, then the nearest. All copies choose the same one, so that the response counts exactly once.
 */
export class Standings {
	readonly #notes = new Map<string, Carried>();
	readonly #present = new Set<string>();
	readonly #copied = new Set<string>();
	/** The copies that take the place of sessions that are gone. */
	readonly #heirs = new Map<string, NamedSession>();

	constructor(notes: readonly Carried[], sessions: readonly SessionFile[]) {
		if (notes.length === 0) return;
		for (const { format, id, parent } of sessions) if (parent === undefined) this.#present.add(keyOf({ format, id }));
		for (const note of notes) this.#notes.set(keyOf(note), note);
		this.#findHeirs();
		for (const note of this.#notes.values()) {
			for (const part of note.parts) {
				const counts = part.forked === undefined ? this.#countsFor(part) : undefined;
				if (counts !== undefined && keyOf(counts) !== keyOf(note)) this.#copied.add(keyOf(counts));
			}
		}
	}

	/** Undefined for a session that neither holds copies nor was copied, as most are. */
	of({ format, id, parent, agent }: SessionFile): Standing | undefined {
		const key = keyOf({ format, id: parent ?? id });
		const parts = (this.#notes.get(key)?.parts ?? []).flatMap((part): CopiedPart[] => {
			const counts = part.forked === undefined ? this.#countsFor(part) : part.of;
			if (counts === undefined || (part.agent === undefined ? keyOf(counts) === key : part.agent !== agent)) return [];
			if (parent === undefined ? part.agents !== undefined : !part.agents?.includes(id)) return [];
			const { from, to, until, forked } = part;
			return [{ of: counts.id, from, ...compact({ to, until, forked }) }];
		});
		if (this.#copied.has(key)) return { copied: true, parts };
		return parts.length === 0 ? undefined : { parts };
	}

	/** The parts of a file that tell again what was done in other sessions, as long as those are there. */
	retold(file: SessionFile): readonly CopiedPart[] {
		const isHere = (id: string): boolean => this.#present.has(keyOf({ format: file.format, id }));
		return this.of(file)?.parts.filter(({ of, forked }) => forked === undefined || isHere(of)) ?? [];
	}

	#countsFor(part: CarriedPart): NamedSession | undefined {
		return this.#present.has(keyOf(part.of)) ? part.of : this.#heirs.get(heirKey(part));
	}

	#findHeirs(): void {
		const best = new Map<string, readonly [length: number, hops: number, key: string]>();
		for (const [key, note] of this.#notes) {
			if (!this.#present.has(key)) continue;
			for (const part of note.parts) {
				const { length, hops, hidden } = part;
				if (hidden) continue;
				const gone = heirKey(part);
				const known = best.get(gone);
				if (known && (known[0] - length || hops - known[1] || (key < known[2] ? -1 : 1)) >= 0) continue;
				best.set(gone, [length, hops, key]);
				this.#heirs.set(gone, note);
			}
		}
	}
}

function keyOf({ format, id }: NamedSession): string {
	return `${format} ${id}`;
}

/** The key of a part's heir: a copy may have the conversation but none of the sub-agents' files. */
function heirKey({ of, agents }: CarriedPart): string {
	return agents === undefined ? keyOf(of) : `${keyOf(of)} agents`;
}

interface RecordPlace {
	readonly at: number;
	readonly line: number;
	readonly time: number | undefined;
}

/** The part that a record is in. */
export function partAt<P extends Pick<CarriedPart, 'from' | 'to' | 'until'>>(
	parts: readonly P[],
	{ at, line, time }: RecordPlace,
): P | undefined {
	return parts.find(({ from, to = Number.POSITIVE_INFINITY, until }) => {
		const place = until === undefined ? at : line;
		return place >= from && place < to && !(until !== undefined && time !== undefined && time > until);
	});
}
