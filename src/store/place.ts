/** Where the main file of a session belongs: in its client's home, or in a folder that is laid out like one. */
import { resolve } from 'node:path';
import type { Codec, Machine } from '../codecs/index.ts';
import type { Profile } from '../model/index.ts';
import { diskFolders, thisMachine } from './folders.ts';

/** A machine whose home is the folder, and on which no client was told to keep its files elsewhere. */
export function homeIn(folder: string): Machine {
	return { ...thisMachine(), home: resolve(folder), env: {} };
}

export interface Placed {
	readonly id: string;
	readonly cwd?: string | undefined;
	readonly created?: string | undefined;
	readonly profile?: Profile | undefined;
}

export function placeOf(machine: Machine, codec: Codec, { id, cwd, created, profile }: Placed): string {
	return codec.locate.place(
		machine,
		{
			id,
			cwd: cwd ?? resolve('.'),
			...(created === undefined ? {} : { created }),
			...(profile === undefined ? {} : { profile }),
		},
		diskFolders,
	);
}
