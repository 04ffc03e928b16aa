/** Which MCP servers are set up here, and which place comes first: a flag, this folder, the project's `.mcp.json` where it is trusted, the user's. */
import { join } from 'node:path';
import { jsonOf, largestOfUser } from '../host/settings/settings-file.ts';
import { isObject, type Json, type JsonObject, stringsIn } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { type Problem, readServer, type ServerReach } from './config-entry.ts';

export interface ServerConfig {
	readonly name: string;
	/** The file or flag that names it. */
	readonly from: string;
	/** Whose it is: of the project, of this folder alone, of the user; absent: of whoever started the run. */
	readonly scope?: 'local' | 'project' | 'user';
	readonly reach: ServerReach;
}

export interface ServersHere {
	readonly servers: readonly ServerConfig[];
	/** What was left out and why, one line each. */
	readonly notes: readonly string[];
}

export interface ServerPlace {
	readonly cwd: string;
	/** Where Claude Code keeps what belongs to its user. */
	readonly claudeHome: string;
	/** The user's `.claude.json`, which holds servers for every folder and for single ones. */
	readonly claudeJson: string;
	/** True: servers that the project's own file names may be started. */
	readonly trusted: boolean;
	readonly env: { readonly [name: string]: string | undefined };
}

export interface ServerFlags {
	/** Files, or JSON texts. */
	readonly mcpConfig?: readonly string[];
	/** Nothing but what the flag names. */
	readonly strictMcpConfig?: boolean;
}

const flag = '--mcp-config';

/** Where two places name the same server, the one that is nearer to this run counts: flag, this folder, project, user. */
export function readServers(place: ServerPlace, { mcpConfig = [], strictMcpConfig }: ServerFlags): ServersHere {
	const reader = new Reader(place);
	for (const given of mcpConfig) reader.flag(given);
	if (strictMcpConfig !== true) reader.files();
	return reader.found();
}

class Reader {
	readonly #place: ServerPlace;
	readonly #servers = new Map<string, ServerConfig>();
	readonly #notes: string[] = [];

	constructor(place: ServerPlace) {
		this.#place = place;
	}

	found(): ServersHere {
		return { servers: [...this.#servers.values()], notes: this.#notes };
	}

	/** What is wrong with a flag is a mistake of whoever typed it: nothing is run without the servers that were asked for. */
	flag(given: string): void {
		const inline = given.trimStart().startsWith('{');
		const from = inline ? flag : given;
		const config = inline ? jsonIn(given) : this.#fileOf(given);
		if (config === undefined) throw new InputError('usage', `${flag}: ${given} is missing`);
		if (config instanceof Error)
			throw new InputError('usage', `${inline ? '' : `${flag}: `}${from}: ${config.message}`);
		this.#add(config, from, (problem) => {
			throw new InputError('usage', `${inline ? '' : `${flag}: `}${from}: ${problem}`);
		});
	}

	files(): void {
		const { cwd, claudeJson } = this.#place;
		// A file that cannot be read at all is told of by whoever looks for trust in it.
		const read = this.#fileOf(claudeJson);
		const users = read instanceof Error ? undefined : read;
		const projects = isObject(users) && isObject(users.projects) ? users.projects : {};
		const entry = Object.hasOwn(projects, cwd) ? projects[cwd] : undefined;
		const own = isObject(entry) ? entry : {};
		const disabled = new Set(stringsIn(own.disabledMcpServers));
		this.#add(own, claudeJson, this.#noting(`${claudeJson}: projects.${cwd}`, '.'), disabled, 'local');
		this.#projects(new Set([...disabled, ...stringsIn(own.disabledMcpjsonServers)]));
		if (isObject(users)) this.#add(users, claudeJson, this.#noting(claudeJson), disabled, 'user');
	}

	#projects(disabled: ReadonlySet<string>): void {
		const { cwd, claudeHome, trusted } = this.#place;
		const path = join(cwd, '.mcp.json');
		const config = this.#read(path);
		// What waits for trust is told in one line, by whoever reads the settings.
		if (config === undefined || !trusted) return;
		const refused = [claudeHome, join(cwd, '.claude')].flatMap((folder) =>
			['settings.json', 'settings.local.json'].map((name) => this.#fileOf(join(folder, name))),
		);
		const names = refused.flatMap((settings) =>
			isObject(settings) ? stringsIn((settings as JsonObject).disabledMcpjsonServers) : [],
		);
		this.#add(config, path, this.#noting(path), new Set([...disabled, ...names]), 'project');
	}

	#noting(where: string, before = ': '): (problem: string) => void {
		return (problem) => this.#notes.push(`${where}${before}${problem}`);
	}

	#add(
		config: Json,
		from: string,
		tell: (problem: string) => void,
		disabled: ReadonlySet<string> = none,
		scope?: ServerConfig['scope'],
	): void {
		const mcpServers = isObject(config) ? (config.mcpServers ?? {}) : undefined;
		if (!isObject(config)) tell('it is not an object');
		else if (!isObject(mcpServers)) tell('mcpServers is not an object');
		else if (config.mcpServers === undefined && from !== this.#place.claudeJson) tell('mcpServers is missing');
		if (!isObject(mcpServers)) return;
		for (const [name, entry] of Object.entries(mcpServers)) {
			if (disabled.has(name) || this.#servers.has(name)) continue;
			const problem = (field: string, what: string): void =>
				tell(`mcpServers.${name}${field === '' ? '' : `.${field}`} ${what}; the server is left out`);
			const reach = readServer(entry ?? null, this.#place.env, problem satisfies Problem);
			if (reach) this.#servers.set(name, { name, from, reach, ...(scope === undefined ? {} : { scope }) });
		}
	}

	#read(path: string): Json | undefined {
		const read = this.#fileOf(path);
		if (!(read instanceof Error)) return read;
		this.#notes.push(`${path}: ${read.message}`);
		return undefined;
	}

	#fileOf(path: string): Json | undefined | Error {
		try {
			return jsonOf(path, largestOfUser);
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}
}

const none: ReadonlySet<string> = new Set();

function jsonIn(text: string): Json | Error {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
	} catch {
		return new Error('it is not JSON');
	}
}
