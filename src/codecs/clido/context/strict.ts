/** Which lines Clido refuses, and with one of them the whole file: repeated keys, half surrogates, numbers too large, more than 127 levels. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { show } from '../../shared/check/fields.ts';
import type { Member } from '../../shared/read/json-spans.ts';
import type { Line } from '../../shared/read/line.ts';
import { blockTables, integerFields, lineTables, refuses } from '../check/rules.ts';
import { type ContentBlock, isLineType, type LineType, lineFields, schemaVersion } from '../lines.ts';
import { rawFields, rawText } from '../read/raw-fields.ts';

/** Reports why the client would refuse this line. Returns its type, or undefined for an unknown one. */
export function refuseLine(line: Line, value: JsonObject, report: Report): LineType | undefined {
	const type = value.type;
	if (!isLineType(type)) {
		const what = type === undefined ? '`type` is missing' : `no line type is called ${show(type)}`;
		report('clido/line-type', `${what}: ${refuses}`, { path: 'type' });
		return undefined;
	}
	lineTables[type].check(value, report);
	const wrong = wrongWith(value, 1, hasEscapes(line.bytes));
	if (wrong) report(says[wrong].rule, `${says[wrong].message}: ${refuses}`);
	refuseBytes(line, value, type, report);
	if (type === 'meta') refuseVersion(value, report);
	else if (type === 'user_message' || type === 'assistant_message') refuseBlocks(value, report);
	return type;
}

function refuseVersion(value: JsonObject, report: Report): void {
	const version = value.schema_version;
	if (typeof version !== 'number' || version <= schemaVersion) return;
	const message = `schema version ${version} is newer than ${schemaVersion}, the newest that Clido loads`;
	report('clido/schema-version', `${message}: it needs a newer Clido`, { path: 'schema_version' });
}

/** Reports what JSON.parse hides: a repeated key, and how a number was written. */
function refuseBytes({ bytes }: Line, value: JsonObject, type: LineType, report: Report): void {
	const fields = rawFields(bytes);
	if (fields.length > Object.keys(value).length) refuseDuplicates(fields, type, report);
	for (const [name, largest] of integerFields[type] ?? []) {
		const number = value[name];
		if (typeof number !== 'number' || !Number.isInteger(number)) continue; // absent, or reported by the table
		const text = rawText(bytes, fields, name);
		if (text !== undefined && /^\d+$/.test(text) && BigInt(text) <= largest) continue;
		const should = `a whole number from 0 to ${largest}, without a point or exponent`;
		report(`clido/${type}/${name}`, `\`${name}\` is written ${text}, but must be ${should}: ${refuses}`, {
			path: name,
		});
	}
}

function refuseDuplicates(fields: readonly Member[], type: LineType, report: Report): void {
	const seen = new Set<string>();
	for (const key of fields.map((field) => String(field.key))) {
		if (seen.has(key) && lineFields[type].has(key)) {
			report('clido/duplicate-key', `\`${key}\` is given twice: ${refuses}`, { path: key });
		}
		seen.add(key);
	}
}

function hasEscapes(bytes: Uint8Array): boolean {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('\\u');
}

/** How many levels the client's JSON library follows, the line itself included. */
export const deepest = 127;

type Wrong = 'depth' | 'range' | 'surrogate';

const says: { readonly [W in Wrong]: { readonly rule: string; readonly message: string } } = {
	depth: { rule: 'clido/too-deep', message: `this line is nested more than ${deepest} levels deep` },
	range: { rule: 'clido/number-range', message: 'a number on this line is too large for a double' },
	surrogate: { rule: 'clido/lone-surrogate', message: 'a text on this line has half of a surrogate pair (\\ud8..)' },
};

/**
 * The first thing that the library would refuse. Recursion ends at the depth that is an error itself. Only texts with
 * `escapes` can hold half of a surrogate pair.
 */
function wrongWith(value: Json | undefined, depth: number, escapes: boolean): Wrong | undefined {
	if (typeof value === 'string') return escapes && !value.isWellFormed() ? 'surrogate' : undefined;
	if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'range';
	if (typeof value !== 'object' || value === null) return undefined;
	if (depth > deepest) return 'depth';
	if (Array.isArray(value)) {
		for (const item of value) {
			const wrong = wrongWith(item, depth + 1, escapes);
			if (wrong) return wrong;
		}
		return undefined;
	}
	for (const key in value) {
		if (escapes && !key.isWellFormed()) return 'surrogate';
		const wrong = wrongWith((value as JsonObject)[key], depth + 1, escapes);
		if (wrong) return wrong;
	}
	return undefined;
}

function refuseBlocks(value: JsonObject, report: Report): void {
	if (!Array.isArray(value.content)) return;
	const content: readonly Json[] = value.content;
	for (let i = 0; i < content.length; i += 1) {
		const block = content[i];
		const type = isObject(block) ? block.type : undefined;
		if (isObject(block) && isBlockType(type)) {
			blockTables[type].check(block, report, `content[${i}].`);
			continue;
		}
		const what = type === undefined ? 'no type' : `the type ${show(type)}`;
		const known = 'text, tool_use, tool_result, thinking and image';
		const message = `this block has ${what}; Clido knows ${known} and refuses to resume the session`;
		report('clido/block-type', message, { path: `content[${i}]` });
	}
}

function isBlockType(type: unknown): type is ContentBlock['type'] {
	return typeof type === 'string' && Object.hasOwn(blockTables, type);
}
