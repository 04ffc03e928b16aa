/** What can be asked about scanned lines, and which paths can be wanted. */
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { openFile } from '../log/file-source.ts';
import { memorySource, type Source } from '../model/index.ts';
import { bytesAre, createScanner, planPaths, scanSource, stringValue, valueBytes } from './index.ts';

const paths = ['type', 'uuid', 'id', 'parentId', 'absent'];
const plan = planPaths(paths);

describe('values', () => {
	it('are compared as bytes and read as text', () => {
		const scanner = createScanner(plan);
		const results: unknown[] = [];
		scanner.push(Buffer.from('{"type":"us\\u0065r","uuid":"größe","id":5,"parentId":"\\x"}\n'), (lines) => {
			for (const field of paths.keys()) results.push(stringValue(valueBytes(lines, 0, field)));
			const id = valueBytes(lines, 0, 2) ?? Buffer.alloc(0);
			for (const json of ['5', '55', '"5"', '6']) results.push(bytesAre(id, 0, Buffer.from(json)));
			results.push(bytesAre(lines.window, 19, Buffer.from(',"uuid":"größe"')));
		});
		expect(results.slice(0, 5)).toEqual(['user', 'größe', undefined, undefined, undefined]);
		expect(results.slice(5)).toEqual([true, false, false, false, true]);
	});

	it('paths that no key can have are refused', () => {
		for (const path of ['', 'a..b', 'größe', 'a"b', 'a\\b', 'x'.repeat(256), Array(9).fill('a').join('.')])
			expect(() => planPaths([path])).toThrow(RangeError);
		expect(() => planPaths(['a', 'a'])).toThrow(/twice/);
		expect(() => planPaths(Array.from({ length: 65 }, (_, i) => `k${i}`))).toThrow(/at most 64/);
	});
});

describe('a source', () => {
	const ids = (source: Source) => {
		const found: (string | undefined)[] = [];
		const scanner = createScanner(plan, { window: 1000 });
		const end = scanSource(source, scanner, (lines) => {
			for (let row = 0; row < lines.count; row += 1) found.push(stringValue(valueBytes(lines, row, 1)));
		});
		return { found, end };
	};

	it('read straight into the scanner gives what its bytes give', () => {
		for (const { path, bytes } of corpusFiles('claude-code').slice(0, 20)) {
			using file = openFile(path);
			const copied = memorySource(bytes());
			expect(ids(file)).toEqual(ids(copied));
			expect(ids(file).found.some((id) => id !== undefined)).toBe(true);
		}
	});

	it('is scanned up to its last newline for good', () => {
		expect(ids(memorySource(Buffer.from('{"uuid":"a"}\n{"uuid":"b"'))).end).toBe(13);
		expect(ids(memorySource(Buffer.from('{"uuid":"a"}\n{"uuid":"b"}\n'))).end).toBe(26);
	});
});
