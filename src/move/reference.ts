/** The reference inside a converted session that says where it came from. */
import { type Entry, isObject, type Json, type JsonObject, numberAt, type Session, stringAt } from '../model/index.ts';
import { leavingOut } from './flatten.ts';
import type { Sum } from './sum.ts';

/** The source session, with the sum of its main file. */
export interface Reference extends Sum {
	readonly format: string;
	readonly id: string;
}

export function referenceTo({ format, id }: Session, { length, xxh64 }: Sum): JsonObject {
	return { format, id, length, xxh64 };
}

/** The reference that a session holds. */
export function referenceIn(session: Session): Reference | undefined {
	for (const entry of session.entries) {
		const found = referenceOf(entry.kind === 'start' ? entry.extra?.reprise : wordsOf(entry));
		if (found) return found;
	}
	return undefined;
}

/** True for an entry that says where a session came from. */
export function isReference(entry: Entry): boolean {
	return (entry.kind === 'start' ? entry.extra?.reprise : wordsOf(entry)) !== undefined;
}

function referenceOf(value: Json | undefined): Reference | undefined {
	if (!isObject(value)) return undefined;
	const [format, id, xxh64] = ['format', 'id', 'xxh64'].map((name) => stringAt(value, name));
	const length = numberAt(value, 'length');
	if (format === undefined || id === undefined || xxh64 === undefined || length === undefined) return undefined;
	return { format, id, length, xxh64 };
}

/** The reference as codecs decode it: a line of unknown type, or an application's own data. */
function wordsOf(entry: Entry): Json | undefined {
	if (entry.kind === 'opaque' && entry.type === 'reprise-lineage') return entry.extra;
	if (entry.kind !== 'event' || entry.event.type !== 'custom') return undefined;
	return entry.event.of === 'reprise.lineage' ? entry.event.data : undefined;
}

/** The session without our reference, which is neither converted nor counted as a loss. */
export function withoutReference(session: Session): Session {
	if (!referenceIn(session)) return session;
	const kept = leavingOut(session, (entry) => (wordsOf(entry) === undefined ? withoutField(entry) : undefined));
	return { ...session, ...kept };
}

/** Removes the field that holds the reference in the header line of formats without lines for others' data. */
function withoutField(entry: Entry): Entry {
	if (entry.kind !== 'start' || entry.extra?.reprise === undefined) return entry;
	const { extra, ...rest } = entry;
	const { reprise: _, ...left } = extra;
	return Object.keys(left).length === 0 ? rest : { ...rest, extra: left };
}
