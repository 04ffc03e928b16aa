/** The laws of lines that are told by the line they look like: they say what they would say by themselves. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { mutatedFiles, mutation, seed } from '../../test/support/mutate.ts';
import { type JsonObject, memorySource } from '../model/index.ts';
import { createShortener, type Shortener, type ShortenOptions, type ShortLine } from './shorten.ts';

const keys = ['type', 'id', 'parentId', 'uuid', 'parentUuid', 'message', 'role', 'content', 'text', 'name'];
const veiled = ['text', 'content', 'id'];
const links = { id: 'id', parent: 'parentId' };

function made(options: Omit<ShortenOptions, 'keys'>): Shortener {
	const shortener = createShortener({ keys, veiled, longest: 64, ...options });
	if (!shortener) throw new Error('no WebAssembly here');
	return shortener;
}

interface Short {
	readonly at: number;
	readonly bytes: string;
	/** With `cut` for the mark, which is another for each shortener. */
	readonly value: JsonObject | undefined;
}

function read(shortener: Shortener, bytes: Uint8Array, visit: (line: ShortLine) => void = () => undefined): Short[] {
	const lines: Short[] = [];
	shortener.read(memorySource(bytes), (line) => {
		visit(line);
		const { value } = line;
		lines.push({
			at: line.at,
			bytes: Buffer.from(line.bytes).toString('latin1'),
			value: value && (JSON.parse(JSON.stringify(value).replaceAll(shortener.mark, 'cut')) as JsonObject),
		});
	});
	return lines;
}

/** Used again and again: what one reading has left must not be seen by the next. */
const plain = made({});
const patterned = made({ links });
const little = made({ links, window: 100 });

function expectSame(bytes: Uint8Array): void {
	const expected = read(plain, bytes);
	expect(read(patterned, bytes)).toEqual(expected);
	expect(read(little, bytes)).toEqual(expected);
}

const link = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('"a"', '"b"', '"c"', '"d1"', 'null') },
	fc.constantFrom('""', '1', 'true', '{}', '["a"]', '{"id":"a"}', '"\\u0061"', `"${'x'.repeat(70)}"`, '"é"'),
);
const key = fc.constantFrom('id', 'id', 'parentId', 'parentId', 'type', 'message', 'text', 'role', 'other', 'i\\u0064');
const rest = fc.constantFrom(
	'"user"',
	'""',
	'{"content":"said","id":"a"}',
	'{"content":[{"type":"text","text":"x"},{"type":"text","text":""}]}',
	'{"content":["x",{"text":1},"y"]}',
);
const field = fc
	.tuple(key, link, rest)
	.map(([name, a, b]) => `"${name}":${name === 'id' || name === 'parentId' ? a : b}`);
const line = fc.oneof(
	{ weight: 8, arbitrary: fc.array(field, { maxLength: 5 }).map((fields) => `{${fields.join(',')}}`) },
	fc.constantFrom('', '{', '{"id":"a"', '[1]', '7', '{"id":"a","parentId":null}x'),
);

describe('lines told by their looks', () => {
	it('say what they say by themselves, whatever they are', () => {
		fc.assert(
			fc.property(fc.array(line, { maxLength: 40 }), fc.boolean(), (lines, isEnded) =>
				expectSame(Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''))),
			),
			{ seed, numRuns: 2000 },
		);
	});

	it('say it in files of real clients, damaged ones too', () => {
		const files = corpusFiles().filter((file) => file.bytes().length < 60_000);
		for (const file of files) expectSame(file.bytes());
		fc.assert(
			fc.property(fc.nat(files.length - 1), mutation, (index, change) => {
				const bytes = files[index]?.bytes();
				if (bytes) expectSame(change.apply(bytes));
			}),
			{ seed, numRuns: Math.min(mutatedFiles, 500) },
		);
	});

	it('have the pattern of the first that looked so, and their own links', () => {
		const lines = ['a', 'b', 'c'].map(
			(id, n) => `{"type":"user","id":"${id}","parentId":${n ? `"${'ab'[n - 1]}"` : null},"text":"said"}`,
		);
		const seen: unknown[] = [];
		read(made({ links }), Buffer.from(`${lines.join('\n')}\n`), ({ pattern, id, parent }) =>
			seen.push([pattern?.value.id, id, parent]),
		);
		expect(seen).toEqual([
			[undefined, null, null],
			['a', 'b', 'a'],
			['a', 'c', 'b'],
		]);
	});

	it('are told apart when there are more looks than places', () => {
		const text = Array.from({ length: 4000 }, (_, n) =>
			JSON.stringify({ id: `i${n}`, parentId: `i${n - 1}`, type: `t${(n * 7919) % 1000}`, name: 'x'.repeat(n % 50) }),
		).join('\n');
		expectSame(Buffer.from(text));
	});

	it('are told whole when they are long', () => {
		const long = (id: string) =>
			JSON.stringify({ id, parentId: null, message: { name: Array(60).fill('y'.repeat(20)) } });
		expectSame(Buffer.from(`${long('a')}\n${long('b')}\n${long('c')}\n`));
	});
});
