/** What one command of a line leaves behind for the next (links, written files), and what git would obey in a folder: where files may be others when it runs, somebody is asked. */
import type { FileView } from '../contracts.ts';
import type { Target } from './file-access.ts';
import { isWithin, normalise } from './path-names.ts';
import type { SimpleCommand } from './shell.ts';
import type { ShellFiles } from './shell-files.ts';
import type { ShellWord } from './shell-words.ts';
import { unwrap } from './wrappers.ts';

export class Prepared {
	/** Names that may be links by now, whose ends nobody has looked at. */
	readonly #made: Target[] = [];
	#wrote = false;

	/** A command before this one may have written something. */
	get wrote(): boolean {
		return this.#wrote;
	}

	add({ words }: SimpleCommand, files: readonly ShellFiles[]): void {
		const writes = files.flatMap((one) => one.writes);
		if (writes.length > 0 || files.some(({ unknownWrite }) => unknownWrite !== undefined)) this.#wrote = true;
		if (makesLinks(words)) this.#made.push(...writes);
	}

	/** Why the command may meet something else than what was looked at. */
	problem({ words, redirections, piped }: SimpleCommand, files: readonly ShellFiles[]): string | undefined {
		if (piped && makesLinks(words)) return 'links may be moved or made while other commands of the pipe run';
		const glob = [...words, ...redirections.flatMap(({ target }) => target ?? [])].find((word) => word.glob);
		if (this.#wrote && glob) return `${glob.raw} may stand for a file that is only made on the way`;
		const made = this.#made.flatMap(({ names }) => names);
		const met = files
			.flatMap(({ reads, writes }) => [...reads, ...writes])
			.find(({ names }) => names.some((name) => made.some((one) => isWithin(name, one))));
		return met && `${met.given} may be something else when this is run`;
	}
}

/** Links are moved and copied as links, and mean another file in another place. */
function makesLinks(words: readonly ShellWord[]): boolean {
	const inner = unwrap(words)?.words ?? words;
	const name = inner[0]?.value?.split('/').at(-1);
	if (name === 'mv' || name === 'ln' || name === 'rsync') return true;
	return name === 'cp' && inner.some(({ value = '-r' }) => /^(-[^-]*[rRadP]|--)/.test(value));
}

/** Git takes such a folder, or one below it, for a repository, and its configuration says what git runs. */
export function isOpenRepository(folder: string, files: FileView): boolean {
	for (const at of andAbove(folder, files)) {
		const names = files.list(at).map((name) => name.toLowerCase());
		if (names.includes('head') && (names.includes('objects') || names.includes('commondir'))) return true;
		const own = `${at}/.git`;
		if (files.kind(own) === 'file' || files.list(own).includes('HEAD')) return false;
	}
	return false;
}

/** What git would obey of the repository that the folder is in. Where one is none after all, git goes on above it: all are looked at. */
export function runsInRepository(folder: string, files: FileView): string | undefined {
	for (const at of andAbove(folder, files)) {
		const found = files.kind(`${at}/.git`) === undefined ? undefined : files.gitRuns?.(at);
		if (found !== undefined) return found;
	}
	return undefined;
}

function* andAbove(folder: string, files: FileView): Generator<string> {
	let at = files.real(folder) ?? normalise(folder);
	for (;;) {
		yield at;
		const above = at.slice(0, at.lastIndexOf('/')) || '/';
		if (above === at) return;
		at = above;
	}
}
