/** Names the folders of our own data that belong to one session, by the path of its main file: for sub-agents and long outputs that its client has no place for. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Machine } from '../../codecs/index.ts';
import { dataFolder } from './data-folder.ts';

export function agentsFolder(machine: Machine, main: string): string {
	return folderOf(machine, 'agents', main);
}

/** The conversation names its outputs by their paths, so they stay where they are when the session moves. */
export function outputsFolder(machine: Machine, main: string): string {
	return folderOf(machine, 'outputs', main);
}

function folderOf(machine: Machine, what: string, main: string): string {
	const name = createHash('sha256').update(resolve(main)).digest('hex').slice(0, 32);
	return join(dataFolder(machine), what, name);
}

/** The regular files in such a folder. */
export function filesInFolder(folder: string): readonly string[] {
	if (!existsSync(folder)) return [];
	const files = readdirSync(folder, { withFileTypes: true }).filter((item) => item.isFile());
	return files.map(({ name }) => join(folder, name));
}
