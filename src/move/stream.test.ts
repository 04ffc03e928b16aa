/** Writing piece by piece: marks become what they stand for, and what was begun and not finished leaves nothing behind. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { Scratch } from '../../test/support/sessions.ts';
import type { Loss } from '../model/index.ts';
import { Cuts } from '../store/cuts.ts';
import { convertFile } from './files.ts';
import { LossList } from './losses.ts';
import { expanded } from './stream-expand.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());
const machine = {
	platform: 'linux',
	home: scratch.folder,
	env: { REPRISE_HOME: join(scratch.folder, 'own') },
} as const;

function bytesOf(pieces: Iterable<string | Uint8Array>, cuts: Cuts): string {
	const parts: Buffer[] = [];
	for (const part of expanded(pieces, cuts)) parts.push(Buffer.from(part));
	return Buffer.concat(parts).toString('utf8');
}

describe('expanding', () => {
	it('puts a text in its place, however often it has been put into JSON since', () => {
		const path = join(scratch.folder, 'texts');
		let asked = 0;
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', maxLength: 60 }),
				fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }),
				fc.integer({ min: 0, max: 4 }),
				(head, rest, depth) => {
					asked += 1;
					const raw = JSON.stringify(rest).slice(1, -1);
					const file = `${path}${asked}`;
					writeFileSync(file, `before${raw}after`);
					using cuts = new Cuts();
					const place = (6).toString(16).padStart(10, '0') + Buffer.byteLength(raw).toString(16).padStart(8, '0');
					const cut = `${head}${cuts.add(file)}${place}`;
					expect(cuts.whole(`${cut} and ${cut}`)).toBe(`${head}${rest} and ${head}${rest}`);
					let written: string = cut;
					let wanted: string = head + rest;
					for (let level = 0; level < depth; level += 1) {
						written = JSON.stringify({ text: written });
						wanted = JSON.stringify({ text: wanted });
					}
					expect(bytesOf([written, Buffer.from(written)], cuts)).toBe(wanted + wanted);
				},
			),
			{ seed, numRuns: 60 },
		);
	});

	it('takes texts that are longer than any memory it keeps', () => {
		const path = join(scratch.folder, 'long');
		const rest = 'x\\n'.repeat(400_000);
		writeFileSync(path, rest);
		using cuts = new Cuts();
		const mark = `${cuts.add(path)}${'0'.repeat(10)}${rest.length.toString(16).padStart(8, '0')}`;
		const line = JSON.stringify({ a: mark, b: 'é'.repeat(500_000) });
		expect(bytesOf([line], cuts)).toBe(`{"a":"${rest}","b":"${'é'.repeat(500_000)}"}`);
	});

	it('says that a file became shorter instead of writing something else', () => {
		const path = join(scratch.folder, 'short');
		writeFileSync(path, 'abc');
		using cuts = new Cuts();
		const mark = `${cuts.add(path)}${'0'.repeat(10)}${(9).toString(16).padStart(8, '0')}`;
		expect(() => bytesOf([JSON.stringify(mark)], cuts)).toThrow(/became shorter/);
	});
});

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
