/** The commands and skills of the user and of a trusted project, as their files define them: which fields of the front matter count, and how large a file may be. */
import { dirname } from 'node:path';
import { type Rule, readRule, splitRules } from '../../agent/permissions/rule.ts';
import { readMarkdown } from '../../host/project/front-matter.ts';
import { type CommandFile, commandFiles } from '../../host/project/slash-commands.ts';
import { compact, isObject, type Json, type JsonObject } from '../../model/index.ts';

export interface Definition extends Pick<CommandFile, 'name' | 'path' | 'kind' | 'from'> {
	/** What it is for: models choose by it. */
	readonly description: string;
	/** What people are to write behind its name. */
	readonly hint?: string;
	/** What needs no question while it is carried out. */
	readonly allow: readonly Rule[];
	/** Who answers while it is carried out. */
	readonly model?: string;
	/** A model may use it by itself. */
	readonly forModel: boolean;
	/** People may call it. */
	readonly forUser: boolean;
	/** It is carried out by a sub-agent; of this kind, where it says which. */
	readonly fork?: { readonly agent?: string };
	/** The text that it stands for, with places for what is written behind its name. */
	readonly body: string;
	/** The folder that a skill's own files are in. */
	readonly folder: string;
}

export interface Definitions {
	readonly list: readonly Definition[];
	/** What is wrong with a file, a line each, with its path and the field. */
	readonly notes: readonly string[];
}

/** Read anew for every prompt, because files are edited in between. */
export async function readDefinitions(cwd: string, claudeHome: string, trusted: boolean): Promise<Definitions> {
	const { files, notes } = commandFiles(cwd, claudeHome, trusted);
	const problems = [...notes];
	const list: Definition[] = [];
	for (const file of files) {
		const read = await readDefinition(file, (problem) => problems.push(`${file.path}: ${problem}`));
		if (read) list.push(read);
	}
	return { list, notes: problems };
}

type Say = (problem: string) => void;

async function readDefinition(file: CommandFile, say: Say): Promise<Definition | undefined> {
	const read = await readMarkdown(file.path, say);
	if (read === undefined) return undefined;
	const { fields, body } = read;
	return {
		...file,
		description: textIn(fields, 'description', say) ?? firstLine(body),
		allow: rulesIn(fields, say),
		// What cannot be understood is no permission for a model to use it.
		forModel: !flagIn(fields, 'disable-model-invocation', say, { unsaid: false, unclear: true }),
		forUser: flagIn(fields, 'user-invocable', say, { unsaid: true, unclear: true }),
		body,
		folder: dirname(file.path),
		...compact({ hint: hintIn(fields, say), model: modelIn(fields, say), fork: forkIn(fields, say) }),
	};
}

function firstLine(body: string): string {
	const line = body.split('\n').find((one) => one.trim() !== '') ?? '';
	return line
		.replace(/^#+\s*/, '')
		.trim()
		.slice(0, 200);
}

function textIn(fields: JsonObject, field: string, say: Say): string | undefined {
	const value = fields[field];
	if (value === undefined || value === null) return undefined;
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	say(`${field} is not a text`);
	return undefined;
}

/** `[issue]` is a text to people, and a list to YAML. */
function hintIn(fields: JsonObject, say: Say): string | undefined {
	const value: Json | undefined = fields['argument-hint'];
	if (!Array.isArray(value)) return textIn(fields, 'argument-hint', say);
	return `[${(value as readonly Json[]).filter((one) => !isObject(one)).join(', ')}]`;
}

function modelIn(fields: JsonObject, say: Say): string | undefined {
	const model = textIn(fields, 'model', say);
	return model === 'inherit' ? undefined : model;
}

function flagIn(
	fields: JsonObject,
	field: string,
	say: Say,
	{ unsaid, unclear }: { readonly unsaid: boolean; readonly unclear: boolean },
): boolean {
	const value = fields[field];
	if (value === undefined || value === null) return unsaid;
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	say(`${field} is neither true nor false`);
	return unclear;
}

function forkIn(fields: JsonObject, say: Say): Definition['fork'] {
	const agent = textIn(fields, 'agent', say);
	const { context } = fields;
	if (context === 'fork') return compact({ agent });
	if (context !== undefined && context !== null && context !== 'inherit') say('context is not fork');
	return undefined;
}

/** A rule that is none allows nothing, and the others count. */
function rulesIn(fields: JsonObject, say: Say): readonly Rule[] {
	const field = 'allowed-tools';
	const value = fields[field];
	if (value === undefined || value === null) return [];
	const given: readonly Json[] = Array.isArray(value) ? value : [value];
	if (!given.every((one): one is string => typeof one === 'string')) {
		say(`${field} is not a list of rules`);
		return [];
	}
	return given.flatMap(splitRules).flatMap((text) => {
		const read = readRule(text, 'allow');
		if ('rule' in read) return [read.rule];
		say(`${field}: ${text} is not a rule: ${read.problem}`);
		return [];
	});
}
