/** The files that a shell command names, as targets that rules and folders can be asked about: patterns put in place, folders looked through up to a limit, /dev/null left out. */

import type { FileView } from '../contracts.ts';
import { repositoryOf, type Walk } from './denied-below.ts';
import type { FileAccess, Target } from './file-access.ts';
import { type FileUse, filesOf } from './file-commands.ts';
import { expandGlob } from './globs.ts';
import { isAbsolute } from './path-names.ts';
import { pipedNames } from './piped-names.ts';
import type { SimpleCommand } from './shell.ts';
import type { ShellWord } from './shell-words.ts';
import { programName, unwrap } from './wrappers.ts';
import { filePrograms } from './write-programs.ts';

export interface ShellFiles {
	readonly reads: readonly Target[];
	readonly writes: readonly Target[];
	/** What patterns in it stand for, whether the program opens that or only prints the names. */
	readonly shown: readonly Target[];
	/** What lies in folders that are removed or changed as a whole, as far as it was looked at. */
	readonly below: readonly Target[];
	/** A file that is read, or written, cannot be known. */
	readonly unknownRead: string | undefined;
	readonly unknownWrite: string | undefined;
	/** A pattern stands for an option, or for more names than can be looked at. */
	readonly odd: string | undefined;
	/** A folder in which links are followed. */
	readonly follows: string | undefined;
	/** Folders of which everything is read. */
	readonly through: readonly Walk[];
	/** Where the command gets names of files that nobody knows beforehand. */
	readonly given: string | undefined;
}

/** Files that may be written to without permission. */
const sinks: readonly string[] = ['/dev/null'];
/** How much is looked at below a folder. */
const most = 1000;

export class ShellFileFinder {
	readonly #access: FileAccess;
	readonly #view: FileView;
	readonly #home: string;

	constructor(access: FileAccess, view: FileView, home: string) {
		this.#access = access;
		this.#view = view;
		this.#home = home;
	}

	/** The words as the program gets them, in each folder where it may run; undefined where a pattern may become an option, or too much. */
	forms(words: readonly ShellWord[], { folders }: SimpleCommand): readonly (readonly ShellWord[])[] | undefined {
		if (words.every(({ glob }) => glob === undefined)) return [words];
		const forms = folders?.map((folder) => words.flatMap((word) => this.#expanded(word, folder) ?? [odd]));
		return forms?.some((form) => form.includes(odd)) ? undefined : forms;
	}

	#expanded(word: ShellWord, folder: string): readonly ShellWord[] | undefined {
		const { glob, value } = word;
		if (glob === undefined || value === undefined) return [word];
		const paths = expandGlob(glob, folder, this.#view);
		if (!paths) return undefined;
		const names = paths.map((path) => (isAbsolute(value) ? path : path.slice(folder.length + 1)));
		// A file may be named like an option, or like the list of arguments that some programs read from `@file`.
		if (names.some((name) => /^[-@]/.test(name))) return undefined;
		return names.length > 0 ? names.map((name) => ({ ...word, value: name, start: name })) : [word];
	}

	/** Of the program with its arguments, and of what it is wrapped in. */
	ofProgram(words: readonly ShellWord[], command: SimpleCommand): ShellFiles {
		const layers = [words];
		for (let next = unwrap(words); next && next.words.length > 0; next = unwrap(next.words)) layers.push(next.words);
		const found = new Found(this.#access, this.#view);
		const { folders } = command;
		for (const folder of folders ?? [undefined]) {
			for (const layer of layers) this.#addLayer(found, layer, folder, command.pipedFrom !== undefined);
			if (folder === undefined) continue;
			this.#addPiped(found, layers, command, folder);
			const patterns = words.filter(({ glob }) => glob !== undefined);
			found.shown.push(
				...found.targets(
					patterns.flatMap((word) => this.#expanded(word, folder) ?? []),
					folder,
					'read',
				),
			);
		}
		return found;
	}

	#addLayer(found: Found, words: readonly ShellWord[], folder: string | undefined, piped: boolean): void {
		let strange: string | undefined;
		const form = words.flatMap((word) => {
			const names = folder === undefined && word.glob !== undefined ? undefined : this.#expanded(word, folder ?? '/');
			if (!names) strange ??= word.raw;
			return names ?? [word];
		});
		const use = filesOf(form, this.#home);
		if (!use) return;
		found.odd ??= strange;
		this.#add(found, use, folder, piped);
	}

	#add(found: Found, use: FileUse, folder: string | undefined, piped: boolean): void {
		const reads = found.targets(use.reads, folder, 'read');
		const writes = found.targets([...use.writes, ...this.#copied(use, folder)], folder, 'write');
		found.reads.push(...reads);
		found.writes.push(...writes);
		if (use.follows) found.follows ??= reads.find((target) => target.folder)?.given;
		if (use.tree) found.changed.push(...writes);
		if (use.through && folder !== undefined && !(piped && use.leaves?.folder))
			found.through.push(...this.#walks(use, use.through, folder));
	}

	#walks({ leaves, repository }: FileUse, words: readonly ShellWord[], folder: string): readonly Walk[] {
		const names = words.flatMap(({ value }) => (value === undefined ? [] : [value]));
		const targets = names.map((name) => this.#access.target(name, folder));
		if (!repository) return targets.map((target) => ({ target, ...(leaves ? { leaves } : {}) }));
		// Behind `--` there are files only, also such as are no more; a pattern may mean all of them.
		const tracked = repository === 'tracked';
		const behind = names[0] === '--';
		const isAll = behind ? names.length === 1 || names.some((name) => /[*?[\\]|^:/.test(name)) : false;
		const files = behind ? targets.slice(1) : targets.filter((_, at) => this.#isThere(names[at] ?? '', folder));
		if (files.length > 0 && !isAll) return files.map((target) => ({ target, tracked }));
		const top = repositoryOf(this.#view.real(folder) ?? folder, this.#view);
		return [{ target: this.#access.target(top, folder), tracked }];
	}

	#isThere(name: string, folder: string): boolean {
		return name !== '' && this.#view.kind(isAbsolute(name) ? name : `${folder}/${name}`) !== undefined;
	}

	/** What `xargs` hands to a program that reads files: names of which only some sources are known. */
	#addPiped(found: Found, layers: readonly (readonly ShellWord[])[], command: SimpleCommand, folder: string): void {
		const at = layers.findIndex(([name]) => /^(xargs|parallel)$/.test(programName(name) ?? ''));
		const inner = at === -1 ? undefined : layers[at + 1];
		if (!inner || opensNothing(programName(inner[0]) ?? '')) return;
		const names = pipedNames(command);
		if (!names) {
			found.given ??= layers[at]?.[0]?.raw ?? '';
			return;
		}
		const { starts, only, tracked } = names;
		for (const target of found.targets(starts, folder, 'read'))
			found.through.push({ target, tracked, leaves: { only } });
	}

	ofRedirections(command: SimpleCommand): ShellFiles {
		const found = new Found(this.#access, this.#view);
		for (const { does, target } of command.redirections) {
			if (!target || sinks.includes(target.value ?? '') || (does !== 'read' && does !== 'write')) continue;
			for (const folder of command.folders ?? [undefined]) {
				const names = (folder !== undefined && this.#expanded(target, folder)) || [target];
				(does === 'read' ? found.reads : found.writes).push(...found.targets(names, folder, does));
			}
		}
		return found;
	}

	/** What is copied into a folder gets a name there, which may be a link. */
	#copied({ copies }: FileUse, folder: string | undefined): readonly ShellWord[] {
		const into = copies?.into.value;
		if (!copies || into === undefined) return [];
		const path = isAbsolute(into) ? into : `${folder ?? ''}/${into}`;
		if (this.#view.kind(path) !== 'folder') return [];
		return copies.sources.map((word): ShellWord => {
			const own = word.value?.replace(/\/+$/, '').split('/').at(-1);
			if (own === undefined) return { ...copies.into, value: undefined, raw: word.raw, plain: false };
			const value = `${into.replace(/\/+$/, '')}/${own}`;
			return { raw: value, value, plain: true, start: value };
		});
	}
}

/** It only prints the names that it is given, or changes what has them: nothing is read. */
function opensNothing(name: string): boolean {
	if (/^(echo|printf|basename|dirname)$/.test(name)) return true;
	const row = Object.hasOwn(filePrograms, name) ? filePrograms[name] : undefined;
	return row !== undefined && row.reads === undefined;
}

const odd: ShellWord = { raw: '', value: undefined, plain: false, start: '' };

class Found implements ShellFiles {
	readonly reads: Target[] = [];
	readonly writes: Target[] = [];
	readonly shown: Target[] = [];
	readonly changed: Target[] = [];
	unknownRead: string | undefined;
	unknownWrite: string | undefined;
	odd: string | undefined;
	follows: string | undefined;
	readonly through: Walk[] = [];
	given: string | undefined;
	readonly #access: FileAccess;
	readonly #view: FileView;

	constructor(access: FileAccess, view: FileView) {
		this.#access = access;
		this.#view = view;
	}

	/** Only rules that deny something need it, and it takes a look at many files. */
	get below(): readonly Target[] {
		const found: Target[] = [];
		const left = this.changed.filter(({ folder }) => folder).map(({ names }) => names.at(-1) ?? '/');
		for (let folder = left.shift(); folder !== undefined && found.length < most; folder = left.shift()) {
			for (const name of this.#view.list(folder)) {
				const target = this.#access.target(`${folder}/${name}`, folder);
				found.push(target);
				// A link is removed, not what it leads to.
				if (target.folder && target.names.length === 1) left.push(`${folder}/${name}`);
			}
		}
		return found;
	}

	targets(words: readonly ShellWord[], folder: string | undefined, how: 'read' | 'write'): readonly Target[] {
		return words.flatMap(({ value, raw }) => {
			if (value !== undefined && (folder !== undefined || isAbsolute(value)))
				return [this.#access.target(value, folder ?? '/')];
			if (how === 'read') this.unknownRead ??= raw;
			else this.unknownWrite ??= raw;
			return [];
		});
	}
}
