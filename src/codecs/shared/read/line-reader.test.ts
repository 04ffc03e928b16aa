/** Laws of splitting bytes into lines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Line } from './line.ts';
import { lineReader } from './line-reader.ts';

const copied = (line: Line) => ({ ...line, bytes: Buffer.from(line.bytes).toString('latin1') });

function linesOf(chunks: readonly Uint8Array[]): readonly unknown[] {
	const reader = lineReader();
	const lines: unknown[] = [];
	const visit = (line: Line) => lines.push(copied(line));
	for (const chunk of chunks) {
		const reused = Buffer.from(chunk);
		reader.push(reused, visit);
		reused.fill(0x21); // the caller reads the next piece into the same memory
	}
	reader.end(visit);
	return lines;
}

const text = fc
	.array(fc.constantFrom('{"a":1}', '{"a":"x', '"}', '\n', '\n', '\r\n', '\ufeff', ' ', 'é'), { maxLength: 30 })
	.map((parts) => Buffer.from(parts.join('')));

describe('a reader of lines', () => {
	it('gives the same lines however the bytes come, in whatever memory', () => {
		fc.assert(
			fc.property(text, fc.array(fc.nat(60), { maxLength: 8 }), (bytes, cuts) => {
				const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
				const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
				expect(linesOf(chunks)).toEqual(linesOf([bytes]));
			}),
			{ numRuns: 2000 },
		);
	});

	it('goes on with a line after its first part was read as the end', () => {
		const reader = lineReader();
		const seen: unknown[] = [];
		const visit = (line: Line) => seen.push(line.value ?? line.flaws);
		reader.push(Buffer.from('{"a":1}\n{"a"'), visit);
		reader.end(visit);
		reader.end(visit);
		expect(reader.position()).toEqual({ at: 8, line: 2, index: 1 });
		reader.push(Buffer.from(':2}\n'), visit);
		expect(seen).toEqual([{ a: 1 }, ['torn'], ['torn'], { a: 2 }]);
	});

	it('holds a line of any length', () => {
		const long = Buffer.from(`{"a":"${'x'.repeat(20_000_000)}"}\n{"a":"y"}\n`);
		const lengths: number[] = [];
		const reader = lineReader();
		for (let at = 0; at < long.length; at += 1 << 18) {
			reader.push(long.subarray(at, at + (1 << 18)), (line) => lengths.push(String(line.value?.a).length));
		}
		expect(lengths).toEqual([20_000_000, 1]);
	});
});
