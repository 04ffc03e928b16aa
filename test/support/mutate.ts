/** Damage as it happens to files, and worse: for laws that must hold for any bytes. */
import fc from 'fast-check';

export interface Mutation {
	readonly name: string;
	apply(bytes: Uint8Array): Uint8Array;
}

const text = (value: string): Uint8Array => Buffer.from(value, 'utf8');

function splitLines(bytes: Uint8Array): Uint8Array[] {
	const lines: Uint8Array[] = [];
	let start = 0;
	for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
		lines.push(bytes.subarray(start, end + 1));
		start = end + 1;
	}
	if (start < bytes.length) lines.push(bytes.subarray(start));
	return lines;
}

const at = (share: number, size: number): number => Math.min(size, Math.floor(share * (size + 1)));

function insert(bytes: Uint8Array, position: number, what: Uint8Array): Uint8Array {
	return Buffer.concat([bytes.subarray(0, position), what, bytes.subarray(position)]);
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

const lineMutation = (name: string, change: (lines: Uint8Array[], a: number, b: number) => void) =>
	fc.tuple(share, share).map(
		([a, b]): Mutation => ({
			name: `${name} ${a.toFixed(3)} ${b.toFixed(3)}`,
			apply(bytes) {
				const lines = splitLines(bytes);
				if (lines.length === 0) return bytes;
				change(lines, at(a, lines.length - 1), at(b, lines.length - 1));
				return Buffer.concat(lines);
			},
		}),
	);

const insertion = (name: string, what: () => Uint8Array) =>
	share.map(
		(a): Mutation => ({
			name: `${name} ${a.toFixed(3)}`,
			apply: (bytes) => insert(bytes, at(a, bytes.length), what()),
		}),
	);

const insertedLine = (name: string, what: () => string) =>
	lineMutation(name, (lines, a) => void lines.splice(a, 0, text(`${what()}\n`)));

const cut = share.map(
	(a): Mutation => ({ name: `cut ${a}`, apply: (bytes) => bytes.subarray(0, at(a, bytes.length)) }),
);
const cutHead = share.map(
	(a): Mutation => ({ name: `cut head ${a}`, apply: (bytes) => bytes.subarray(at(a, bytes.length)) }),
);
const flip = fc.array(fc.tuple(share, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }).map(
	(flips): Mutation => ({
		name: `flip ${flips.length}`,
		apply(bytes) {
			const copy = Uint8Array.from(bytes);
			for (const [position, value] of flips) copy[at(position, copy.length - 1)] = value;
			return copy;
		},
	}),
);

const whole = (name: string, apply: (bytes: Uint8Array) => Uint8Array) => fc.constant<Mutation>({ name, apply });

/** Any one kind of damage. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
	{ weight: 6, arbitrary: cut },
	cutHead,
	{ weight: 4, arbitrary: flip },
	lineMutation('drop line', (lines, a) => void lines.splice(a, 1)),
	lineMutation('double line', (lines, a) => void lines.splice(a, 0, lines[a] as Uint8Array)),
	lineMutation('swap lines', (lines, a, b) => {
		const one = lines[a] as Uint8Array;
		lines[a] = lines[b] as Uint8Array;
		lines[b] = one;
	}),
	whole('CRLF', (bytes) => Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\n', '\r\n'), 'latin1')),
	whole('BOM', (bytes) => insert(bytes, 0, Uint8Array.of(0xef, 0xbb, 0xbf))),
	whole('no last newline', (bytes) => (bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes)),
	insertion('NUL', () => Uint8Array.of(0)),
	insertion('invalid UTF-8', () => Uint8Array.of(0xc3, 0x28, 0xff)),
	insertedLine('blank line', () => '  \t'),
	insertedLine('null line', () => 'null'),
	insertedLine('number line', () => '1e400'),
	insertedLine('deep line', () => `{"type":"user","message":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
	insertedLine('duplicate keys', () => '{"type":"user","type":"assistant","uuid":"a","uuid":"b"}'),
	insertedLine(
		'huge number',
		() => `{"type":"result","num_turns":${'9'.repeat(400)},"mtime_nanos":18446744073709551616}`,
	),
	insertedLine('odd keys', () => '{"__proto__":{"type":"user"},"constructor":1,"type":"__proto__","role":"toString"}'),
);

/** A line of ten megabytes: rare, because it is slow. */
export const longLine: Mutation = {
	name: '10 MB line',
	apply: (bytes) => Buffer.concat([text(`{"type":"user","message":{"content":"${'x'.repeat(10_000_000)}"}}\n`), bytes]),
};

/** How many mutated files per codec: a sample in CI, the whole with `npm run test:fuzz`. */
export const mutatedFiles = process.env.REPRISE_FUZZ === 'full' ? 10_000 : 1_500;
/** Fixed, so that CI sees the same files every time; `REPRISE_SEED` looks elsewhere. */
export const seed = Number(process.env.REPRISE_SEED ?? 20_261_115);
