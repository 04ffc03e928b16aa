/** Decides about a shell command: what is denied, then what is asked about, the mode, what is allowed; for every simple command at any depth, its files, its redirections. */
import { isChosen, isHarmless } from './assignments.ts';
import { allowsCommand, type Certainty, commandPattern, fitsText, namesCommand } from './command-rules.ts';
import { DeniedBelow } from './denied-below.ts';
import type { FileAccess, Target } from './file-access.ts';
import { filesOf } from './file-commands.ts';
import { isFree } from './free-commands.ts';
import { HandedFiles } from './handed-files.ts';
import { type AllCommands, allCommands, evaluators } from './hidden-commands.ts';
import { allow, ask, deny, guard } from './judgement.ts';
import { PipedNames } from './piped-names.ts';
import { isOpenRepository, Prepared, runsInRepository } from './prepared.ts';
import type { Rule } from './rule.ts';
import { loadShell, readShell, type ShellScript, type SimpleCommand } from './shell.ts';
import { isRecursive, isSimpleEdit } from './shell-edits.ts';
import { ShellFileFinder, type ShellFiles } from './shell-files.ts';
import type { ShellWord } from './shell-words.ts';
import type { Circumstances, Judgement } from './situation.ts';
import { seenThrough } from './wrappers.ts';

export async function decideShell(text: string, circumstances: Circumstances, access: FileAccess): Promise<Judgement> {
	await loadShell();
	const { cwd, shellFolder = cwd, home } = circumstances;
	const script = readShell(text, [shellFolder], home);
	return new ShellDecision(script, circumstances, access).judge();
}

const reasonForUnknown = 'it cannot be known beforehand what would run';

class ShellDecision {
	readonly #script: ShellScript;
	readonly #given: Circumstances;
	readonly #access: FileAccess;
	readonly #files: ShellFileFinder;
	readonly #piped: PipedNames;
	readonly #all: AllCommands;
	readonly #prepared = new Prepared();
	readonly #below: DeniedBelow;

	constructor(script: ShellScript, given: Circumstances, access: FileAccess) {
		this.#script = script;
		this.#given = given;
		this.#access = access;
		this.#files = new ShellFileFinder(access, given.files, given.home);
		this.#piped = new PipedNames(access, given.files);
		this.#all = allCommands(script, given.home);
		this.#below = new DeniedBelow(access, given.files, given.rules.deny, given.home);
	}

	judge(): Judgement {
		const { mode } = this.#given;
		const denied = this.#denied();
		if (denied) return denied;
		const asked = this.#asked();
		if (asked) return asked;
		if (mode === 'bypassPermissions') return allow('the mode allows everything that no rule names');
		if (this.#script.problem !== undefined) return ask(`the command cannot be read: ${this.#script.problem}`);
		const bare = this.#contentless('allow');
		if (bare) return this.#boundless(bare);
		return this.#allowed();
	}

	#contentless(kind: 'allow' | 'ask' | 'deny'): Rule | undefined {
		return this.#given.rules[kind].find(({ tool, content }) => tool === 'Bash' && content === undefined);
	}

	#denied(): Judgement | undefined {
		const bare = this.#contentless('deny');
		if (bare) return deny('a rule denies all shell commands', bare);
		const named = this.#named('deny', 'certain');
		if (named) return deny('a rule denies this command', named);
		return this.#deniedFile();
	}

	#deniedFile(): Judgement | undefined {
		const bareEdit = this.#given.rules.deny.find(({ tool, content }) => tool === 'Edit' && content === undefined);
		for (const files of this.#everyFile()) {
			const changed = this.#given.rules.deny.some(({ tool }) => tool === 'Edit') ? files.below : [];
			const written = first([...files.writes, ...changed], (target) => this.#access.rule('deny', ['Edit'], target));
			if (written) return deny('a rule denies changing a file that it writes', written);
			if (bareEdit && files.writes.length > 0) return deny('a rule denies changing files', bareEdit);
			const read = first(files.reads, (target) => this.#access.rule('deny', ['Read'], target));
			if (read) return deny('a rule denies a file that it reads', read);
			const held = this.#held(files);
			if (held && !held.unsure)
				return deny(
					`a rule denies a file below ${held.where}, which it reads all of: name other files, or use Grep`,
					held.rule,
				);
		}
		return undefined;
	}

	/** What lies below folders that are gone through, where a rule denies some of it. */
	#held(files: ShellFiles): { readonly rule: Rule; readonly unsure?: true; readonly where: string } | undefined {
		if (!this.#below.some) return undefined;
		for (const walk of files.through) {
			const found = this.#below.find(walk);
			if (found) return { ...found, where: walk.target.given };
		}
		return undefined;
	}

	/** What is read and written at any depth, as far as that is certain. */
	*#everyFile(): Generator<ShellFiles> {
		yield* this.#redirected();
		for (const { words, command, sure } of this.#all.runs) if (sure) yield this.#files.ofProgram(words, command);
	}

	/** A redirection of a group, or of nothing, belongs to no program. */
	*#redirected(): Generator<ShellFiles> {
		for (const command of this.#all.commands) yield this.#files.ofRedirections(command);
	}

	#asked(): Judgement | undefined {
		const bare = this.#contentless('ask');
		if (bare) return ask('a rule asks about all shell commands', bare);
		const certain = this.#named('ask', 'certain');
		if (certain) return ask('a rule asks about this command', certain);
		const possible = this.#named('deny', 'possible') ?? this.#named('ask', 'possible');
		if (possible) return ask(reasonForUnknown, possible);
		const { rules } = this.#given;
		const [named] = [...rules.deny, ...rules.ask].filter(
			({ tool, content }) => tool === 'Bash' && content !== undefined,
		);
		const limited = named ?? this.#below.some;
		if (limited && this.#all.unseen) return ask(reasonForUnknown, limited);
		const mentioned = this.#mentioned('deny') ?? this.#mentioned('ask');
		if (mentioned) return ask('a command that a rule names may be run by another one', mentioned);
		for (const { writes } of this.#redirected()) {
			const written = first(writes, (target) => this.#access.rule('ask', ['Edit'], target));
			if (written) return ask('a rule asks about changing a file that it writes', written);
		}
		return this.#unknownFile() ?? this.#unknownRead();
	}

	/** Where reading some files is denied, a file that nobody knows may be one of them. */
	#unknownRead(): Judgement | undefined {
		const kept = this.#below.some;
		if (!kept) return undefined;
		for (const files of this.#everyFile()) {
			if (files.unknownRead !== undefined) return ask(`it cannot be known which file ${files.unknownRead} is`, kept);
			if (files.given !== undefined) return ask(`it cannot be known which files ${files.given} is given`, kept);
			const held = this.#held(files);
			if (held) return ask(`there is too much below ${held.where} to know whether a rule denies some of it`, held.rule);
		}
		const mentioned = this.#mentionedFile();
		if (mentioned) return ask('a file that a rule denies may be read by another command', mentioned);
		const handed = new HandedFiles(this.#access, this.#given.files, this.#given.home).find(this.#all);
		return handed && ask(`${handed.name} may not be read, and it cannot be known what is done with it`, handed.rule);
	}

	/** What a command that stands among the arguments of another one would read. */
	#mentionedFile(): Rule | undefined {
		for (const { words, command } of this.#all.mentions) {
			const files = this.#files.ofProgram(words, command);
			const held = this.#held(files);
			const read = first(files.reads, (target) => this.#access.rule('deny', ['Read'], target));
			if (read ?? (held && !held.unsure)) return read ?? held?.rule;
		}
		return undefined;
	}

	/** Where changing some files is denied, a file that nobody knows may be one of them. */
	#unknownFile(): Judgement | undefined {
		const kept = this.#given.rules.deny.find(({ tool, content }) => tool === 'Edit' && content !== undefined);
		if (!kept) return undefined;
		for (const { unknownWrite } of this.#everyFile())
			if (unknownWrite !== undefined) return ask(`it cannot be known which file ${unknownWrite} is`, kept);
		return undefined;
	}

	#named(kind: 'ask' | 'deny', how: Certainty): Rule | undefined {
		return this.#given.rules[kind].find(({ tool, content }) => {
			if (tool !== 'Bash' || content === undefined) return false;
			if (how === 'certain' && fitsText(commandPattern(content), this.#script.text)) return true;
			return this.#all.runs.some(({ words, sure, before }) => {
				const found = namesCommand(content, words, before);
				return (found === how && (sure || how === 'possible')) || (found === 'certain' && !sure && how === 'possible');
			});
		});
	}

	#mentioned(kind: 'ask' | 'deny'): Rule | undefined {
		return this.#given.rules[kind].find(
			({ tool, content }) =>
				tool === 'Bash' &&
				content !== undefined &&
				this.#all.mentions.some(({ words }) => namesCommand(content, words) === 'certain'),
		);
	}

	/** All commands are allowed: only what may not be written to is left to ask about. */
	#boundless(rule: Rule): Judgement {
		for (const { writes } of this.#everyFile()) {
			const kept = writes.find((target) => this.#access.isProtected(target));
			if (kept) return guard(kept.given);
		}
		for (const files of this.#everyFile()) {
			if (files.unknownWrite !== undefined) return ask(`it cannot be known which file ${files.unknownWrite} is`);
			if (this.#given.mode === 'plan' && files.writes.length > 0) return ask('in plan mode no file is changed');
		}
		return allow('a rule allows all shell commands', rule);
	}

	#allowed(): Judgement {
		const { obstacles, commands, text } = this.#script;
		if (obstacles[0] !== undefined) return ask(`it holds ${obstacles[0]}`);
		const whole = this.#allowRules().find(
			({ content = '' }) => commandPattern(content).parts.length === 1 && fitsText(commandPattern(content), text),
		);
		let by: Rule | undefined;
		if (this.#script.repeats) for (const command of commands) this.#prepared.add(command, this.#filesOf(command));
		for (const command of commands) {
			const judged = this.#allowedOne(command, whole);
			if (typeof judged === 'string') return ask(judged);
			by ??= judged.rule;
			this.#prepared.add(command, this.#filesOf(command));
		}
		// A variable that is set first may be one that the program obeys.
		if (by && commands.some(({ words, assignments, loop }) => words.length === 0 && assignments.length > 0 && !loop)) {
			return ask('a variable is set for a command that a rule allows');
		}
		return commands.length === 0
			? ask('there is no command in it')
			: allow(by ? 'a rule allows it' : 'it only looks, or the mode allows it', by);
	}

	#filesOf(command: SimpleCommand): readonly ShellFiles[] {
		return [this.#files.ofProgram(command.words, command), this.#files.ofRedirections(command)];
	}

	#allowRules(): readonly Rule[] {
		return this.#given.rules.allow.filter(({ tool, content }) => tool === 'Bash' && content !== undefined);
	}

	/** Why the command has to be asked about, or the rule that allows it. */
	#allowedOne(command: SimpleCommand, whole: Rule | undefined): string | { readonly rule?: Rule } {
		const { words, assignments } = command;
		const odd = [...words, ...assignments].find(({ plain }) => !plain);
		if (odd) return `it cannot be known beforehand what ${odd.raw} becomes`;
		const how = whole ? { rule: whole } : this.#cover(command);
		if (typeof how === 'string') return how;
		// The client prints `$HOME`, but asks about it everywhere else.
		const variable = [...words, ...redirectionTargets(command)].find((word) => word.variable);
		if (variable && !(how.free && filesOf(words, this.#given.home) === undefined))
			return `it cannot be known beforehand what ${variable.raw} becomes`;
		const problem =
			this.#readsProblem(command, how) ??
			this.#redirectionProblem(command, how) ??
			this.#prepared.problem(command, this.#filesOf(command));
		return problem ?? (how.rule ? { rule: how.rule } : {});
	}

	#cover(command: SimpleCommand): Covered | string {
		const { words, assignments, timed } = command;
		const shown = words.map(({ raw }) => raw).join(' ');
		if (words.length === 0) {
			const obeyed = assignments.find((one) => !isHarmless(one));
			return obeyed ? `${obeyed.name} may change what is run` : { free: true };
		}
		const rule = this.#ruleFor(command);
		if (rule) return rule;
		if (assignments.length > 0 || timed) return `nothing allows ${shown}`;
		const obeyed = this.#isFree(command) ? this.#obeyed(words) : '';
		if (obeyed === undefined || this.#piped.areOnlyLookedAt(command)) return { free: true };
		if (this.#given.mode === 'acceptEdits' && isSimpleEdit(words)) return { edit: true };
		return `nothing allows ${shown}${obeyed}`;
	}

	#isFree(command: SimpleCommand): boolean {
		return seenThrough(command.words, true).some((inner) => this.#files.forms(inner, command)?.every(isFree) === true);
	}

	/** What may make git run something, as the end of a reason: a folder that was just entered, or written to, may be a repository that somebody else prepared. */
	#obeyed(words: readonly ShellWord[]): string | undefined {
		if (!seenThrough(words, true).some(([name]) => name?.value === 'git')) return undefined;
		const { cwd, shellFolder = cwd, files, trusted } = this.#given;
		if (this.#script.moves || this.#prepared.wrote || isOpenRepository(shellFolder, files)) return '';
		const runs = trusted ? undefined : runsInRepository(shellFolder, files);
		return runs && `: git obeys ${runs} of this repository, and the folder is not trusted`;
	}

	#ruleFor(command: SimpleCommand): Covered | undefined {
		const { words, assignments, tidy } = command;
		const before = assignments.map(({ raw }) => `${raw} `).join('');
		const harmless = assignments.every(isChosen);
		const evaluated =
			evaluators.includes(words[0]?.value ?? '') &&
			words.some(({ value = '', glob }) => glob !== undefined || (/[`[]|\$[({]/.test(value) && value !== '['));
		if (evaluated) return undefined;
		for (const rule of this.#allowRules()) {
			const { content = '' } = rule;
			if (before !== '' && allowsCommand(content, words, before, tidy)) return { rule };
			if (!harmless) continue;
			if (seenThrough(words, false).some((inner) => allowsCommand(content, inner, '', tidy))) return { rule };
			// xargs adds arguments, which only a rule that takes any covers, and none where they are files that nobody has looked at.
			const wide = commandPattern(content).parts.length > 1;
			if (
				wide &&
				words[0]?.value === 'xargs' &&
				!words[1]?.raw.startsWith('-') &&
				allowsCommand(content, words.slice(1), '', tidy) &&
				(filesOf(words.slice(1), this.#given.home) === undefined || this.#piped.lieInside(command))
			)
				return { rule };
		}
		return undefined;
	}

	#readsProblem(command: SimpleCommand, { rule, edit, free }: Covered): string | undefined {
		const files = this.#files.ofProgram(command.words, command);
		if (files.odd !== undefined) return `${files.odd} may stand for an option, or for too many files`;
		if (files.follows !== undefined) return `links in ${files.follows} may lead elsewhere`;
		if (files.unknownRead !== undefined) return `it cannot be known which file ${files.unknownRead} is`;
		if (files.unknownWrite !== undefined) return `it cannot be known which file ${files.unknownWrite} is`;
		const looked = free ? [...files.reads, ...files.shown] : files.reads;
		const outside = looked.find((target) => !this.#access.opened(['Read'], target, true));
		if (outside) return `${outside.given} is outside the session's folders`;
		if (free && files.writes.length > 0) return `nothing allows writing to ${files.writes[0]?.given}`;
		return this.#writesProblem(command, files.writes, { rule, edit, free });
	}

	#writesProblem(command: SimpleCommand, writes: readonly Target[], { edit }: Covered): string | undefined {
		if (writes.length === 0) return undefined;
		if (this.#given.mode === 'plan') return 'in plan mode no file is changed';
		const kept = writes.find((target) => this.#access.isProtected(target));
		if (kept) return `${kept.given} is protected: other programs obey it`;
		const outside = writes.find((target) => !this.#access.isInside(target));
		if (outside) return `${outside.given} is outside the session's folders`;
		if (!edit) return undefined;
		if (this.#script.moves) return 'the folder changes before a file is written';
		if (
			writes.some((target) => this.#access.isRoot(target)) &&
			command.words[0]?.value !== 'cp' &&
			command.words[0]?.value !== 'mv'
		)
			return 'it is about a whole folder of the session';
		if (isRecursive(command.words) && writes.some(({ folder }) => folder))
			return 'a folder would be copied into another that is there already';
		return undefined;
	}

	#redirectionProblem(command: SimpleCommand, { free }: Covered): string | undefined {
		for (const { does, target } of command.redirections) {
			if (target && (!target.plain || target.value === undefined || target.glob !== undefined))
				return `it cannot be known beforehand what ${target.raw} becomes`;
			if (does === 'text' && !(target && free)) return 'what it is given to read is not quoted';
		}
		const files = this.#files.ofRedirections(command);
		if (files.unknownRead !== undefined || files.unknownWrite !== undefined)
			return `it cannot be known which file ${files.unknownRead ?? files.unknownWrite} is`;
		const outside = files.reads.find((target) => !this.#access.opened(['Read'], target, true));
		if (outside) return `${outside.given} is outside the session's folders`;
		return files.writes.map((target) => this.#redirectionWrite(target)).find((one) => one !== undefined);
	}

	#redirectionWrite(target: Target): string | undefined {
		const { mode } = this.#given;
		if (mode === 'plan') return 'in plan mode no file is changed';
		if (this.#script.moves) return 'the folder changes before a file is written';
		if (this.#access.isProtected(target)) return `${target.given} is protected: other programs obey it`;
		if (this.#access.opened(['Edit'], target, mode === 'acceptEdits')) return undefined;
		return `nothing allows writing to ${target.given}`;
	}
}

interface Covered {
	readonly rule?: Rule | undefined;
	readonly free?: boolean | undefined;
	readonly edit?: boolean | undefined;
}

function redirectionTargets({ redirections }: SimpleCommand): readonly ShellWord[] {
	return redirections.flatMap(({ target }) => (target ? [target] : []));
}

function first<T>(targets: readonly Target[], find: (target: Target) => T | undefined): T | undefined {
	for (const target of targets) {
		const found = find(target);
		if (found !== undefined) return found;
	}
	return undefined;
}
