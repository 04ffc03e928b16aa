/** What is copied past the system's cache is what it would be through it, whatever the disk makes of that. */
import { constants, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { createFiles } from './atomic.ts';
import { diskCalls, type FileCalls } from './calls.ts';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'reprise-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function errno(code: string): Error {
	return Object.assign(new Error(`${code}: injected`), { code });
}

/** A disk that shares no blocks, does past its cache what `write` says, and counts what it is asked. */
function disk(
	write: FileCalls['write'],
	refused = false,
): { readonly calls: FileCalls; past(): number; open(): number } {
	const open = new Set<number>();
	const past = new Set<number>();
	let asked = 0;
	return {
		past: () => asked,
		open: () => open.size,
		calls: {
			...diskCalls,
			clone: async () => false,
			open(path, flags, mode) {
				const direct = (flags & (constants.O_DIRECT ?? 0)) !== 0;
				if (direct && refused) throw errno('EINVAL');
				const file = diskCalls.open(path, direct ? constants.O_WRONLY : flags, mode);
				open.add(file);
				if (direct) past.add(file);
				return file;
			},
			close(file) {
				open.delete(file);
				past.delete(file);
				diskCalls.close(file);
			},
			write(file, from, at, length, position) {
				if (!past.has(file)) return diskCalls.write(file, from, at, length, position);
				asked += 1;
				expect(length % 4096).toBe(0);
				return write(file, from, at, length);
			},
		},
	};
}

const refusing = () => {
	throw errno('EINVAL');
};
const disks = {
	'one that takes all': () => disk(diskCalls.write),
	'one that will not open it': () => disk(diskCalls.write, true),
	'one that refuses to write': () => disk(refusing),
	'one that takes some blocks': () =>
		disk((file, from, at, length) => diskCalls.write(file, from, at, Math.min(length, 8192))),
	'one that takes a part of a block': () =>
		disk((file, from, at, length) => diskCalls.write(file, from, at, Math.min(length, 5000))),
	'the real one, without shared blocks': () => ({
		calls: { ...diskCalls, clone: async () => false },
		open: () => 0,
	}),
	'the real one': () => ({ calls: diskCalls, open: () => 0 }),
} as const;

const size = fc.oneof(fc.nat(9000), fc.constantFrom(4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 4097, 3_000_000));

it.each(Object.entries(disks))('every byte is there, on %s', async (_, make) => {
	const from = join(folder, 'from');
	const source = Buffer.alloc(3_000_000, 'what somebody has said before, ');
	writeFileSync(from, source);
	let made = 0;
	await fc.assert(
		fc.asyncProperty(size, fc.nat(5000), async (length, more) => {
			made += 1;
			const to = join(folder, String(made));
			const { calls, open } = make();
			const pieces = Buffer.alloc(more, 'and since');
			await createFiles([{ to, pieces, beginning: { path: from, size: length } }], calls);
			expect(readFileSync(to).equals(Buffer.concat([source.subarray(0, length), pieces]))).toBe(true);
			expect(open()).toBe(0);
			rmSync(to);
		}),
		{ seed, numRuns: 25 },
	);
});

it.runIf(constants.O_DIRECT !== undefined)('whole blocks go past the cache', async () => {
	const from = join(folder, 'from');
	writeFileSync(from, Buffer.alloc(3_000_000, 'x'));
	const { calls, past } = disk(diskCalls.write);
	await createFiles([{ to: join(folder, 'a'), pieces: [], beginning: { path: from, size: 3_000_000 } }], calls);
	expect(past()).toBe(3);
	await createFiles([{ to: join(folder, 'b'), pieces: Buffer.alloc(3_000_000, 'x') }], calls);
	expect(past()).toBe(3);
});

it.runIf(constants.O_DIRECT !== undefined)('a full disk, or a source that has shrunk, leaves nothing', async () => {
	const from = join(folder, 'from');
	writeFileSync(from, Buffer.alloc(3_000_000, 'x'));
	const full = disk(() => {
		throw errno('ENOSPC');
	});
	const plan = (size: number) => [{ to: join(folder, 'a'), pieces: [], beginning: { path: from, size } }];
	await expect(createFiles(plan(3_000_000), full.calls)).rejects.toThrow(/disk is full/);
	const usual = disk(diskCalls.write);
	await expect(createFiles(plan(3_000_001), usual.calls)).rejects.toThrow(/became shorter/);
	expect([full.open(), usual.open()]).toEqual([0, 0]);
	expect(readdirSync(folder)).toEqual(['from']);
});
