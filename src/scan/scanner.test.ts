/** The laws of the scanner, for both engines: against each other, against JSON.parse, in any chunking. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { mutatedFiles, mutation, seed } from '../../test/support/mutate.ts';
import { isObject } from '../model/index.ts';
import {
	brokenFlags,
	createScanner,
	doubtFlags,
	flagNames,
	lineBytes,
	planPaths,
	type ScannedLines,
	type Scanner,
	type ScanOptions,
	scanFlag,
	stringValue,
	valueBytes,
} from './index.ts';

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
const plan = planPaths(paths);

interface Row {
	readonly at: number;
	readonly end: number;
	readonly flags: number;
	readonly bytes: Uint8Array | undefined;
	/** The raw values by path. */
	readonly values: { readonly [path: string]: string };
	readonly spans: readonly (readonly [number, number])[];
}

type Options = ScanOptions & { readonly cuts?: readonly number[] };

/** Making a scanner costs more than most scans: one of each engine is used again where nothing else is asked for. */
const scanners = new Map<string, Scanner>();

function scannerFor({ engine = 'auto', window, maxLine, from = 0 }: Options): Scanner {
	if (window !== undefined || maxLine !== undefined) {
		return createScanner(plan, { engine, from, ...(window ? { window } : {}), ...(maxLine ? { maxLine } : {}) });
	}
	const scanner = scanners.get(engine) ?? createScanner(plan, { engine });
	scanners.set(engine, scanner);
	scanner.reset(from);
	return scanner;
}

/** Everything a scan says, copied. `cuts` are the places where the input is cut into chunks. */
function scan(bytes: Uint8Array, options: Options = {}): Row[] {
	const rows: Row[] = [];
	const scanner = scannerFor(options);
	const visit = (lines: ScannedLines) => {
		for (let row = 0; row < lines.count; row += 1) rows.push(rowOf(lines, row));
	};
	const cuts = [...(options.cuts ?? [])].sort((a, b) => a - b);
	let start = 0;
	for (const cut of [...cuts, bytes.length]) {
		scanner.push(bytes.subarray(start, cut), visit);
		start = cut;
	}
	scanner.end(visit);
	return rows;
}

function rowOf(lines: ScannedLines, row: number): Row {
	const values: { [path: string]: string } = {};
	for (const [field, path] of paths.entries()) {
		const raw = valueBytes(lines, row, field);
		if (raw !== undefined) values[path] = Buffer.from(raw).toString('utf8');
	}
	const bytes = lineBytes(lines, row);
	return {
		at: lines.at[row] as number,
		end: lines.end[row] as number,
		flags: lines.flags[row] as number,
		bytes: bytes && Uint8Array.from(bytes),
		values,
		spans: paths.map((_, field) =>
			lines.to[field]?.[row] === 0 ? [0, 0] : [lines.from[field]?.[row] as number, lines.to[field]?.[row] as number],
		),
	};
}

const engines = ['js', 'wasm'] as const;
const nothing = Symbol('not JSON');

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (error instanceof SyntaxError) return nothing;
		throw error;
	}
}

/** What JSON.parse finds at a path; undefined when a key on the way is absent. */
function lookUp(value: unknown, path: string): unknown {
	let found = value;
	for (const key of path.split('.')) {
		if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
		found = found[key];
	}
	return found;
}

function expectLaw(row: Row): void {
	if (row.bytes === undefined) return;
	const text = Buffer.from(row.bytes).toString('utf8');
	const value = parse(text);
	if ((row.flags & brokenFlags) !== 0 && isObject(value)) {
		expect.fail(`${flagNames(row.flags).join()} but JSON.parse takes it: ${text}`);
	}
	// Of equal keys the last one counts on both sides, so even those agree.
	if ((row.flags & doubtFlags & ~scanFlag.duplicate) !== 0 || value === nothing) return;
	if (!isObject(value)) expect.fail(`no flag but not an object: ${text}`);
	for (const path of paths) {
		const raw = row.values[path];
		expect(raw === undefined ? undefined : JSON.parse(raw), `${path} of ${text}`).toEqual(lookUp(value, path));
	}
}

/** The lines as they are: what lies between newlines. */
function expectTiling(rows: readonly Row[], bytes: Uint8Array): void {
	let at = 0;
	for (const row of rows) {
		expect(row.at).toBe(at);
		const newline = bytes.indexOf(10, at);
		expect(row.end).toBe(newline === -1 ? bytes.length : newline + 1);
		expect((row.flags & scanFlag.unended) !== 0).toBe(newline === -1);
		if (row.bytes) expect(Buffer.compare(row.bytes, bytes.subarray(row.at, row.end))).toBe(0);
		at = row.end;
	}
	expect(at).toBe(bytes.length);
}

function expectLaws(bytes: Uint8Array, options: Options): void {
	const js = scan(bytes, { ...options, engine: 'js' });
	expectTiling(js, bytes);
	for (const row of js) expectLaw(row);
	expect(scan(bytes, { ...options, engine: 'wasm' })).toEqual(js);
}

const flagsOf = (line: string, engine: 'js' | 'wasm' = 'js') =>
	flagNames(scan(Buffer.from(line), { engine })[0]?.flags ?? 0);

/** JSON text as nobody writes it: spaces anywhere, equal keys, keys with escapes, values that look like structure. */
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
/** Bytes of which most mean something to a JSON reader. */
const noise = fc
	.array(fc.constantFrom(...'{{}}[]"":,\\\\ \n\ta1t', ...starts, '\u0001', '\u00ff', 'x'.repeat(40)), {
		maxLength: 120,
	})
	.map((parts) => Buffer.from(parts.join(''), 'latin1'));

const options = fc.record({
	window: fc.constantFrom(1, 7, 64, 100, 1 << 16),
	cuts: fc.array(fc.nat(600), { maxLength: 8 }),
	from: fc.constantFrom(0, 0, 5_000_000_000),
	maxLine: fc.constantFrom(1 << 29, 1 << 29, 40),
});
const clipped = (bytes: Uint8Array, cuts: readonly number[]) => cuts.map((cut) => Math.min(cut, bytes.length));
const runs = { seed, numRuns: mutatedFiles };

function shifted(rows: readonly Row[], by: number): readonly Row[] {
	return rows.map((row) => ({ ...row, at: row.at + by, end: row.end + by }));
}

describe('the scanner', () => {
	it('agrees with JSON.parse on lines of JSON, and both engines agree', () => {
		fc.assert(
			fc.property(file, (bytes) => expectLaws(bytes, {})),
			runs,
		);
	});

	it('agrees with JSON.parse on damaged lines, and both engines agree', () => {
		fc.assert(
			fc.property(file, fc.array(mutation, { minLength: 1, maxLength: 3 }), (bytes, mutations) => {
				expectLaws(
					mutations.reduce((damaged, { apply }) => apply(damaged), bytes as Uint8Array),
					{},
				);
			}),
			runs,
		);
	});

	it('agrees with JSON.parse on noise, and both engines agree', () => {
		fc.assert(
			fc.property(noise, (bytes) => expectLaws(bytes, {})),
			{ ...runs, numRuns: runs.numRuns * 2 },
		);
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectLaws(bytes, {})),
			runs,
		);
	});

	it('says the same however the bytes come, and wherever they begin', () => {
		fc.assert(
			fc.property(fc.oneof(file, noise), options, (bytes, { cuts, from, ...rest }) => {
				for (const engine of engines) {
					const once = scan(bytes, { engine, maxLine: rest.maxLine });
					if (from > 0 && bytes[0] === 0xef) return; // a byte order mark is one only where a file begins
					const pieces = scan(bytes, { engine, from, cuts: clipped(bytes, cuts), ...rest });
					expect(pieces).toEqual(shifted(once, from));
				}
			}),
			{ ...runs, numRuns: runs.numRuns / 5 },
		);
	});

	it.each(corpusFiles().map((item) => [item.name, item] as const))('agrees with JSON.parse on %s', (_, item) => {
		const bytes = item.bytes();
		expectLaws(bytes, {});
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
});

describe.each(engines)('the %s engine', (engine) => {
	it('has a word for every flaw', () => {
		const flags = (line: string) => flagsOf(line, engine);
		expect(flags('{"type":"user"}\n')).toEqual([]);
		expect(flags('{"type":"user"}')).toEqual(['unended']);
		expect(flags(' \t\r\n')).toEqual(['blank']);
		expect(flags('\ufeff{}\n')).toEqual(['bom']);
		expect(flags('[]\n')).toEqual(['notObject']);
		expect(flags('{"a":{"b":[1}}\n')).toEqual(['unbalanced']);
		expect(flags('{"a":[{]}\n')).toEqual(['unbalanced']);
		expect(flags('{"a":1} x\n')).toEqual(['trailing']);
		expect(flags('{"a" 1}\n')).toEqual(['syntax']);
		expect(flags('{"a":1,}\n')).toEqual(['syntax']);
		expect(flags('{"x":[1\\]}\n')).toEqual(['syntax']);
		expect(flags('{"x":"\u0001"}\n')).toEqual(['control']);
		expect(flags('{"x":["\t"]}\n')).toEqual(['control']);
		expect(flags('{"x":[\u0000]}\n')).toEqual(['control']);
		expect(flags('{"type":1,"type":2}\n')).toEqual(['duplicate']);
		expect(flags('{"x":1,"x":2}\n')).toEqual([]);
		expect(flags('{"t\\u0079pe":1}\n')).toEqual(['escapedKey']);
		expect(flags('{"x":{"t\\u0079pe":1}}\n')).toEqual([]);
		expect(flags(`{"x":${'['.repeat(1024)}${']'.repeat(1024)}}\n`)).toEqual([]);
		expect(flags(`{"x":${'['.repeat(1025)}${']'.repeat(1025)}}\n`)).toEqual(['deep']);
		for (const torn of ['{', '{"a', '{"a"', '{"a":', '{"a":1', '{"a":{"b":[1,"x', '{"a":"\\', '{"x":["\\'])
			expect(flags(`${torn}\n{}\n`)).toEqual(['torn']);
	});

	it('finds nothing inside strings and at the wrong depth', () => {
		const line =
			'{"x":"\\",\\"type\\":\\"fake\\"","y":{"type":"deep"},"z":[{"type":1}],"message":{"id":"m","y":{"role":2}}}\n';
		expect(scan(Buffer.from(line), { engine })[0]?.values).toEqual({
			message: '{"id":"m","y":{"role":2}}',
			'message.id': '"m"',
		});
	});

	it('takes a key only when every byte of it is right', () => {
		for (const path of ['id', 'timestamp', 'parentUuid', 'type']) {
			for (let i = 0; i < path.length; i += 1) {
				const near = `${path.slice(0, i)}_${path.slice(i + 1)}`;
				const line = Buffer.from(`{"${near}":1,"${path}x":2,"${path.slice(0, -1)}":3}\n{"${path}":4}\n`);
				expect(scan(line, { engine }).map((row) => row.values)).toEqual([{}, { [path]: '4' }]);
			}
		}
	});

	it('counts backslashes before a quote, wherever they fall', () => {
		for (let pad = 0; pad < 70; pad += 1) {
			for (let slashes = 0; slashes < 70; slashes += 1) {
				const text = JSON.stringify({ x: ['p'.repeat(pad) + '\\'.repeat(slashes), '"'], type: 'user' });
				expect(scan(Buffer.from(`${text}\n`), { engine })[0]?.values).toEqual({ type: '"user"' });
			}
		}
	});

	it('lets the last of equal keys count, with all that is below it', () => {
		const line = '{"message":{"id":1,"role":2},"type":1,"message":{"role":3},"type":2}\n';
		const [row] = scan(Buffer.from(line), { engine });
		expect(flagNames(row?.flags ?? 0)).toEqual(['duplicate']);
		expect(row?.values).toEqual({ message: '{"role":3}', 'message.role': '3', type: '2' });
	});

	it('keeps what was found before a line tears', () => {
		const [row] = scan(Buffer.from('{"type":"user","uuid":"u","message":{"id":"m","usage":{"output":1'), { engine });
		expect(flagNames(row?.flags ?? 0)).toEqual(['torn', 'unended']);
		expect(row?.values).toEqual({ type: '"user"', uuid: '"u"', 'message.id': '"m"' });
	});

	it('holds lines longer than its window, and only bounds of those longer than it may hold', () => {
		const long = `{"x":"${'y'.repeat(3_000_000)}","type":"long"}\n`;
		const bytes = Buffer.from(`{"type":"a"}\n${long}{"type":"b"}\n${long.trimEnd()}`);
		const types = (rows: readonly Row[]) => rows.map((row) => row.values.type);
		expect(types(scan(bytes, { engine, window: 1000 }))).toEqual(['"a"', '"long"', '"b"', '"long"']);
		const capped = scan(bytes, { engine, window: 1000, maxLine: 10_000 });
		expectTiling(capped, bytes);
		expect(types(capped)).toEqual(['"a"', undefined, '"b"', undefined]);
		expect(capped.map((row) => flagNames(row.flags))).toEqual([[], ['tooLong'], [], ['tooLong', 'unended']]);
	});

	it('goes on from where the last whole line ended', () => {
		const scanner = createScanner(plan, { engine });
		const seen: string[] = [];
		const visit = (lines: ScannedLines) => {
			for (let row = 0; row < lines.count; row += 1) seen.push(stringValue(valueBytes(lines, row, 0)) ?? '');
		};
		scanner.push(Buffer.from('{"type":"a"}\n{"type":"b'), visit);
		expect(scanner.position()).toBe(13);
		scanner.end(visit);
		expect(scanner.position()).toBe(13);
		scanner.push(Buffer.from('{"type":"b\\u0062"}\n'), visit);
		expect(seen).toEqual(['a', '', 'bb']);
		expect(scanner.position()).toBe(32);
	});

	it('more lines than a batch holds come in several', () => {
		const rows = scan(Buffer.from('{"id":1}\n'.repeat(5000)), { engine });
		expect(rows).toHaveLength(5000);
		expect(rows.every((row) => row.values.id === '1')).toBe(true);
	});
});
