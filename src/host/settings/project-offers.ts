/** What a project's folder brings beside its settings files, by name: none of it counts before the user trusts the folder. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../log/errors.ts';
import { isObject, type Json, jsonText } from '../../model/index.ts';
import { leadsOut, projectCommands } from '../project/slash-commands.ts';
import { jsonOf } from './settings-file.ts';

/** Something that waits for trust. */
export interface Waiting {
	/** In the plural: `allow rules`, `hooks` … */
	readonly what: string;
	readonly items: readonly string[];
	/** The same with what each would do, for whoever decides about it; absent: the names say all. */
	readonly shown?: readonly string[];
}

export function projectOffers(cwd: string): readonly Waiting[] {
	// Trust makes nothing count that lies elsewhere, and the names there are nobody's offer.
	const inside = (name: string): boolean => !leadsOut(join(cwd, '.claude', name), cwd, []);
	const found: readonly Waiting[] = [
		{ what: 'MCP servers', ...mcpServers(join(cwd, '.mcp.json')) },
		{ what: 'commands', items: inside('commands') ? projectCommands(cwd).map(({ name }) => `/${name}`) : [] },
		{ what: 'skills', items: inside('skills') ? namesIn(join(cwd, '.claude', 'skills')) : [] },
		{ what: 'agents', items: inside('agents') ? namesIn(join(cwd, '.claude', 'agents')) : [] },
	];
	return found.filter(({ items }) => items.length > 0);
}

/** A file that cannot be read offers nothing: whoever starts servers says what is wrong with it. */
function mcpServers(path: string): Omit<Waiting, 'what'> {
	try {
		const config = jsonOf(path);
		const servers = isObject(config) && isObject(config.mcpServers) ? Object.entries(config.mcpServers) : [];
		return { items: servers.map(([name]) => name), shown: servers.map(([name, server]) => serverText(name, server)) };
	} catch (error) {
		if (error instanceof Error) return { items: [] };
		throw error;
	}
}

/** All that the entry says: variables and headers can make a harmless command another one. */
function serverText(name: string, server: Json | undefined): string {
	if (!isObject(server)) return `${name}: ${jsonText(server ?? null)}`;
	const { type: _, command, args, url, ...rest } = server;
	const words = [command, ...(Array.isArray(args) ? args : [args]), url].filter((word) => word !== undefined);
	const more = Object.keys(rest).length === 0 ? [] : [jsonText(rest)];
	return `${name}: ${[...words.map(wordText), ...more].join(' ')}`;
}

/** A word that a shell would split is quoted, so that it is seen where it ends. */
function wordText(word: Json): string {
	return typeof word === 'string' && /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word);
}

function namesIn(folder: string): readonly string[] {
	if (!existsSync(folder)) return [];
	try {
		return readdirSync(folder)
			.filter((name) => !name.startsWith('.'))
			.map((name) => name.replace(/\.md$/, ''))
			.sort();
	} catch (error) {
		if (codeOf(error) !== undefined) return [];
		throw error;
	}
}
