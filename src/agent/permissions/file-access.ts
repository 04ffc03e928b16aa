/** Whether a file may be read or written: by rules, by the folders of the session, by its name and its real target. */

import type { FileView } from '../contracts.ts';
import { isWithin, joined, normalise } from './path-names.ts';
import { loadPatterns, type PathMatcher, pathMatcher } from './patterns.ts';
import { isProtected } from './protected.ts';
import type { Rule, RuleKind } from './rule.ts';
import type { Circumstances } from './situation.ts';

/** Everything that a path means: as it is written, and where the kernel ends up. A rule that denies needs one of them, one that allows all. */
export interface Target {
	/** As it was given, for messages. */
	readonly given: string;
	/** Absolute and normalised; empty where the path leads nowhere, as in a loop of links. */
	readonly names: readonly string[];
	readonly folder: boolean;
}

function targetOf(given: string, base: string, files: FileView): Target {
	const path = joined(base, given);
	const name = normalise(path);
	// The kernel goes through a link before it goes up: `link/../x` and its text are two files.
	const real = files.real(path);
	const straight = files.real(name);
	if (real === undefined || straight === undefined) return { given, names: [], folder: false };
	return { given, names: [...new Set([name, real, straight])], folder: files.kind(path) === 'folder' };
}

/** The rule that opened it; none where the session's folders did. */
export interface Opened {
	readonly rule?: Rule;
}

interface Compiled {
	readonly rule: Rule;
	readonly matches: PathMatcher;
}

/** The file rules of one situation. */
export class FileAccess {
	readonly #circumstances: Circumstances;
	readonly #folders: readonly string[];
	readonly #compiled: { readonly [K in RuleKind]: readonly Compiled[] };

	private constructor(circumstances: Circumstances) {
		const { cwd, dirs, files, rules } = circumstances;
		this.#circumstances = circumstances;
		const folders = [cwd, ...dirs];
		this.#folders = [...new Set(folders.flatMap((one) => [normalise(one), files.real(one) ?? normalise(one)]))];
		const compile = (kind: RuleKind): readonly Compiled[] =>
			rules[kind].filter(isFileRule).map((rule) => ({ rule, matches: pathMatcher(rule, kind, circumstances) }));
		this.#compiled = { allow: compile('allow'), ask: compile('ask'), deny: compile('deny') };
	}

	static async of(circumstances: Circumstances): Promise<FileAccess> {
		const { allow, ask, deny } = circumstances.rules;
		if ([...allow, ...ask, ...deny].some(isFileRule)) await loadPatterns();
		return new FileAccess(circumstances);
	}

	target(given: string, base = this.#circumstances.shellFolder ?? this.#circumstances.cwd): Target {
		return targetOf(given, base, this.#circumstances.files);
	}

	/** The first rule that names the target in any of its meanings, of rules for one of these tools. */
	rule(kind: 'ask' | 'deny', tools: readonly string[], { names, folder }: Target): Rule | undefined {
		return this.#compiled[kind].find(
			({ rule, matches }) => tools.includes(rule.tool) && names.some((name) => matches(name, folder)),
		)?.rule;
	}

	/** Every meaning of the path is named by an allow rule for one of these tools, or, where that is enough, lies in the session's folders. */
	opened(tools: readonly string[], target: Target, insideIsEnough: boolean): Opened | undefined {
		const rules = this.#compiled.allow.filter(({ rule }) => tools.includes(rule.tool));
		let by: Rule | undefined;
		const open = target.names.every((name) => {
			if (insideIsEnough && this.#isInside(name)) return true;
			const found = rules.find(({ matches }) => matches(name, target.folder))?.rule;
			by ??= found;
			return found !== undefined;
		});
		return open && target.names.length > 0 ? { ...(by ? { rule: by } : {}) } : undefined;
	}

	/** In the project's folder or an added one, wherever links lead. */
	isInside({ names }: Target): boolean {
		return names.length > 0 && names.every((name) => this.#isInside(name));
	}

	#isInside(name: string): boolean {
		return this.#folders.some((folder) => isWithin(name, folder));
	}

	/** One of the session's folders itself, or a folder around it. */
	isRoot({ names }: Target): boolean {
		return names.some((name) => this.#folders.some((folder) => isWithin(folder, name)));
	}

	isProtected({ names }: Target): boolean {
		return names.some(isProtected);
	}
}

/** True for a file that a rule forbids to read: a search above it leaves it out. Undefined where there is no such rule. */
export async function hiddenFiles(circumstances: Circumstances): Promise<((path: string) => boolean) | undefined> {
	if (!circumstances.rules.deny.some((rule) => rule.tool === 'Read' && rule.content !== undefined)) return undefined;
	const access = await FileAccess.of(circumstances);
	return (path) => access.rule('deny', ['Read'], access.target(path)) !== undefined;
}

function isFileRule({ tool, content }: Rule): boolean {
	return content !== undefined && fileTools.includes(tool);
}

const fileTools: readonly string[] = ['Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Glob', 'Grep', 'LS'];
