/** What a project's folder brings beside its settings files, by name: none of it counts before the user trusts the folder. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../model/index.ts';
import { jsonOf } from './settings-file.ts';
import { projectCommands } from './slash-commands.ts';

/** Something that waits for trust. */
export interface Waiting {
	/** In the plural: `allow rules`, `hooks` … */
	readonly what: string;
	readonly items: readonly string[];
}

export function projectOffers(cwd: string): readonly Waiting[] {
	const found: readonly Waiting[] = [
		{ what: 'MCP servers', items: mcpServers(join(cwd, '.mcp.json')) },
		{ what: 'commands', items: projectCommands(cwd).map(({ name }) => `/${name}`) },
		{ what: 'skills', items: namesIn(join(cwd, '.claude', 'skills')) },
		{ what: 'agents', items: namesIn(join(cwd, '.claude', 'agents')) },
	];
	return found.filter(({ items }) => items.length > 0);
}

/** A file that cannot be read offers nothing: whoever starts servers says what is wrong with it. */
function mcpServers(path: string): readonly string[] {
	try {
		const config = jsonOf(path);
		return isObject(config) && isObject(config.mcpServers) ? Object.keys(config.mcpServers) : [];
	} catch (error) {
		if (error instanceof Error) return [];
		throw error;
	}
}

function namesIn(folder: string): readonly string[] {
	if (!existsSync(folder)) return [];
	try {
		return readdirSync(folder)
			.filter((name) => !name.startsWith('.'))
			.map((name) => name.replace(/\.md$/, ''))
			.sort();
	} catch (error) {
		if (error instanceof Error && 'code' in error) return [];
		throw error;
	}
}
