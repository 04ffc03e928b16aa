/** Laws of finding: where sessions are on each platform, and what belongs to one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { corpusFiles, readJson } from '../../../../test/support/corpus.ts';
import type { Folders, Machine } from '../../codec.ts';
import { cline } from '../index.ts';

const machine = (env: Machine['env'] = {}, platform: Machine['platform'] = 'linux', home = '/home/dev'): Machine => ({
	platform,
	home,
	env,
});

/** The real disk, as codecs see it. */
const disk: Folders = {
	list: (folder) => {
		try {
			return readdirSync(folder, { withFileTypes: true }).map((item) => ({
				name: item.name,
				folder: item.isDirectory(),
			}));
		} catch {
			return [];
		}
	},
	head: () => new Uint8Array(),
};

describe('locate', () => {
	test('each variable replaces its level of the path', () => {
		const root = (env: Machine['env']) => cline.places.roots(machine(env)).slice(0, 1);
		expect(root({})).toEqual(['/home/dev/.cline/data/sessions']);
		expect(root({ CLINE_DIR: '/c' })).toEqual(['/c/data/sessions']);
		expect(root({ CLINE_DIR: '/c', CLINE_DATA_DIR: '/d' })).toEqual(['/d/sessions']);
		expect(root({ CLINE_DATA_DIR: '/d', CLINE_SESSION_DATA_DIR: ' /s ' })).toEqual(['/s']);
		expect(root({ CLINE_DIR: '  ' })).toEqual(['/home/dev/.cline/data/sessions']);
	});

	test('every platform has its own separators', () => {
		const windows = machine({}, 'win32', 'C:\\Users\\dev');
		const path = 'C:\\Users\\dev\\.cline\\data\\sessions\\a\\a.messages.json';
		expect(cline.places.place(windows, { id: 'a', cwd: 'C:\\x' })).toBe(path);
		expect(cline.places.place(machine({}, 'darwin', '/Users/dev'), { id: 'a', cwd: '/x', profile: 'published' })).toBe(
			'/Users/dev/.cline/data/sessions/a/a.messages.json',
		);
		const folders: Folders = { ...disk, list: () => [{ name: 'a.json', folder: false }] };
		expect(cline.places.sideFiles(path, folders)).toEqual([
			{ path: path.replace('.messages.json', '.json'), role: 'manifest' },
		]);
	});

	test('in every recorded home exactly its sessions are found', () => {
		for (const folder of new Set(corpusFiles('cline').map((file) => file.folder))) {
			const { sessionIds } = readJson(join(folder, 'scenario.json')) as { sessionIds: string[] };
			const home = machine({}, 'linux', join(folder, 'home'));
			expect(
				[...cline.places.sessions(home, disk)].map((one) => one.id),
				folder,
			).toEqual(sessionIds);
		}
	});

	test('manifest, sidecar, sub-agents and team tasks are side files', () => {
		const side = (scenario: string) => {
			const file = corpusFiles('cline').find((one) => one.scenario === scenario && one.role === 'main');
			return cline.places
				.sideFiles(file?.path ?? '', disk)
				.map(({ role, id }) => (id === undefined ? role : `${role} ${id}`));
		};
		expect(side('text')).toEqual(['manifest']);
		expect([...side('compaction')].sort()).toEqual(['compaction', 'manifest']);
		expect([...side('subagent')].sort()).toEqual(['manifest', 'subagent agent_1794766729170_xbiyk5']);
		expect([...side('team')].sort()).toEqual(['manifest', 'subagent reviewer__LRNYH2']);
	});

	test('a sub-agent has no side files of its own, nor has another kind of file', () => {
		const child = corpusFiles('cline').find((one) => one.role === 'subagent');
		expect(cline.places.sideFiles(child?.path ?? '', disk)).toEqual([]);
		expect(cline.places.sideFiles('/x/y.jsonl', disk)).toEqual([]);
	});

	test('folders without messages and files beside them are no sessions', () => {
		const names: { [folder: string]: string[] } = { '/s': ['a', 'b'], '/s/a': ['a.json'], '/s/b': ['b.messages.json'] };
		const folders: Folders = {
			...disk,
			list: (folder) => (names[folder] ?? []).map((name) => ({ name, folder: !name.includes('.') })),
		};
		expect([...cline.places.sessions(machine({ CLINE_SESSION_DATA_DIR: '/s' }), folders)]).toEqual([
			{ path: '/s/b/b.messages.json', id: 'b' },
		]);
	});
});

test('what lies around a file belongs to it only where the client would have put it', () => {
	const around: { readonly [folder: string]: readonly string[] } = Object.fromEntries(
		['/home/dev/Downloads', '/home/dev/app', '/data/sessions/app', '/data/tasks/1'].map((folder) => [
			folder,
			['other.pdf'],
		]),
	);
	const folders: Folders = {
		...disk,
		list: (folder) => (around[folder] ?? []).map((name) => ({ name, folder: false })),
	};
	const belongings = (main: string) => cline.places.manage?.belongings?.(main, folders);
	expect(belongings('/home/dev/Downloads/api_conversation_history.json')).toEqual([]);
	expect(belongings('/home/dev/app/app.messages.json')).toEqual([]);
	expect(belongings('/data/sessions/app/other.messages.json')).toEqual([]);
	expect(belongings('/data/sessions/app/app.messages.json')).toEqual(['/data/sessions/app/other.pdf']);
	expect(belongings('/data/tasks/1/api_conversation_history.json')).toEqual(['/data/tasks/1/other.pdf']);
});
