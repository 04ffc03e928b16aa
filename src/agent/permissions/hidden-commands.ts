/** Every command that a shell command runs by way of another one: behind wrappers, in code that is an argument, through `find -exec`; and how deep that is followed. */
import { readShell, type ShellScript, type SimpleCommand } from './shell.ts';
import { literalWord, type ShellWord } from './shell-words.ts';
import { takesTexts } from './text-programs.ts';
import { programName, unwrap } from './wrappers.ts';

export interface RunCommand {
	readonly words: readonly ShellWord[];
	/** False: whether exactly this is run cannot be known. */
	readonly sure: boolean;
	readonly command: SimpleCommand;
	/** The assignments that stand before it, as a rule would write them. */
	readonly before: string;
}

export interface Mention {
	readonly words: readonly ShellWord[];
	readonly command: SimpleCommand;
}

export interface AllCommands {
	readonly runs: readonly RunCommand[];
	/** Commands as they are written, at any depth, also those that consist of a redirection alone. */
	readonly commands: readonly SimpleCommand[];
	/** Arguments that the program which gets them may run. */
	readonly mentions: readonly Mention[];
	/** Something is run that nobody can see beforehand. */
	readonly unseen: boolean;
}

/** Commands in commands are followed so deep; what lies below counts as unseen. */
const deepest = 6;
/** Nobody writes as many by hand; looking at all of them would take longer than anybody waits. */
const most = 1000;
const shells: readonly string[] = 'sh bash dash zsh ksh ash rbash mksh yash fish csh tcsh'.split(' ');
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

/** Options whose value is code, by their letter and their long names. */
const codeOptions: { readonly [name: string]: { readonly letter: string; readonly long: readonly string[] } } = {
	env: { letter: 'S', long: ['--split-string'] },
	flock: { letter: 'c', long: ['--command'] },
	script: { letter: 'c', long: ['--command'] },
	su: { letter: 'c', long: ['--command', '--session-command'] },
};

export function allCommands(script: ShellScript, home: string): AllCommands {
	const search = new Search(home);
	search.script(script, 0);
	return search;
}

class Search implements AllCommands {
	readonly runs: RunCommand[] = [];
	readonly commands: SimpleCommand[] = [];
	readonly mentions: Mention[] = [];
	unseen = false;
	readonly #home: string;
	/** Names of files that the same command line writes: what they will hold when they are run is not known. */
	readonly #written = new Set<string>();
	readonly #visited = new Map<ShellWord, Set<string>>();

	constructor(home: string) {
		this.#home = home;
	}

	script(script: ShellScript, depth: number): void {
		if (script.problem !== undefined || this.commands.length > most) {
			this.unseen = true;
			if (this.commands.length > most) return;
		}
		for (const command of script.commands) this.#notePlaces(command);
		for (const command of script.commands) {
			this.commands.push(command);
			const before = command.assignments.map(({ raw }) => `${raw} `).join('');
			if (before !== '' && !command.loop) this.runs.push({ words: command.words, sure: true, command, before });
			this.#words(command.words, true, command, depth);
			// A text that is only quoted here may be run by what follows: x='a[$(rm y)]'; echo $((x))
			for (const { value, outline } of command.assignments) this.#codeInside(value ?? outline, command, depth);
		}
		if (!mayEvaluate(script)) return;
		for (const command of script.commands)
			for (const { value, outline } of command.words) this.#codeInside(value ?? outline, command, depth);
	}

	#notePlaces({ words, redirections }: SimpleCommand): void {
		const targets = redirections.flatMap(({ does, target }) => (does === 'write' && target ? [target] : []));
		const named = programName(words[0]) === 'tee' ? words.slice(1) : [];
		for (const word of [...targets, ...named]) this.#written.add(programName(word) ?? '');
	}

	#words(words: readonly ShellWord[], sure: boolean, command: SimpleCommand, depth: number): void {
		const [first, ...rest] = words;
		if (!first || this.#isKnown(first, `${words.length} ${sure}`)) return;
		if (depth > deepest || this.runs.length > most) {
			this.unseen = true;
			return;
		}
		this.runs.push({ words, sure, command, before: '' });
		const name = programName(first);
		if (name !== undefined && name !== first.value)
			this.runs.push({ words: [literalWord(name), ...rest], sure, command, before: '' });
		// On some file systems upper and lower case are the same program.
		if (name !== undefined && name !== name.toLowerCase())
			this.runs.push({ words: [literalWord(name.toLowerCase()), ...rest], sure: false, command, before: '' });
		if (name === undefined || this.#written.has(name)) this.unseen = true;
		this.#behind(name, words, sure, command, depth);
	}

	#isKnown(first: ShellWord, how: string): boolean {
		const known = this.#visited.get(first) ?? new Set();
		this.#visited.set(first, known);
		if (known.has(how)) return true;
		known.add(how);
		return false;
	}

	#behind(
		name: string | undefined,
		words: readonly ShellWord[],
		sure: boolean,
		command: SimpleCommand,
		depth: number,
	): void {
		const rest = words.slice(1);
		const inner = unwrap(words);
		if (name === 'git') this.#git(words, sure, command, depth);
		else if (name === 'find') this.#find(rest, sure, command, depth);
		else if (name === 'eval') this.#code(rest, command, depth);
		else if (name === 'watch') {
			if (!inner?.sure) this.unseen = true;
			this.#code(inner?.words ?? [], command, depth);
			return;
		} else if (name === 'trap')
			this.#code(rest.filter(({ raw }) => raw !== '--' && raw !== '-').slice(0, 1), command, depth);
		else if (name === 'alias') for (const word of rest) this.#code([afterEquals(word)], command, depth);
		else if (name === 'source' || name === '.') this.#file(rest.find(({ raw }) => raw !== '--'));
		else if (name !== undefined && shells.includes(name)) this.#shell(rest, command, depth);
		else if (name !== undefined && evaluators.includes(name))
			for (const word of rest) this.#evaluated(word, command, depth);
		if (name !== undefined && Object.hasOwn(codeOptions, name)) this.#codeOption(name, rest, command, depth);
		if (inner) this.#wrapped(inner, sure, command, depth);
		else if (!takesTexts(words)) {
			this.#mention(rest, command, depth);
			for (const { text = '' } of command.redirections) this.#mentionText(text, command, depth);
		}
	}

	#wrapped(
		inner: { readonly words: readonly ShellWord[]; readonly sure: boolean },
		sure: boolean,
		command: SimpleCommand,
		depth: number,
	): void {
		this.#words(inner.words, sure && inner.sure, command, depth + 1);
		if (inner.sure) return;
		for (let at = 1; at < inner.words.length; at++) this.#words(inner.words.slice(at), false, command, depth + 1);
	}

	/** Nobody knows all programs that run their arguments: a command among them may be meant. */
	#mention(words: readonly ShellWord[], command: SimpleCommand, depth: number): void {
		words.forEach(({ value }, index) => {
			const text = value?.replace(/^(?:-{0,2}[\w.-]+=)*[!:]?/, '');
			if (text === undefined || text === '') return;
			if (this.mentions.length > most || depth > deepest) this.unseen = true;
			else if (/\s/.test(text)) this.#mentionText(text, command, depth);
			else
				this.mentions.push({
					words: [literalWord(text.split('/').at(-1) ?? ''), ...words.slice(index + 1)],
					command,
				});
		});
	}

	#mentionText(text: string, { folders }: SimpleCommand, depth: number): void {
		for (const inside of readShell(text, folders, this.#home).commands) {
			const [first, ...rest] = inside.words;
			if (!first) continue;
			this.mentions.push({ words: [literalWord(programName(first) ?? first.raw), ...rest], command: inside });
			if (!takesTexts(inside.words)) this.#mention(rest, inside, depth + 1);
		}
	}

	/** Options of git itself stand before its command, and some of them say what git runs. */
	#git(words: readonly ShellWord[], sure: boolean, command: SimpleCommand, depth: number): void {
		let at = 1;
		let certain = sure;
		for (; at < words.length && (words[at]?.value ?? words[at]?.start)?.startsWith('-'); at++) {
			const { value } = words[at] ?? {};
			if (value === undefined) certain = false;
			if (value === '-c' || value?.startsWith('--config-env')) this.#setting(words[at + 1], command, depth);
			if (takesNext.test(value ?? '')) at++;
		}
		if (at === 1) return;
		const git = literalWord('git');
		this.runs.push({ words: [git, ...words.slice(at)], sure: certain, command, before: '' });
		if (certain) return;
		for (let from = at + 1; from < words.length; from++)
			this.runs.push({ words: [git, ...words.slice(from)], sure: false, command, before: '' });
	}

	/** `git -c alias.x='!rm y' x` */
	#setting(word: ShellWord | undefined, command: SimpleCommand, depth: number): void {
		const code = word?.value?.replace(/^[^=]*=!?/, '');
		if (code === undefined) this.unseen = true;
		else this.#mentionText(code, command, depth);
	}

	#find(words: readonly ShellWord[], sure: boolean, command: SimpleCommand, depth: number): void {
		words.forEach(({ value }, index) => {
			if (!/^-(exec|execdir|ok|okdir)$/.test(value ?? '')) return;
			const end = words.findIndex((word, at) => at > index && (word.value === ';' || word.value === '+'));
			this.#words(words.slice(index + 1, end === -1 ? undefined : end), sure, command, depth + 1);
		});
	}

	/** `-c` and what follows it; without it the shell runs a file, or whatever it is sent. */
	#shell(words: readonly ShellWord[], command: SimpleCommand, depth: number): void {
		const isOption = ({ value, start }: ShellWord): boolean => /^[-+]/.test(value ?? start);
		const at = words.findIndex(({ value }) => /^-[A-Za-z]*c[A-Za-z]*$/.test(value ?? '') || value === '--command');
		if (at !== -1) {
			const code = words.slice(at + 1).find((word) => !isOption(word));
			if (code) this.#code([code], command, depth);
			return;
		}
		const file = words.findIndex((word) => !isOption(word));
		const options = words.slice(0, file === -1 ? undefined : file);
		// Other options take a value, or have the shell read what it is sent.
		if (options.some(({ raw }) => !/^(-[abefhklmnprtuvxBCEHPT]+|--|--login|--posix)$/.test(raw))) this.unseen = true;
		this.#file(words[file]);
	}

	/** A file of commands can be trusted as any program is, but not one that is made on the way. */
	#file(word: ShellWord | undefined): void {
		const name = programName(word);
		if (name === undefined || this.#written.has(name) || /^\/(dev|proc)\//.test(word?.value ?? '')) this.unseen = true;
	}

	#codeOption(name: string, words: readonly ShellWord[], command: SimpleCommand, depth: number): void {
		const { letter = '', long = [] } = codeOptions[name] ?? {};
		// Without code of its own it is a shell that runs whatever it is sent.
		let sent = name === 'su';
		words.forEach(({ value = '' }, index) => {
			const [option = ''] = value.split('=');
			const isLong = option.length > 2 && long.some((one) => one.startsWith(option));
			const isShort = /^-[^-]/.test(value) && value.includes(letter);
			if (!isLong && !isShort) return;
			sent = false;
			const attached = value.slice((isLong ? option.length : value.indexOf(letter)) + 1);
			if (attached === '') this.#code(words.slice(index + 1, index + 2), command, depth);
			else this.#text(attached, command, depth);
		});
		if (sent) this.unseen = true;
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
		if (value === undefined || !codeInText.test(value)) return;
		if (depth < deepest) this.#text(value, command, depth);
		else this.unseen = true;
	}

	#text(text: string, { folders }: SimpleCommand, depth: number): void {
		this.script(readShell(text, folders, this.#home), depth + 1);
	}
}

const takesNext = /^-[Cc]$|^--(git-dir|work-tree|namespace|exec-path|config-env|super-prefix|attr-source)$/;

function mayEvaluate({ text, obstacles, commands }: ShellScript): boolean {
	if (/\$\(\(|\$\[/.test(text) || obstacles.some((name) => /arithmetic|expansion|index|test/.test(name))) return true;
	return commands.some(({ words }) => evaluators.includes(programName(words[0]) ?? ''));
}

function afterEquals(word: ShellWord): ShellWord {
	const value = word.value?.replace(/^[^=]*=?/, '');
	return { ...word, value, raw: value ?? word.raw };
}
