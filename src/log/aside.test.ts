/** What is written past the system's cache is what it would be through it, whatever the disk makes of that. */
import { constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { blockMemory } from './aside.ts';
import { createFiles } from './atomic.ts';
import { diskCalls, type FileCalls } from './calls.ts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'reprise-aside-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function errno(code: string): Error {
	return Object.assign(new Error(`${code}: injected`), { code });
}

/** A disk that does past its cache what `write` says, and counts what it is asked. */
function disk(write: FileCalls['write'], refused = false): { readonly calls: FileCalls; past(): number } {
	const past = new Set<number>();
	let asked = 0;
	return {
		past: () => asked,
		calls: {
			...diskCalls,
			open(path, flags, mode) {
				const direct = (flags & (constants.O_DIRECT ?? 0)) !== 0;
				if (direct && refused) throw errno('EINVAL');
				const file = diskCalls.open(path, direct ? constants.O_WRONLY : flags, mode);
				if (direct) past.add(file);
				return file;
			},
			close(file) {
				past.delete(file);
				diskCalls.close(file);
			},
			write(file, from, at, length) {
				if (!past.has(file)) return diskCalls.write(file, from, at, length);
				asked += 1;
				expect(length % 4096).toBe(0);
				return write(file, from, at, length);
			},
		},
	};
}

const size = fc.oneof(fc.nat(9000), fc.constantFrom(4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 4097, 3_000_000));
const disks = {
	'the real one': () => ({ calls: diskCalls }),
	'one that takes all': () => disk(diskCalls.write),
	'one that will not open it': () => disk(diskCalls.write, true),
	'one that refuses to write': () =>
		disk(() => {
			throw errno('EINVAL');
		}),
	'one that takes some blocks': () =>
		disk((file, from, at, length) => diskCalls.write(file, from, at, Math.min(length, 8192))),
	'one that takes a part of a block': () =>
		disk((file, from, at, length) => diskCalls.write(file, from, at, Math.min(length, 5000))),
} as const;

/** The same bytes, one after the other in the same memory. */
function* reused(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
	const memory = blockMemory();
	for (const piece of pieces) {
		for (let at = 0; at < piece.length; at += memory.length) {
			const part = piece.subarray(at, at + memory.length);
			memory.set(part);
			yield memory.subarray(0, part.length);
		}
	}
}

it.each(Object.entries(disks))('every byte is there, on %s', async (_, make) => {
	let made = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(size, { maxLength: 5 }), fc.boolean(), async (sizes, inBlocks) => {
			made += 1;
			const pieces = sizes.map((length, index) => Buffer.alloc(length, `piece ${index} of some `));
			const to = join(folder, String(made));
			await createFiles([{ to, pieces: inBlocks ? reused(pieces) : pieces, aside: true }], make().calls);
			expect(readFileSync(to).equals(Buffer.concat(pieces))).toBe(true);
		}),
		{ seed, numRuns: 25 },
	);
});

it.runIf(constants.O_DIRECT !== undefined)('whole blocks go past the cache', async () => {
	const { calls, past } = disk(diskCalls.write);
	await createFiles([{ to: join(folder, 'a'), pieces: Buffer.alloc(3_000_000, 'x'), aside: true }], calls);
	expect(past()).toBe(3);
	await createFiles([{ to: join(folder, 'b'), pieces: Buffer.alloc(3_000_000, 'x') }], calls);
	expect(past()).toBe(3);
	await createFiles([{ to: join(folder, 'c'), pieces: reused([Buffer.alloc(3_000_000, 'x')]), aside: true }], calls);
	expect(past()).toBe(6);
});

it.runIf(constants.O_DIRECT !== undefined)('a full disk leaves nothing', async () => {
	const { calls } = disk(() => {
		throw errno('ENOSPC');
	});
	const made = createFiles([{ to: join(folder, 'a'), pieces: Buffer.alloc(3_000_000, 'x'), aside: true }], calls);
	await expect(made).rejects.toThrow(/disk is full/);
	expect(readdirSync(folder)).toEqual([]);
});
