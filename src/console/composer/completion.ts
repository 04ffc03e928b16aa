/** What can be completed: commands behind a slash at the beginning, files behind `@`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../../host/looks/git-files.ts';
import { oneLine } from '../../terminal/print.ts';

export interface Completed {
	readonly value: string;
	readonly label: string;
	readonly description?: string;
}

export interface Command {
	readonly name: string;
	readonly about: string;
	readonly hint?: string | undefined;
}

const mostShown = 50;

export function commandMatches(typed: string, commands: readonly Command[]): readonly Completed[] {
	return ranked(
		typed,
		commands.map(({ name }) => name),
	)
		.map((name) => commands.find((one) => one.name === name))
		.flatMap((one) => {
			if (!one) return [];
			const label = `/${one.name}${one.hint === undefined ? '' : ` ${one.hint}`}`;
			return [{ value: one.name, label: oneLine(label), description: oneLine(one.about) }];
		});
}

export function fileMatches(typed: string, files: readonly string[]): readonly Completed[] {
	return ranked(typed, files).map((path) => ({ value: path, label: oneLine(path) }));
}

/** The best first: names that begin with what was typed, then those that hold it, then those that hold its letters in order. */
function ranked(typed: string, names: readonly string[]): readonly string[] {
	const wanted = typed.toLowerCase();
	if (wanted === '') return names.slice(0, mostShown);
	const letters = new RegExp([...wanted].map((letter) => letter.replace(/[.*+?^${}()|[\]\\]/, '\\$&')).join('.*?'));
	const found: { readonly name: string; readonly rank: number }[] = [];
	for (const name of names) {
		const low = name.toLowerCase();
		const base = low.slice(low.lastIndexOf('/', low.length - 2) + 1);
		const at = low.indexOf(wanted);
		const rank = base.startsWith(wanted) ? 0 : low.startsWith(wanted) ? 1 : at !== -1 ? 2 : letters.test(low) ? 3 : 4;
		if (rank < 4) found.push({ name, rank: rank * 1000 + Math.min(999, name.length) });
	}
	return found
		.sort((a, b) => a.rank - b.rank)
		.slice(0, mostShown)
		.map(({ name }) => name);
}

const keptMs = 5000;
const mostFiles = 200_000;

/** The files of a project as git lists them, or as they lie there; read anew after a while. */
export class ProjectFiles {
	readonly #folder: string;
	#read: { readonly at: number; readonly files: Promise<readonly string[]> } | undefined;

	constructor(folder: string) {
		this.#folder = folder;
	}

	async list(): Promise<readonly string[]> {
		const now = Date.now();
		if (!this.#read || now - this.#read.at > keptMs) this.#read = { at: now, files: this.#look() };
		return await this.#read.files;
	}

	async #look(): Promise<readonly string[]> {
		const listed = await git(this.#folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
		const files = listed ? listed.toString('utf8').split('\0') : await walked(this.#folder);
		return withFolders(files.filter((path) => path !== '').slice(0, mostFiles));
	}
}

function withFolders(files: readonly string[]): readonly string[] {
	const folders = new Set<string>();
	for (const file of files) {
		for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
			const folder = file.slice(0, end + 1);
			if (folders.has(folder)) break;
			folders.add(folder);
		}
	}
	return [...folders, ...files].sort((a, b) => (a < b ? -1 : 1));
}

/** Where there is no git: without folders that nobody means. */
async function walked(root: string): Promise<readonly string[]> {
	const found: string[] = [];
	const open = [''];
	for (let folder = open.shift(); folder !== undefined && found.length < mostFiles; folder = open.shift()) {
		const items = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
		for (const item of items) {
			if (item.name === 'node_modules' || item.name === '.git') continue;
			if (item.isDirectory()) open.push(`${folder}${item.name}/`);
			else if (item.isFile()) found.push(folder + item.name);
		}
	}
	return found;
}
