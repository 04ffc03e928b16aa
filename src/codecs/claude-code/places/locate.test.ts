/** Where sessions are, and their side files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { corpusRoot, readJson } from '../../../../test/support/corpus.ts';
import type { Folders, Machine } from '../../codec.ts';
import { claudeCode } from '../index.ts';

const { places } = claudeCode;

const disk: Folders = {
	list(folder) {
		try {
			return readdirSync(folder, { withFileTypes: true }).map((item) => ({
				name: item.name,
				folder: item.isDirectory(),
			}));
		} catch (error) {
			if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
			throw error;
		}
	},
	head: (path, length) => readFileSync(path).subarray(0, length),
};

const linux = (env: Machine['env'] = {}): Machine => ({ platform: 'linux', home: '/home/dev', env });
const scenario = (name: string): string => join(corpusRoot, 'claude-code', name);
const homeOf = (name: string): Machine => linux({ CLAUDE_CONFIG_DIR: join(scenario(name), 'home/.claude') });

test('the root follows CLAUDE_CONFIG_DIR, else the home folder, on every platform', () => {
	expect(places.roots(linux())).toEqual(['/home/dev/.claude/projects']);
	expect(places.roots(linux({ CLAUDE_CONFIG_DIR: '/x' }))).toEqual(['/x/projects']);
	expect(places.roots({ platform: 'darwin', home: '/Users/dev', env: {} })).toEqual(['/Users/dev/.claude/projects']);
	expect(places.roots({ platform: 'win32', home: 'C:\\Users\\dev', env: {} })).toEqual([
		'C:\\Users\\dev\\.claude\\projects',
	]);
});

test('a new session is placed in the folder that the client makes from the working directory', () => {
	const id = '07c9cd52-5a41-4c0e-9d0a-3b1f0a6a2c11';
	const place = (cwd: string) => places.place(linux(), { id, cwd });
	expect(place('/tmp/proj/My App_v1.2 (x)@é/日本-ü~+[a]')).toBe(
		`/home/dev/.claude/projects/-tmp-proj-My-App-v1-2--x-----------a-/${id}.jsonl`,
	);
	const long = readJson(join(scenario('2.1.325/slug-long'), 'scenario.json')) as { cwd: string };
	const folder = readdirSync(join(scenario('2.1.325/slug-long'), 'home/.claude/projects'))[0];
	expect(place(long.cwd)).toBe(`/home/dev/.claude/projects/${folder}/${id}.jsonl`);
});

test('the published slug replaces slashes only and keeps the leading dash', () => {
	const session = { id: 'x', cwd: '/Users/agutnikov/work/mtools.v2', profile: 'published' as const };
	expect(places.place(linux(), session)).toBe('/home/dev/.claude/projects/-Users-agutnikov-work-mtools.v2/x.jsonl');
});

test('main files are found, sub-agents and side files are not sessions', () => {
	for (const name of ['2.1.29/subagents', '2.1.325/subagents', '2.1.29/interactive-edit', '2.1.325/resume-fork']) {
		const { sessionIds } = readJson(join(scenario(name), 'scenario.json')) as { sessionIds: string[] };
		const found = [...places.sessions(homeOf(name), disk)].map((session) => session.id);
		expect(found.sort(), name).toEqual([...sessionIds].sort());
	}
	expect([...places.sessions(linux({ CLAUDE_CONFIG_DIR: '/nowhere' }), disk)]).toEqual([]);
});

test('sub-agents in the subagents folder come with their notes', () => {
	const [main] = [...places.sessions(homeOf('2.1.325/subagents'), disk)];
	const files = places.sideFiles(main?.path ?? '', disk);
	expect(files.filter((file) => file.role === 'subagent').map((file) => file.id)).toEqual([
		'a410877998864d05a',
		'ab055a33a277ef29c',
		'ae0875df7a3d05339',
	]);
	expect(files.filter((file) => file.role === 'subagent-meta')).toHaveLength(3);
});

test('a sub-agent beside the session belongs to the session that its lines name', () => {
	const machine = homeOf('generated/mixed-home-a');
	const owners = [...places.sessions(machine, disk)].filter((session) =>
		places.sideFiles(session.path, disk).some((file) => file.id === 'a4c7249'),
	);
	expect(owners).toHaveLength(1);
	const agent = join(owners[0]?.path ?? '', '../agent-a4c7249.jsonl');
	expect(readFileSync(agent, 'utf8')).toContain(`"sessionId":"${owners[0]?.id}"`);
});

test('copies of files that the agent changed belong to the session', () => {
	const [main] = [...places.sessions(homeOf('2.1.29/interactive-edit'), disk)];
	const files = places.sideFiles(main?.path ?? '', disk);
	expect(files.some((file) => file.role === 'backup' && /@v1$/.test(file.path))).toBe(true);
});

test('a file that is not in a client home has no side files elsewhere', () => {
	expect(places.sideFiles('/somewhere/x.jsonl', { list: () => [], head: () => new Uint8Array() })).toEqual([]);
});

test('a session that a stranger has called `..jsonl` owns nothing of others', () => {
	const home = '/home/dev/.claude';
	const items: { readonly [folder: string]: readonly string[] } = {
		[home]: ['projects/', 'tasks/', 'file-history/'],
		[`${home}/projects`]: ['-app/', '-other/'],
		[`${home}/projects/-app`]: ['..jsonl', '...jsonl', '.jsonl', 'mine.jsonl'],
		[`${home}/projects/-other`]: ['theirs.jsonl'],
		[`${home}/tasks`]: ['1.json'],
		[`${home}/file-history`]: ['a@v1'],
	};
	const folders: Folders = {
		list: (folder) =>
			(items[folder] ?? []).map((name) => ({ name: name.replace(/\/$/, ''), folder: name.endsWith('/') })),
		head: () => new Uint8Array(),
	};
	for (const name of ['..jsonl', '...jsonl', '.jsonl']) {
		const main = `${home}/projects/-app/${name}`;
		expect(places.manage?.belongings?.(main, folders)).toEqual([]);
		expect(places.sideFiles(main, folders)).toEqual([]);
	}
});

test('a folder beside a file that lies outside of the client home is not its own, whatever it is called', () => {
	const tree: { readonly [folder: string]: readonly string[] } = {
		'/home/dev/app': ['src/', 'subagents/'],
		'/home/dev/app/src': ['main.c'],
		'/home/dev/app/subagents': ['agent-a1.jsonl', 'notes.txt'],
	};
	const folders: Folders = {
		list: (folder) =>
			(tree[folder] ?? []).map((name) => ({ name: name.replace(/\/$/, ''), folder: name.endsWith('/') })),
		head: () => new Uint8Array(),
	};
	expect(places.manage?.belongings?.('/home/dev/app.jsonl', folders)).toEqual([]);
	expect(places.sideFiles('/home/dev/app.jsonl', folders).map(({ path }) => path)).toEqual([
		'/home/dev/app/subagents/agent-a1.jsonl',
	]);
});
