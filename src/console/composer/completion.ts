/** What is completed in a prompt: commands behind `/`, files behind `@`; how matches are ranked, how many are shown, and how long a list of files counts as fresh. */
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
	return ranking.best
		.filter((path) => path !== typed)
		.map((path) => ({
			value: path,
			label: oneLine(path),
			...(!canBeNamed(path) && { description: 'cannot be named' }),
		}));
}

/** A name ends where a line or a column of a prompt does; a blank can be escaped. */
export function canBeNamed(path: string): boolean {
	return !/[^\S ]/.test(path);
}

function ranked(typed: string, names: readonly string[]): readonly string[] {
	const ranking = new Ranking(typed);
	ranking.add(names);
	return ranking.best;
}

/** The best first: names that begin with what was typed, then those that hold it, then those that hold its letters in order. */
class Ranking {
	readonly #wanted: string;
	readonly #letters: readonly string[];
	readonly #found: { readonly name: string; readonly rank: number }[] = [];

	constructor(typed: string) {
		this.#wanted = typed.toLowerCase();
		this.#letters = [...this.#wanted];
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
			const at = low.indexOf(wanted);
			if (at === -1 && !this.#isInOrder(low)) continue;
			const base = low.lastIndexOf('/', low.length - 2) + 1;
			const rank = wanted === '' ? 0 : low.startsWith(wanted, base) ? 1 : at === 0 ? 2 : at > 0 ? 3 : 4;
			this.#found.push({ name, rank: rank * 1000 + (rank === 0 ? 0 : Math.min(999, name.length)) });
		}
	}

	#isInOrder(low: string): boolean {
		let at = 0;
		for (const letter of this.#letters) {
			const found = low.indexOf(letter, at);
			if (found === -1) return false;
			at = found + letter.length;
		}
		return true;
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

/**
 * How long the complete list of files is waited for once the files of git's index are known, which takes no look at the disk. Where the
 * index has this many, it is not waited for at all.
 */
const completeMs = 60;
const manyFiles = 20_000;

/** The files of a project as git lists them, or as they lie there; read anew after a while, and what was read before counts until then. */
export class ProjectFiles {
	readonly #folder: string;
	#all: readonly string[] | undefined;
	#readAt = Number.NEGATIVE_INFINITY;
	/** What git has in its index, which is read first, and all of them. */
	#soon: Promise<readonly string[]> | undefined;
	#reading: Promise<readonly string[]> | undefined;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Whoever has begun may want a file soon: what git knows costs little. Who types may want any. */
	warm(how: 'begun' | 'typed'): Promise<unknown> {
		this.#soon ??= this.#tracked();
		return how === 'typed' && !this.#all ? this.all() : this.#soon;
	}

	/** At once what is known; where nothing is, what can be known soonest. */
	async list(): Promise<readonly string[]> {
		const all = this.all();
		if (this.#all) return this.#all;
		const tracked = (await this.#soon) ?? [];
		if (tracked.length === 0) return await all;
		if (tracked.length < manyFiles) await Promise.race([all, sleep(completeMs, undefined, { ref: false })]);
		return this.#all ?? tracked;
	}

	/** All of them, as they are now or were a moment ago. */
	async all(): Promise<readonly string[]> {
		if (this.#all && performance.now() - this.#readAt < keptMs) return this.#all;
		this.#soon ??= this.#tracked();
		this.#reading ??= this.#look(this.#soon);
		return await this.#reading;
	}

	async #tracked(): Promise<readonly string[]> {
		const listed = await git(this.#folder, ['ls-files', '-z', '--cached']);
		return listed ? withFolders(named(listed)) : [];
	}

	/** Behind what is known soon: both at once would slow each other down. */
	async #look(soon: Promise<unknown>): Promise<readonly string[]> {
		try {
			await soon;
			const listed = await git(this.#folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
			this.#all = withFolders(listed ? named(listed) : await walked(this.#folder));
			return this.#all;
		} finally {
			this.#readAt = performance.now();
			this.#reading = undefined;
			this.#soon = Promise.resolve([]);
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

/** Each folder stands before what is in it. */
function withFolders(files: readonly string[]): readonly string[] {
	const all: string[] = [];
	let above = '';
	for (const file of [...files].sort()) {
		const folder = file.slice(0, file.lastIndexOf('/') + 1);
		if (folder !== above) {
			for (let end = file.indexOf('/'); end !== -1; end = file.indexOf('/', end + 1))
				if (!above.startsWith(file.slice(0, end + 1))) all.push(file.slice(0, end + 1));
			above = folder;
		}
		all.push(file);
	}
	return all;
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
