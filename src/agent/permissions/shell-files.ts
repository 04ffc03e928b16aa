/** The files that a shell command names, as targets that rules and folders can be asked about. */

import type { FileView } from '../contracts.ts';
import type { FileAccess, Target } from './file-access.ts';
import { filesOf } from './file-commands.ts';
import { expandGlob } from './globs.ts';
import { isAbsolute } from './path-names.ts';
import type { SimpleCommand } from './shell.ts';
import type { ShellWord } from './shell-words.ts';
import { unwrap } from './wrappers.ts';

export interface ShellFiles {
	readonly reads: readonly Target[];
	readonly writes: readonly Target[];
	/** A file that is read, or written, cannot be known. */
	readonly unknownRead?: string;
	readonly unknownWrite?: string;
	/** A pattern stands for an option, or for more names than can be looked at. */
	readonly odd?: string;
}

/** What needs no permission to be written to. */
const sinks: readonly string[] = ['/dev/null'];

export class ShellFileFinder {
	readonly #access: FileAccess;
	readonly #view: FileView;

	constructor(access: FileAccess, view: FileView) {
		this.#access = access;
		this.#view = view;
	}

	/** Of the program with its arguments, behind any wrappers. */
	ofProgram(words: readonly ShellWord[], command: SimpleCommand): ShellFiles {
		let inner = words;
		for (let next = unwrap(inner); next && next.words.length > 0; next = unwrap(inner)) inner = next.words;
		const use = filesOf(inner);
		if (!use) return { reads: [], writes: [] };
		const reads = this.#targets(use.reads, command);
		const writes = this.#targets(copied(inner, use.writes, this.#view, command), command);
		const odd = reads.odd ?? writes.odd;
		return {
			reads: reads.targets,
			writes: writes.targets,
			...(reads.unknown === undefined ? {} : { unknownRead: reads.unknown }),
			...(writes.unknown === undefined ? {} : { unknownWrite: writes.unknown }),
			...(odd === undefined ? {} : { odd }),
		};
	}

	ofRedirections(command: SimpleCommand): ShellFiles {
		const of = (does: 'read' | 'write'): readonly ShellWord[] =>
			command.redirections.flatMap((one) =>
				one.does === does && one.target && !sinks.includes(one.target.value ?? '') ? [one.target] : [],
			);
		const reads = this.#targets(of('read'), command);
		const writes = this.#targets(of('write'), command);
		return {
			reads: reads.targets,
			writes: writes.targets,
			...(reads.unknown === undefined ? {} : { unknownRead: reads.unknown }),
			...(writes.unknown === undefined ? {} : { unknownWrite: writes.unknown }),
		};
	}

	#targets(
		words: readonly ShellWord[],
		{ folders }: SimpleCommand,
	): { targets: readonly Target[]; unknown?: string; odd?: string } {
		let unknown: string | undefined;
		let odd: string | undefined;
		const targets = words.flatMap((word) => {
			const { value, glob, raw } = word;
			if (value === undefined || (folders === undefined && !isAbsolute(value))) {
				unknown ??= raw;
				return [];
			}
			return (folders ?? ['/']).flatMap((folder) => {
				if (glob === undefined) return [this.#access.target(value, folder)];
				const paths = expandGlob(glob, folder, this.#view);
				if (!paths) odd ??= raw;
				if (paths?.some((path) => !value.includes('/') && path.slice(folder.length + 1).startsWith('-'))) odd ??= raw;
				return (paths?.length ? paths : [value]).map((path) => this.#access.target(path, folder));
			});
		});
		return { targets, ...(unknown === undefined ? {} : { unknown }), ...(odd === undefined ? {} : { odd }) };
	}
}

/** What is copied into a folder gets a name there, which may be a link. */
function copied(
	words: readonly ShellWord[],
	writes: readonly ShellWord[],
	view: FileView,
	{ folders }: SimpleCommand,
): readonly ShellWord[] {
	const last = writes.at(-1);
	const name = words[0]?.value?.split('/').at(-1);
	if (!last?.value || (name !== 'cp' && name !== 'mv' && name !== 'ln' && name !== 'install')) return writes;
	const into = last.value;
	const isFolder = (folders ?? []).some(
		(folder) => view.kind(isAbsolute(into) ? into : `${folder}/${into}`) === 'folder',
	);
	if (!isFolder) return writes;
	const sources = words.slice(1).filter((word) => word !== last && !word.value?.startsWith('-'));
	const made = sources.map((word): ShellWord => {
		const own = word.value?.replace(/\/+$/, '').split('/').at(-1);
		if (own === undefined || word.glob !== undefined) return { ...last, value: undefined, raw: word.raw, plain: false };
		const value = `${into.replace(/\/+$/, '')}/${own}`;
		return { raw: value, value, plain: true, start: value };
	});
	return [...writes, ...made];
}
