/** Writing piece by piece: unfinished work leaves nothing behind. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Scratch } from '../../test/support/sessions.ts';
import type { Loss } from '../model/index.ts';
import { convertFile } from './files.ts';
import { LossList } from './losses.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());
const machine = {
	platform: 'linux',
	home: scratch.folder,
	env: { REPRISE_HOME: join(scratch.folder, 'own') },
} as const;

/** A session that takes a while: 24 MB of one user talking. */
function talk(name: string): string {
	const path = join(scratch.folder, name);
	const line = (n: number) =>
		JSON.stringify({
			parentUuid: n === 0 ? null : id(n - 1),
			isSidechain: false,
			sessionId: '11111111-1111-4111-8111-111111111111',
			cwd: '/p',
			version: '2.1.29',
			type: n % 2 === 0 ? 'user' : 'assistant',
			message:
				n % 2 === 0
					? { role: 'user', content: 'said '.repeat(1000) }
					: { id: `msg_${n}`, role: 'assistant', model: 'm', content: [{ type: 'text', text: 'done '.repeat(1000) }] },
			uuid: id(n),
			timestamp: new Date(1_700_000_000_000 + n * 1000).toISOString(),
		});
	writeFileSync(path, Array.from({ length: 4500 }, (_, n) => `${line(n)}\n`).join(''));
	return path;
}

const id = (n: number) => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`;

describe('a conversion', () => {
	const path = talk('talk.jsonl');

	it('that is stopped leaves nothing behind', async () => {
		const folder = join(scratch.folder, 'stopped');
		const stop = new AbortController();
		const told: string[] = [];
		const done = convertFile(path, {
			to: 'openclaw',
			out: join(folder, 'out.jsonl'),
			machine,
			signal: stop.signal,
			progress(doing, share) {
				told.push(doing);
				expect(share).toBeGreaterThan(0);
				stop.abort();
			},
		});
		const error: unknown = await done.catch((reason: unknown) => reason);
		expect(error).toBe(stop.signal.reason);
		expect(told).toEqual(['writing']);
		expect(readdirSync(folder)).toEqual([]);
	});

	it('that is not stopped tells how far it is', async () => {
		const told = new Map<string, number>();
		const made = await convertFile(path, {
			to: 'clido',
			out: join(scratch.folder, 'told.jsonl'),
			machine,
			progress: (doing, share) => void told.set(doing, share),
		});
		expect(made.how).toBe('converted');
		expect(told.get('writing')).toBeGreaterThan(0.5);
	});
});

describe('losses', () => {
	it('of a kind are listed up to a thousand, and counted beyond', () => {
		const list = new LossList();
		const loss = (entry: number, path: string, note: string): Loss => ({
			entry: `e${entry}`,
			path,
			how: 'dropped',
			note,
		});
		for (let n = 0; n < 2500; n += 1) list.push(loss(n, `content[${n % 3}]`, `the call toolu_${n} is gone`));
		list.push(loss(1, 'time', 'no time'), { ...loss(1, 'time', 'no time'), how: 'invented' });
		const told = list.told();
		expect(told).toHaveLength(1002);
		expect(told[999]).toMatchObject({ entry: 'e999', more: 1500 });
		expect(told.filter((one) => one.more !== undefined)).toHaveLength(1);
		expect(told.map((one) => one.entry).slice(0, 999)).toEqual(Array.from({ length: 999 }, (_, n) => `e${n}`));
	});
});
