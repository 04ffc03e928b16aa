/** Where sessions are looked for and put, on each platform. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusRoot, readJson } from '../../../../test/support/corpus.ts';
import type { Folders, Machine } from '../../codec.ts';
import { locate } from './locate.ts';
import { manage } from './manage.ts';

const linux: Machine = { platform: 'linux', home: '/home/dev', env: {} };
const mac: Machine = { platform: 'darwin', home: '/Users/dev', env: {} };
const windows: Machine = { platform: 'win32', home: 'C:\\Users\\dev', env: {} };

const disk: Folders = {
	list(folder) {
		try {
			return readdirSync(folder, { withFileTypes: true }).map((item) => ({
				name: item.name,
				folder: item.isDirectory(),
			}));
		} catch {
			return [];
		}
	},
	head: (path, length) => (existsSync(path) ? readFileSync(path).subarray(0, length) : new Uint8Array()),
};

function folders(
	tree: { readonly [folder: string]: readonly string[] },
	heads: { readonly [path: string]: string } = {},
): Folders {
	return {
		list: (folder) => (tree[folder] ?? []).map((name) => ({ name, folder: `${folder}/${name}` in tree })),
		head: (path) => Buffer.from(heads[path] ?? ''),
	};
}

describe('roots', () => {
	test('by default they are in the home folder', () => {
		expect(locate.roots(linux)).toEqual(['/home/dev/.pi/agent/sessions', '/home/dev/.openclaw/agents']);
		expect(locate.roots(mac)).toEqual(['/Users/dev/.pi/agent/sessions', '/Users/dev/.openclaw/agents']);
		expect(locate.roots(windows)).toEqual([
			'C:\\Users\\dev\\.pi\\agent\\sessions',
			'C:\\Users\\dev\\.openclaw\\agents',
		]);
	});

	test('the variables of the clients move them', () => {
		const env = {
			PI_CODING_AGENT_DIR: '~/pi',
			PI_CODING_AGENT_SESSION_DIR: '/data/s',
			OPENCLAW_STATE_DIR: '/data/claw',
		};
		expect(locate.roots({ ...linux, env })).toEqual(['/data/s', '/home/dev/pi/sessions', '/data/claw/agents']);
	});
});

describe('sessions', () => {
	test('main files are found, traces and files set aside are not', () => {
		const pi = '/home/dev/.pi/agent/sessions';
		const claw = '/home/dev/.openclaw/agents';
		const found = locate.sessions(
			linux,
			folders(
				{
					[pi]: ['--home-dev-x--', '2025-12-01T00-00-00-000Z_old.jsonl'],
					[`${pi}/--home-dev-x--`]: [
						'2026-11-15T18-27-07-374Z_my_id.jsonl',
						'free-name.jsonl',
						'other.jsonl',
						'notes.txt',
					],
					[claw]: ['main'],
					[`${claw}/main`]: ['sessions'],
					[`${claw}/main/sessions`]: [
						'aaaa.jsonl',
						'bbbb-topic-7.jsonl',
						'aaaa.trajectory.jsonl',
						'aaaa.jsonl.lock',
						'cccc.jsonl.corrupt-1-2.jsonl',
						'sessions.json',
					],
				},
				{
					[`${pi}/--home-dev-x--/free-name.jsonl`]: '{"type":"session","id":"named"}\n',
					[`${pi}/--home-dev-x--/other.jsonl`]: '{}\n',
				},
			),
		);
		expect([...found]).toEqual([
			{ path: `${pi}/2025-12-01T00-00-00-000Z_old.jsonl`, id: 'old', agent: 'pi' },
			{ path: `${pi}/--home-dev-x--/2026-11-15T18-27-07-374Z_my_id.jsonl`, id: 'my_id', agent: 'pi' },
			{ path: `${pi}/--home-dev-x--/free-name.jsonl`, id: 'named', agent: 'pi' },
			{ path: `${claw}/main/sessions/aaaa.jsonl`, id: 'aaaa', agent: 'openclaw' },
			{ path: `${claw}/main/sessions/bbbb-topic-7.jsonl`, id: 'bbbb', agent: 'openclaw' },
		]);
	});

	test('the corpus is listed as its scenarios say', () => {
		for (const scenario of ['pi-0.73.1/rpc-fork', 'pi-0.87.1/resume', 'pi-0.30.2/text', '2026.7.1/resume']) {
			const folder = join(corpusRoot, 'openclaw', scenario);
			const expected = readJson(join(folder, 'scenario.json')) as { readonly sessionIds: readonly string[] };
			const found = [...locate.sessions({ platform: 'linux', home: join(folder, 'home'), env: {} }, disk)];
			expect(found.length, scenario).toBe(expected.sessionIds.length);
		}
	});

	test("OpenClaw's index and traces belong to a session, pi has no side files", () => {
		const file = join(
			corpusRoot,
			'openclaw/2026.7.1/text/home/.openclaw/agents/main/sessions/11111111-2222-4333-8444-555555555555.jsonl',
		);
		expect(
			locate
				.sideFiles(file, disk)
				.map((side) => side.role)
				.sort(),
		).toEqual(['index', 'trace', 'trace']);
		expect(locate.sideFiles('/home/dev/.pi/agent/sessions/--x--/a_b.jsonl', disk)).toEqual([]);
	});
});

describe('place', () => {
	test("the client's place is pi's folder of the project", () => {
		const session = { id: 'abc', cwd: '/home/dev/my.project/', created: '2026-11-15T18:27:07.374Z' };
		expect(locate.place(linux, session)).toBe(
			'/home/dev/.pi/agent/sessions/--home-dev-my.project--/2026-11-15T18-27-07-374Z_abc.jsonl',
		);
		expect(locate.place(windows, { ...session, cwd: 'C:\\work\\x' })).toBe(
			'C:\\Users\\dev\\.pi\\agent\\sessions\\--C--work-x--\\2026-11-15T18-27-07-374Z_abc.jsonl',
		);
	});

	test('a session folder of its own is used as it is', () => {
		const env = { PI_CODING_AGENT_SESSION_DIR: '/data/s' };
		const place = locate.place({ ...linux, env }, { id: 'abc', cwd: '/x', created: '2026-01-01T00:00:00.000Z' });
		expect(place).toBe('/data/s/2026-01-01T00-00-00-000Z_abc.jsonl');
	});

	test("the published place is OpenClaw's path of section 6", () => {
		const place = locate.place(linux, { id: 'abc', cwd: '/x', profile: 'published' });
		expect(place).toBe('/home/dev/.openclaw/agents/main/sessions/abc.jsonl');
	});

	test('an id cannot lead out of the folder', () => {
		const place = locate.place(linux, { id: '../../etc/passwd', cwd: '/x', profile: 'published' });
		expect(place).toMatch(/^\/home\/dev\/\.openclaw\/agents\/main\/sessions\/etc-passwd-[0-9a-f]{8}\.jsonl$/);
	});
});

test('a session of pi whose project moves goes where a new one would be put, however long the path is', () => {
	const session = { id: '22222222-2222-4222-8222-222222222222', created: '2026-01-01T00:00:00.000Z' };
	for (const to of ['/home/dev/app', `/${'folder/'.repeat(60)}end`]) {
		const main = locate.place(linux, { ...session, cwd: '/p' });
		expect(manage.relink(main, to, linux, new Map()).path).toBe(locate.place(linux, { ...session, cwd: to }));
	}
});

test('of the lines in a folder that is called like a session, only sessions are its sub-agents', () => {
	const tree = {
		'/home/dev/w': ['data.jsonl', 'data'],
		'/home/dev/w/data': ['agent.jsonl', 'set1.jsonl', 'notes.txt'],
	};
	const heads = {
		'/home/dev/w/data/agent.jsonl': '{"type":"session","version":3,"id":"a1"}\n',
		'/home/dev/w/data/set1.jsonl': '{"x":1}\n',
	};
	const found = locate.sideFiles?.('/home/dev/w/data.jsonl', folders(tree, heads));
	expect(found?.map(({ path }) => path)).toEqual(['/home/dev/w/data/agent.jsonl']);
});
