/** A command line as the simple commands that it consists of, at any depth, by a real shell grammar; what no allow rule covers, and how long it may be. */
import type { Assignment, Command, ParsedScript, PipelineNode, Redirection, Statement, SyntaxNode, Word } from 'unbash';
import { errorText } from '../../model/index.ts';
import type { ShellAssignment } from './assignments.ts';
import { type Folders, folderAfter, joinedFolders } from './shell-folders.ts';
import { isQuotedText, isStrange, type ShellWord, shellWord } from './shell-words.ts';

export interface SimpleCommand {
	/** The program's name first; empty for a redirection or an assignment that stands alone. */
	readonly words: readonly ShellWord[];
	readonly assignments: readonly ShellAssignment[];
	/** The assignments are those of a loop, which gives its variable one word after the other. */
	readonly loop?: boolean;
	readonly redirections: readonly ShellRedirection[];
	/** Its words are separated by single blanks. */
	readonly tidy: boolean;
	/** `time` stands before it. */
	readonly timed: boolean;
	/** Where it may run; undefined where that cannot be known. */
	readonly folders: Folders;
	/** Other commands run at the same time. */
	readonly piped: boolean;
	/** The command before it in a pipe. */
	readonly pipedFrom?: SimpleCommand | undefined;
}

export interface ShellRedirection {
	readonly does: 'read' | 'write' | 'text' | 'quoted-text' | 'descriptor';
	readonly target?: ShellWord;
	/** The text itself, where it stands in the command. */
	readonly text?: string | undefined;
}

export interface ShellScript {
	readonly text: string;
	readonly commands: readonly SimpleCommand[];
	/** Why it could not be read as a whole. */
	readonly problem?: string;
	/** Parts of it that no allow rule with brackets covers. */
	readonly obstacles: readonly string[];
	/** A command in it may change the folder. */
	readonly moves: boolean;
	/** Something in it may run more than once, so that what stands later may come first. */
	readonly repeats: boolean;
}

/** Nested braces take quadratic time; nobody writes as much by hand. */
const longest = 20_000;

type Parse = (source: string) => ParsedScript;
type EachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;
let grammar: { readonly parse: Parse; readonly forEachChild: EachChild } | undefined;

/** Loads the grammar, which only shell commands need. */
export async function loadShell(): Promise<void> {
	grammar ??= await import('unbash');
}

export function readShell(text: string, folders: Folders, home: string): ShellScript {
	if (!grammar) throw new Error('the shell grammar is used before it is loaded');
	const empty = { text, commands: [], obstacles: [], moves: false, repeats: false };
	if (text.length > longest) return { ...empty, problem: `it is longer than ${longest} characters` };
	try {
		return new Reader(text, home, grammar.forEachChild).read(grammar.parse(text), folders);
	} catch (error) {
		return { ...empty, problem: errorText(error) };
	}
}

/** Constructs that an allow rule with content does not cover, and what a person calls them. */
const obstacleNames: { readonly [type: string]: string } = {
	Subshell: 'a subshell',
	BraceGroup: 'a group',
	Function: 'a function',
	Case: 'a case',
	Select: 'a menu',
	Coproc: 'a coprocess',
	ArithmeticFor: 'arithmetic',
	ArithmeticCommand: 'arithmetic',
	CommandExpansion: 'a command substitution',
	ProcessSubstitution: 'a process substitution',
	ParameterExpansion: 'an expansion that may run something',
	Redirected: 'a redirection of several commands',
};

class Reader {
	readonly #text: string;
	readonly #home: string;
	readonly #eachChild: EachChild;
	readonly #commands: SimpleCommand[] = [];
	readonly #obstacles = new Set<string>();
	#problem: string | undefined;
	#moves = false;
	#repeats = false;
	#timed = false;
	#piped = false;
	/** What the next command gets through a pipe, and the last command that was read. */
	#pipedFrom: SimpleCommand | undefined;
	#latest: SimpleCommand | undefined;
	/** Inside a substitution, where positions may be those of another text. */
	#nested = 0;

	constructor(text: string, home: string, eachChild: EachChild) {
		this.#text = text;
		this.#home = home;
		this.#eachChild = eachChild;
	}

	read(script: ParsedScript, folders: Folders): ShellScript {
		if (isStrange(this.#text)) this.#obstacles.add('a character that is not what it looks like');
		this.#script(script, folders);
		return {
			text: this.#text.trim(),
			commands: this.#commands,
			...(this.#problem === undefined ? {} : { problem: this.#problem }),
			obstacles: [...this.#obstacles],
			moves: this.#moves,
			repeats: this.#repeats,
		};
	}

	#script({ commands, errors }: ParsedScript, folders: Folders): Folders {
		if (errors?.[0]) this.#problem ??= errors[0].message;
		return this.#list(commands, folders);
	}

	#list(statements: readonly Statement[], folders: Folders): Folders {
		let now = folders;
		for (const { command, background } of statements) {
			if (background) this.#obstacles.add('a command in the background');
			now = this.#node(command, now);
		}
		return now;
	}

	/** Gives the folders that what follows may run in, whether the node succeeded or not. */
	#node(node: SyntaxNode, folders: Folders): Folders {
		switch (node.type) {
			case 'Command':
				return this.#command(node, folders).any;
			case 'AndOr':
				return this.#chain(node.commands, node.operators, folders);
			case 'Pipeline':
				return this.#pipeline(node, folders);
			case 'Script':
				return this.#script(node, folders);
			case 'CompoundList':
				return this.#list(node.commands, folders);
			default:
				return this.#other(node, folders);
		}
	}

	#other(node: SyntaxNode, folders: Folders): Folders {
		const name = obstacleNames[node.type];
		if (name !== undefined) this.#obstacles.add(name);
		if (isArithmetic(node) && /['"\\]/.test(node.type === 'ArithmeticCommand' ? node.body : node.text))
			this.#problem ??= 'arithmetic in it cannot be read';
		if (node.type === 'Word') this.#word(node);
		if (node.type === 'TestBinary' || node.type === 'TestUnary') this.#test(node);
		if (node.type === 'While' && node.kind === 'until') this.#obstacles.add('an until loop');
		if (repeating.has(node.type)) this.#repeats = true;
		if (node.type === 'For' || node.type === 'Select') this.#loop(node, folders);
		if (node.type === 'TestCommand') this.#addCommand({ words: [bracketTest, ...this.#wordsIn(node)] }, folders);
		if (node.type === 'Redirected')
			this.#addCommand({ redirections: node.redirects.flatMap((one) => this.#redirection(one)) }, folders);
		const substitution =
			node.type === 'CommandExpansion' ||
			node.type === 'ProcessSubstitution' ||
			node.type === 'ArithmeticCommandExpansion';
		if (substitution && node.script === undefined) this.#problem ??= 'a substitution in it cannot be read';
		if (substitution) this.#nested++;
		let now = folders;
		this.#eachChild(node, (child) => {
			const quoted = node.type === 'DoubleQuoted' && child.type === 'CommandExpansion' && isQuotedText(child.script);
			if (!quoted) now = joinedFolders(now, this.#node(child, now));
		});
		if (substitution) this.#nested--;
		return substitution ? folders : now;
	}

	/** A loop sets its variable to every word of its list. */
	#loop({ name, wordlist }: Extract<SyntaxNode, { type: 'For' | 'Select' }>, folders: Folders): void {
		const assignments = (wordlist ?? []).map((item): ShellAssignment => {
			const { glob, ...word } = this.#word(item);
			return { ...word, name: name.value, plain: word.plain && glob === undefined };
		});
		const unknown = { name: name.value, raw: name.text, value: undefined, plain: false };
		this.#addCommand({ assignments: wordlist ? assignments : [unknown], loop: true }, folders);
	}

	/** A comparison of numbers takes names too, and evaluates what they hold. */
	#test(node: Extract<SyntaxNode, { type: 'TestBinary' | 'TestUnary' }>): void {
		const evaluates =
			node.type === 'TestUnary'
				? /^-[vR]$/.test(node.operator)
				: /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator) &&
					![node.left, node.right].every(({ text }) => /^-?\d+$/.test(text));
		if (evaluates) this.#obstacles.add('a test that may run something');
	}

	#wordsIn(node: SyntaxNode): readonly ShellWord[] {
		const words: ShellWord[] = [];
		this.#eachChild(node, (child) => {
			words.push(...(child.type === 'Word' ? [this.#word(child)] : this.#wordsIn(child)));
		});
		return words;
	}

	#pipeline({ commands, prefixes, operators }: Extract<PipelineNode, { type: 'Pipeline' }>, folders: Folders): Folders {
		const before = { timed: this.#timed, piped: this.#piped };
		this.#piped ||= commands.length > 1;
		this.#timed ||= prefixes.some(({ type }) => type === 'Time');
		if (operators.includes('|&')) this.#obstacles.add('a pipe for errors');
		let last = folders;
		let from: SimpleCommand | undefined;
		for (const command of commands) {
			this.#pipedFrom = command.type === 'Command' ? from : undefined;
			last = this.#node(command, folders);
			from = command.type === 'Command' ? this.#latest : undefined;
		}
		this.#timed = before.timed;
		this.#piped = before.piped;
		return commands.length === 1 ? last : folders;
	}

	/** After `cd x &&` the folder is x; after `cd x ||` or `cd x;` it may be either. */
	#chain(nodes: readonly SyntaxNode[], operators: readonly string[], folders: Folders): Folders {
		let now = folders;
		let all = folders;
		nodes.forEach((node, index) => {
			const after = node.type === 'Command' ? this.#command(node, now) : both(this.#node(node, now));
			all = joinedFolders(all, after.any);
			now = operators[index] === '&&' ? after.succeeded : all;
		});
		return all;
	}

	#command(node: Command, folders: Folders): { readonly succeeded: Folders; readonly any: Folders } {
		const items = [...(node.name ? [node.name] : []), ...node.args];
		const words = items.map((item) => (item.type === 'Word' ? this.#word(item) : this.#assignedWord(item)));
		const assignments = node.prefix.flatMap((item) => (item.type === 'Assignment' ? [this.#assignment(item)] : []));
		const redirections = node.redirects.flatMap((one) => this.#redirection(one));
		const pipedFrom = this.#pipedFrom;
		this.#pipedFrom = undefined;
		const tidy = this.#isTidy(node);
		const command = this.#addCommand({ words, assignments, redirections, tidy, pipedFrom }, folders);
		this.#eachChild(node, (child) => {
			if (child.type === 'Word' || child.type === 'Assignment' || redirectionTypes.has(child.type))
				this.#other(child, folders);
		});
		this.#latest = command;
		const after = folderAfter(command, this.#home);
		if (after.moves) this.#moves = true;
		return { succeeded: after.folders, any: after.moves ? joinedFolders(folders, after.folders) : folders };
	}

	#addCommand(given: Partial<SimpleCommand>, folders: Folders): SimpleCommand {
		const now = { timed: this.#timed, piped: this.#piped, folders };
		const base = { words: [], assignments: [], redirections: [], tidy: true, ...now };
		const command = { ...base, ...given };
		this.#commands.push(command);
		return command;
	}

	#word(node: Word): ShellWord {
		const word = shellWord(node, this.#home);
		if (word.unsound) this.#problem ??= 'a word in it cannot be read';
		return word;
	}

	/** An argument of `declare` and its like. */
	#assignedWord(item: Assignment): ShellWord {
		const { name, raw, value, plain, outline = '' } = this.#assignment(item);
		return { raw, value: value === undefined ? undefined : `${name}=${value}`, plain, start: name, outline };
	}

	#assignment({ name, text: raw, value: given, index }: Assignment): ShellAssignment {
		if (index !== undefined) this.#obstacles.add('an array index');
		const words = [...(index ? [index] : []), ...(given.type === 'Word' ? [given] : given.elements)];
		const items = words.map((word) => this.#word(word));
		const outline = items.map((item) => item.value ?? item.outline).join(' ');
		const [only] = items;
		if (index !== undefined || given.type !== 'Word') return { name, raw, value: undefined, plain: false, outline };
		return { name, raw, value: only?.value, plain: only?.plain === true, outline };
	}

	#redirection(node: Redirection): readonly ShellRedirection[] {
		if (node.type === 'HereDoc')
			return [{ does: node.delimiter?.quoted ? 'quoted-text' : 'text', text: node.body.text }];
		if (node.descriptor?.type === 'FileDescriptorVariable') this.#obstacles.add('a descriptor with a name');
		const target = node.target && this.#word(node.target);
		const to = target ? { target } : {};
		if (node.type === 'HereString') return [{ does: 'text', ...to, text: target?.value }];
		const duplicates = node.operator === '>&' || node.operator === '<&';
		if (duplicates && /^\d+$/.test(target?.value ?? '')) return [{ does: 'descriptor' }];
		// Bash expands this one word twice, so that even what is quoted in it runs.
		if (duplicates && !/^[\w./-]+$/.test(target?.value ?? '')) this.#problem ??= 'a redirection in it cannot be read';
		const read: ShellRedirection = { does: 'read', ...to };
		const write: ShellRedirection = { does: 'write', ...to };
		if (node.operator === '<>') return [read, write];
		return [node.operator === '<' || node.operator === '<&' ? read : write];
	}

	#isTidy({ name, args, prefix, suffix }: Command): boolean {
		if (this.#nested > 0) return false;
		const between = (items: readonly SyntaxNode[]): readonly string[] =>
			items.slice(1).map(({ pos }, index) => this.#text.slice(items[index]?.end, pos).replaceAll('\\\n', ''));
		// The grammar forgives a bracket that no shell does.
		const parts = [...prefix, ...(name ? [name] : []), ...suffix];
		if (between(parts).some((gap) => !/^[ \t]*$/.test(gap))) this.#problem ??= 'there is something between its words';
		return between([...(name ? [name] : []), ...args]).every((gap) => gap === ' ');
	}
}

type Arithmetic = Extract<SyntaxNode, { type: 'ArithmeticCommand' | 'ArithmeticExpansion' }>;

/** What is quoted in arithmetic is evaluated all the same. */
function isArithmetic(node: SyntaxNode): node is Arithmetic {
	return node.type === 'ArithmeticCommand' || node.type === 'ArithmeticExpansion';
}

/** `[[ … ]]` is grammar, not a program, but asks about files as `test` does. */
const bracketTest: ShellWord = { raw: '[[', value: '[[', plain: true, start: '[[' };

/** A function is run as often as it is called. */
const repeating: ReadonlySet<string> = new Set(['For', 'ArithmeticFor', 'Select', 'While', 'Function']);

const redirectionTypes: ReadonlySet<string> = new Set(['Redirect', 'HereString', 'HereDoc']);

function both(folders: Folders): { readonly succeeded: Folders; readonly any: Folders } {
	return { succeeded: folders, any: folders };
}
