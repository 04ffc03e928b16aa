/** Laws of a document as lines. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mutation, seed } from '../../test/support/mutate.ts';
import { documentLines } from './document-lines.ts';
import { documentReader } from './document-reader.ts';
import type { Line } from './line.ts';

function records(bytes: Uint8Array): readonly Line[] {
	const reader = documentReader('messages');
	const lines: Line[] = [];
	reader.push(bytes, () => undefined);
	reader.end((line) => lines.push({ ...line, bytes: Uint8Array.from(line.bytes) }));
	return lines.filter((line) => line.part !== 'gap');
}

interface Made {
	readonly header: Line;
	readonly text: string;
	readonly bytes: Buffer;
}

function linesOf(document: Uint8Array): Made | undefined {
	let header: Line | undefined;
	const lines = documentLines(document, 'messages', (line) => {
		header = { ...line, bytes: Uint8Array.from(line.bytes) };
	});
	if (!lines || !header) return undefined;
	const bytes = Buffer.from(lines.read(0, lines.size));
	for (const size of [1, 2, 7]) {
		const parts: Uint8Array[] = [];
		for (let at = 0; at < lines.size; at += size) parts.push(lines.read(at, size));
		expect(Buffer.concat(parts).equals(bytes)).toBe(true);
	}
	return { header, text: bytes.toString('utf8'), bytes };
}

/** What is made into lines is what the reader finds, message by message, each in its place. */
function expectSame(document: Uint8Array): boolean {
	const made = linesOf(document);
	if (!made) return false;
	const [header, ...items] = records(document);
	expect(made.header).toEqual(header);
	const lines = made.text.split('\n');
	expect(lines.pop()).toBe('');
	expect(lines).toHaveLength(items.length);
	for (const [index, { at, length, bytes, flaws, value, other }] of items.entries()) {
		const place = made.bytes.subarray(at, at + length).toString('latin1');
		const own = Buffer.from(bytes).toString('latin1');
		expect(place.replaceAll(' ', '')).toBe(own.replaceAll(/[ \n]/g, ''));
		expect(lines[index]?.trim()).toBe(made.bytes.toString('utf8', at, at + length));
		if (flaws.length === 0) expect(JSON.parse(lines[index] ?? '')).toEqual(value ?? other);
		if (flaws.includes('not-json')) expect(() => JSON.parse(place)).toThrow(SyntaxError);
	}
	expect(items.some(({ flaws }) => flaws.includes('torn'))).toBe(false);
	return true;
}

const message = fc.record({
	role: fc.string(),
	content: fc.jsonValue({ maxDepth: 3 }),
	text: fc.string({ unit: 'binary' }),
});
const fields = fc.record({ version: fc.jsonValue({ maxDepth: 1 }), 'sys\ntem': fc.string() });
const layout = fc.constantFrom(undefined, 1, 2, '\t');
const documents = fc
	.tuple(fields, fc.array(message, { minLength: 1, maxLength: 5 }), layout, fc.boolean())
	.map(([around, messages, space, bare]) =>
		JSON.stringify(bare ? messages : { ...around, messages, around }, null, space),
	);

describe('a document as lines', () => {
	test('holds every message of a document without a flaw', () => {
		fc.assert(
			fc.property(documents, (text) => {
				expect(expectSame(Buffer.from(text, 'utf8'))).toBe(true);
			}),
			{ seed, numRuns: 300 },
		);
	});

	test('holds what the reader finds in a damaged one, or is refused', () => {
		fc.assert(
			fc.property(documents, fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, damage) => {
				expectSame(damage.reduce<Uint8Array>((bytes, one) => one.apply(bytes), Buffer.from(text, 'utf8')));
			}),
			{ seed, numRuns: 2000 },
		);
	});

	test.each([
		['cut off', '{"messages":[{"a":1},{"b"'],
		['without messages', '{"messages":[]}'],
		['with another kind of messages', '{"messages":{"a":1}}'],
		['with a byte order mark', '\uFEFF{"messages":[{"a":1}]}'],
		['with something between two messages', '{"messages":[{"a":1},,{"b":2}]}'],
		['with nothing between two messages', '{"messages":[{"a":1}{"b":2}]}'],
		['with something before the first message', '{"messages":[,{"a":1}]}'],
		['with something after the last message', '{"messages":[{"a":1},]}'],
		['with a broken head', '{"version":,"messages":[{"a":1}]}'],
		['with a broken tail', '{"messages":[{"a":1}],"version":}'],
		['with a newline in a short text', '{"messages":[{"a":"x\ny"}]}'],
		['with a newline in a long text', `{"messages":[{"a":"${'x'.repeat(100)}\ny"}]}`],
	])('is refused %s', (_, text) => {
		expect(linesOf(Buffer.from(text, 'utf8'))).toBeUndefined();
	});
});
