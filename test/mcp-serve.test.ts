/** `reprise mcp`: the sessions of this machine as tools, asked by the protocol's own client. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage } from './support/client.ts';
import { hasTerminals, Terminal } from './support/terminal.ts';

const stage = new ClientStage();
const bin = join(import.meta.dirname, '../bin/reprise.js');
let first = '';
let second = '';

beforeAll(async () => {
	const write = { content: [{ type: 'tool_use' as const, name: 'Read', input: { file_path: stage.file('a.txt') } }] };
	const { session_id } = await stage.json(
		'-p',
		'what is a walrus',
		'--script',
		stage.script([write, { text: 'A seal with teeth.' }]),
	);
	first = String(session_id);
	const other = ['--session-format', 'cline', '--script', stage.script([{ text: 'Counting pelicans.' }])];
	second = String((await stage.json('-p', 'count the pelicans', ...other)).session_id);
}, 60_000);
afterAll(() => stage[Symbol.dispose]());

type Mode = 'auto' | 'legacy';

async function connected(mode: Mode = 'auto'): Promise<Client & AsyncDisposable> {
	const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
	const env = Object.fromEntries(Object.entries(stage.env).map(([name, value]) => [name, value ?? '']));
	await client.connect(
		new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'], env, cwd: stage.cwd }),
	);
	return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

interface Told {
	readonly text: string;
	readonly isError: boolean;
}

async function call(client: Client, name: string, given: Record<string, string | number>): Promise<Told> {
	const { content, isError } = await client.callTool({ name, arguments: given });
	const [block] = content;
	return { text: block?.type === 'text' ? block.text : '', isError: isError === true };
}

/** Everything below the folder, with its size and time. */
function stateOf(folder: string): readonly string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((item) => item.isFile())
		.map((item) => join(item.parentPath, item.name))
		.sort()
		.map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`);
}

describe.each<Mode>(['auto', 'legacy'])('a client of the protocol (%s)', (mode) => {
	it('finds tools that only read, and gets answers from each', async () => {
		await using client = await connected(mode);
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name)).toEqual([
			'list_sessions',
			'search_sessions',
			'read_session',
			'session_costs',
			'why_not_resumable',
		]);
		expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
		const listed = JSON.parse((await call(client, 'list_sessions', {})).text) as { sessions: { id: string }[] };
		expect(listed.sessions.map(({ id }) => id).sort()).toEqual([first, second].sort());
		const found = JSON.parse((await call(client, 'search_sessions', { query: 'walrus' })).text);
		expect(found).toMatchObject({ total: 1, hits: [{ session: first }] });
		const shown = await call(client, 'read_session', { session: first });
		expect(shown.text).toContain('A seal with teeth.');
		expect(JSON.parse((await call(client, 'session_costs', { by: 'agent' })).text)).toHaveProperty('totals');
		expect(JSON.parse((await call(client, 'session_costs', { session: first })).text)).toMatchObject({
			rows: [{ session: first }],
		});
		expect(JSON.parse((await call(client, 'why_not_resumable', { session: first })).text)).toMatchObject({
			session: first,
			resumes: true,
			problems: [],
		});
	});
});

describe('the answers', () => {
	it('a session is read a part at a time, and the parts are the whole', async () => {
		await using client = await connected();
		const whole = (await call(client, 'read_session', { session: first })).text;
		let parts = '';
		for (let offset = 0, more = true; more; ) {
			const { text } = await call(client, 'read_session', { session: first, offset, limit: 50 });
			const next = /\n\n\(nextOffset: (\d+)\)$/.exec(text);
			parts += next ? text.slice(0, next.index) : text;
			more = next !== null;
			offset = Number(next?.[1]);
		}
		expect(parts).toBe(whole);
	});

	it('filters are those of the commands', async () => {
		await using client = await connected();
		const of = async (given: Record<string, string | number>) =>
			(JSON.parse((await call(client, 'list_sessions', given)).text) as { sessions: { id: string }[] }).sessions.map(
				({ id }) => id,
			);
		expect(await of({ agent: 'cline' })).toEqual([second]);
		expect(await of({ limit: 1 })).toHaveLength(1);
		expect(await of({ project: '/nowhere' })).toEqual([]);
		expect(await of({ since: '2999-01-01' })).toEqual([]);
	});

	it('what is wrong with a question is an answer, and the server goes on', async () => {
		await using client = await connected();
		expect(await call(client, 'read_session', { session: 'nothing of the kind' })).toMatchObject({ isError: true });
		expect((await call(client, 'read_session', { session: 'nothing of the kind' })).text).toContain(
			'no session has the id',
		);
		expect((await call(client, 'list_sessions', { agent: 'nobody' })).isError).toBe(true);
		expect((await call(client, 'search_sessions', { query: '-' })).isError).toBe(true);
		expect((await call(client, 'list_sessions', {})).isError).toBe(false);
	});

	it('no file is opened that is not where an agent keeps its sessions', async () => {
		const copy = stage.file('copy.jsonl');
		writeFileSync(copy, readFileSync(await stage.pathOf(first)));
		await using client = await connected();
		for (const path of [copy, '/etc/passwd', stage.file('a.txt')]) {
			const { text, isError } = await call(client, 'read_session', { session: path });
			expect(isError).toBe(true);
			expect(text).toContain('is not where an agent keeps its sessions');
		}
		expect((await call(client, 'read_session', { session: await stage.pathOf(first) })).isError).toBe(false);
	});

	it('a session that its client refuses says why', async () => {
		const path = await stage.pathOf(second);
		const kept = readFileSync(path);
		try {
			writeFileSync(path, kept.subarray(0, kept.length - 40));
			await using client = await connected();
			const { text } = await call(client, 'why_not_resumable', { session: path });
			const told = JSON.parse(text) as { resumes: boolean; refused?: string; problems: object[] };
			expect(told.resumes).toBe(false);
			expect(told.refused).not.toBe('');
			expect(told.problems.length).toBeGreaterThan(0);
		} finally {
			writeFileSync(path, kept);
		}
	});

	it('nothing of any agent is written', async () => {
		const before = stateOf(stage.home);
		await using client = await connected();
		await call(client, 'search_sessions', { query: 'pelicans' });
		await call(client, 'read_session', { session: second });
		await call(client, 'session_costs', {});
		expect(stateOf(stage.home)).toEqual(before);
	});
});

describe('the command', () => {
	it('ends with its client', async () => {
		const { code, out } = await stage.run(['mcp'], { input: '' });
		expect({ code, out }).toEqual({ code: 0, out: '' });
	});

	it('serves a session of Reprise itself', async () => {
		const config = JSON.stringify({ mcpServers: { me: { command: process.execPath, args: [bin, 'mcp'] } } });
		const use = {
			content: [{ type: 'tool_use' as const, name: 'mcp__me__search_sessions', input: { query: 'walrus' } }],
		};
		const args = ['--mcp-config', config, '--allowedTools', 'mcp__me', '--output-format', 'stream-json'];
		const { out } = await stage.run(['-p', 'go', '--script', stage.script([use, { text: 'ok' }]), ...args]);
		expect(out).toContain(`\\"session\\":\\"${first}`);
	});

	it.runIf(hasTerminals)('says on a terminal what it is for', async () => {
		await using terminal = new Terminal(stage, ['mcp']);
		await terminal.shows('is started by an MCP client');
		expect(await terminal.end()).toBe(2);
	});
});
