/** The laws of reading backwards. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { memorySource, type Source } from '../model/index.ts';
import { backwardLines } from './index.ts';

interface Found {
	readonly at: number;
	readonly text: string;
}

/** The lines as reading forward finds them. */
function forward(bytes: Uint8Array): Found[] {
	const lines: Found[] = [];
	for (let at = 0; at < bytes.length; ) {
		const newline = bytes.indexOf(10, at);
		const end = newline === -1 ? bytes.length : newline + 1;
		lines.push({ at, text: Buffer.from(bytes.subarray(at, end)).toString('latin1') });
		at = end;
	}
	return lines;
}

/** A source that counts what is read from it. */
function counting(bytes: Uint8Array): Source & { bytesRead: number; largestRead: number } {
	const source = {
		size: bytes.length,
		bytesRead: 0,
		largestRead: 0,
		read(at: number, length: number) {
			source.bytesRead += length;
			source.largestRead = Math.max(source.largestRead, length);
			return bytes.subarray(at, at + length);
		},
	};
	return source;
}

const windows = fc.record({ window: fc.integer({ min: 1, max: 50 }), maxWindow: fc.integer({ min: 1, max: 60 }) });
const lines = fc.oneof(
	fc
		.array(fc.constantFrom('\n', '\n', 'a', 'bc', '{"type":"x"}', '\r\n', 'y'.repeat(70)), { maxLength: 40 })
		.map((parts) => Buffer.from(parts.join(''))),
	fc.uint8Array({ maxLength: 300, max: 12 }),
);
const runs = { seed, numRuns: 3000 };

describe('reading backwards', () => {
	it('gives the lines of reading forward, in reverse', () => {
		fc.assert(
			fc.property(lines, windows, (bytes, options) => {
				const found = [...backwardLines(memorySource(bytes), options)].map((line) => ({
					at: line.at,
					text: Buffer.from(line.bytes()).toString('latin1'),
				}));
				expect(found.reverse()).toEqual(forward(bytes));
			}),
			runs,
		);
	});

	it('from a line on gives the lines before it', () => {
		fc.assert(
			fc.property(lines, fc.nat(20), windows, (bytes, count, options) => {
				const all = forward(bytes);
				const before = all.slice(0, count);
				const from = all[count]?.at ?? bytes.length;
				const found = [...backwardLines(memorySource(bytes), { ...options, from })].map((line) => line.at);
				expect(found.reverse()).toEqual(before.map((line) => line.at));
			}),
			runs,
		);
	});

	it('reads no more of a large file than the lines that are asked for', () => {
		const source = counting(Buffer.from(`{"type":"user","x":"${'y'.repeat(1000)}"}\n`.repeat(10_000)));
		const reading = backwardLines(source, { window: 4096 });
		for (let i = 0; i < 5; i += 1) reading.next();
		expect(source.bytesRead).toBeLessThan(20_000);
	});

	it('a last line of 100 MB is neither held nor read in one piece', () => {
		const bytes = Buffer.alloc(100_000_020, 'x');
		bytes.set(Buffer.from('{"type":"a"}\n{"x":"'));
		const source = counting(bytes);
		const reading = backwardLines(source, { maxWindow: 1 << 20 });
		const last = reading.next();
		expect(last.value).toMatchObject({ at: 13, length: 100_000_007 });
		expect(source.largestRead).toBe(1 << 20);
		const first = reading.next();
		expect(first.value).toMatchObject({ at: 0, length: 13 });
		expect(source.bytesRead).toBe(bytes.length);
		expect(last.done === false && last.value.bytes().length).toBe(100_000_007);
		expect(reading.next()).toEqual({ done: true, value: 0 });
	});

	it('stops when its budget is used up, and says how far it came', () => {
		const bytes = Buffer.from(`${'a'.repeat(5000)}\n${'b'.repeat(100)}\nc\n`);
		const reading = backwardLines(memorySource(bytes), { window: 64, maxWindow: 64, budget: 640 });
		expect(reading.next().value).toMatchObject({ at: 5102 });
		expect(reading.next().value).toMatchObject({ at: 5001 });
		expect(reading.next()).toEqual({ done: true, value: 5001 });
	});
});
