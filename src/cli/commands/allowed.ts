/** `reprise allowed TOOL [INPUT]`: prints what the permission rules would decide, and by which rule; the decision itself is made in src/agent/permissions. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PermissionMode } from '../../agent/contracts.ts';
import {
	type Circumstances,
	decide,
	type Judgement,
	type Rule,
	type RuleKind,
	type Rules,
	readRule,
	splitRules,
	toolMeant,
} from '../../agent/permissions/index.ts';
import { isKnownTool, isMcp, kindOf, spelledLike } from '../../agent/permissions/tool-names.ts';
import { readDefinitions } from '../../client/commands/definitions.ts';
import { permissionsHere, type RuleFlags, waitingNote } from '../../client/permissions.ts';
import { claudeHome } from '../../client/session.ts';
import { fileView } from '../../host/file-view.ts';
import { readRegular } from '../../log/regular-file.ts';
import { isObject, type Json, type JsonObject, parsedJson, stringsIn } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { complain, printJson, printJsonLine, printProse } from '../../terminal/print.ts';
import { choice, listed, permissionModes } from '../choices.ts';
import type { Define } from '../commands.ts';

interface Options extends RuleFlags {
	readonly permissionMode?: PermissionMode;
	readonly cases?: string;
	readonly json?: boolean;
}

export const define: Define = (command) => {
	command
		.argument('[tool]', 'the tool’s name: Bash, Read, Edit, WebFetch, mcp__server__tool …')
		.argument('[input]', 'its input as JSON; for Bash a command, for file tools a path, for WebFetch an address')
		.option('--permission-mode <mode>', permissionModes.join(', '), choice(...permissionModes))
		.option('--allowedTools <rules...>', 'as for reprise -p', listed)
		.option('--disallowedTools <rules...>', 'as for reprise -p', listed)
		.option('--add-dir <folders...>', 'as for reprise -p', listed)
		.option('--settings <file or JSON>', 'as for reprise -p')
		.option('--trust', 'with what this folder brings')
		.option('--cases <file>', 'decide every line of a JSON Lines file (or -) instead, each under the rules it brings')
		.option('--json', 'print one JSON document')
		.addHelpText(
			'after',
			'\nNothing is run. The rules are those of the flags and of the settings files in this folder, as for reprise -p.\n\nExamples:\n  reprise allowed Bash "npm test && rm -rf build" --allowedTools "Bash(npm test:*)"\n  reprise allowed Edit .git/config --permission-mode acceptEdits',
		)
		.action(async (tool: string | undefined, input: string | undefined, options: Options) => {
			if (options.cases !== undefined) await answerCases(options.cases, tool, options);
			else if (tool === undefined) throw new InputError('usage', 'name a tool: reprise allowed Bash "npm test"');
			else await answerOne(tool, input, options);
		});
};

async function answerOne(tool: string, input: string | undefined, options: Options): Promise<void> {
	if (!isMcp(tool) && !isKnownTool(tool)) {
		const meant = spelledLike(tool);
		throw new InputError('usage', `there is no tool ${tool}${meant === undefined ? '' : `; did you mean ${meant}?`}`);
	}
	const call = { tool, input: inputOf(tool, input) };
	const permissions = permissionsHere(options, process.cwd());
	const { rules, dirs, mode, notes, trusted } = permissions;
	const waiting = waitingNote(permissions, process.cwd());
	for (const note of [...notes, ...(waiting === undefined ? [] : [waiting])]) complain(note);
	const judged = shown(
		await decide(call, {
			...here(),
			...(await grantsOf(tool)),
			mode: options.permissionMode ?? mode ?? 'default',
			rules,
			dirs,
			trusted,
		}),
	);
	if (options.json) printJson(judged);
	else printProse(describe(judged));
}

/** Which file it would be is for whoever opens it. */
function shown({ opens: _, ...judged }: Judgement): Judgement {
	return judged;
}

function describe({ decision, reason, rule }: Judgement): string {
	return `${decision}: ${reason}${rule === undefined ? '' : ` (${rule})`}`;
}

function here(): Pick<Circumstances, 'cwd' | 'home' | 'files'> {
	return { cwd: process.cwd(), home: homedir(), files: fileView };
}

/** Skills as a run here would have them. One that nobody has wants nothing; those of a folder that is not trusted yet are asked about. */
async function grantsOf(tool: string): Promise<Pick<Circumstances, 'skillGrants'>> {
	if (kindOf(tool) !== 'skill') return {};
	const { list } = await readDefinitions(process.cwd(), claudeHome(), true);
	return { skillGrants: (name) => (list.find((one) => one.name === name)?.allow ?? []).length > 0 };
}

/** The field that a plain text stands for. */
const plainField: { readonly [kind: string]: string } = {
	shell: 'command',
	read: 'file_path',
	write: 'file_path',
	search: 'path',
	fetch: 'url',
	skill: 'skill',
	agent: 'subagent_type',
};

function inputOf(tool: string, given: string | undefined): Json {
	const field = plainField[kindOf(tool)];
	if (given === undefined) {
		if (field === undefined) return {};
		throw new InputError('usage', `${tool} needs an input: its ${field}, or all of it as JSON`);
	}
	// A command or a path, where it is none; a command may begin with a brace as well.
	const document = parsedJson(given);
	if (isObject(document)) return document;
	if ((field === 'command' ? /^\s*\{\s*"/ : /^\s*\{/).test(given))
		throw new InputError('usage', `the input begins as JSON and is none: ${given}`);
	return field === undefined ? {} : { [field]: given };
}

/** One answer per line, in order. The rules are those of the case alone: this machine's settings say nothing here. */
async function answerCases(file: string, tool: string | undefined, given: Options): Promise<void> {
	const { cases: _, json: __, ...others } = given;
	if (tool !== undefined || Object.values(others).some((value) => value !== undefined))
		throw new InputError('usage', '--cases stands alone: each case brings its own tool, input, mode and rules');
	const lines = (file === '-' ? await text(process.stdin) : readRegular(file).toString('utf8')).split('\n');
	for (const [index, line] of lines.entries()) {
		if (line.trim() === '') continue;
		const given = parsedJson(line);
		if (!isObject(given)) throw new InputError('bad-case', `${file}: line ${index + 1} is not a JSON object`);
		printJsonLine(await decideCase(given as JsonObject, `${file}: line ${index + 1}`));
	}
}

async function decideCase(given: JsonObject, where: string): Promise<Judgement> {
	const { tool, input = {}, mode = 'default' } = given;
	const known = permissionModes.find((one) => one === mode);
	if (typeof tool !== 'string' || known === undefined)
		throw new InputError('bad-case', `${where} has no tool or an unknown mode`);
	const all = [
		rulesOf(given.rules, undefined),
		rulesOf(given.userRules, claudeHome()),
		rulesOf(flagsOf(stringsIn(given.cliArgs)), undefined),
	];
	const rules = {
		allow: all.flatMap(({ allow }) => allow),
		ask: all.flatMap(({ ask }) => ask),
		deny: all.flatMap(({ deny }) => deny),
	};
	const dirs = stringsIn(given.additionalDirectories).map((folder) => resolve(folder));
	return shown(await decide({ tool, input }, { ...here(), mode: known, rules, dirs }));
}

/** As a project's settings have them: what is no rule allows nothing, and denies and asks about all of its tool. */
function rulesOf(given: Json | undefined, anchor: string | undefined): Rules {
	const lists = isObject(given) ? given : {};
	const read = (kind: RuleKind): readonly Rule[] =>
		stringsIn(lists[kind]).flatMap((text) => {
			const found = readRule(text, kind, anchor);
			if ('rule' in found) return [found.rule];
			const tool = kind === 'allow' ? undefined : toolMeant(text);
			return tool === undefined ? [] : [{ text, tool }];
		});
	return { allow: read('allow'), ask: read('ask'), deny: read('deny') };
}

/** The rules among a case's arguments, as a settings file would have them. */
function flagsOf(args: readonly string[]): JsonObject {
	const lists: { readonly [flag: string]: string[] } = { '--allowedTools': [], '--disallowedTools': [] };
	let list: string[] | undefined;
	for (const arg of args) {
		if (arg.startsWith('--')) list = lists[arg];
		else list?.push(...splitRules(arg));
	}
	return { allow: lists['--allowedTools'] ?? [], deny: lists['--disallowedTools'] ?? [] };
}
