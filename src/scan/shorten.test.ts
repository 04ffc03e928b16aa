/** The laws of making lines short: nothing is called JSON that is not, and what is left says what the line says. */
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { mutatedFiles, mutation, seed } from '../../test/support/mutate.ts';
import { isObject, type Json, type JsonObject, memorySource } from '../model/index.ts';
import { createShortener, type Shortener, type ShortenOptions } from './shorten.ts';

const keys = ['type', 'id', 'message', 'content', 'text', 'a', 'parentUuid', 'k'.repeat(31)];

interface Short {
	readonly at: number;
	readonly bytes: Uint8Array;
	readonly unended: boolean;
	readonly value: JsonObject | undefined;
}

/** Making one costs more than most uses of it. */
const shorteners = new Map<string, Shortener>();

function shortenerFor(options: ShortenOptions): Shortener {
	const name = JSON.stringify(options);
	const shortener = shorteners.get(name) ?? createShortener(options);
	if (!shortener) throw new Error('no WebAssembly here');
	shorteners.set(name, shortener);
	return shortener;
}

function shorten(bytes: Uint8Array, options: Partial<ShortenOptions> = {}): { mark: string; lines: Short[] } {
	const shortener = shortenerFor({ keys, longest: 64, ...options });
	const lines: Short[] = [];
	const whole = shortener.read(memorySource(bytes), (line) =>
		lines.push({ ...line, bytes: Uint8Array.from(line.bytes), value: line.value }),
	);
	expect(whole).toBe(true);
	return { mark: shortener.mark, lines };
}

/** Undefined for what is no object. */
function parse(bytes: Uint8Array): JsonObject | undefined {
	try {
		const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
		return isObject(value) ? value : undefined;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** What is left holds every wanted key, no key of its own, and no other values; only long texts are cut. */
function expectPart(part: Json | undefined, whole: Json | undefined, mark: string): void {
	if (part === mark) {
		expect(typeof whole).toBe('string');
		expect(Buffer.byteLength(JSON.stringify(whole)) > 12).toBe(true);
	} else if (Array.isArray(part) && Array.isArray(whole)) {
		expect(part.length).toBe(whole.length);
		part.forEach((item: Json, index) => {
			expectPart(item, whole[index] as Json, mark);
		});
	} else if (isObject(part) && isObject(whole)) {
		for (const key of Object.keys(part)) {
			expect(Object.hasOwn(whole, key)).toBe(true);
			expectPart(part[key], whole[key], mark);
		}
		for (const key of keys) expect(Object.hasOwn(part, key)).toBe(Object.hasOwn(whole, key));
	} else {
		expect(part).toEqual(whole);
		if (typeof whole === 'string') expect(whole.length).toBeLessThanOrEqual(64);
	}
}

const depthOf = (text: string): number => (text.match(/[{[]/g) ?? []).length;

function expectLaws(bytes: Uint8Array, options: Partial<ShortenOptions> = {}): void {
	const { mark, lines } = shorten(bytes, options);
	let at = 0;
	for (const line of lines) {
		expect(line.at).toBe(at);
		at += line.bytes.length;
		expect(Buffer.compare(line.bytes, bytes.subarray(line.at, at))).toBe(0);
		expect(line.unended).toBe(line.bytes.at(-1) !== 10);
		expect(line.bytes.subarray(0, -1).includes(10)).toBe(false);
		const whole = isUtf8(line.bytes) ? parse(line.bytes) : undefined;
		if (whole === undefined) expect(line.value, Buffer.from(line.bytes).toString()).toBeUndefined();
		else if (line.value !== undefined) expectPart(line.value, whole, mark);
		else expect(depthOf(Buffer.from(line.bytes).toString('latin1')), 'given up without need').toBeGreaterThan(512);
	}
	expect(at).toBe(bytes.length);
}

const blanks = fc.constantFrom('', '', '', ' ', '\t', '\r', '  ');
const keyText = fc.constantFrom(
	...keys,
	't\\u0079pe',
	'types',
	'',
	'ключ',
	'a\\"b',
	'x',
	'__proto__',
	'\\\\',
	'b"'.slice(0, 1),
);
const stringText = fc.oneof(
	fc.constantFrom('', 'user', '\\"type\\":\\"x\\"', '\\\\', '\\\\\\"', 'größer 日本 🎉', '\\u0041', '\\ud83d', ']}'),
	fc.string({ maxLength: 150 }).map((text) => JSON.stringify(text).slice(1, -1)),
	fc.nat(200).map((length) => 'x'.repeat(length)),
	fc.nat(80).map((length) => '\\\\'.repeat(length)),
	fc
		.tuple(fc.nat(70), fc.constantFrom('\\n', '\\u00e9', '\\/', '\\x', '\\u12', '\\u00g0', '\\', 'é'))
		.map(([pad, written]) => 'p'.repeat(pad) + written + 'q'.repeat(pad)),
);
const number = fc.oneof(
	fc.double().map((value) => String(value)),
	fc.constantFrom(
		'0',
		'-0',
		'1e5',
		'1E+5',
		'-1.5e-3',
		'01',
		'1.',
		'.5',
		'-',
		'1e',
		'+1',
		'0x1',
		'12345678901234567890',
	),
);
const { object } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4 },
		stringText.map((text) => `"${text}"`),
		fc.constantFrom('null', 'true', 'false', 'nul', 'True', 'falsey'),
		number,
		tie('object'),
		tie('array'),
	),
	object: fc
		.array(fc.tuple(keyText, tie('value'), blanks, blanks), { maxLength: 5 })
		.map((pairs) => `{${pairs.map(([key, value, a, b]) => `${a}"${key}"${b}:${a}${value}${b}`).join(',')}}`),
	array: fc
		.array(fc.tuple(tie('value'), blanks), { maxLength: 4 })
		.map((items) => `[${items.map(([value, a]) => a + value + a).join(',')}]`),
}));
const file = fc
	.array(fc.tuple(fc.oneof({ weight: 8, arbitrary: object }, blanks), fc.constantFrom('\n', '\n', '\r\n', '\n\n')), {
		maxLength: 6,
	})
	.map((lines) => Buffer.from(lines.map(([line, end]) => line + end).join('')));
const window = fc.constantFrom(1, 7, 64, 1000, 1 << 18);
const runs = { seed, numRuns: mutatedFiles * 2 };

describe('a line made short', () => {
	it('is JSON where the whole line is, and says nothing else', () => {
		fc.assert(
			fc.property(file, window, (bytes, size) => expectLaws(bytes, { window: size })),
			runs,
		);
	});

	it('is undefined where a damaged line is no JSON', () => {
		fc.assert(
			fc.property(file, fc.array(mutation, { minLength: 1, maxLength: 3 }), window, (bytes, mutations, size) => {
				const damaged = mutations.reduce((before, { apply }) => apply(before), bytes as Uint8Array);
				expectLaws(damaged, { window: size });
			}),
			runs,
		);
	});

	it('holds for noise', () => {
		const noise = fc
			.array(fc.constantFrom(...'{{}}[]"":,\\\\ \n\ta1t', '{"type":', '\u0001', '\u00ff', '\\u00e9', 'x'.repeat(40)), {
				maxLength: 80,
			})
			.map((parts) => Buffer.from(parts.join(''), 'latin1'));
		fc.assert(
			fc.property(noise, (bytes) => expectLaws(bytes)),
			runs,
		);
	});

	it('holds for every file of the corpus', () => {
		for (const item of corpusFiles()) expectLaws(item.bytes());
	});

	it('finds the end of a string whatever stands before it', () => {
		for (let pad = 0; pad < 140; pad += 1) {
			for (const tail of ['', '\\', '\\\\', '"', '\n', '\u0007', '\\"', 'é']) {
				const text = JSON.stringify({ a: 'p'.repeat(pad) + tail, x: ['p'.repeat(pad) + tail], type: 'user' });
				const [line] = shorten(Buffer.from(`${text}\n`), { longest: 1000 }).lines;
				expect(line?.value).toEqual({ a: 'p'.repeat(pad) + tail, type: 'user' });
			}
		}
	});

	it('takes a key only when every byte of it is right', () => {
		const near = keys
			.flatMap((key) => [`${key}x`, key.slice(0, -1), `${key.slice(0, -1)}_`])
			.filter((key) => key !== '');
		const line = JSON.stringify(Object.fromEntries([...near, ...keys].map((key, index) => [key, index])));
		expect(Object.keys(shorten(Buffer.from(line)).lines[0]?.value ?? {}).sort()).toEqual([...keys].sort());
	});

	it('is left to others when it is nested too deeply, or when too much of it is wanted', () => {
		const deep = (levels: number) => Buffer.from(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}\n{"a":1}\n`);
		expect(shorten(deep(511)).lines.map((line) => line.value !== undefined)).toEqual([true, true]);
		expect(shorten(deep(512)).lines.map((line) => line.value !== undefined)).toEqual([false, true]);
		const many = Buffer.from(`{"a":1}\n${JSON.stringify({ a: Array(100_000).fill('text') })}\n{"a":2}\n`);
		expect(shorten(many).lines.map((line) => line.value)).toEqual([{ a: 1 }, undefined, { a: 2 }]);
	});

	it('comes with all others, however many lines and bytes there are', () => {
		const bytes = Buffer.from(`{"a":"${'é'.repeat(30)}","b":1}\n`.repeat(9000));
		const { lines } = shorten(bytes);
		expect(lines).toHaveLength(9000);
		expect(lines.every((line) => line.value?.a === 'é'.repeat(30))).toBe(true);
	});

	it('is given up with all others where a line is too long to be held', () => {
		const shortener = createShortener({ keys, window: 100, maxLine: 1000 });
		const bytes = Buffer.from(`{"a":1}\n{"x":"${'y'.repeat(5000)}"}\n`);
		expect(shortener?.read(memorySource(bytes), () => undefined)).toBe(false);
	});
});
