/** Field tables: one rule per documented field, checked without writing the same code for each. */
import {
	type FormatId,
	isObject,
	type Json,
	type JsonObject,
	type Profile,
	type Rule,
	type Severity,
	shortened,
} from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { rulesOf } from './rules.ts';

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null' | 'time' | 'any';

/** One documented field of one kind of record. */
export interface Field {
	/** A dotted path from the record: `message.role`. */
	readonly path: string;
	/** The kinds of value that it may have. */
	readonly is: readonly Kind[];
	/** The only values that it may have. */
	readonly values?: readonly Json[];
	readonly required: boolean;
	/** Default `warning`: the record deviates from the document, and nothing else happens. */
	readonly severity?: Severity;
	/** The profile in which the rule holds, or `any` for all. Default: the document's. */
	readonly profile?: Profile | 'any';
	/** What happens when the field is missing or wrong, for the message; only where something is lost. */
	readonly effect?: string | undefined;
}

export const need = (path: string, ...is: readonly Kind[]): Field => ({ path, is, required: true });
export const may = (path: string, ...is: readonly Kind[]): Field => ({ path, is, required: false });
/** A field whose text is one of these. */
export const oneOf = (path: string, ...values: readonly string[]): Field => ({ ...need(path, 'string'), values });
/** A field whose absence costs something: its issue is an error in every profile. */
export const vital = (field: Field, effect: string): Field => ({ ...field, severity: 'error', effect });

interface CompiledField extends Field {
	readonly rule: string;
	readonly steps: readonly string[];
}

export interface CompiledTable {
	readonly rules: readonly Rule[];
	/** Checks a record. `prefix` is the path of the record in its line. */
	check(value: JsonObject, report: Report, prefix?: string): void;
}

/**
 * Makes the tables of a format: `of` is the kind of record in rule ids (`user`, `block.text`), `source` names where the
 * table comes from, for the documentation.
 */
export function tablesOf(format: FormatId) {
	const rule = rulesOf(format);
	return (of: string, source: string, described: readonly Field[]): CompiledTable => {
		const fields: CompiledField[] = described.map((field) => ({
			...field,
			rule: `${format}/${of}/${field.path}`,
			steps: field.path.split('.'),
		}));
		return {
			rules: fields.map(({ path, severity = 'warning', ...field }) => {
				const profile = field.profile ?? (severity === 'warning' ? 'published' : 'any');
				const needed = field.required ? 'is required' : 'may be absent';
				const about = `\`${path}\` of \`${of}\` ${needed} and is ${describe(field)}.`;
				return rule(`${of}/${path}`, severity, about, source, profile === 'any' ? undefined : profile);
			}),
			check(value, report, prefix = '') {
				for (const field of fields) checkField(field, value, report, prefix);
			},
		};
	};
}

function describe(field: Pick<Field, 'is' | 'values'>): string {
	if (field.values) return field.values.map((value) => JSON.stringify(value)).join(', ');
	return field.is.map((kind) => (kind === 'time' ? 'an ISO 8601 time' : kind)).join(' or ');
}

function checkField(field: CompiledField, record: JsonObject, report: Report, prefix: string): void {
	let value: Json | undefined = record;
	for (const step of field.steps) {
		if (!isObject(value)) return; // the field that should hold an object has its own rule
		// Inherited names are safe here: no documented field is called like a method of Object.
		value = value[step];
	}
	const found = value;
	if (found !== undefined && field.is.some((kind) => isKind(found, kind)) && (field.values?.includes(found) ?? true))
		return;
	const effect = field.effect ? `: ${field.effect}` : '';
	const where = { path: prefix + field.path };
	if (value === undefined) {
		if (field.required) report(field.rule, `\`${field.path}\` is missing${effect}`, where);
		return;
	}
	report(field.rule, `\`${field.path}\` should be ${describe(field)}, but is ${show(value)}${effect}`, where);
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

const kinds: { readonly [K in Kind]: (value: Json) => boolean } = {
	string: (value) => typeof value === 'string',
	number: (value) => typeof value === 'number',
	integer: (value) => Number.isInteger(value),
	boolean: (value) => typeof value === 'boolean',
	object: isObject,
	array: Array.isArray,
	null: (value) => value === null,
	time: (value) => typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value)),
	any: () => true,
};

export function isKind(value: Json, kind: Kind): boolean {
	return kinds[kind](value);
}

/** A value as a message can show it: short, and never the whole of something large. */
export function show(value: Json | undefined): string {
	if (value === undefined) return 'absent';
	if (typeof value === 'string') return JSON.stringify(shortened(value, 40));
	if (Array.isArray(value)) return `an array of ${value.length}`;
	if (isObject(value)) return 'an object';
	return String(value);
}
