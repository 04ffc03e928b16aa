/** The laws of the scanner: it agrees with JSON.parse for any lines, in whatever pieces their bytes come. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { mutatedFiles, mutation, seed } from '../../test/support/mutate.ts';
import { isObject, type Json, memorySource } from '../model/index.ts';
import { FieldFinder, type Looked, type ScanGate, type ScanLimits, type ScanRange, scanLines } from './index.ts';

const paths = [
	'type',
	'uuid',
	'parentUuid',
	'timestamp',
	'subtype',
	'id',
	'parentId',
	'message',
	'message.id',
	'message.role',
	'message.usage',
	'message.usage.output',
	'a.b',
] as const;

interface Row {
	readonly at: number;
	readonly end: number;
	readonly ended: boolean;
	readonly number: number;
	readonly looked: Looked;
	readonly bytes: Uint8Array;
	readonly values: { readonly [path: string]: Json };
}

interface Options extends ScanRange, ScanLimits {
	readonly gate?: ScanGate;
}

/** All results of a scan, copied. */
function scan(bytes: Uint8Array, { gate, from, to, ...limits }: Options = {}): readonly Row[] {
	const rows: Row[] = [];
	const finder = new FieldFinder(paths, gate);
	const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
	scanLines(
		memorySource(bytes),
		(line) => {
			const looked = finder.look(line);
			const found = paths.map((path, field) => [path, finder.scalar(field)] as const);
			const values = Object.fromEntries(
				found.filter((pair): pair is [(typeof paths)[number], Json] => pair[1] !== undefined),
			);
			const { at, end, ended, line: number } = line;
			rows.push({ at, end, ended, number, looked, bytes: Uint8Array.from(line.bytes()), values });
		},
		range,
		limits,
	);
	return rows;
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(Buffer.from(bytes).toString('utf8'));
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** What JSON.parse finds at the wanted paths; absent where a key on the path is. */
function lookUp(value: unknown): { readonly [path: string]: unknown } {
	const found = paths.map((path) => {
		let at = value;
		for (const key of path.split('.')) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
		return [path, at] as const;
	});
	// A whole value may be nested deeper than a comparison can follow.
	const small = (at: unknown): unknown => (typeof at === 'object' && at !== null ? {} : at);
	return Object.fromEntries(found.filter(([, at]) => at !== undefined).map(([path, at]) => [path, small(at)]));
}

/** Where the scanner is sure, JSON.parse throws or says the same. */
function expectLaw({ bytes, looked, values }: Row): void {
	const value = parse(bytes);
	if (looked !== 'sure' || value === undefined) return;
	expect(isObject(value), Buffer.from(bytes).toString()).toBe(true);
	expect(values).toEqual(lookUp(value));
}

/** Checks that the lines are exactly what is between newlines. */
function expectTiling(rows: readonly Row[], bytes: Uint8Array): void {
	let at = 0;
	for (const [index, row] of rows.entries()) {
		expect(row.at).toBe(at);
		expect(row.number).toBe(index + 1);
		const newline = bytes.indexOf(10, at);
		expect(row.end).toBe(newline === -1 ? bytes.length : newline + 1);
		expect(row.ended).toBe(newline !== -1);
		expect(Buffer.compare(row.bytes, bytes.subarray(row.at, row.end))).toBe(0);
		at = row.end;
	}
	expect(at).toBe(bytes.length);
}

function expectLaws(bytes: Uint8Array, options: Options = {}): void {
	const rows = scan(bytes, options);
	expectTiling(rows, bytes);
	for (const row of rows) expectLaw(row);
}

/** JSON as no client writes it: spaces anywhere, equal keys, keys with escapes, values that look like structure. */
const blanks = fc.constantFrom('', '', '', ' ', '\t', '\r', '  ');
const keyText = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...new Set(paths.flatMap((path) => path.split('.')))) },
	fc.constantFrom('t\\u0079pe', 'typ', 'types', '', 'TYPE', 'ключ', 'a\\"b', 'x', 'y', 'z', '\\\\', 'message.id'),
);
const stringText = fc.oneof(
	fc.constantFrom(
		'',
		'user',
		'\\"type\\":\\"x\\"',
		'{\\"id\\":1}',
		'\\\\',
		'\\\\\\"',
		'größer 日本 🎉',
		'\\u0041',
		']}',
	),
	fc.string({ maxLength: 90 }).map((text) => JSON.stringify(text).slice(1, -1)),
	fc.nat(200).map((length) => 'x'.repeat(length)),
	fc.nat(80).map((length) => `${'\\\\'.repeat(length)}`),
);
const { object: objectText } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4 },
		stringText.map((text) => `"${text}"`),
		fc.constantFrom('null', 'true', 'false', '0', '-1.5e3', '12345678901234567890'),
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
	.array(
		fc.tuple(fc.oneof({ weight: 8, arbitrary: objectText }, blanks), fc.constantFrom('\n', '\n', '\r\n', '\n\n')),
		{
			maxLength: 6,
		},
	)
	.map((lines) => Buffer.from(lines.map(([line, end]) => line + end).join('')));
const starts = ['"type":', '\n{"x":[', '\n{"x":["', '\n{"type":', '\n{"a":{"b":', '\n{"message":{"x":{"'];
/** Bytes most of which mean something to a JSON reader. */
const noise = fc
	.array(fc.constantFrom(...'{{}}[]"":,\\\\ \n\ta1t', ...starts, '\u0001', '\u00ff', 'x'.repeat(40)), {
		maxLength: 120,
	})
	.map((parts) => Buffer.from(parts.join(''), 'latin1'));

const runs = { seed, numRuns: mutatedFiles };

describe('the scanner', () => {
	it('agrees with JSON.parse on lines of JSON', () => {
		fc.assert(
			fc.property(file, (bytes) => expectLaws(bytes)),
			runs,
		);
	});

	it('agrees with JSON.parse on damaged lines', () => {
		fc.assert(
			fc.property(file, fc.array(mutation, { minLength: 1, maxLength: 3 }), (bytes, mutations) => {
				expectLaws(mutations.reduce((damaged, { apply }) => apply(damaged), bytes as Uint8Array));
			}),
			runs,
		);
	});

	it('agrees with JSON.parse on noise', () => {
		fc.assert(
			fc.property(noise, (bytes) => expectLaws(bytes)),
			{ ...runs, numRuns: runs.numRuns * 2 },
		);
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectLaws(bytes)),
			runs,
		);
	});

	it('says the same however large its window is, and wherever it begins', () => {
		fc.assert(
			fc.property(fc.oneof(file, noise), fc.constantFrom(1, 7, 64, 100), fc.nat(5), (bytes, window, line) => {
				const once = scan(bytes);
				expect(scan(bytes, { window })).toEqual(once);
				const from = once[line]?.at ?? 0;
				const later = once.filter(({ at }) => at >= from).map((row, index) => ({ ...row, number: index + 1 }));
				expect(scan(bytes, { window, from })).toEqual(later);
				if (from > 0) expect(scan(bytes, { window, to: from })).toEqual(once.filter(({ at }) => at < from));
			}),
			{ ...runs, numRuns: runs.numRuns / 5 },
		);
	});

	it.each(corpusFiles().map((item) => [item.name, item] as const))('agrees with JSON.parse on %s', (_, item) => {
		const bytes = item.bytes();
		expectLaws(bytes);
		expectLaws(bytes, { window: 1000 });
	});

	it('agrees with JSON.parse on damaged files of real clients', () => {
		const files = corpusFiles().map((item) => item.bytes());
		fc.assert(
			fc.property(fc.nat(files.length - 1), mutation, (index, { apply }) => {
				const bytes = apply(files[index] as Uint8Array);
				if (bytes.length < 200_000) expectLaws(bytes, { window: 4096 });
			}),
			{ ...runs, numRuns: runs.numRuns / 5 },
		);
	});

	it('is sure of lines of JSON as clients write them', () => {
		for (const item of corpusFiles('claude-code')) {
			const whole = scan(item.bytes()).filter((row) => isObject(parse(row.bytes)));
			expect(whole.filter((row) => row.looked !== 'sure')).toEqual([]);
		}
	});

	it('is not sure where it could be wrong', () => {
		const lookedAt = (line: string) => scan(Buffer.from(line))[0]?.looked;
		expect(lookedAt('{"type":"user"}\n')).toBe('sure');
		expect(lookedAt('{"type":"user"}')).toBe('sure');
		expect(lookedAt('{"x":1,"x":2}\n')).toBe('sure');
		expect(lookedAt('{"x":{"t\\u0079pe":1}}\n')).toBe('sure');
		const unsure = [
			' \t\r',
			'\ufeff{}',
			'[]',
			'{"a":1} x',
			'{"a" 1}',
			'{"a":1,}',
			'{"type":1,"type":2}',
			'{"t\\u0079pe":1}',
		];
		const torn = ['{', '{"a', '{"a"', '{"a":', '{"a":1', '{"a":{"b":[1,"x', '{"a":"\\', '{"x":["\\'];
		for (const line of [...unsure, ...torn]) expect(lookedAt(`${line}\n{}\n`), line).toBe('unsure');
	});

	it('a torn last line is not completed by what stood in its place before', () => {
		const rows = scan(Buffer.from('{"type":"abc"}\n{"a":1,"b":2}\n{"type":"x"'), { window: 16 });
		expect(rows.at(-1)).toMatchObject({ looked: 'unsure', ended: false });
	});

	it('finds nothing inside strings and at the wrong depth', () => {
		const line =
			'{"x":"\\",\\"type\\":\\"fake\\"","y":{"type":"deep"},"z":[{"type":1}],"message":{"id":"m","y":{"role":2}}}\n';
		expect(scan(Buffer.from(line))[0]?.values).toEqual({
			message: {},
			'message.id': 'm',
		});
	});

	it('counts backslashes before a quote', () => {
		for (let slashes = 0; slashes < 70; slashes += 1) {
			const text = JSON.stringify({ x: [`p${'\\'.repeat(slashes)}`, '"'], type: 'user' });
			expect(scan(Buffer.from(`${text}\n`))[0]?.values).toEqual({ type: 'user' });
		}
	});

	it('follows brackets however deep they go', () => {
		const line = `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)},"type":"deep"}\n`;
		expect(scan(Buffer.from(line))[0]?.values).toEqual({ type: 'deep' });
	});

	it('holds lines longer than its window, and passes over those longer than it may hold', () => {
		const long = `{"x":"${'y'.repeat(3_000_000)}","type":"long"}\n`;
		const bytes = Buffer.from(`{"type":"a"}\n${long}{"type":"b"}\n${long.trimEnd()}`);
		const types = (rows: readonly Row[]) => rows.map(({ number, values }) => [number, values.type]);
		expect(types(scan(bytes, { window: 1000 }))).toEqual([
			[1, 'a'],
			[2, 'long'],
			[3, 'b'],
			[4, 'long'],
		]);
		expect(types(scan(bytes, { window: 1000, longest: 10_000 }))).toEqual([
			[1, 'a'],
			[3, 'b'],
		]);
	});

	it('says where the last whole line ended', () => {
		const position = (text: string, limits?: ScanLimits) =>
			scanLines(memorySource(Buffer.from(text)), () => undefined, {}, limits);
		expect(position('{"type":"a"}\n{"type":"b')).toBe(13);
		expect(position('{"type":"a"}\n')).toBe(13);
		expect(position(`{"type":"a"}\n${'x'.repeat(100)}`, { longest: 40 })).toBe(13);
		expect(position('')).toBe(0);
	});
});

describe('the gate', () => {
	const values = ['assistant', 'result'];
	const gates: readonly ScanGate[] = [
		{ path: 'type', values },
		{ path: 'type', values, unless: '"usage"' },
	];

	/** The text behind the value of the gate. */
	function tailOf({ bytes }: Row): string {
		const line = Buffer.from(bytes).toString('utf8');
		const value = parse(bytes);
		const written = `"type":${JSON.stringify(isObject(value) ? value.type : undefined)}`;
		return line.slice(line.indexOf(written) + written.length);
	}

	function expectGate(bytes: Uint8Array, gate: ScanGate): void {
		const open = scan(bytes);
		for (const [index, row] of scan(bytes, { gate }).entries()) {
			const whole = open[index] as Row;
			if (row.looked !== 'skipped') expect(row).toEqual(whole);
			const { type } = whole.values;
			if (whole.looked !== 'sure' || type === undefined) continue;
			const saved = gate.unless !== undefined && tailOf(whole).includes(gate.unless);
			expect(row.looked === 'skipped').toBe(!values.includes(type as string) && !saved);
		}
	}

	it('turns away what it should and nothing else', () => {
		const line = fc.record({
			before: fc.boolean(),
			key: fc.constantFrom('usage', 'usages', 'other'),
			type: fc.constantFrom('assistant', 'assistan', 'assistants', 'result', 'user', '', 5, null, {
				type: 'assistant',
			}),
			text: fc.oneof(fc.string(), fc.constantFrom('"usage"', 'x'.repeat(40))),
			torn: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(line), (made) => {
				const text = made.map(({ before, key, type, text: content, torn }) => {
					const message = { id: content, [key]: { a: content } };
					const json = JSON.stringify(before ? { type, uuid: 'u', message } : { uuid: 'u', message, type });
					return torn ? json.slice(0, json.length >> 1) : json;
				});
				for (const gate of gates) expectGate(Buffer.from(text.join('\n')), gate);
			}),
		);
	});

	it('turns away what it should in files of real clients', () => {
		for (const item of corpusFiles('claude-code')) for (const gate of gates) expectGate(item.bytes(), gate);
	});

	it('keeps what stands before it', () => {
		const line = Buffer.from('{"uuid":"u","type":"user","message":{"id":"m"}}\n');
		expect(scan(line, { gate: gates[0] as ScanGate })[0]).toMatchObject({
			looked: 'skipped',
			values: { type: 'user', uuid: 'u' },
		});
	});
});
