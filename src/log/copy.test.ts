/** A new file that begins like another has every byte of it, whatever the disk makes of that. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const disks = {
	'a disk that shares no blocks': { ...diskCalls, clone: async () => false },
	'a disk that takes a part of what it is given': {
		...diskCalls,
		clone: async () => false,
		write: (file, from, at, length, position) => diskCalls.write(file, from, at, Math.min(length, 5000), position),
	},
	'the real one': diskCalls,
} satisfies { readonly [name: string]: FileCalls };

const size = fc.oneof(fc.nat(9000), fc.constantFrom(4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 4097, 3_000_000));

it.each(Object.entries(disks))('every byte is there, on %s', async (_, calls) => {
	const from = join(folder, 'from');
	const source = Buffer.alloc(3_000_000, 'what somebody has said before, ');
	writeFileSync(from, source);
	let made = 0;
	await fc.assert(
		fc.asyncProperty(size, fc.nat(5000), async (length, more) => {
			made += 1;
			const to = join(folder, String(made));
			const pieces = Buffer.alloc(more, 'and since');
			await createFiles([{ to, pieces, beginning: { path: from, size: length } }], calls);
			expect(readFileSync(to).equals(Buffer.concat([source.subarray(0, length), pieces]))).toBe(true);
			rmSync(to);
		}),
		{ seed, numRuns: 25 },
	);
});

it('a full disk, or a source that has shrunk, leaves nothing', async () => {
	const from = join(folder, 'from');
	writeFileSync(from, Buffer.alloc(3_000_000, 'x'));
	const open = new Set<number>();
	const counting: FileCalls = {
		...diskCalls,
		clone: async () => false,
		open(path, flags, mode) {
			const file = diskCalls.open(path, flags, mode);
			open.add(file);
			return file;
		},
		close(file) {
			open.delete(file);
			diskCalls.close(file);
		},
	};
	const full: FileCalls = {
		...counting,
		write() {
			throw errno('ENOSPC');
		},
	};
	const plan = (size: number) => [{ to: join(folder, 'a'), pieces: [], beginning: { path: from, size } }];
	await expect(createFiles(plan(3_000_000), full)).rejects.toThrow(/disk is full/);
	await expect(createFiles(plan(3_000_001), counting)).rejects.toThrow(/became shorter/);
	expect(open.size).toBe(0);
	expect(readdirSync(folder)).toEqual(['from']);
});
