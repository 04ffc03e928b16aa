/** Reads what JSON.parse hides: repeated keys, and how numbers are written. Only for bytes that parsed as an object. */
import { type Member, membersOf, skipSpace, startOf } from '../../shared/read/json-spans.ts';

/** The fields of the object in file order, repeated ones included. */
export function rawFields(bytes: Uint8Array): readonly Member[] {
	return membersOf(bytes, skipSpace(bytes, startOf(bytes)));
}

/** The value of a field as it is written; of equal keys the last counts, as in JSON.parse. */
export function rawText(bytes: Uint8Array, fields: readonly Member[], key: string): string | undefined {
	const field = fields.findLast((one) => one.key === key);
	return field && Buffer.from(bytes.subarray(field.at, field.end)).toString('utf8');
}
