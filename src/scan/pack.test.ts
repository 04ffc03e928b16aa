/** Values that were copied together are those of the lines. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { memorySource } from '../model/index.ts';
import { doubtFlags } from './flags.ts';
import { type ScannedLines, valueBytes } from './lines.ts';
import { planPaths } from './plan.ts';
import { createScanner, type Scanner } from './scanner.ts';
import { scanSource } from './source.ts';

const paths = ['type', 'uuid', 'parentUuid', 'id', 'parentId', 'message.role', 'timestamp', 'text'];

interface Copied {
	readonly values: readonly (string | undefined)[];
	readonly size: number;
}

/** Every line without doubt, by its values and by what was copied; the others and those without room are left out of both. */
function read(bytes: Uint8Array, scanner: Scanner): { expected: (string | undefined)[]; copied: Copied } {
	const expected: (string | undefined)[] = [];
	const spans: [start: number, length: number][] = [];
	const pieces: Uint8Array[] = [];
	let used = 0;
	const visit = (lines: ScannedLines): void => {
		if (!lines.pack) throw new Error('no WebAssembly here');
		for (let row = 0; row < lines.count; ) {
			const packed = lines.pack(row, lines.count, used);
			for (let n = 0; n < packed.lines; n += 1) {
				expect((lines.flags[row + n] as number) & doubtFlags).toBe(0);
				paths.forEach((_, field) => {
					const value = valueBytes(lines, row + n, field);
					expected.push(value && Buffer.from(value).toString('latin1'));
					const slot = 2 * (paths.length * n + field);
					spans.push([packed.spans[slot] as number, packed.spans[slot + 1] as number]);
				});
			}
			pieces.push(Uint8Array.from(packed.bytes));
			used += packed.bytes.length;
			row += packed.lines + (packed.lines === 0 ? 1 : 0);
		}
	};
	scanSource(memorySource(bytes), scanner, visit);
	const all = Buffer.concat(pieces);
	const values = spans.map(([start, length]) =>
		length === 0 ? undefined : all.toString('latin1', start, start + length),
	);
	return { expected, copied: { values, size: all.length } };
}

function expectSame(bytes: Uint8Array): Copied {
	for (const scanner of scanners) {
		const { expected, copied } = read(bytes, scanner);
		expect(copied.values).toEqual(expected);
	}
	return read(bytes, scanners[1]).copied;
}

/** Used again and again: what was copied of one input is not known to the next. */
const scanners = [createScanner(planPaths(paths), { window: 64 }), createScanner(planPaths(paths))] as const;

describe('values copied together', () => {
	it('are those of the lines, in files of real clients', () => {
		for (const file of corpusFiles()) if (file.bytes().length < 200_000) expectSame(file.bytes());
	});

	it('are those of the lines, whatever they are and however often they come', () => {
		const value = fc.oneof(
			fc.constantFrom('"user"', '"assistant"', '"a"', '""', 'null', '1', '{}', '"\\u0061"', '"é"'),
			fc.nat(40).map((n) => `"${n.toString(36).repeat(n)}"`),
		);
		const line = fc
			.array(fc.tuple(fc.constantFrom('type', 'uuid', 'parentUuid', 'id', 'text', 'other'), value), { maxLength: 6 })
			.map((fields) => `{${fields.map(([key, text]) => `"${key}":${text}`).join(',')}}`);
		fc.assert(
			fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
				expectSame(Buffer.from(`${lines.join('\n')}\n`));
			}),
			{ numRuns: 500 },
		);
	});

	it('are copied once where lines repeat each other', () => {
		const lines = Array.from({ length: 2000 }, (_, n) =>
			JSON.stringify({
				type: n % 2 ? 'user' : 'assistant',
				uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
				parentUuid: n ? `00000000-0000-4000-8000-${String(n - 1).padStart(12, '0')}` : null,
			}),
		);
		const { size } = expectSame(Buffer.from(`${lines.join('\n')}\n`));
		expect(size).toBeLessThan(2000 * 38 + 2000);
	});

	it('leave out a line that is too much at once, and go on behind it', () => {
		const text = 'x'.repeat(200_000);
		const { values } = expectSame(Buffer.from(`{"type":"a"}\n{"text":"${text}"}\n{"type":"b"}\n`));
		expect(values.filter((value) => value !== undefined)).toEqual(['"a"', '"b"']);
	});
});
