/** Whether something that a rule denies to read lies below a folder that a command reads all of, and how many names are looked at for it. */
import type { FileView } from '../contracts.ts';
import type { FileAccess, Target } from './file-access.ts';
import type { Leaves } from './file-commands.ts';
import { fitsGlob } from './globs.ts';
import { isWithin, normalise } from './path-names.ts';
import type { Rule } from './rule.ts';

/** A folder, or all of a repository, that a command reads through. */
export interface Walk {
	readonly target: Target;
	readonly leaves?: Leaves;
	/** Only what git tracks. */
	readonly tracked?: boolean;
}

/** How many names are looked at; beyond that nobody would wait for the answer. */
const most = 10_000;

export class DeniedBelow {
	readonly #access: FileAccess;
	readonly #view: FileView;
	readonly #rules: readonly Rule[];
	readonly #home: string;

	constructor(access: FileAccess, view: FileView, deny: readonly Rule[], home: string) {
		this.#access = access;
		this.#view = view;
		this.#rules = deny.filter(({ tool, content }) => tool === 'Read' && content !== undefined);
		this.#home = home;
	}

	/** The first rule that denies reading some files. */
	get some(): Rule | undefined {
		return this.#rules[0];
	}

	/** The rule that denies something there; `unsure` where there is too much to look at, and the rule may be meant. */
	find({ target, leaves, tracked }: Walk): { readonly rule: Rule; readonly unsure?: true } | undefined {
		const top = target.names.at(-1);
		const rules = top === undefined || !target.folder ? [] : this.#rules.filter((rule) => this.#mayReach(rule, top));
		if (top === undefined || rules.length === 0) return undefined;
		const names = tracked ? this.#tracked(top) : undefined;
		if (names) return this.#first(names.map((name) => ({ given: name, names: [name], folder: false })));
		const found = this.#below(top, leaves);
		// A name without a pattern would have been found where it is usually meant; more than that is not asked about.
		const open = found === 'unsure' ? rules.find(({ content = '' }) => /[*?[]/.test(content)) : undefined;
		return found === 'unsure' ? open && { rule: open, unsure: true } : found;
	}

	/** Whether the fixed beginning of a pattern leads to below the folder, or to above it. A relative one is meant at any depth. */
	#mayReach({ content = '' }: Rule, top: string): boolean {
		if (!/^(\/\/|~\/)/.test(content)) return true;
		const path = content.startsWith('~') ? `${this.#home}${content.slice(1)}` : content.slice(1);
		const fixed = normalise(/^[^*?[]*/.exec(path)?.[0].replace(/[^/]*$/, '') ?? '/');
		return isWithin(fixed, top) || isWithin(top, fixed);
	}

	#first(targets: readonly Target[]): { readonly rule: Rule } | undefined {
		for (const target of targets) {
			const rule = this.#access.rule('deny', ['Read'], target);
			if (rule) return { rule };
		}
		return undefined;
	}

	/** What git tracks below the folder; undefined where that is not known. */
	#tracked(folder: string): readonly string[] | undefined {
		const top = repositoryOf(folder, this.#view);
		const names = this.#view.tracked?.(top)?.map((name) => `${top}/${name}`);
		return names?.filter((name) => isWithin(name, folder));
	}

	#below(top: string, leaves: Leaves = {}): { readonly rule: Rule } | 'unsure' | undefined {
		const isRead = chosenNames(leaves);
		const left = [top];
		let seen = 0;
		for (let folder = left.shift(); folder !== undefined; folder = left.shift()) {
			for (const name of this.#view.list(folder)) {
				if (leaves.hidden && name.startsWith('.')) continue;
				if (++seen > most) return 'unsure';
				const path = `${folder === '/' ? '' : folder}/${name}`;
				const real = this.#view.real(path) ?? path;
				const isFolder = this.#view.kind(path) === 'folder';
				const target = { given: path, names: [path, real], folder: isFolder };
				const found = isRead(name, isFolder) ? this.#first([target]) : undefined;
				if (found) return found;
				// Git packs what it keeps, and links are not followed.
				if (isFolder && real === path && name !== '.git') left.push(path);
			}
		}
		return undefined;
	}
}

/** Where patterns choose files, only those count; a pattern that says more than `*` and `?` chooses nothing for certain. */
function chosenNames({ only = [] }: Leaves): (name: string, folder: boolean) => boolean {
	const texts = only.map(({ value = '' }) => value);
	if (texts.length === 0 || !texts.every((text) => /^[\w.*?-]+$/.test(text))) return () => true;
	const patterns = texts.map(fitsGlob);
	return (name, folder) => !folder && patterns.some((fits) => fits(name));
}

/** The folder with the `.git` that git finds from here; the folder itself where there is none. */
export function repositoryOf(folder: string, view: FileView): string {
	for (let at = folder; ; at = at.slice(0, at.lastIndexOf('/'))) {
		if (view.kind(`${at}/.git`) !== undefined) return at;
		if (at === '') return folder;
	}
}
