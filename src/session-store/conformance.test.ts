/** Every adapter passes the kit, PostgreSQL included; and the kit finds stores that are careless. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startPostgres, whyNoPostgres } from '../../test/support/postgres-server.ts';
import { filesStore } from './adapters/files.ts';
import { memoryStore } from './adapters/memory.ts';
import { postgresStore } from './adapters/postgres.ts';
import { sqliteStore } from './adapters/sqlite.ts';
import { type StoreBench, storeConformance } from './conformance.ts';
import type { ExactStore, SessionKey, SessionStore, SessionStoreEntry } from './contract.ts';

const scratch = (): string => mkdtempSync(join(tmpdir(), 'reprise-store-'));

function onDisk(open: (folder: string) => ExactStore): () => Promise<StoreBench> {
	return async () => {
		const folder = scratch();
		const [store, other] = [open(folder), open(folder)];
		const close = async (): Promise<void> => {
			await Promise.all([store.close(), other.close()]);
			rmSync(folder, { recursive: true });
		};
		return { store, other, close };
	};
}

const benches: { readonly [name: string]: () => Promise<StoreBench> } = {
	memory: async () => {
		const store = memoryStore();
		return { store, other: store, close: () => store.close() };
	},
	files: onDisk(filesStore),
	sqlite: onDisk((folder) => sqliteStore(join(folder, 'deep', 'sessions.db'))),
};

for (const [name, open] of Object.entries(benches)) {
	describe(`${name} store`, () => {
		for (const check of storeConformance(open)) it(check.name, check.run);
	});
}

describe.skipIf(whyNoPostgres !== undefined)(`PostgreSQL store ${whyNoPostgres ?? ''}`, () => {
	const server = startPostgres();
	afterAll(async () => (await server).stop());
	let benches = 0;
	const open = async (): Promise<StoreBench> => {
		const { url } = await server;
		benches += 1;
		const schema = `bench "${benches}"`;
		const [store, other] = [postgresStore(url, { schema }), postgresStore(url, { schema })];
		return { store, other, close: async () => void (await Promise.all([store.close(), other.close()])) };
	};
	for (const check of storeConformance(open)) it(check.name, check.run);
});

describe('the kit', () => {
	/** The checks that a store fails. */
	async function failed(change: (store: ExactStore) => Partial<SessionStore>): Promise<readonly string[]> {
		const open = async (): Promise<StoreBench> => {
			const whole = memoryStore();
			const { append, load, listSessions, listSubkeys } = whole;
			const store = { append, load, listSessions, listSubkeys, delete: whole.delete, ...change(whole) };
			return { store, other: store, close: () => whole.close() };
		};
		const names: string[] = [];
		for (const { name, run } of storeConformance(open)) await run().catch(() => names.push(name));
		return names;
	}

	it('passes a store that has no more than the contract asks for', async () => {
		expect(await failed(() => ({}))).toEqual([]);
	});

	it('finds a store that keeps what is sent again', async () => {
		const names = await failed((store) => ({
			append: (key, entries) =>
				store.appendLines(
					key,
					entries.map((entry) => ({ text: JSON.stringify(entry) })),
				),
		}));
		expect(names).toContain('a batch that is sent again is stored once');
		expect(names).toContain('the same batch from two writers at once is stored once');
	});

	it('finds a store whose uuids are unique among all keys', async () => {
		const seen = new Set<string>();
		const names = await failed((store) => ({
			append: (key, entries) =>
				store.append(
					key,
					entries.filter(({ uuid = `${Math.random()}` }) => !seen.has(uuid) && seen.add(uuid)),
				),
		}));
		expect(names).toContain('the same uuid under another key is another entry');
	});

	it('finds a store that sorts keys, and one that gives its own list away', async () => {
		const sorted = (entry: SessionStoreEntry): SessionStoreEntry =>
			Object.fromEntries(Object.entries(entry).sort()) as SessionStoreEntry;
		expect(await failed((store) => ({ append: (key, entries) => store.append(key, entries.map(sorted)) }))).toContain(
			'entries are what they were, key for key',
		);
		const names = await failed(() => {
			const lists = new Map<string, SessionStoreEntry[]>();
			const listOf = (key: object): SessionStoreEntry[] | undefined => lists.get(JSON.stringify(key));
			return {
				append: async (key, entries) => void lists.set(JSON.stringify(key), [...(listOf(key) ?? []), ...entries]),
				load: async (key) => listOf(key) ?? null,
			};
		});
		expect(names).toContain('an append of nothing makes no key');
		expect(names).toContain('what a caller changes afterwards changes nothing here');
	});

	it('finds a store that deletes too little or too much', async () => {
		const cascade = 'a deleted session is gone with all that belongs to it, and nothing else is';
		expect(await failed(() => ({ delete: async () => undefined }))).toContain(cascade);
		expect(
			await failed((store) => ({ delete: ({ projectKey, sessionId }) => store.delete({ projectKey, sessionId }) })),
		).toContain('a deleted subpath leaves the rest of its session');
	});

	/** A store that asks its database with patterns: for sub-keys, or for sessions. */
	async function failedBy(fits: (name: string, asked: string) => boolean, what: 'subkeys' | 'sessions') {
		return await failed((store) => {
			const keys: SessionKey[] = [];
			const found = (of: (key: SessionKey) => boolean): readonly SessionKey[] => [
				...new Map(keys.filter(of).map((key) => [JSON.stringify(key), key])).values(),
			];
			const append: SessionStore['append'] = async (key, entries) => {
				await store.append(key, entries);
				if (entries.length > 0) keys.push({ ...key });
			};
			const listSubkeys: SessionStore['listSubkeys'] = async ({ projectKey, sessionId }) =>
				found((key) => key.projectKey === projectKey && fits(key.sessionId, sessionId)).flatMap(
					({ subpath }) => subpath ?? [],
				);
			const listSessions: SessionStore['listSessions'] = async (projectKey) =>
				found((key) => key.subpath === undefined && fits(key.projectKey, projectKey)).map(({ sessionId }) => ({
					...{ sessionId, mtime: Date.now() },
				}));
			return what === 'subkeys' ? { append, listSubkeys } : { append, listSessions };
		});
	}
	const like = (pattern: string): RegExp =>
		new RegExp(
			`^${[...pattern].map((sign) => (sign === '%' ? '.*' : sign === '_' ? '.' : sign.replace(/\W/, '\\$&'))).join('')}$`,
			'su',
		);

	it.each([
		['begins with the one that is asked for', (name: string, asked: string) => name.startsWith(asked)],
		['is LIKE it', (name: string, asked: string) => like(asked).test(name)],
		['is LIKE it and more', (name: string, asked: string) => like(`${asked}%`).test(name)],
	])('finds a store that lists what is under another name, where that %s', async (_, fits) => {
		const sessions = 'a list is of exactly its project, whatever others are called';
		const subkeys = 'subkeys are of exactly their session, whatever others are called';
		expect(await failedBy(fits, 'sessions')).toContain(sessions);
		expect(await failedBy(fits, 'subkeys')).toContain(subkeys);
		const exact = (name: string, asked: string): boolean => name === asked;
		expect(await failedBy(exact, 'sessions')).not.toContain(sessions);
		expect(await failedBy(exact, 'subkeys')).not.toContain(subkeys);
	});
});
