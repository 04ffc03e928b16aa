/** A store in a folder takes every name, as the others do. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import { filesStore } from './files.ts';

const scratch = scratchPerTest();
const line = { type: 'user', uuid: 'one' };

it('names that are too long for the disk are kept, listed and deleted as others are', async () => {
	const store = filesStore(join(scratch.root, 'store'));
	const names = ['é'.repeat(60), 'é'.repeat(61), 'x'.repeat(5000), 'x'.repeat(249), 'short'];
	const [long = ''] = names;
	for (const sessionId of names) {
		const key = { projectKey: long, sessionId };
		await store.append(key, [line]);
		await store.append({ ...key, subpath: `subagents/agent-${long}/${long}` }, [line]);
	}
	const other = filesStore(join(scratch.root, 'store'));
	const listed = async (): Promise<readonly string[]> =>
		(await other.listSessions(long)).map(({ sessionId }) => sessionId).sort();
	expect(await listed()).toEqual([...names].sort());
	for (const sessionId of names) {
		const key = { projectKey: long, sessionId };
		expect(await other.load(key)).toEqual([line]);
		expect(await other.listSubkeys(key)).toEqual([`subagents/agent-${long}/${long}`]);
		expect(await other.load({ ...key, subpath: `subagents/agent-${long}/${long}` })).toEqual([line]);
	}
	for (const sessionId of names) await other.delete({ projectKey: long, sessionId });
	expect(await listed()).toEqual([]);
	const left = readdirSync(join(scratch.root, 'store', '.reprise', 'names'), { recursive: true, encoding: 'utf8' });
	expect(left.filter((path) => basename(path).endsWith('.name'))).toEqual([]);
	await Promise.all([store.close(), other.close()]);
});
