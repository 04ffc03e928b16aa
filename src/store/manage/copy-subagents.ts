/** Decides which sub-agents go along when a session is forked (those that the copy names, and those that these name), and where their files go. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Codec, codecOf } from '../../codecs/index.ts';
import { readRegular } from '../../log/regular-file.ts';
import { isObject, type Loss, parsedJson, stringAt } from '../../model/index.ts';
import { diskFolders } from '../find/folders.ts';
import { ownNoteOf, placeOfSubagent, type RootSession, type SubagentFile, subagentFiles } from '../handle/subagents.ts';

export interface CopiedSubagents {
	readonly files: readonly { readonly to: string; readonly pieces: Uint8Array }[];
	/** The sub-agents that go along. */
	readonly ids: readonly string[];
	readonly losses: readonly Loss[];
}

/** `said` are the bytes of the copy's main file, line by line or as a whole: it names a sub-agent, or the call that started it. */
export function copiedSubagents(
	from: RootSession,
	to: Pick<RootSession, 'path' | 'id'>,
	said: readonly Uint8Array[],
): CopiedSubagents {
	const files: { readonly to: string; readonly pieces: Uint8Array }[] = [];
	const ids: string[] = [];
	const losses: Loss[] = [];
	const codec = codecOf(from.format);
	const waiting = new Set(subagentFiles(from));
	const notes = codec ? notesOf(codec, from.path) : new Map<string, string>();
	// A sub-agent may have started others: what it says counts as well.
	for (let spoken: readonly Uint8Array[] = said; spoken.length > 0 && waiting.size > 0; ) {
		const named = [...waiting].filter((file) => isNamed(file, notes.get(file.id), spoken));
		spoken = named.flatMap((file) => {
			waiting.delete(file);
			const place = placeOfSubagent({ ...from, ...to }, file.id);
			const path = join(dirname(place.path), basename(file.path));
			if (existsSync(path)) {
				losses.push({ entry: '', path: 'subagents', how: 'dropped', note: `${path} is another session’s: not copied` });
				return [];
			}
			const bytes = readRegular(file.path);
			ids.push(file.id);
			files.push({ to: path, pieces: codec?.live.subagents?.copied(bytes, place) ?? bytes });
			for (const note of [notes.get(file.id), ownNoteOf(file.path)])
				if (note !== undefined && existsSync(note))
					files.push({ to: join(dirname(path), basename(note)), pieces: readRegular(note) });
			return [bytes];
		});
	}
	return { files, ids, losses };
}

/** The client's own notes beside the files, by the sub-agent's id. */
function notesOf(codec: Codec, main: string): ReadonlyMap<string, string> {
	const notes = codec.places.sideFiles(main, diskFolders).filter(({ role }) => role === 'subagent-meta');
	return new Map(notes.flatMap(({ id, path }) => (id === undefined ? [] : [[id, path] as const])));
}

function isNamed({ id, meta }: SubagentFile, note: string | undefined, said: readonly Uint8Array[]): boolean {
	const noted = meta ?? (note === undefined ? undefined : parsedJson(readRegular(note).toString('utf8')));
	const call = isObject(noted) ? stringAt(noted, 'toolUseId') : undefined;
	const names = [id, ...(call ? [call] : [])].map((name) => Buffer.from(name));
	return said.some((bytes) =>
		names.some((name) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(name)),
	);
}
