/** Finds every agent's sessions, on every platform, wherever environment variables point. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { corpusFiles, corpusRoot } from '../../../test/support/corpus.ts';
import type { Folders, Machine } from '../../codecs/index.ts';
import { identify } from '../reader/identify.ts';
import { discoverSessions, newestFirst } from './discover.ts';
import { diskFolders } from './folders.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-discover-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A disk that holds these files; the ones in `text` have content, databases their sessions. */
function disk(
	machine: Machine,
	files: readonly string[],
	text: { readonly [path: string]: string } = {},
	stored: { readonly [path: string]: readonly string[] } = {},
): Folders {
	const { sep } = machine.platform === 'win32' ? win32 : posix;
	const all = [...files, ...Object.keys(text), ...Object.keys(stored)];
	return {
		list(folder) {
			const start = folder.endsWith(sep) ? folder : folder + sep;
			const inside = all.filter((file) => file.startsWith(start)).map((file) => file.slice(start.length));
			const names = new Set(inside.map((file) => file.split(sep)[0] ?? ''));
			return [...names].map((name) => ({ name, folder: inside.some((file) => file.startsWith(name + sep)) }));
		},
		head: (path) => Buffer.from(text[path] ?? ''),
		stored: (path) => stored[path] ?? [],
	};
}

const linux: Machine = { platform: 'linux', home: '/home/dev', env: {} };
const mac: Machine = { platform: 'darwin', home: '/Users/dev', env: {} };
const windows: Machine = { platform: 'win32', home: 'C:\\Users\\dev', env: {} };
const on = (machine: Machine, env: Machine['env']): Machine => ({ ...machine, env });

const pi = '2026-11-15T18-27-07-374Z_one.jsonl';
const claw = 'one.jsonl';
const msg = 'one.messages.json';

/** A machine, an agent, and the one path on the machine where that agent keeps a session. */
const table: readonly (readonly [string, Machine, string, string])[] = [
	['linux', linux, 'claude-code', '/home/dev/.claude/projects/-home-dev-app/one.jsonl'],
	['macOS', mac, 'claude-code', '/Users/dev/.claude/projects/-Users-dev-app/one.jsonl'],
	['Windows', windows, 'claude-code', 'C:\\Users\\dev\\.claude\\projects\\C--work-app\\one.jsonl'],
	['CLAUDE_CONFIG_DIR', on(linux, { CLAUDE_CONFIG_DIR: '/c' }), 'claude-code', '/c/projects/-app/one.jsonl'],
	[
		'CLAUDE_CONFIG_DIR on Windows',
		on(windows, { CLAUDE_CONFIG_DIR: 'D:\\c' }),
		'claude-code',
		'D:\\c\\projects\\C--app\\one.jsonl',
	],
	['linux', linux, 'cline', `/home/dev/.cline/data/sessions/one/${msg}`],
	['macOS', mac, 'cline', `/Users/dev/.cline/data/sessions/one/${msg}`],
	['Windows', windows, 'cline', `C:\\Users\\dev\\.cline\\data\\sessions\\one\\${msg}`],
	['CLINE_DIR', on(linux, { CLINE_DIR: '/c' }), 'cline', `/c/data/sessions/one/${msg}`],
	['CLINE_DATA_DIR', on(mac, { CLINE_DATA_DIR: '/d', CLINE_DIR: '/c' }), 'cline', `/d/sessions/one/${msg}`],
	[
		'CLINE_SESSION_DATA_DIR',
		on(windows, { CLINE_SESSION_DATA_DIR: 'D:\\s', CLINE_DATA_DIR: 'D:\\d' }),
		'cline',
		`D:\\s\\one\\${msg}`,
	],
	[
		'VS Code',
		linux,
		'cline',
		'/home/dev/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/one/api_conversation_history.json',
	],
	[
		'VS Code on macOS',
		mac,
		'cline',
		'/Users/dev/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/one/api_conversation_history.json',
	],
	[
		'VS Code on Windows',
		on(windows, { APPDATA: 'D:\\R' }),
		'cline',
		'D:\\R\\Cursor\\User\\globalStorage\\saoudrizwan.claude-dev\\tasks\\one\\api_conversation_history.json',
	],
	['linux', linux, 'clido', '/home/dev/.local/share/clido/sessions/_home_dev_app/one.jsonl'],
	['macOS', mac, 'clido', '/Users/dev/Library/Application Support/clido/sessions/_Users_dev_app/one.jsonl'],
	['Windows', windows, 'clido', 'C:\\Users\\dev\\AppData\\Roaming\\clido\\data\\sessions\\C__app\\one.jsonl'],
	['APPDATA', on(windows, { APPDATA: 'D:\\R' }), 'clido', 'D:\\R\\clido\\data\\sessions\\C__app\\one.jsonl'],
	['XDG_DATA_HOME', on(linux, { XDG_DATA_HOME: '/x' }), 'clido', '/x/clido/sessions/_app/one.jsonl'],
	[
		'a relative XDG_DATA_HOME',
		on(linux, { XDG_DATA_HOME: 'x' }),
		'clido',
		'/home/dev/.local/share/clido/sessions/_app/one.jsonl',
	],
	['CLIDO_DATA_DIR', on(mac, { CLIDO_DATA_DIR: '/d' }), 'clido', '/d/sessions/_app/one.jsonl'],
	['CLIDO_SESSION_DIR', on(linux, { CLIDO_SESSION_DIR: '/s', CLIDO_DATA_DIR: '/d' }), 'clido', '/s/one.jsonl'],
	['linux', linux, 'pi', `/home/dev/.pi/agent/sessions/--home-dev-app--/${pi}`],
	['macOS', mac, 'pi', `/Users/dev/.pi/agent/sessions/--Users-dev-app--/${pi}`],
	['Windows', windows, 'pi', `C:\\Users\\dev\\.pi\\agent\\sessions\\--C--app--\\${pi}`],
	['before 0.31', linux, 'pi', `/home/dev/.pi/agent/sessions/${pi}`],
	['PI_CODING_AGENT_DIR', on(linux, { PI_CODING_AGENT_DIR: '~/p' }), 'pi', `/home/dev/p/sessions/--app--/${pi}`],
	['PI_CODING_AGENT_SESSION_DIR', on(mac, { PI_CODING_AGENT_SESSION_DIR: '/s' }), 'pi', `/s/${pi}`],
	['linux', linux, 'openclaw', `/home/dev/.openclaw/agents/main/sessions/${claw}`],
	['macOS', mac, 'openclaw', `/Users/dev/.openclaw/agents/main/sessions/${claw}`],
	['Windows', windows, 'openclaw', `C:\\Users\\dev\\.openclaw\\agents\\main\\sessions\\${claw}`],
	['OPENCLAW_STATE_DIR', on(linux, { OPENCLAW_STATE_DIR: '/o' }), 'openclaw', `/o/agents/main/sessions/${claw}`],
	['OPENCLAW_HOME', on(linux, { OPENCLAW_HOME: '/h' }), 'openclaw', `/h/.openclaw/agents/main/sessions/${claw}`],
	[
		'OPENCLAW_STATE_DIR below OPENCLAW_HOME',
		on(linux, { OPENCLAW_HOME: '/h', OPENCLAW_STATE_DIR: '~/o' }),
		'openclaw',
		`/h/o/agents/main/sessions/${claw}`,
	],
	['a profile', mac, 'openclaw', `/Users/dev/.openclaw-work/agents/main/sessions/${claw}`],
	['its old name', linux, 'openclaw', `/home/dev/.clawdbot/agents/main/sessions/${claw}`],
];

describe('session paths', () => {
	it.each(table)('%s: %# %s', (_, machine, agent, path) => {
		const found = [...discoverSessions(machine, disk(machine, [path]))];
		expect(found).toMatchObject([{ path, id: 'one', agent }]);
	});

	it('an empty variable counts as not set', () => {
		const names = ['CLAUDE_CONFIG_DIR', 'CLINE_DIR', 'CLIDO_DATA_DIR', 'PI_CODING_AGENT_DIR', 'OPENCLAW_STATE_DIR'];
		const empty = on(linux, Object.fromEntries(names.map((name) => [name, ''])));
		const paths = table.filter(([what]) => what === 'linux').map(([, , , path]) => path);
		expect([...discoverSessions(empty, disk(empty, paths))].map((found) => found.path).sort()).toEqual(
			[...paths].sort(),
		);
	});

	it('with every variable pointed at a folder nothing else is looked at', () => {
		const env = {
			CLAUDE_CONFIG_DIR: '/s/claude',
			CLINE_DIR: '/s/cline',
			CLIDO_DATA_DIR: '/s/clido',
			PI_CODING_AGENT_DIR: '/s/pi',
			OPENCLAW_STATE_DIR: '/s/claw',
		};
		const looked: string[] = [];
		const folders: Folders = {
			list: (folder) => {
				looked.push(folder);
				return [];
			},
			head: (path) => {
				looked.push(path);
				return new Uint8Array();
			},
		};
		expect([...discoverSessions({ platform: 'linux', home: '/s/home', env }, folders, { subagents: true })]).toEqual(
			[],
		);
		expect(looked.filter((path) => !path.startsWith('/s/'))).toEqual([]);
	});

	it('pi’s own setting of a session folder counts, unless the variable says otherwise', () => {
		const settings = { '/home/dev/.pi/agent/settings.json': '{"theme":"dark","sessionDir":"~/kept"}' };
		const paths = [`/home/dev/kept/${pi}`, `/v/${pi}`];
		const find = (machine: Machine): readonly string[] =>
			[...discoverSessions(machine, disk(machine, paths, settings))].map((found) => found.path);
		expect(find(linux)).toEqual([`/home/dev/kept/${pi}`]);
		expect(find(on(linux, { PI_CODING_AGENT_SESSION_DIR: '/v' }))).toEqual([`/v/${pi}`]);
	});

	it('two settings that lead to one folder find a session once', () => {
		const machine = on(linux, { PI_CODING_AGENT_SESSION_DIR: '/home/dev/.pi/agent/sessions/--app--' });
		const path = `/home/dev/.pi/agent/sessions/--app--/${pi}`;
		expect([...discoverSessions(machine, disk(machine, [path]))]).toHaveLength(1);
	});
});

describe('databases', () => {
	it('sessions in OpenClaw’s store are found under DB#SESSION', () => {
		const store = '/home/dev/.openclaw/agents/main/agent/openclaw-agent.sqlite';
		const found = [...discoverSessions(linux, disk(linux, [], {}, { [store]: ['a', 'b'] }))];
		expect(found).toEqual([
			{ path: `${store}#a`, id: 'a', agent: 'openclaw', format: 'openclaw' },
			{ path: `${store}#b`, id: 'b', agent: 'openclaw', format: 'openclaw' },
		]);
	});

	it('a real store is read, and a damaged one hides nobody else’s sessions', () => {
		const home = join(scratch, 'claw');
		cpSync(join(corpusRoot, 'openclaw/2026.9.6/text/home'), home, { recursive: true });
		const bad = join(home, '.openclaw/agents/bad/agent');
		mkdirSync(bad, { recursive: true });
		writeFileSync(join(bad, 'openclaw-agent.sqlite'), 'SQLite format 3\0 and then nothing of the kind');
		const found = [...discoverSessions({ platform: 'linux', home, env: {} })];
		expect(found.length).toBeGreaterThan(0);
		for (const { path, agent } of found) {
			expect(agent).toBe('openclaw');
			const known = identify(path);
			expect(known).toMatchObject({ ok: true, dialect: 'v4' });
			if (known.ok) known.source[Symbol.dispose]();
		}
	});
});

describe('sub-agents', () => {
	it('come on request, after their session, with its id', () => {
		const root = '/home/dev/.claude/projects/-app';
		const cline = '/home/dev/.cline/data/sessions/r';
		const folders = disk(linux, [
			`${root}/s1.jsonl`,
			`${root}/s1/subagents/agent-a1.jsonl`,
			`${root}/s1/subagents/agent-a1.meta.json`,
			`${cline}/r.messages.json`,
			`${cline}/agent_2.messages.json`,
		]);
		expect([...discoverSessions(linux, folders)].map((found) => found.id)).toEqual(['s1', 'r']);
		const all = [...discoverSessions(linux, folders, { subagents: true })];
		expect(all.map(({ id, parent }) => [id, parent])).toEqual([
			['s1', undefined],
			['a1', 's1'],
			['r', undefined],
			['agent_2', 'r'],
		]);
	});

	it('are found when their session is gone, and beside it when the client is old', () => {
		const root = '/home/dev/.claude/projects/-app';
		const folders = disk(linux, [`${root}/gone/subagents/agent-a1.jsonl`], {
			[`${root}/agent-b2.jsonl`]: '{"type":"user","sessionId":"old","isSidechain":true}\n',
		});
		const all = [...discoverSessions(linux, folders, { subagents: true })];
		expect(all.map(({ id, parent }) => [id, parent])).toEqual([
			['a1', 'gone'],
			['b2', 'old'],
		]);
		expect([...discoverSessions(linux, folders)]).toEqual([]);
	});
});

test('every main file of every recorded home is found, whatever the client’s own index says', () => {
	const homes = new Map<string, string[]>();
	for (const file of corpusFiles()) {
		const home = /^(.*\/home)\//.exec(file.path)?.[1];
		if (home === undefined || file.role !== 'main') continue;
		homes.set(home, [...(homes.get(home) ?? []), file.path]);
	}
	expect(homes.size).toBeGreaterThan(50);
	for (const [home, files] of homes) {
		const found = [...discoverSessions({ platform: 'linux', home, env: {} }, diskFolders)].map((one) => one.path);
		expect(found, home).toEqual(expect.arrayContaining(files));
	}
});

test('the newest session comes first, and one that vanished is left out', () => {
	const folder = mkdtempSync(join(scratch, 'dates-'));
	const make = (name: string): string => {
		const path = join(folder, name);
		writeFileSync(path, 'x');
		return path;
	};
	const found = (path: string) => ({ path, id: path, agent: 'clido', format: 'clido' }) as const;
	const paths = [make('a'), make('b'), join(folder, 'never')];
	const dated = newestFirst(paths.map(found));
	expect(dated.map((one) => one.size)).toEqual([1, 1]);
	expect((dated[0]?.mtimeMs ?? 0) >= (dated[1]?.mtimeMs ?? 0)).toBe(true);
});
