/** When a program behind `xargs` may read what comes through a pipe without a question: the names come from find or git, and all of them are files of the session. */
import type { FileView } from '../contracts.ts';
import type { FileAccess } from './file-access.ts';
import { readFind } from './find-command.ts';
import { isFree } from './free-commands.ts';
import { readOptions } from './options.ts';
import type { SimpleCommand } from './shell.ts';
import { literalWord, type ShellWord } from './shell-words.ts';

/** Programs that only look at what they are given, and print no more of it than they are asked for. */
const readers: readonly string[] = ['grep', 'wc'];
/** Programs that leave out lines, and change none. */
const filters: { readonly [name: string]: { readonly short?: string; readonly digits?: true } } = {
	grep: { short: 'vEFiwx e=' },
	head: { short: 'n=', digits: true },
	tail: { short: 'n=', digits: true },
	sort: { short: 'ru' },
	uniq: {},
};
/** How many names are looked at. */
const most = 5000;

interface Names {
	readonly starts: readonly ShellWord[];
	/** They end with a zero byte, so that no blank in a name makes two of it. */
	readonly whole: boolean;
	/** Links are among them. */
	readonly links: boolean;
	/** Folders by these names are left out. */
	readonly without: readonly string[];
	/** Patterns, of which one has to fit the last part of each name; none: all of them are meant. */
	readonly only: readonly ShellWord[];
	/** Only what git tracks. */
	readonly tracked: boolean;
}

export class PipedNames {
	readonly #access: FileAccess;
	readonly #view: FileView;

	constructor(access: FileAccess, view: FileView) {
		this.#access = access;
		this.#view = view;
	}

	/** `find … | xargs wc -l`: free of itself, with names that all lie in the session's folders. */
	areOnlyLookedAt(command: SimpleCommand): boolean {
		const [name, ...given] = command.words;
		if (name?.value !== 'xargs' || command.words.some(({ glob }) => glob !== undefined)) return false;
		const { words: inner, exact } = readOptions(given, { short: '0rt nP=', endsAtWord: true });
		return exact && readers.includes(inner[0]?.value ?? '') && isFree(inner) && this.lieInside(command);
	}

	lieInside(command: SimpleCommand): boolean {
		const names = pipedNames(command);
		if (!names || command.folders === undefined) return false;
		const split = !names.whole || !command.words.some(({ value }) => value === '-0');
		return command.folders.every((folder) =>
			names.starts.every(({ value }) => value !== undefined && this.#isPlainTree(value, folder, names, split)),
		);
	}

	#isPlainTree(start: string, folder: string, { links, without }: Names, split: boolean): boolean {
		const isPlain = (name: string): boolean => !name.startsWith('-') && !(split && /[\s'"\\]/.test(name));
		const top = this.#access.target(start, folder);
		if (!isPlain(start) || !this.#access.isInside(top)) return false;
		const left = top.names.slice(-1);
		let seen = 0;
		for (let at = left.pop(); at !== undefined; at = left.pop()) {
			for (const name of this.#view.list(at)) {
				if (without.includes(name)) continue;
				const target = this.#access.target(name, at);
				if (++seen > most || !isPlain(name) || (links && !this.#access.isInside(target))) return false;
				if (target.folder && target.names.length === 1) left.push(`${at}/${name}`);
			}
		}
		return true;
	}
}

/** The names that come to a command through its pipe, as far as they are known. */
export function pipedNames(command: SimpleCommand): Names | undefined {
	return onlyPiped(command) ? namesFrom(command.pipedFrom) : undefined;
}

/** What it reads comes through the pipe, and from nowhere else. */
function onlyPiped({ redirections }: SimpleCommand): boolean {
	return redirections.every(({ does }) => does === 'write');
}

function namesFrom(command: SimpleCommand | undefined): Names | undefined {
	const [name, ...given] = command?.words ?? [];
	if (!command || !onlyPiped(command)) return undefined;
	if (command.words.some(({ value, glob }) => value === undefined || glob !== undefined)) return undefined;
	const program = name?.value ?? '';
	if (program === 'find') return foundNames(given);
	if (program === 'git' && given[0]?.value === 'ls-files') return listedNames(given.slice(1));
	const table = Object.hasOwn(filters, program) ? filters[program] : undefined;
	if (!table) return undefined;
	const { words, options, exact } = readOptions(given, table);
	const pattern = program === 'grep' && !options.some((one) => one.name === 'e') ? 1 : 0;
	const names = exact && words.length === pattern ? namesFrom(command.pipedFrom) : undefined;
	return names && { ...names, whole: false };
}

function foundNames(given: readonly ShellWord[]): Names | undefined {
	const { starts, looks } = readFind(given);
	const values = given.map(({ value = '' }) => value);
	if (!looks || values.some((value) => /^-(printf|ls)$/.test(value))) return undefined;
	// Where one test is enough, what another one leaves out may be found all the same.
	const all = !values.some((value) => /^(-o|-or|,|\(|-H)$/.test(value));
	const leftOut = values.flatMap((value, at) => {
		const path = /^-(not|)$|^!$/.test(values[at - 2] ?? '') && values[at - 1] === '-path' ? value : '';
		return /^(?:\.|\*)\/([\w.-]+)\/\*$/.exec(path)?.[1] ?? [];
	});
	const files = values.some(
		(value, at) => value === 'f' && values[at - 1] === '-type' && !/^(!|-not)$/.test(values[at - 2] ?? ''),
	);
	const named = given.filter((_, at) => values[at - 1] === '-name' && !/^(!|-not)$/.test(values[at - 2] ?? ''));
	const only = all ? named.slice(0, 1) : [];
	return {
		...{ starts, whole: values.includes('-print0'), links: !(all && files), without: all ? leftOut : [] },
		...{ only, tracked: false },
	};
}

function listedNames(given: readonly ShellWord[]): Names | undefined {
	const { words, exact } = readOptions(given, { short: 'comz', long: 'cached others modified exclude-standard' });
	if (!exact || words.some(({ value }) => value?.startsWith(':'))) return undefined;
	// Git quotes what is odd in a name, and never lists its own folder.
	const whole = given.some(({ value }) => value === '-z');
	const tracked = !given.some(({ value = '' }) => /^(-[a-z]*o|--others)/.test(value));
	return { starts: [literalWord('.')], whole, links: true, without: ['.git'], only: [], tracked };
}
