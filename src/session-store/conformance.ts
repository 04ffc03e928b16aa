/** What a SessionStore must do, as checks for any test runner: the contract's rules and those that it only recommends. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { onBenches, type ConformanceCheck as StoreCheck } from '../log/conformance.ts';
import { alikeNames, awkwardEntries, awkwardLines, awkwardNames, unwrittenNames } from './conformance-values.ts';
import type { ExactStore, SessionKey, SessionStore, SessionStoreEntry } from './contract.ts';

export type { StoreCheck };

/** An empty place for sessions. */
export interface StoreBench {
	/** Any store of the contract. Of what it leaves out (listing, deleting) nothing is checked; of ours also the exact text. */
	readonly store: SessionStore | ExactStore;
	/** The same sessions as another process would open them. It may be `store` itself. */
	readonly other: SessionStore | ExactStore;
	/** Called after the check, whether it passed or not. */
	close(): Promise<void>;
}

/** All checks: `for (const check of storeConformance(open)) it(check.name, check.run)`. */
export function storeConformance(open: () => Promise<StoreBench>): readonly StoreCheck[] {
	return onBenches(checks, open);
}

type Checks = { readonly [name: string]: (bench: StoreBench) => Promise<void> };

const key: SessionKey = { projectKey: '-home-dev-shed', sessionId: '11111111-1111-4111-8111-111111111111' };
const agent: SessionKey = { ...key, subpath: 'subagents/agent-a1' };
const session = { projectKey: key.projectKey, sessionId: key.sessionId };

/** Entries that tell their writer and number; with a uuid unless it is left out. */
const entry = (n: number, writer = 'a'): SessionStoreEntry => ({ type: 'user', uuid: `${writer}-${n}`, n, writer });
const entries = (from: number, to: number, writer = 'a'): SessionStoreEntry[] =>
	Array.from({ length: to - from }, (_, index) => entry(from + index, writer));
const plain = (n: number): SessionStoreEntry => ({ type: 'mode', n });

const loaded = async (store: SessionStore, of: SessionKey = key): Promise<SessionStoreEntry[]> => {
	const found = await store.load(of);
	ok(found !== null, 'the key exists');
	return found;
};
const ids = async (store: SessionStore, project = key.projectKey): Promise<readonly string[] | undefined> =>
	(await store.listSessions?.(project))?.map(({ sessionId }) => sessionId);
const isExact = (store: SessionStore): store is ExactStore => 'appendLines' in store && 'loadLines' in store;

const order: Checks = {
	'a key that was never written is null': async ({ store }) => {
		equal(await store.load(key), null);
		equal(await store.load(agent), null);
	},
	'entries come back in the order of the appends, also to others': async ({ store, other }) => {
		await store.append(key, entries(0, 3));
		await other.append(key, entries(3, 5));
		await store.append(key, entries(5, 300));
		deepEqual(await loaded(store), entries(0, 300));
		deepEqual(await loaded(other), entries(0, 300));
	},
	'calls that nobody waited for keep their order': async ({ store }) => {
		await Promise.all(Array.from({ length: 30 }, (_, n) => store.append(key, [entry(2 * n), entry(2 * n + 1)])));
		deepEqual(await loaded(store), entries(0, 60));
	},
	'an append of nothing makes no key': async ({ store }) => {
		await store.append(key, []);
		await store.append(agent, []);
		equal(await store.load(key), null);
		deepEqual((await ids(store)) ?? [], []);
		deepEqual((await store.listSubkeys?.(session)) ?? [], []);
	},
	'projects, sessions and subpaths are apart': async ({ store }) => {
		const keys = [key, agent, { ...key, projectKey: 'x' }, { ...key, sessionId: 'x' }, { ...agent, subpath: 'a/b/c' }];
		for (const [n, one] of keys.entries()) await store.append(one, [entry(n)]);
		for (const [n, one] of keys.entries()) deepEqual(await loaded(store, one), [entry(n)]);
	},
	'names may hold any sign': async ({ store }) => {
		const keys = awkwardNames.flatMap((name) => [
			{ ...key, sessionId: name },
			{ ...key, projectKey: name },
			{ ...key, subpath: name },
		]);
		for (const [n, one] of keys.entries()) await store.append(one, [entry(n)]);
		for (const [n, one] of keys.entries()) deepEqual(await loaded(store, one), [entry(n)], JSON.stringify(one));
		if (store.listSubkeys) deepEqual((await store.listSubkeys(session)).sort(), [...awkwardNames].sort());
		if (store.listSessions) deepEqual([...((await ids(store)) ?? [])].sort(), [...awkwardNames].sort());
	},
};

const values: Checks = {
	'entries are what they were, key for key': async ({ store, other }) => {
		await store.append(key, awkwardEntries());
		deepEqual(
			(await loaded(other)).map((one) => JSON.stringify(one)),
			awkwardEntries().map((one) => JSON.stringify(one)),
		);
	},
	'the exact text of a line is kept': async ({ store, other }) => {
		if (!isExact(store) || !isExact(other)) return;
		await store.appendLines(
			key,
			awkwardLines.map((text) => ({ text })),
		);
		deepEqual(await other.loadLines(key), awkwardLines);
	},
	'an entry of megabytes, and a thousand at once': async ({ store }) => {
		const large = { ...entry(0), text: 'x…\u{1f6e0}"\\'.repeat(300_000) };
		await store.append(key, [large]);
		await store.append(key, entries(1, 1001));
		const found = await loaded(store);
		equal(found.length, 1001);
		// A comparison that fails would print all of it.
		ok(JSON.stringify(found[0]) === JSON.stringify(large), 'the large entry is what it was');
	},
	'what a caller changes afterwards changes nothing here': async ({ store }) => {
		const given = entries(0, 2);
		const done = store.append(key, given);
		given.push(entry(9));
		await done;
		(given[0] as SessionStoreEntry).type = 'changed';
		const first = await loaded(store);
		first.pop();
		(first[0] as SessionStoreEntry).type = 'changed';
		deepEqual(await loaded(store), entries(0, 2));
	},
};

const retries: Checks = {
	'a batch that is sent again is stored once': async ({ store, other }) => {
		await store.append(key, entries(0, 5));
		await store.append(key, entries(0, 5));
		await other.append(key, entries(3, 8));
		deepEqual(await loaded(store), entries(0, 8));
	},
	'a uuid twice in a batch is stored once, the first': async ({ store }) => {
		await store.append(key, [entry(0), entry(1), { ...entry(0), n: 7 }]);
		deepEqual(await loaded(store), entries(0, 2));
	},
	'the same uuid under another key is another entry': async ({ store }) => {
		const fork = { ...key, sessionId: 'fork' };
		for (const one of [key, agent, fork]) await store.append(one, entries(0, 2));
		for (const one of [key, agent, fork]) deepEqual(await loaded(store, one), entries(0, 2));
	},
	'entries without a uuid are stored each time, in their place': async ({ store }) => {
		await store.append(key, [plain(1), entry(1), plain(1)]);
		await store.append(key, [plain(1), entry(1), plain(2)]);
		deepEqual(await loaded(store), [plain(1), entry(1), plain(1), plain(1), plain(2)]);
	},
	'a line with an id is stored once, whatever it says': async ({ store, other }) => {
		if (!isExact(store) || !isExact(other)) return;
		const lines = ['{"type":"mode"}', '{"type":"mode"}'].map((text, n) => ({ text, id: `#${n}` }));
		await store.appendLines(key, lines);
		await other.appendLines(key, lines);
		await store.appendLines(key, [...lines, { text: '{"type":"tag"}', id: '#2' }]);
		deepEqual(await store.loadLines(key), ['{"type":"mode"}', '{"type":"mode"}', '{"type":"tag"}']);
	},
};

const sizes: Checks = {
	'what is held grows with every entry that has an id, and with nothing else': async ({ store, other }) => {
		if (!isExact(store) || !isExact(other) || !store.sizes || !other.sizes) return;
		const held = async (): Promise<readonly number[]> =>
			(await other.sizes?.([agent, key, { ...key, sessionId: 'x' }])) ?? [];
		deepEqual(await held(), [0, 0, 0]);
		await store.append(key, entries(0, 3));
		await store.append(agent, entries(0, 1));
		const before = await held();
		ok((before[0] ?? 0) > 0 && (before[1] ?? 0) > (before[0] ?? 0), `each of its own: ${before}`);
		equal(before[2], 0);
		await store.append(key, entries(1, 3));
		deepEqual(await held(), before);
		await store.append(key, entries(2, 4));
		ok(((await held())[1] ?? 0) > (before[1] ?? 0), 'one more entry is more');
		await store.delete(key);
		deepEqual(await held(), [0, 0, 0]);
	},
};

const writers: Checks = {
	'of writers at once none loses an entry or its order': async ({ store, other }) => {
		const write = async (to: SessionStore, name: string): Promise<void> => {
			for (let n = 0; n < 60; n += 3) await to.append(key, entries(n, n + 3, name));
		};
		await Promise.all([write(store, 'a'), write(other, 'b'), write(store, 'c')]);
		const found = await loaded(store);
		equal(found.length, 180);
		for (const name of ['a', 'b', 'c'])
			deepEqual(
				found.filter(({ writer }) => writer === name),
				entries(0, 60, name),
			);
	},
	'the same batch from two writers at once is stored once': async ({ store, other }) => {
		for (let n = 0; n < 40; n += 4)
			await Promise.all([store, other, store, other].map((one) => one.append(key, entries(n, n + 4))));
		deepEqual(await loaded(store), entries(0, 40));
	},
};

const listing: Checks = {
	'a list has main transcripts only, each with its time, the newest first': async ({ store, other }) => {
		if (!store.listSessions) return;
		const before = Date.now() - 120_000;
		await store.append({ ...key, sessionId: 'only-agent', subpath: 'subagents/agent-x' }, [entry(0)]);
		for (const id of ['one', 'two', 'three']) {
			await store.append({ ...key, sessionId: id }, [entry(0)]);
			await pause(15);
		}
		await other.append({ ...key, sessionId: 'one' }, [entry(1)]);
		await store.append({ ...key, projectKey: 'elsewhere', sessionId: 'four' }, [entry(0)]);
		deepEqual(await ids(store), ['one', 'three', 'two']);
		for (const { mtime } of await store.listSessions(key.projectKey))
			ok(Number.isInteger(mtime) && mtime > before && mtime > 1e12, `whole milliseconds, not ${mtime}`);
		deepEqual(await store.listSessions('nobody'), []);
	},
	'a list goes by when lines were written, where that is told, but never back and not ahead of now': async ({
		store,
		other,
	}) => {
		if (!isExact(store) || !isExact(other)) return;
		const at = async (sessionId: string): Promise<number> =>
			(await other.listSessions(key.projectKey)).find((one) => one.sessionId === sessionId)?.mtime ?? 0;
		const append = async (sessionId: string, n: number, written?: number): Promise<void> =>
			await store.appendLines({ ...key, sessionId }, [{ text: `{"type":"mode","n":${n}}`, id: `#${n}` }], written);
		await append('old', 0, 1_700_000_002_000.75);
		await append('older', 0, 1_700_000_001_000);
		deepEqual(await ids(store), ['old', 'older']);
		deepEqual([await at('old'), await at('older')], [1_700_000_002_000, 1_700_000_001_000]);
		await append('older', 1, 1_600_000_000_000);
		equal(await at('older'), 1_700_000_001_000);
		await append('older', 2);
		ok((await at('older')) > 1_700_000_002_000, 'what is stored without a time is stored now');
		await append('ahead', 0, Date.now() + 1e9);
		ok((await at('ahead')) <= Date.now() + 60_000, 'no session is of tomorrow');
	},
	'summaries belong to the sessions of the list, and hold what was said last': async ({ store, other }) => {
		if (!store.listSessionSummaries) return;
		const title = (customTitle: string): SessionStoreEntry => ({ type: 'custom-title', customTitle });
		await store.append(key, [
			{ type: 'user', uuid: 'u', cwd: '/shed', message: { role: 'user', content: 'Paint it' } },
		]);
		await other.append(key, [title('first')]);
		await store.append(key, [title('last')]);
		await store.append(agent, [title('of an agent')]);
		const [found, ...more] = await store.listSessionSummaries(key.projectKey);
		equal(more.length, 0);
		const { customTitle, firstPrompt, cwd } = found?.data ?? {};
		deepEqual([found?.sessionId, customTitle, firstPrompt, cwd], [key.sessionId, 'last', 'Paint it', '/shed']);
		deepEqual(await store.listSessions?.(key.projectKey), [{ sessionId: key.sessionId, mtime: found?.mtime }]);
	},
	'subkeys are those of the session, without the main transcript': async ({ store }) => {
		if (!store.listSubkeys) return;
		const given = ['subagents/agent-b', 'subagents/agent-a1', 'subagents/deep/agent-c'];
		await store.append(key, [entry(0)]);
		for (const subpath of given) await store.append({ ...key, subpath }, [entry(0)]);
		await store.append({ ...agent, sessionId: 'another' }, [entry(0)]);
		deepEqual([...(await store.listSubkeys(session))].sort(), [...given].sort());
		deepEqual(await store.listSubkeys({ ...session, sessionId: 'nobody' }), []);
	},
	'a list is of exactly its project, whatever others are called': async ({ store }) => {
		for (const [n, projectKey] of alikeNames.entries())
			await store.append({ projectKey, sessionId: `of ${projectKey}` }, [entry(n)]);
		for (const projectKey of [...alikeNames, ...unwrittenNames]) {
			const own = alikeNames.includes(projectKey) ? [`of ${projectKey}`] : [];
			const summaries = await store.listSessionSummaries?.(projectKey);
			deepEqual((await ids(store, projectKey)) ?? own, own);
			deepEqual(summaries?.map(({ sessionId }) => sessionId) ?? own, own);
		}
	},
	'subkeys are of exactly their session, whatever others are called': async ({ store }) => {
		if (!store.listSubkeys) return;
		const near = alikeNames.map((sessionId) => ({ ...session, sessionId }));
		const all = [...near, ...alikeNames.map((projectKey) => ({ ...session, projectKey }))];
		for (const [n, one] of all.entries()) await store.append({ ...one, subpath: `subagents/agent-${n}` }, [entry(n)]);
		for (const [n, one] of all.entries()) deepEqual(await store.listSubkeys(one), [`subagents/agent-${n}`]);
		for (const sessionId of unwrittenNames) deepEqual(await store.listSubkeys({ ...session, sessionId }), []);
	},
};

const deleting: Checks = {
	'a deleted session is gone with all that belongs to it, and nothing else is': async ({ store, other }) => {
		if (!store.delete) return;
		const others = [
			{ ...key, sessionId: `${key.sessionId}2` },
			{ ...key, projectKey: 'x' },
		];
		for (const one of [key, agent, ...others]) await store.append(one, entries(0, 2));
		await store.delete(key);
		equal(await other.load(key), null);
		equal(await other.load(agent), null);
		deepEqual((await other.listSubkeys?.(session)) ?? [], []);
		ok(!((await ids(other)) ?? []).includes(key.sessionId));
		for (const one of others) deepEqual(await loaded(other, one), entries(0, 2));
	},
	'a deleted subpath leaves the rest of its session': async ({ store }) => {
		if (!store.delete) return;
		const sibling = { ...key, subpath: 'subagents/agent-a12' };
		for (const one of [key, agent, sibling]) await store.append(one, entries(0, 2));
		await store.delete(agent);
		equal(await store.load(agent), null);
		for (const one of [key, sibling]) deepEqual(await loaded(store, one), entries(0, 2));
	},
	'what never was can be deleted, and what was deleted can be written again': async ({ store, other }) => {
		if (!store.delete) return;
		await store.delete(key);
		await store.delete(agent);
		await store.append(key, entries(0, 3));
		await other.append(key, entries(3, 4));
		await store.delete(key);
		await other.append(key, entries(0, 2));
		await store.append(key, entries(1, 3));
		deepEqual(await loaded(store), entries(0, 3));
	},
};

const checks: Checks = { ...order, ...values, ...retries, ...sizes, ...writers, ...listing, ...deleting };
