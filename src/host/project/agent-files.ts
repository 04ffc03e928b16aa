/** Agents that the user or the project defines in Markdown files (`.claude/agents`): which fields count, which modes they may have, and when one is left out. */
import { join } from 'node:path';
import type { AgentType, Hook, PermissionMode } from '../../agent/contracts.ts';
import { compact, isObject, type Json, type JsonObject } from '../../model/index.ts';
import { readHooks } from '../hooks/hook-settings.ts';
import { hooksOf } from '../hooks/hooks.ts';
import { readMarkdown } from './front-matter.ts';
import { leadsOut, markdownFiles } from './slash-commands.ts';

export interface AgentFiles {
	/** The project's come first: where both define one of a name, the project's is meant. */
	readonly types: readonly AgentType[];
	/** What is wrong with a file, one line each, with its path and field. */
	readonly notes: readonly string[];
}

export interface AgentPlace {
	readonly cwd: string;
	readonly claudeHome: string;
	/** The project's count. */
	readonly trusted: boolean;
	/** Variables of the settings. */
	readonly env: { readonly [name: string]: string };
	/** No hooks are called here. */
	readonly hooksOff: boolean;
}

export async function agentFiles(here: AgentPlace): Promise<AgentFiles> {
	const { cwd, claudeHome, trusted } = here;
	const notes: string[] = [];
	const types = new Map<string, AgentType>();
	const own = join(cwd, '.claude', 'agents');
	const folders = [...(trusted && !leadsOut(own, cwd, notes) ? [own] : []), join(claudeHome, 'agents')];
	for (const folder of folders) {
		for (const { path } of markdownFiles(folder)) {
			const type = await readAgent(path, here, (problem) => notes.push(`${path}: ${problem}`));
			if (type && !types.has(type.name)) types.set(type.name, type);
		}
	}
	return { types: [...types.values()], notes };
}

async function readAgent(
	path: string,
	here: AgentPlace,
	say: (problem: string) => void,
): Promise<AgentType | undefined> {
	const read = await readMarkdown(path, say);
	if (read === undefined) return undefined;
	const { fields, body } = read;
	const { name, description } = fields;
	for (const field of ['name', 'description']) {
		const value = fields[field];
		if (typeof value === 'string' && value.trim() !== '') continue;
		// Other Markdown files may lie there too: one without any front matter is none of ours.
		if (Object.keys(fields).length > 0) say(`${field} is ${value === undefined ? 'missing' : 'not a text'}`);
		return undefined;
	}
	// An agent that was to have fewer tools must not have all of them because of a slip.
	for (const field of ['tools', 'disallowedTools']) {
		const given = fields[field] ?? undefined;
		const leaves = (problem: string): void => say(`the agent is left out: ${problem}`);
		if (given !== undefined && toolList(fields, field, leaves) === undefined) return undefined;
	}
	for (const field of unheard)
		if (fields[field] !== undefined) say(`${field} is left out: Reprise does not have that for agents yet`);
	return {
		name: String(name).trim(),
		description: String(description).trim(),
		system: body.trim(),
		instructions: true,
		builtIn: false,
		...compact({
			tools: toolList(fields, 'tools', say),
			withoutTools: toolList(fields, 'disallowedTools', say),
			model: typeof fields.model === 'string' ? fields.model : undefined,
			mode: modeOf(fields.permissionMode, say),
			turns: turnsOf(fields.maxTurns, say),
			background: fields.background === true ? true : undefined,
			skills: toolList(fields, 'skills', say),
			hooks: here.hooksOff ? undefined : agentHooks(fields.hooks, here, say),
			servers: serversOf(fields.mcpServers, say),
		}),
	};
}

/** Without these an agent is not what its author meant: whoever starts it is told that they have no effect. */
const unheard = ['effort', 'memory'];

/** An agent ends as a sub-agent does: what is to be called when it stops is called then, as in Claude Code. */
function agentHooks(
	given: Json | undefined,
	{ cwd, env }: AgentPlace,
	say: (problem: string) => void,
): readonly Hook[] | undefined {
	if (given === undefined || given === null) return undefined;
	const read = readHooks(given, say);
	const meant = read.map((one) => (one.event === 'Stop' ? { ...one, event: 'SubagentStop' as const } : one));
	return hooksOf(meant, { cwd, env });
}

/** By name, or a list of such; a name alone is a server that the session has, and so has the agent. */
function serversOf(given: Json | undefined, say: (problem: string) => void): JsonObject | undefined {
	if (given === undefined || given === null) return undefined;
	const list: readonly Json[] = Array.isArray(given) ? given : [given];
	const servers: JsonObject = {};
	for (const one of list) {
		if (isObject(one)) Object.assign(servers, one);
		else if (typeof one !== 'string') say('mcpServers names no servers');
	}
	return Object.keys(servers).length === 0 ? undefined : servers;
}

/** Names in a list, or in one text with commas. Of `Bash(ls:*)` only the name counts, as in Claude Code. */
function toolList(fields: JsonObject, field: string, say: (problem: string) => void): readonly string[] | undefined {
	const given = fields[field];
	if (given === undefined || given === null) return undefined;
	const list: readonly Json[] =
		typeof given === 'string' ? given.split(/,(?![^(]*\))/) : Array.isArray(given) ? given : [0];
	if (!list.every((one): one is string => typeof one === 'string')) {
		say(`${field} is not a list of names`);
		return undefined;
	}
	return list.map((one) => one.trim().replace(/\(.*\)$/, '')).filter((one) => one !== '');
}

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk'];

/** A file may not lift the questions that its reader relies on. */
function modeOf(given: Json | undefined, say: (problem: string) => void): PermissionMode | undefined {
	if (given === undefined) return undefined;
	const mode = modes.find((one) => one === given);
	if (mode === undefined) say(`permissionMode is left out: it is none of ${modes.join(', ')}`);
	return mode;
}

function turnsOf(given: Json | undefined, say: (problem: string) => void): number | undefined {
	if (given === undefined || (typeof given === 'number' && Number.isInteger(given) && given > 0)) return given;
	say('maxTurns is not a whole number');
	return undefined;
}
