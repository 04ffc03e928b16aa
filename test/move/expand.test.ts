/** A mark becomes what it stands for, however often the text has been put into JSON and however long it is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cutMark } from '../../src/model/index.ts';
import { expanded } from '../../src/move/stream-expand.ts';
import { Cuts } from '../../src/store/cuts.ts';
import { Scratch } from '../support/sessions.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());

const words = 'says "größer" \\ and\n日本\t😀\u0007, ';
const nested = (text: string, depth: number): string => (depth === 0 ? text : nested(JSON.stringify(text), depth - 1));

test.each([0, 1, 2, 3, 4, 7])('inside of %i levels of JSON', (depth) => {
	for (const length of [1, 200, 8_190, 8_192, 20_000, 300_000]) {
		const text = words.repeat(Math.ceil(length / words.length)).slice(0, length);
		const path = join(scratch.folder, `text-${length}.json`);
		writeFileSync(path, JSON.stringify(text));
		using cuts = new Cuts();
		cuts.add(path);
		const bytes = Buffer.byteLength(JSON.stringify(text)) - 2;
		const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
		const mark = cutMark(cuts.nonce, 0) + hex(1, 10) + hex(bytes, 8);
		const parts = expanded([nested(`before ${mark}`, depth), 'after'], cuts);
		const made = Buffer.concat(Array.from(parts, (part) => Buffer.from(part)));
		expect(made.equals(Buffer.from(`${nested(`before ${text}`, depth)}after`))).toBe(true);
	}
});
