/** Every command that a shell command runs by way of another one: behind wrappers, in code that is an argument, through `find -exec`. */
import { readShell, type ShellScript, type SimpleCommand } from './shell.ts';
import type { ShellWord } from './shell-words.ts';
import { programName, unwrap } from './wrappers.ts';

export interface RunCommand {
	readonly words: readonly ShellWord[];
	/** False: whether exactly this is run cannot be known. */
	readonly sure: boolean;
	readonly command: SimpleCommand;
	/** The assignments that stand before it, as a rule would write them. */
	readonly before: string;
}

export interface AllCommands {
	readonly runs: readonly RunCommand[];
	/** Something is run that nobody can see beforehand. */
	readonly unseen: boolean;
}

const deepest = 6;
const shells: readonly string[] = ['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'rbash'];
/** Builtins that look into the texts they are given once more: an index such as a[$(rm x)] is run. */
export const evaluators: readonly string[] = [
	'let',
	'declare',
	'typeset',
	'local',
	'readonly',
	'export',
	'unset',
	'read',
	'printf',
	'test',
	'[',
	'mapfile',
	'readarray',
	'wait',
	'getopts',
];
const codeInText = /\$\(|`|\$\{/;

export function allCommands(script: ShellScript, home: string): AllCommands {
	const search = new Search(home);
	search.script(script, 0);
	return { runs: search.runs, unseen: search.unseen };
}

class Search {
	readonly runs: RunCommand[] = [];
	unseen = false;
	readonly #home: string;

	constructor(home: string) {
		this.#home = home;
	}

	script(script: ShellScript, depth: number): void {
		if (script.problem !== undefined) this.unseen = true;
		for (const command of script.commands) {
			const before = command.assignments.map(({ raw }) => `${raw} `).join('');
			if (before !== '') this.runs.push({ words: command.words, sure: true, command, before });
			this.#words(command.words, true, command, depth);
		}
		if (mayEvaluate(script)) for (const command of script.commands) this.#secondHand(command, depth);
	}

	/** A text that is only quoted here may be run by what follows: x='a[$(rm y)]'; echo $((x)) */
	#secondHand(command: SimpleCommand, depth: number): void {
		for (const { value, raw } of [...command.assignments, ...command.words]) {
			this.#codeInside(value ?? raw.replaceAll(/['"\\]/g, ''), command, depth);
		}
	}

	#words(words: readonly ShellWord[], sure: boolean, command: SimpleCommand, depth: number): void {
		if (words.length === 0) return;
		if (depth > deepest) {
			this.unseen = true;
			return;
		}
		this.runs.push({ words, sure, command, before: '' });
		const plainName = programName(words[0]);
		if (plainName === undefined) this.unseen = true;
		const [first, ...rest] = words;
		if (plainName !== undefined && first && plainName !== first.value) {
			this.runs.push({
				words: [{ ...first, raw: plainName, value: plainName, start: plainName }, ...rest],
				sure,
				command,
				before: '',
			});
		}
		this.#behind(plainName, words, sure, command, depth);
	}

	#behind(
		name: string | undefined,
		words: readonly ShellWord[],
		sure: boolean,
		command: SimpleCommand,
		depth: number,
	): void {
		const rest = words.slice(1);
		if (name === 'git') this.#git(words, sure, command);
		else if (name === 'find') this.#find(rest, sure, command, depth);
		else if (name === 'eval' || name === 'watch') this.#code(rest, command, depth);
		else if (name === 'trap')
			this.#code(rest.filter(({ raw }) => raw !== '--' && raw !== '-').slice(0, 1), command, depth);
		else if (name === 'alias') for (const word of rest) this.#code([afterEquals(word)], command, depth);
		else if (name !== undefined && (shells.includes(name) || name === 'su')) this.#shell(name, rest, command, depth);
		else if (name !== undefined && evaluators.includes(name))
			for (const word of rest) this.#evaluated(word, command, depth);
		if (name === 'env' || name === 'flock' || name === 'script')
			this.#codeOption(name === 'env' ? 'S' : 'c', rest, command, depth);
		const inner = name === 'watch' ? undefined : unwrap(words);
		if (!inner) return;
		this.#words(inner.words, sure && inner.sure, command, depth + 1);
		if (inner.sure) return;
		for (let at = 1; at < inner.words.length; at++) this.#words(inner.words.slice(at), false, command, depth + 1);
	}

	/** Options of git itself stand before its command. */
	#git(words: readonly ShellWord[], sure: boolean, command: SimpleCommand): void {
		let at = 1;
		for (; at < words.length && words[at]?.value?.startsWith('-'); at++) {
			if (
				/^-[Cc]$|^--(git-dir|work-tree|namespace|exec-path|config-env|super-prefix|attr-source)$/.test(
					words[at]?.value ?? '',
				)
			)
				at++;
		}
		const [git] = words;
		if (at > 1 && git) this.runs.push({ words: [git, ...words.slice(at)], sure, command, before: '' });
	}

	#find(words: readonly ShellWord[], sure: boolean, command: SimpleCommand, depth: number): void {
		words.forEach(({ value }, index) => {
			if (!/^-(exec|execdir|ok|okdir)$/.test(value ?? '')) return;
			const end = words.findIndex((word, at) => at > index && (word.value === ';' || word.value === '+'));
			this.#words(words.slice(index + 1, end === -1 ? undefined : end), sure, command, depth + 1);
		});
	}

	/** `-c` and what follows it; without it the shell runs a file, or whatever it is sent. */
	#shell(name: string, words: readonly ShellWord[], command: SimpleCommand, depth: number): void {
		const at = words.findIndex(({ value }) => /^-[A-Za-z]*c[A-Za-z]*$/.test(value ?? '') || value === '--command');
		if (at !== -1) {
			const code = words.slice(at + 1).find(({ value }) => value === undefined || !/^[-+]/.test(value));
			if (code) this.#code([code], command, depth);
			return;
		}
		const file = words.find(({ value }) => value === undefined || !/^[-+]/.test(value));
		if (name !== 'su' && (!file || words.some(({ value }) => /^-[A-Za-z]*s[A-Za-z]*$/.test(value ?? ''))))
			this.unseen = true;
	}

	#codeOption(letter: string, words: readonly ShellWord[], command: SimpleCommand, depth: number): void {
		const at = words.findIndex(
			({ value }) => value?.startsWith('-') && !value.startsWith('--') && value.includes(letter),
		);
		if (at === -1) return;
		const attached = words[at]?.value?.split(letter).slice(1).join(letter) ?? '';
		if (attached === '') this.#code(words.slice(at + 1, at + 2), command, depth);
		else this.#text(attached, command, depth);
	}

	#code(words: readonly ShellWord[], command: SimpleCommand, depth: number): void {
		const values = words.map(({ value }) => value);
		const open = words.some(({ value, glob }) => value === undefined || glob !== undefined);
		if (open || depth >= deepest) this.unseen = true;
		else this.#text(values.join(' '), command, depth);
	}

	/** Names of files that a pattern stands for are evaluated as well. */
	#evaluated({ value, glob }: ShellWord, command: SimpleCommand, depth: number): void {
		if (glob !== undefined) this.unseen = true;
		this.#codeInside(value, command, depth);
	}

	#codeInside(value: string | undefined, command: SimpleCommand, depth: number): void {
		if (value !== undefined && codeInText.test(value) && depth < deepest) this.#text(value, command, depth);
	}

	#text(text: string, { folders }: SimpleCommand, depth: number): void {
		this.script(readShell(text, folders, this.#home), depth + 1);
	}
}

function mayEvaluate({ text, obstacles, commands }: ShellScript): boolean {
	if (/\$\(\(|\$\[/.test(text) || obstacles.some((name) => /arithmetic|expansion|index|test/.test(name))) return true;
	return commands.some(({ words }) => evaluators.includes(programName(words[0]) ?? ''));
}

function afterEquals(word: ShellWord): ShellWord {
	const value = word.value?.replace(/^[^=]*=?/, '');
	return { ...word, value, raw: value ?? word.raw };
}
