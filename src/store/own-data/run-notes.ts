/** What runs note of hooks, permissions and pull requests where a session's format has no place for it: lines in our own data. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Machine, Noted } from '../../codecs/index.ts';
import { notedFrom } from '../../codecs/shared/noted.ts';
import { deriveHex } from '../../codecs/shared/write/derive.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { type EntryId, isObject, type NamedSession, parsedJson } from '../../model/index.ts';
import { dataFolder } from './data-folder.ts';

/** A note, and the entry that the session ended with when it was made. */
export interface RunNote {
	readonly after: EntryId | null;
	readonly noted: Noted;
}

export function runNotesFile(machine: Machine, { format, id }: NamedSession): string {
	return join(dataFolder(machine), 'notes', `${format}-${deriveHex(16, id)}.jsonl`);
}

/** Adds a note to those of a session. Its writer is alone: whoever writes the session holds its lease. */
export function addRunNote(machine: Machine, session: NamedSession, { after, noted }: RunNote): void {
	const path = runNotesFile(machine, session);
	const line = { time: new Date().toISOString(), after, ...noted };
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/** All notes of a session in their order. A line that is torn or damaged is passed over. */
export function runNotes(machine: Machine, session: NamedSession): readonly RunNote[] {
	const text = readIfThere(runNotesFile(machine, session))?.toString('utf8') ?? '';
	return text.split('\n').flatMap((line) => {
		const value = parsedJson(line);
		const noted = notedFrom(value);
		if (noted === undefined || !isObject(value)) return [];
		return [{ after: typeof value.after === 'string' ? (value.after as EntryId) : null, noted }];
	});
}
