/** Where sessions are on each platform, and what is found there. */
import { describe, expect, it } from 'vitest';
import type { Folders, Machine } from '../../codec.ts';
import { clido } from '../index.ts';

const linux: Machine = { platform: 'linux', home: '/home/dev', env: {} };
const mac: Machine = { platform: 'darwin', home: '/Users/dev', env: {} };
const windows: Machine = { platform: 'win32', home: 'C:\\Users\\dev', env: {} };
const { places } = clido;

describe('roots', () => {
	it('follow the platform', () => {
		expect(places.roots(linux)).toEqual(['/home/dev/.local/share/clido/sessions']);
		expect(places.roots(mac)).toEqual(['/Users/dev/Library/Application Support/clido/sessions']);
		expect(places.roots(windows)).toEqual(['C:\\Users\\dev\\AppData\\Roaming\\clido\\data\\sessions']);
		expect(places.roots({ ...windows, env: { APPDATA: 'D:\\Roam' } })).toEqual(['D:\\Roam\\clido\\data\\sessions']);
	});

	it('follow the environment', () => {
		expect(places.roots({ ...linux, env: { XDG_DATA_HOME: '/xdg' } })).toEqual(['/xdg/clido/sessions']);
		expect(places.roots({ ...linux, env: { XDG_DATA_HOME: 'xdg' } })).toEqual([
			'/home/dev/.local/share/clido/sessions',
		]);
		expect(places.roots({ ...mac, env: { XDG_DATA_HOME: '/xdg', CLIDO_DATA_DIR: '' } })).toEqual([
			'/Users/dev/Library/Application Support/clido/sessions',
		]);
		expect(places.roots({ ...linux, env: { CLIDO_DATA_DIR: '/d', XDG_DATA_HOME: '/xdg' } })).toEqual(['/d/sessions']);
		expect(places.roots({ ...linux, env: { CLIDO_DATA_DIR: '/d', CLIDO_SESSION_DIR: '/s' } })).toEqual(['/s']);
	});
});

describe('sessions', () => {
	const disk = (files: readonly string[]): Folders => ({
		list(folder) {
			const inside = files.filter((file) => file.startsWith(`${folder}/`)).map((file) => file.slice(folder.length + 1));
			const names = new Set(inside.map((file) => file.split('/')[0] ?? ''));
			return [...names].map((name) => ({ name, folder: inside.some((file) => file.startsWith(`${name}/`)) }));
		},
		head: () => new Uint8Array(),
	});

	it('are found in folders of both rules, and in the shared one', () => {
		const folders = disk([
			'/d/sessions/_home_dev_app/one.jsonl',
			'/d/sessions/_home_dev_app/notes.txt',
			'/d/sessions/a3f8b2c1d4e5678f/two.jsonl',
			'/d/sessions/three.jsonl',
			'/d/sessions/x/y/deeper.jsonl',
			'/d/audit/_home_dev_app/audit.jsonl',
		]);
		const machine = { ...linux, env: { CLIDO_DATA_DIR: '/d' } };
		expect([...places.sessions(machine, folders)]).toEqual([
			{ path: '/d/sessions/_home_dev_app/one.jsonl', id: 'one' },
			{ path: '/d/sessions/a3f8b2c1d4e5678f/two.jsonl', id: 'two' },
			{ path: '/d/sessions/three.jsonl', id: 'three' },
		]);
		const shared = { ...linux, env: { CLIDO_SESSION_DIR: '/d/sessions' } };
		expect([...places.sessions(shared, folders)].map((found) => found.id)).toEqual(['three']);
	});

	it('have no side files', () => {
		expect(places.sideFiles('/d/sessions/x/a.jsonl', disk([]))).toEqual([]);
	});
});

describe('a new session', () => {
	const session = { id: '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11', cwd: '/home/user/projects/my-app' };

	it('is where the client looks: the path with an underscore for each separator', () => {
		expect(places.place(linux, session)).toBe(
			'/home/dev/.local/share/clido/sessions/_home_user_projects_my-app/3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11.jsonl',
		);
		expect(places.place({ ...linux, env: { CLIDO_SESSION_DIR: '/s' } }, session)).toBe(
			'/s/3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11.jsonl',
		);
		expect(places.place(windows, { id: 'a', cwd: 'C:\\work\\app' })).toBe(
			'C:\\Users\\dev\\AppData\\Roaming\\clido\\data\\sessions\\C__work_app\\a.jsonl',
		);
	});

	it('is where the document says: 16 hex digits of the hash of the path, an id without hyphens', () => {
		expect(places.place(linux, { ...session, profile: 'published' })).toBe(
			'/home/dev/.local/share/clido/sessions/b9703f12cc243e93/3f2b8a9e6f0e4c559d3d0c1f0d7d9a11.jsonl',
		);
	});

	it('never leaves the folder, whatever its id', () => {
		expect(places.place(linux, { id: '../../x', cwd: '/a' })).toEqual(
			expect.stringMatching(/^\/home\/dev\/\.local\/share\/clido\/sessions\/_a\/x-[0-9a-f]{8}\.jsonl$/),
		);
	});
});

describe('a session whose project moves', () => {
	it('goes where a new session of that folder would be put, however long its path is', () => {
		const id = '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11';
		for (const to of ['/home/dev/app', `/${'folder/'.repeat(60)}end`]) {
			const main = places.place(linux, { id, cwd: '/p' });
			expect(places.manage?.relink(main, to, linux, new Map()).path).toBe(places.place(linux, { id, cwd: to }));
		}
	});
});
