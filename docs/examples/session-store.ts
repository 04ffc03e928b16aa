/** Sessions kept elsewhere: a store for the Agent SDK's `sessionStore`, proved by checks that a store of your own passes, too. */
import {
	getSessionInfo,
	getSessionMessages,
	memoryStore,
	projectKeyOf,
	renameSession,
	type StoreBench,
	storeConformance,
} from 'reprise/session-store';

// postgresStore('postgres://…'), sqliteStore('sessions.db') and filesStore('folder') are used in the same way.
await using store = memoryStore();
const key = { projectKey: projectKeyOf('/home/dev/shed'), sessionId: '11111111-1111-4111-8111-111111111111' };
const prompt = {
	type: 'user',
	uuid: 'first',
	parentUuid: null,
	sessionId: key.sessionId,
	timestamp: '2026-03-02T09:00:00.000Z',
	message: { role: 'user', content: 'Paint the shed' },
};
await store.append(key, [prompt]);
await store.append(key, [prompt]); // sent again: it is stored once

const place = { dir: '/home/dev/shed', sessionStore: store };
await renameSession(key.sessionId, 'The shed', place);
console.log((await getSessionInfo(key.sessionId, place))?.summary);
console.log(`${(await getSessionMessages(key.sessionId, place)).length} message`);

const open = async (): Promise<StoreBench> => {
	const bench = memoryStore();
	return { store: bench, other: bench, close: () => bench.close() };
};
let passed = 0;
for (const check of storeConformance(open)) {
	await check.run();
	passed += 1;
}
console.log(`${passed} checks passed`);
