/** The SDK's session functions over the sessions of all four formats, on disk and in a store. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codecs } from '../src/codecs/index.ts';
import {
	deleteSession,
	type ExactStore,
	forkSession,
	getSessionInfo,
	getSessionMessages,
	getSubagentMessages,
	importSessionToStore,
	listSessions,
	listSubagents,
	memoryStore,
	projectKeyOf,
	renameSession,
	tagSession,
	transcriptBytes,
} from '../src/session-store/index.ts';
import { discoverSessions } from '../src/store/find/discover.ts';
import { thisMachine } from '../src/store/find/folders.ts';
import { openSession } from '../src/store/reader/session-reader.ts';

const samples = join(import.meta.dirname, '../samples');
const home = mkdtempSync(join(tmpdir(), 'reprise-functions-'));
const cwd = '/home/dev/notes';
const ids = new Map<string, string>();
const idOf = (format: string): string =>
	`0c1a3000-5e55-4000-8000-0000000${codecs.findIndex(({ id }) => id === format)}abcd`;

beforeAll(async () => {
	for (const name of ['CLAUDE_CONFIG_DIR', 'XDG_DATA_HOME', 'CLINE_DATA_DIR', 'PI_CODING_AGENT_DIR'])
		vi.stubEnv(name, undefined);
	vi.stubEnv('HOME', home);
	vi.stubEnv('REPRISE_HOME', join(home, 'own'));
	for (const { id: format, places } of codecs) {
		const named = join(samples, `${format}${places.ending}`);
		const sample = existsSync(named) ? named : join(samples, `${format}.jsonl`);
		const id = (await openSession(sample)).header.id ?? idOf(format);
		const to = places.place(thisMachine(), { id, cwd, created: '2026-03-02T09:00:00.000Z' });
		ids.set(format, id);
		mkdirSync(dirname(to), { recursive: true });
		cpSync(sample, to);
		const manifest = to.replace('.messages.json', '.json');
		if (manifest !== to) cpSync(join(samples, `${format}.json`), manifest);
	}
});
afterAll(() => {
	vi.unstubAllEnvs();
	rmSync(home, { recursive: true, force: true });
});

const found = async (format: string): Promise<string> =>
	(await listSessions()).find(({ sessionId }) => sessionId === ids.get(format))?.sessionId ?? '';

/** The project under which a session was imported, and what it is called there. */
async function imported(sessionId: string): Promise<{ readonly store: ExactStore; readonly id: string }> {
	const store = memoryStore();
	await importSessionToStore(sessionId, store);
	await importSessionToStore(sessionId, store);
	const [one] = await store.listSessions(projectKeyOf(cwd));
	return { store, id: one?.sessionId ?? '' };
}

it('annotations are read once for a list; where they cannot be, that is told, and the sessions are listed without them', async () => {
	const marks = join(home, 'own', 'marks.json');
	mkdirSync(dirname(marks), { recursive: true });
	writeFileSync(marks, '{"torn');
	try {
		const warned: string[] = [];
		expect(await listSessions({ warn: (message) => warned.push(message) })).toHaveLength(codecs.length);
		expect(warned).toHaveLength(1);
		expect(warned[0]).toContain(marks);
		expect(await getSessionInfo(ids.get('clido') ?? '')).toMatchObject({ sessionId: ids.get('clido') });
	} finally {
		rmSync(marks);
	}
});

describe.each(codecs.map(({ id }) => id))('%s', (format) => {
	it('is listed, told and read alike from its file and from a store', async () => {
		const sessionId = await found(format);
		const info = await getSessionInfo(sessionId);
		expect(info).toMatchObject({ sessionId, cwd, summary: expect.stringMatching(/\S/) });
		expect(Number.isInteger(info?.lastModified)).toBe(true);
		const messages = await getSessionMessages(sessionId);
		expect(messages.length).toBeGreaterThan(2);
		expect(messages[0]).toMatchObject({ type: 'user', message: { role: 'user' } });
		expect(await getSessionMessages(sessionId, { offset: 1, limit: 1 })).toEqual(messages.slice(1, 2));

		const { store, id } = await imported(sessionId);
		const place = { dir: cwd, sessionStore: store };
		const stored = await getSessionMessages(id, place);
		expect(stored.map(({ uuid, message }) => ({ uuid, message }))).toEqual(
			messages.map(({ uuid, message }) => ({ uuid, message })),
		);
		const { sessionId: _, lastModified: __, fileSize: ___, ...said } = info ?? ({} as never);
		expect(said).toMatchObject({
			agent: format === 'openclaw' ? 'pi' : format,
			customTitle: expect.stringMatching(/\S/),
		});
		expect(await listSessions(place)).toMatchObject([{ ...said, sessionId: id }]);
		expect(await getSessionInfo(id, place)).toMatchObject({ ...said, sessionId: id });
	});

	it('gets another title and a tag, in its file and in a store', async () => {
		const sessionId = await found(format);
		await renameSession(sessionId, ' Paint the shed ');
		await tagSession(sessionId, 'later');
		expect(await getSessionInfo(sessionId)).toMatchObject({ customTitle: 'Paint the shed', tag: 'later' });
		expect((await listSessions({ dir: cwd })).find((one) => one.sessionId === sessionId)?.tag).toBe('later');
		await tagSession(sessionId, null);
		expect(await getSessionInfo(sessionId)).not.toHaveProperty('tag');

		const { store, id } = await imported(sessionId);
		const place = { dir: cwd, sessionStore: store };
		await tagSession(id, 'kept', place);
		expect((await getSessionInfo(id, place))?.tag).toBe('kept');
		await renameSession(id, 'In the store', place);
		const told = { customTitle: 'In the store', summary: 'In the store', tag: 'kept', cwd };
		expect(await getSessionInfo(id, place)).toMatchObject(told);
		expect(await listSessions(place)).toMatchObject([told]);
		await tagSession(id, null, place);
		expect(await getSessionInfo(id, place)).not.toHaveProperty('tag');
		expect((await getSessionMessages(id, place)).length).toBeGreaterThan(2);
	});

	it('is its file, byte for byte, in a store in which it got a title and a tag; those are lines only where the format is the SDK’s', async () => {
		const sessionId = await found(format);
		const { store, id } = await imported(sessionId);
		const key = { projectKey: projectKeyOf(cwd), sessionId: id };
		const before = (await store.loadLines(key)) ?? [];
		const place = { dir: cwd, sessionStore: store };
		await renameSession(id, 'In the store', place);
		await tagSession(id, 'kept', place);
		const after = (await store.loadLines(key)) ?? [];
		expect(after.length).toBe(before.length + 2);
		const file = readFileSync([...discoverSessions()].find((one) => one.id === sessionId)?.path ?? '');
		const lines = after.slice(-2).map((line) => `${line}\n`);
		const isSdks = lines[0]?.startsWith('{"type":"custom-title"') === true;
		expect(isSdks).toBe(format === 'claude-code');
		const wanted = Buffer.concat([file, ...(isSdks ? lines.map((line) => Buffer.from(line)) : [])]);
		expect(Buffer.from(transcriptBytes(after)).equals(wanted)).toBe(true);
		expect(await getSessionInfo(id, place)).toMatchObject({ customTitle: 'In the store', tag: 'kept' });
	});

	it('is forked and deleted, and the other stays', async () => {
		const sessionId = await found(format);
		const before = await getSessionMessages(sessionId);
		const fork = await forkSession(sessionId, { title: 'A copy' });
		expect((await getSessionInfo(fork.sessionId))?.customTitle).toBe('A copy');
		expect((await getSessionMessages(fork.sessionId)).length).toBe(before.length);
		await deleteSession(fork.sessionId);
		expect(await getSessionInfo(fork.sessionId)).toBeUndefined();
		expect(await getSessionMessages(fork.sessionId)).toEqual([]);
		expect(await getSessionMessages(sessionId)).toEqual(before);
		await expect(deleteSession(fork.sessionId)).rejects.toThrow('not found');
		expect(await listSubagents(sessionId)).toEqual([]);
		expect(await getSubagentMessages(sessionId, 'nobody')).toEqual([]);
	});
});

describe('a store', () => {
	const key = { projectKey: projectKeyOf(cwd), sessionId: 's' };
	const place = (sessionStore: ExactStore) => ({ dir: cwd, sessionStore });
	const said = (uuid: string, parentUuid: string | null, more: object = {}) => ({
		type: 'user',
		uuid,
		parentUuid,
		isSidechain: false,
		sessionId: 's',
		cwd,
		version: '2.1.29',
		timestamp: '2026-03-02T09:00:00.000Z',
		message: { role: 'user', content: `word ${uuid}` },
		...more,
	});

	it('a fork has ids of its own, says where it is from, and ends where it was asked to', async () => {
		const store = memoryStore();
		await store.append(key, [said('a', null), said('b', 'a'), said('c', 'b'), { type: 'tag', tag: 'old' }]);
		const { sessionId } = await forkSession('s', { ...place(store), upToMessageId: 'b' });
		const [first, second, title, ...more] = (await store.load({ ...key, sessionId })) ?? [];
		expect(more).toEqual([]);
		expect(first).toMatchObject({ parentUuid: null, sessionId, forkedFrom: { sessionId: 's', messageUuid: 'a' } });
		expect(second?.parentUuid).toBe(first?.uuid);
		expect(['a', 'b']).not.toContain(second?.uuid);
		expect(title).toMatchObject({ type: 'custom-title', customTitle: 'word a (fork)' });
		await expect(forkSession('s', { ...place(store), upToMessageId: 'x' })).rejects.toThrow('has no x');
		await expect(forkSession('nobody', place(store))).rejects.toThrow('no messages');
	});

	it('sub-agents are read by their ids, and go with their session', async () => {
		const store = memoryStore();
		const agent = { ...key, subpath: 'subagents/agent-a1' };
		await store.append(key, [said('a', null)]);
		await store.append(agent, [
			said('x', null, { isSidechain: true, agentId: 'a1' }),
			{ type: 'agent_metadata', agentType: 'explore' },
		]);
		expect(await listSubagents('s', place(store))).toEqual(['a1']);
		expect((await getSubagentMessages('s', 'a1', place(store))).map(({ uuid }) => uuid)).toEqual(['x']);
		// One whose id ends as another's whole name does, whichever the store lists first.
		for (const id of ['x-agent-a1', 'a2', 'x-agent-a2'])
			await store.append({ ...key, subpath: `subagents/agent-${id}` }, [said(`of ${id}`, null)]);
		for (const reversed of [false, true]) {
			const listed = await store.listSubkeys(key);
			const sessionStore = {
				...place(store).sessionStore,
				listSubkeys: async () => (reversed ? listed.reverse() : listed),
			};
			for (const [id, uuid] of [
				['a1', 'x'],
				['a2', 'of a2'],
				['x-agent-a2', 'of x-agent-a2'],
			] as const) {
				const said = await getSubagentMessages('s', id, { ...place(store), sessionStore });
				expect(said.map((one) => one.uuid)).toEqual([uuid]);
			}
		}
		await deleteSession('s', place(store));
		expect(await listSubagents('s', place(store))).toEqual([]);
	});
});
