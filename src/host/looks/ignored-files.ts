/** What of a project git ignores and has changed since a moment, for the note that no rewind brings it back: how many files are looked at and named. */
import { join } from 'node:path';
import { statOf } from '../../store/checkpoints/forms.ts';
import { git } from './git-files.ts';
import { listOf } from './walk-files.ts';

export interface IgnoredFiles {
	/** Paths from the folder; a folder with many changed files stands for them. */
	readonly changed: readonly string[];
	/** How many changed ones are not named. */
	readonly more: number;
	/** Not all of them were looked at. */
	readonly unsure: boolean;
}

const mostNamed = 10;
const mostOfFolder = 3;
/** Ignored folders can be huge, and this is only to tell the user. */
const mostLooked = 20_000;

/** Undefined where the folder is not git's. A file that was removed leaves no trace. `kept` are absolute paths of files that were kept. */
export async function ignoredSince(
	folder: string,
	since: number,
	kept: ReadonlySet<string>,
): Promise<IgnoredFiles | undefined> {
	const told = await git(folder, ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']);
	if (told === undefined) return undefined;
	const isOpen = (name: string): boolean => !kept.has(join(folder, name));
	const room = { left: mostLooked };
	const all = told
		.toString('utf8')
		.split('\0')
		.filter((name) => name !== '')
		.flatMap((name) => {
			if (!name.endsWith('/')) return changedAt(folder, name, since) && isOpen(name) ? [name] : [];
			const inside = changedIn(folder, name.slice(0, -1), since, room).filter(isOpen);
			return inside.length > mostOfFolder ? [`${name} (${inside.length} files)`] : inside;
		});
	const changed = all.slice(0, mostNamed);
	return { changed, more: all.length - changed.length, unsure: room.left <= 0 };
}

function changedAt(folder: string, path: string, since: number): boolean {
	const stat = statOf(join(folder, path));
	return stat !== undefined && Math.max(stat.ctimeMs, stat.mtimeMs) >= since;
}

function changedIn(folder: string, top: string, since: number, room: { left: number }): readonly string[] {
	const found: string[] = [];
	const waiting = [top];
	for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
		for (const item of listOf(join(folder, place))) {
			room.left -= 1;
			if (room.left <= 0) return found;
			const path = `${place}/${item.name}`;
			if (item.isDirectory()) waiting.push(path);
			else if (changedAt(folder, path, since)) found.push(path);
		}
	}
	return found;
}
