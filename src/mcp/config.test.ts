/** Which MCP servers are set up, as files and flags say it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is read here.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchMachine } from '../../test/support/scratch.ts';
import { readServers, type ServerFlags, type ServersHere } from './config.ts';

interface Given {
	readonly user?: object;
	readonly local?: object;
	readonly project?: object | string;
	readonly settings?: object;
	readonly trusted?: boolean;
	readonly env?: { readonly [name: string]: string };
}

function serversOf(given: Given, flags: ServerFlags = {}): ServersHere {
	using scratch = scratchMachine();
	const cwd = join(scratch.root, 'project');
	const claudeJson = join(scratch.root, '.claude.json');
	const claudeHome = join(scratch.root, '.claude');
	mkdirSync(join(cwd, '.claude'), { recursive: true });
	const { user = {}, local = {}, project, settings, trusted = true, env = {} } = given;
	writeFileSync(claudeJson, JSON.stringify({ ...user, projects: { [cwd]: local } }));
	if (project !== undefined)
		writeFileSync(join(cwd, '.mcp.json'), typeof project === 'string' ? project : JSON.stringify(project));
	if (settings) writeFileSync(join(cwd, '.claude/settings.local.json'), JSON.stringify(settings));
	const found = readServers({ cwd, claudeHome, claudeJson, trusted, env }, flags);
	const plain = (text: string): string => text.replaceAll(scratch.root, '');
	return {
		servers: found.servers.map((one) => ({ ...one, from: plain(one.from) })),
		notes: found.notes.map(plain),
	};
}

const one = (command: string): object => ({ mcpServers: { one: { command } } });
const reachOf = (given: Given, flags?: ServerFlags): unknown =>
	serversOf(given, flags).servers.map(({ reach }) => reach);

describe('which server counts', () => {
	it('the flag before this folder before the project before the user', () => {
		const flags = { mcpConfig: [JSON.stringify(one('flag'))] };
		const all = { user: one('user'), project: one('project'), local: one('local') };
		const command = (given: Given, with_: ServerFlags = {}): unknown =>
			serversOf(given, with_).servers.map(({ reach }) => (reach.kind === 'stdio' ? reach.command : ''));
		expect(command(all, flags)).toEqual(['flag']);
		expect(command(all)).toEqual(['local']);
		expect(command({ user: all.user, project: all.project })).toEqual(['project']);
		expect(command({ user: all.user })).toEqual(['user']);
	});

	it('a strict flag leaves out everything that it does not name', () => {
		const found = serversOf(
			{ user: one('user'), project: 'no JSON' },
			{ mcpConfig: ['{"mcpServers":{}}'], strictMcpConfig: true },
		);
		expect(found).toEqual({ servers: [], notes: [] });
	});

	it('a project’s servers wait for trust, and the user’s do not', () => {
		const found = serversOf({ user: one('user'), project: { mcpServers: { b: { command: 'x' } } }, trusted: false });
		expect(found.servers.map(({ name }) => name)).toEqual(['one']);
		expect(found.notes).toEqual([]);
	});

	it('what its user has turned off stays off', () => {
		const project = { mcpServers: { a: { command: 'x' }, b: { command: 'x' }, c: { command: 'x' } } };
		const local = { disabledMcpServers: ['a'], disabledMcpjsonServers: ['b'] };
		expect(serversOf({ project, local, settings: { disabledMcpjsonServers: ['c'] } }).servers).toEqual([]);
	});
});

describe('an entry', () => {
	it('has variables in every text, and other texts for those that are not set', () => {
		const entry = {
			command: '${BIN}/server',
			args: ['--key=${KEY}', '${LEVEL:-info}', '$HOME'],
			env: { TOKEN: '${KEY}', EMPTY: '${NONE:-}' },
		};
		const env = { BIN: '/opt', KEY: 'k' };
		expect(reachOf({ user: { mcpServers: { a: entry } }, env })).toEqual([
			{
				kind: 'stdio',
				command: '/opt/server',
				args: ['--key=k', 'info', '$HOME'],
				env: { TOKEN: 'k', EMPTY: '' },
			},
		]);
		const remote = {
			type: 'http',
			url: 'https://${HOST:-example.com}/mcp',
			headers: { Authorization: 'Bearer ${KEY}' },
		};
		expect(reachOf({ user: { mcpServers: { a: remote } }, env })).toEqual([
			{ kind: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer k' } },
		]);
	});

	it.each([
		['text', ' is not an object'],
		[{}, '.command is missing'],
		[{ command: 1 }, '.command is not a text'],
		[{ command: '' }, '.command is empty'],
		[{ command: 'x', args: 'y' }, '.args is not a list'],
		[{ command: 'x', args: ['y', 2] }, '.args[1] is not a text'],
		[{ command: 'x', env: { A: 1 } }, '.env.A is not a text'],
		[{ command: 'x', args: ['${GONE}'] }, '.args[0] needs the variable GONE, which is not set'],
		[{ url: 'file:///etc/passwd' }, '.url is not an http address'],
		[{ type: 'http' }, '.url is missing'],
		[{ type: 'sse', url: 'http://a/' }, '.type is sse, the older way: use http where the server offers it'],
		[{ type: 'ws', url: 'ws://a/' }, '.type is not stdio or http but "ws"'],
		[{ url: 'http://a/', oauth: {} }, '.oauth asks for OAuth, which Reprise does not do: put a token into headers'],
	])('%j is one line with its path and field, and the others are started', (entry, problem) => {
		const found = serversOf({ project: { mcpServers: { bad: entry, good: { command: 'x' } } } });
		expect(found.notes).toEqual([`/project/.mcp.json: mcpServers.bad${problem}; the server is left out`]);
		expect(found.servers.map(({ name }) => name)).toEqual(['good']);
	});

	it.each([
		['no JSON', 'it is not JSON, and nothing of it counts'],
		['[]', 'it is not an object'],
		['{"mcpServers":[]}', 'mcpServers is not an object'],
		['{}', 'mcpServers is missing'],
	])('a file that says %s is one line', (project, problem) => {
		expect(serversOf({ project })).toEqual({ servers: [], notes: [`/project/.mcp.json: ${problem}`] });
	});

	it('a flag that is wrong stops everything', () => {
		expect(() => serversOf({}, { mcpConfig: ['/nowhere.json'] })).toThrow('--mcp-config: /nowhere.json is missing');
		expect(() => serversOf({}, { mcpConfig: ['{"mcpServers":{"a":{}}}'] })).toThrow(
			'--mcp-config: mcpServers.a.command is missing',
		);
	});
});
