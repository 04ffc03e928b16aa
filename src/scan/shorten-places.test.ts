/** The laws of cut texts: what is left and what the mark points at are the text again, as JSON.stringify writes it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { seed } from '../../test/support/mutate.ts';
import { cutMark, cutPlace, isObject, type Json, memorySource, nonceLength, placeLength } from '../model/index.ts';
import { createShortener } from './shorten.ts';

const nonce = 'aZ09_-xy';
const whole = ['id', 'type'];

/** Every line with its texts made whole again, and how many had been cut. */
function mended(bytes: Uint8Array, window?: number): { values: (Json | undefined)[]; cuts: number } {
	const shortener = createShortener({
		keys: whole,
		longest: 64,
		places: cutMark(nonce, 7),
		...(window === undefined ? {} : { window }),
	});
	if (!shortener) throw new Error('no WebAssembly here');
	let cuts = 0;
	const mend = (value: Json | undefined, key: string): Json | undefined => {
		if (typeof value === 'string') {
			const at = value.indexOf(nonce);
			if (at === -1) return value;
			cuts += 1;
			expect(whole).not.toContain(key);
			expect(value.length).toBe(at + nonceLength + placeLength);
			const place = cutPlace(value, at + nonceLength);
			expect(place.source).toBe(7);
			const head = value.slice(0, at - 2);
			expect(head.trim()).not.toBe('');
			const raw = Buffer.from(bytes.subarray(place.at, place.at + place.length)).toString('utf8');
			const rest = JSON.parse(`"${raw}"`) as string;
			expect(JSON.stringify(rest)).toBe(`"${raw}"`);
			return head + rest;
		}
		if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mend(item, key) as Json);
		if (!isObject(value)) return value;
		return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mend(item, name) as Json]));
	};
	const values: (Json | undefined)[] = [];
	shortener.read(memorySource(bytes), (line) => values.push(line.value && mend(line.value, '')));
	return { values, cuts };
}

describe('texts that are cut', () => {
	it('are whole again with what their marks point at, in every line of the corpus', () => {
		let cuts = 0;
		for (const file of corpusFiles()) {
			const bytes = file.bytes();
			const made = mended(bytes);
			const lines = Buffer.from(bytes).toString('utf8').split('\n');
			for (const [index, value] of made.values.entries()) {
				if (value !== undefined) expect(value).toEqual(JSON.parse(lines[index] ?? ''));
			}
			cuts += made.cuts;
		}
		expect(cuts).toBeGreaterThan(1000);
	});

	it('whatever they hold and however the bytes come', () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary', minLength: 20, maxLength: 200 }),
			fc.string({ unit: 'grapheme', minLength: 60, maxLength: 300 }),
			fc
				.array(fc.constantFrom('\u001b', '\n', '"', '\\', '\t', ' ', 'é', '😀', 'x'), { maxLength: 300 })
				.map((all) => all.join('')),
		);
		const value = fc.dictionary(fc.constantFrom('id', 'text', 'content', 'x'), fc.oneof(text, fc.array(text)));
		fc.assert(
			fc.property(fc.array(value, { minLength: 1 }), fc.integer({ min: 1, max: 400 }), (values, window) => {
				const bytes = Buffer.from(values.map((one) => `${JSON.stringify(one)}\n`).join(''));
				expect(mended(bytes, window).values).toEqual(values);
			}),
			{ seed, numRuns: 100 },
		);
	});

	it('stay whole where JSON.stringify would write them in another way, or nothing shows that they are not blank', () => {
		const long = 'word '.repeat(40);
		const odd = ['\\/', '\\u00e9', '\\u001B', '\\u000a', '\\u0009', '\\ud83d', '\\u007f'];
		const lines = [...odd.map((part) => `{"text":"${long}${part}"}`), JSON.stringify({ text: ' \n'.repeat(100) })];
		for (const line of lines) expect(mended(Buffer.from(`${line}\n`)).cuts).toBe(0);
		for (const part of ['\\u001b', '\\n', '\\"', '\\\\', '\\u000b', 'é']) {
			expect(mended(Buffer.from(`{"text":"${long}${part}"}\n`)).cuts).toBe(1);
		}
		expect(mended(Buffer.from(`{"id":"${long}","a":{"type":"${long}"}}\n`)).cuts).toBe(0);
	});
});
