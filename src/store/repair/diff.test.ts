/** Laws of the diff that repair shows. */
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortened, unifiedDiff } from './diff.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

describe('a diff', () => {
	test('is empty where nothing differs', () => {
		expect(unifiedDiff('a', bytes('x\n'), bytes('x\n'))).toBe('');
	});

	test('numbers lines by the whole file, not by the part that differs', () => {
		const before = Array.from({ length: 50 }, (_, n) => `line ${n}\n`).join('');
		expect(unifiedDiff('a', bytes(before), bytes(before.replace('line 40', 'other')))).toContain('@@ -40,3 +40,3 @@');
	});

	test('applied to the original it gives the repaired file, for any texts of lines', () => {
		const file = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
		fc.assert(
			fc.property(file, file, (before, after) => {
				const diff = unifiedDiff('a', bytes(before), bytes(after));
				expect(diff === '' ? before : applyPatch(before, diff)).toBe(after);
			}),
			{ numRuns: 300 },
		);
	});

	test('for eyes, long lines are cut around what differs', () => {
		const long = 'x'.repeat(1000);
		const diff = unifiedDiff('a', bytes(`${long}1${long}\n`), bytes(`${long}2${long}\n`));
		const lines = shortened(diff, 60).split('\n');
		expect(lines.every((line) => line.length <= 70)).toBe(true);
		expect(lines.some((line) => line.startsWith('-…') && line.includes('x1x'))).toBe(true);
		expect(lines.some((line) => line.startsWith('+…') && line.includes('x2x'))).toBe(true);
	});
});
