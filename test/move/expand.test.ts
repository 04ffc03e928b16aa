/** A mark becomes what it stands for, however often the text has been put into JSON and however long it is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { cutMark } from '../../src/model/index.ts';
import { expanded } from '../../src/move/stream-expand.ts';
import { Cuts } from '../../src/store/cuts.ts';
import { Scratch } from '../support/sessions.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());

const words = 'says "größer" \\ and\n日本\t😀\u0007, ';
const nested = (text: string, depth: number): string => (depth === 0 ? text : nested(JSON.stringify(text), depth - 1));

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** The mark of a text that is all that a file holds. */
function markOf(text: string, cuts: Cuts): string {
	const path = join(scratch.folder, `text-${text.length}.json`);
	writeFileSync(path, JSON.stringify(text));
	cuts.add(path);
	return cutMark(cuts.nonce, 0) + hex(1, 10) + hex(Buffer.byteLength(JSON.stringify(text)) - 2, 8);
}

test.each([0, 1, 2, 3, 4, 7])('inside of %i levels of JSON', (depth) => {
	for (const length of [1, 200, 8_190, 8_192, 20_000, 300_000]) {
		const text = words.repeat(Math.ceil(length / words.length)).slice(0, length);
		using cuts = new Cuts();
		const mark = markOf(text, cuts);
		const parts = expanded([nested(`before ${mark}`, depth), 'after'], cuts);
		const made = Buffer.concat(Array.from(parts, (part) => Buffer.from(part)));
		expect(made.equals(Buffer.from(`${nested(`before ${text}`, depth)}after`))).toBe(true);
	}
});

const rare = fc.constantFrom('ö', '日', '😀', '"', '\\', '\n', '\u0007', '\ud800');
const signs = fc.oneof({ weight: 20, arbitrary: fc.constant('a') }, { weight: 1, arbitrary: rare });

test('of a long text the beginning is told, with whole signs, where no more is asked for', () => {
	let shorter = 0;
	fc.assert(
		fc.property(fc.array(signs, { maxLength: 300, size: 'max' }), fc.nat(60), (list, most) => {
			const text = list.join('');
			using cuts = new Cuts();
			const told = cuts.whole(`before ${markOf(text, cuts)}`, most);
			if (told.length < text.length + 'before '.length) shorter += 1;
			expect(told.length).toBeGreaterThanOrEqual(Math.min(most, text.length));
			expect(`before ${text}`.startsWith(told)).toBe(true);
			expect(cuts.whole(`before ${markOf(text, cuts)}`)).toBe(`before ${text}`);
		}),
		{ numRuns: 500 },
	);
	expect(shorter).toBeGreaterThan(50);
});
