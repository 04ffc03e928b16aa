/** Stores the notes on which parts of a session others wrote (`carried/` in our own data): ids and numbers only. What they say is decided in `move/carried.ts`. */
import { join } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { deriveHex } from '../../codecs/shared/write/derive.ts';
import { type Carried, type CarriedPart, isObject, type JsonObject, type NamedSession } from '../../model/index.ts';
import { diskFolders } from '../find/folders.ts';
import { dataFolder } from './data-folder.ts';
import { changeOwn, createOwn, readOneOf } from './own-data.ts';

function folderOf(machine: Machine): string {
	return join(dataFolder(machine), 'carried');
}

function fileOf(machine: Machine, { format, id }: NamedSession): string {
	return join(folderOf(machine), `${format}-${deriveHex(16, id)}.json`);
}

/** Reads every note. */
export function allCarried(machine: Machine): readonly Carried[] {
	const folder = folderOf(machine);
	return diskFolders.list(folder).flatMap(({ name }) => {
		const found = name.endsWith('.json') ? readCarried(join(folder, name)) : undefined;
		return found ? [found] : [];
	});
}

/** The parts of a session that others wrote; none where there is no note. */
export function carriedIn(machine: Machine, session: NamedSession): readonly CarriedPart[] {
	return readCarried(fileOf(machine, session))?.parts ?? [];
}

/** Reads one note; a damaged one counts as absent. */
function readCarried(path: string): Carried | undefined {
	return carriedFrom(readOneOf(path));
}

function carriedFrom(value: JsonObject | undefined): Carried | undefined {
	if (value === undefined || !Array.isArray(value.parts)) return undefined;
	if (!value.parts.every((part) => isObject(part) && isObject(part.of) && typeof part.from === 'number'))
		return undefined;
	return value as unknown as Carried;
}

/** Notes which parts of a new session others wrote. */
export async function noteCarried(machine: Machine, { format, id, parts }: Carried): Promise<void> {
	await createOwn(machine, fileOf(machine, { format, id }), { format, id, parts } as unknown as JsonObject);
}

/** Adds to the note of a session that existed before. */
export async function addCarried(machine: Machine, { format, id, parts }: Carried): Promise<void> {
	await changeOwn(machine, fileOf(machine, { format, id }), (old) => {
		const all = [...(carriedFrom(old)?.parts ?? []), ...parts];
		return { format, id, parts: all } as unknown as JsonObject;
	});
}
