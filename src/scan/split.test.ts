/** Documents as lines: every element that JSON.parse finds, where it stands, in both engines and however the bytes come. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { createScanner, planPaths, scanFlag, valueBytes } from './index.ts';

const plan = planPaths(['role', 'id']);
const engines = ['js', 'wasm'] as const;

interface Row {
	readonly at: number;
	readonly end: number;
	readonly flags: number;
	readonly role: string | undefined;
	readonly id: string | undefined;
}

function rowsOf(bytes: Uint8Array, engine: 'js' | 'wasm', key = 'messages', pieces = bytes.length): readonly Row[] {
	const scanner = createScanner(plan, { engine, elements: key, window: 64 });
	const rows: Row[] = [];
	const visit: Parameters<typeof scanner.end>[0] = (lines) => {
		const text = (row: number, field: number) => {
			const value = valueBytes(lines, row, field);
			return value && Buffer.from(value).toString();
		};
		for (let row = 0; row < lines.count; row += 1) {
			const [at, end, flags] = [lines.at[row] as number, lines.end[row] as number, lines.flags[row] as number];
			rows.push({ at, end, flags, role: text(row, 0), id: text(row, 1) });
		}
	};
	for (let at = 0; at < bytes.length; at += pieces) scanner.push(bytes.subarray(at, at + pieces), visit);
	scanner.end(visit);
	return rows;
}

/** The rows that are whole objects: without head, tail and what is broken. */
function elementsOf(bytes: Uint8Array, engine: 'js' | 'wasm', key?: string, pieces?: number): readonly Row[] {
	return rowsOf(bytes, engine, key, pieces)
		.slice(1)
		.filter(({ flags }) => (flags & ~scanFlag.unended) === 0);
}

const message = fc.record(
	{
		role: fc.constantFrom('user', 'assistant'),
		id: fc.string(),
		content: fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom('"messages":[{', '\\', '\\"', ']}', '\n{')),
	},
	{ requiredKeys: ['role'] },
);
const header = fc.dictionary(
	fc.constantFrom('version', 'a"messages', 'xmessages', 'messages2', '[', '\\', 'agent'),
	fc.oneof(fc.jsonValue(), fc.constant([{ role: 'user', id: 'not this' }]), fc.constant('"messages":[')),
);
const indent = fc.constantFrom(undefined, 1, 2, '\t');

describe('a document as lines', () => {
	it('has a line for each element, however it is written and however its bytes come', () => {
		fc.assert(
			fc.property(
				fc.array(message),
				header,
				header,
				indent,
				fc.integer({ min: 1, max: 200 }),
				(messages, before, after, space, pieces) => {
					const bytes = Buffer.from(JSON.stringify({ ...before, messages, ...after }, null, space));
					for (const engine of engines) {
						const rows = elementsOf(bytes, engine, 'messages', pieces);
						expect(rows.map(({ role, id }) => [role, id])).toEqual(
							messages.map(({ role, id }) => [JSON.stringify(role), id === undefined ? undefined : JSON.stringify(id)]),
						);
						const texts = rows.map(({ at, end }) =>
							JSON.parse(bytes.toString('utf8', at, end).replace(/[\s,\]]+$/, '')),
						);
						expect(texts).toEqual(messages.map((one) => JSON.parse(JSON.stringify(one)) as object));
					}
				},
			),
		);
	});

	it('has one for each element of a document that is an array', () => {
		fc.assert(
			fc.property(fc.array(message), indent, fc.constantFrom('', 'messages'), (messages, space, key) => {
				const bytes = Buffer.from(`\ufeff ${JSON.stringify(messages, null, space)}`);
				for (const engine of engines) expect(elementsOf(bytes, engine, key)).toHaveLength(messages.length);
			}),
		);
	});

	it('both engines make the same of any bytes', () => {
		const piece = fc.constantFrom(
			'{',
			'}',
			'[',
			']',
			',',
			':',
			'"',
			'\\',
			'\n',
			' ',
			'"messages"',
			'"messages":[',
			'a',
			'1',
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 200 }), fc.integer({ min: 1, max: 130 }), (parts, pieces) => {
				const bytes = Buffer.from(parts.join(''));
				const js = rowsOf(bytes, 'js', 'messages', pieces);
				expect(rowsOf(bytes, 'wasm', 'messages', pieces)).toEqual(js);
				expect(rowsOf(bytes, 'js')).toEqual(js);
			}),
			{ numRuns: 1000 },
		);
	});

	it('has those of the documents of real clients, whole and cut off', () => {
		for (const file of corpusFiles('cline')) {
			const bytes = file.bytes();
			for (const end of [bytes.length, bytes.length >> 1]) {
				const part = bytes.subarray(0, end);
				expect(elementsOf(part, 'wasm')).toEqual(elementsOf(part, 'js'));
			}
		}
	});

	it('leaves out what is no object, and takes nothing that stands elsewhere', () => {
		const text =
			'{"a":[{"id":1}],"messages":[5,"x,{\\"",{"id":2}, null ,{"id":3}],"b":[{"id":4}],"messages":[{"id":5}]}';
		for (const engine of engines) {
			expect(elementsOf(Buffer.from(text), engine).map(({ id }) => id)).toEqual(['2', '3']);
		}
	});
});
