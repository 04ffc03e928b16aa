/** Damage to the meaning of a session file: fields lost, of another kind, ids and parents mixed up. For line formats and documents. */
import fc from 'fast-check';
import { isObject, type Json } from '../../src/model/index.ts';

export interface Damage {
	readonly name: string;
	apply(bytes: Uint8Array): Uint8Array;
}

type Fields = { [key: string]: unknown };

const odd: readonly unknown[] = [
	null,
	0,
	-1,
	1.5,
	true,
	'',
	' ',
	'x',
	[],
	[null],
	{},
	{ type: 'odd' },
	'toolu_1',
	'\ud800',
];

/** Every place of a value that can be changed, at most a few levels deep. */
function placesIn(value: unknown, depth = 0): { readonly holder: Fields; readonly key: string }[] {
	if (typeof value !== 'object' || value === null || depth > 5) return [];
	const holder = value as Fields;
	return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key], depth + 1)]);
}

/** The values of a file, changed and written again. Lines that are not JSON stay as they are. */
function onRecords(bytes: Uint8Array, change: (records: Fields[]) => Fields[]): Uint8Array {
	const text = Buffer.from(bytes).toString('utf8');
	const document = parse(text);
	if (isObject(document as Json) && Array.isArray((document as Fields).messages)) {
		const whole = document as Fields;
		whole.messages = change(whole.messages as Fields[]);
		return Buffer.from(`${JSON.stringify(whole, null, 2)}\n`);
	}
	const records = text.split('\n').flatMap((line) => {
		const value = parse(line);
		return isObject(value as Json) ? [value as Fields] : [];
	});
	if (records.length === 0) return bytes;
	return Buffer.from(
		change(records)
			.map((record) => `${JSON.stringify(record)}\n`)
			.join(''),
	);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** Anywhere with the same chance: the ends of a file are no likelier to be hit than its middle. */
const share = fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((n) => n / 10_000);
const pick = <T>(list: readonly T[], at: number): T | undefined =>
	list[Math.min(list.length - 1, Math.floor(at * list.length))];

const field = fc.tuple(share, share, fc.option(fc.constantFrom(...odd))).map(
	([a, b, value]): Damage => ({
		name: `field ${a.toFixed(3)} ${b.toFixed(3)} ${JSON.stringify(value)}`,
		apply: (bytes) =>
			onRecords(bytes, (records) => {
				const place = pick(placesIn(pick(records, a)), b);
				if (place && value === null) delete place.holder[place.key];
				else if (place) place.holder[place.key] = value;
				return records;
			}),
	}),
);

/** The fields that clients and models cannot do without. */
const vital =
	/^(id|uuid|type|role|message|content|text|name|input|arguments|thinking|signature|data|parentUuid|parentId|timestamp|tool_use_id|toolCallId|thinkingSignature|session_id|sessionId|schema_version|is_error|media_type|mimeType)$/;

const substance = fc.tuple(share, share, fc.option(fc.constantFrom(...odd))).map(
	([a, b, value]): Damage => ({
		name: `vital ${a} ${b} ${JSON.stringify(value)}`,
		apply: (bytes) =>
			onRecords(bytes, (records) => {
				const place = pick(
					placesIn(pick(records, a)).filter(({ key }) => vital.test(key)),
					b,
				);
				if (place && value === null) delete place.holder[place.key];
				else if (place) place.holder[place.key] = value;
				return records;
			}),
	}),
);

/** A value of one record in the same field of another: ids and parents that belong elsewhere. */
const mixed = fc.tuple(share, share, share).map(
	([a, b, c]): Damage => ({
		name: `mixed ${a.toFixed(3)} ${b.toFixed(3)} ${c.toFixed(3)}`,
		apply: (bytes) =>
			onRecords(bytes, (records) => {
				const from = pick(
					placesIn(pick(records, a)).filter((place) => typeof place.holder[place.key] === 'string'),
					c,
				);
				const to = placesIn(pick(records, b)).find((place) => place.key === from?.key);
				if (from && to) to.holder[to.key] = from.holder[from.key];
				return records;
			}),
	}),
);

/** A parent that comes from any id of the file. */
const astray = fc.tuple(share, share).map(
	([a, b]): Damage => ({
		name: `astray ${a.toFixed(3)} ${b.toFixed(3)}`,
		apply: (bytes) =>
			onRecords(bytes, (records) => {
				const record = pick(records, a);
				const other = pick(records, b);
				if (record && 'parentUuid' in record) record.parentUuid = other?.uuid ?? null;
				if (record && 'parentId' in record) record.parentId = other?.id ?? null;
				return records;
			}),
	}),
);

const order = fc.tuple(share, share, fc.constantFrom('drop', 'double', 'move')).map(
	([a, b, how]): Damage => ({
		name: `${how} ${a.toFixed(3)} ${b.toFixed(3)}`,
		apply: (bytes) =>
			onRecords(bytes, (records) => {
				const at = Math.min(records.length - 1, Math.floor(a * records.length));
				const to = Math.floor(b * records.length);
				const [record] = how === 'double' ? records.slice(at, at + 1) : records.splice(at, 1);
				if (record && how !== 'drop') records.splice(to, 0, structuredClone(record));
				return records;
			}),
	}),
);

export const damage: fc.Arbitrary<Damage> = fc.oneof(
	{ weight: 2, arbitrary: field },
	{ weight: 5, arbitrary: substance },
	{ weight: 2, arbitrary: mixed },
	{ weight: 2, arbitrary: astray },
	order,
);
