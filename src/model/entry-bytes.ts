/** From an entry back to its records and their bytes. */
import type { Entry } from './entry.ts';
import { recordBytes, type SessionRecord } from './record.ts';
import type { Session } from './session.ts';

/** The records that an entry was read from. */
export function recordsOf(session: Session, entry: Entry): readonly SessionRecord[] {
	return entry.records.flatMap((index) => session.records[index] ?? []);
}

/** The exact bytes of an entry, as the client wrote them. */
export function rawBytes(session: Session, entry: Entry): readonly Uint8Array[] {
	return recordsOf(session, entry).map((record) => recordBytes(session.source, record));
}
