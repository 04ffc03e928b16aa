/** What can be completed: commands behind a slash at the beginning, files behind `@`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
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

/** How long a search may go on before keys have their turn, in milliseconds. */
const sliceMs = 8;
/** After so many names the clock is looked at. */
const slice = 2048;

/** Undefined where nobody wants the list any more: the next key is not held up by it. */
export async function fileMatches(
	typed: string,
	files: readonly string[],
	signal?: AbortSignal,
): Promise<readonly Completed[] | undefined> {
	const ranking = new Ranking(typed);
	let since = performance.now();
	for (let at = 0; at < files.length && !ranking.isFull; at += slice) {
		ranking.add(files.slice(at, at + slice));
		if (performance.now() - since < sliceMs) continue;
		await nextTurn();
		if (signal?.aborted) return undefined;
		since = performance.now();
	}
	return ranking.best.map((path) => ({ value: path, label: oneLine(path) }));
}

function ranked(typed: string, names: readonly string[]): readonly string[] {
	const ranking = new Ranking(typed);
	ranking.add(names);
	return ranking.best;
}

/** The best first: names that begin with what was typed, then those that hold it, then those that hold its letters in order. */
class Ranking {
	readonly #wanted: string;
	readonly #letters: RegExp;
	readonly #found: { readonly name: string; readonly rank: number }[] = [];

	constructor(typed: string) {
		this.#wanted = typed.toLowerCase();
		this.#letters = new RegExp(
			[...this.#wanted].map((letter) => letter.replace(/[.*+?^${}()|[\]\\]/, '\\$&')).join('.*?'),
		);
	}

	/** Where nothing was typed, the first names are as good as any. */
	get isFull(): boolean {
		return this.#wanted === '' && this.#found.length >= mostShown;
	}

	add(names: readonly string[]): void {
		const wanted = this.#wanted;
		for (const name of names) {
			if (this.isFull) return;
			const low = name.toLowerCase();
			const base = low.slice(low.lastIndexOf('/', low.length - 2) + 1);
			const isWithin = wanted === '' || low.includes(wanted);
			const rank = wanted === '' ? 0 : base.startsWith(wanted) ? 1 : low.startsWith(wanted) ? 2 : isWithin ? 3 : 4;
			if (rank === 4 && !this.#letters.test(low)) continue;
			this.#found.push({ name, rank: rank * 1000 + (rank === 0 ? 0 : Math.min(999, name.length)) });
		}
	}

	get best(): readonly string[] {
		return this.#found
			.sort((a, b) => a.rank - b.rank)
			.slice(0, mostShown)
			.map(({ name }) => name);
	}
}

const keptMs = 5000;
const mostFiles = 200_000;

/** So long a list that is complete is waited for: after that, what git has in its index is shown, which takes it no look at the disk. */
const completeMs = 60;

/** The files of a project as git lists them, or as they lie there; read anew after a while, and what was read before counts until then. */
export class ProjectFiles {
	readonly #folder: string;
	#all: readonly string[] | undefined;
	#readAt = Number.NEGATIVE_INFINITY;
	#reading: Promise<readonly string[]> | undefined;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Whoever types may want a file soon. */
	warm(): void {
		if (!this.#all) void this.all();
	}

	/** At once what is known; where nothing is, what can be known soonest. */
	async list(): Promise<readonly string[]> {
		const all = this.all();
		if (this.#all) return this.#all;
		const known = await Promise.race([all, sleep(completeMs, undefined, { ref: false })]);
		if (known) return known;
		const tracked = await git(this.#folder, ['ls-files', '-z', '--cached']);
		return this.#all ?? (tracked && tracked.length > 0 ? withFolders(named(tracked)) : await all);
	}

	/** All of them, as they are now or were a moment ago. */
	async all(): Promise<readonly string[]> {
		if (this.#all && performance.now() - this.#readAt < keptMs) return this.#all;
		this.#reading ??= this.#look();
		return await this.#reading;
	}

	async #look(): Promise<readonly string[]> {
		try {
			const listed = await git(this.#folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
			this.#all = withFolders(listed ? named(listed) : await walked(this.#folder));
			return this.#all;
		} finally {
			this.#readAt = performance.now();
			this.#reading = undefined;
		}
	}
}

function named(listed: Buffer): readonly string[] {
	return listed
		.toString('utf8')
		.split('\0')
		.filter((path) => path !== '')
		.slice(0, mostFiles);
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
