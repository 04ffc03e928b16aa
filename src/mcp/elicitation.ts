/** What a server asks its user while it works: a form to fill in, or an address to visit. */
import { isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';

export type Elicitation =
	| { readonly server: string; readonly message: string; readonly mode: 'form'; readonly schema: JsonObject }
	| {
			readonly server: string;
			readonly message: string;
			readonly mode: 'url';
			readonly url: string;
			readonly id?: string;
	  };

export type ElicitValue = string | number | boolean | string[];

export interface ElicitAnswer {
	readonly action: 'accept' | 'decline' | 'cancel';
	readonly content?: { readonly [field: string]: ElicitValue };
}

/** Answers a server in the user's name. */
export type Elicit = (asked: Elicitation, signal: AbortSignal) => Promise<ElicitAnswer>;

/** One field of a form. */
export interface FormField {
	readonly name: string;
	readonly title: string;
	readonly about?: string;
	readonly type: 'text' | 'number' | 'whole' | 'yes-no' | 'choice' | 'choices';
	readonly required: boolean;
	/** The values, and what they are called. */
	readonly choices: readonly { readonly value: string; readonly title: string }[];
	readonly usual?: ElicitValue;
}

/** How a field is asked for. */
export function fieldQuestion({ type, choices, required, usual }: FormField): string {
	const what = choices.length > 0 ? 'Your choice' : 'Your answer';
	const how = type === 'yes-no' ? ' (yes or no)' : type === 'choices' ? ' (several, with commas between)' : '';
	return `${what}${how}${usual === undefined && !required ? ' (Enter leaves it out)' : ''}`;
}

/** The fields of a form in their order. Forms are flat: what is nested is no field. */
export function fieldsOf(schema: JsonObject): readonly FormField[] {
	const properties = isObject(schema.properties) ? schema.properties : {};
	const required = Array.isArray(schema.required) ? schema.required : [];
	return Object.entries(properties).flatMap(([name, given]) =>
		isObject(given) ? [fieldOf(name, given, required.includes(name))] : [],
	);
}

function fieldOf(name: string, given: JsonObject, required: boolean): FormField {
	const many = given.type === 'array';
	const choices = choicesIn(many && isObject(given.items) ? given.items : given);
	const about = stringAt(given, 'description');
	const usual = valueIn(given.default);
	return {
		name,
		title: stringAt(given, 'title') ?? name,
		...(about === undefined ? {} : { about }),
		type: many ? 'choices' : choices.length > 0 ? 'choice' : typeOf(given.type),
		required,
		choices,
		...(usual === undefined ? {} : { usual }),
	};
}

function typeOf(type: Json | undefined): FormField['type'] {
	if (type === 'number') return 'number';
	if (type === 'integer') return 'whole';
	return type === 'boolean' ? 'yes-no' : 'text';
}

/** Three spellings, of three versions of the protocol. */
function choicesIn(given: JsonObject): FormField['choices'] {
	const titled = [given.oneOf, given.anyOf].find((list) => Array.isArray(list));
	if (Array.isArray(titled))
		return titled.flatMap((one) =>
			isObject(one) && typeof one.const === 'string'
				? [{ value: one.const, title: stringAt(one, 'title') ?? one.const }]
				: [],
		);
	const names = Array.isArray(given.enumNames) ? given.enumNames : [];
	const values = Array.isArray(given.enum) ? given.enum : [];
	return values.flatMap((value, index) => {
		const title = names[index];
		return typeof value === 'string' ? [{ value, title: typeof title === 'string' ? title : value }] : [];
	});
}

function valueIn(given: Json | undefined): ElicitValue | undefined {
	if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given;
	return Array.isArray(given) && given.every((one) => typeof one === 'string') ? given : undefined;
}

export type FieldValue = { readonly value: ElicitValue | undefined } | { readonly problem: string };

/** What was typed, as the field takes it. Nothing typed is what is usual, or nothing where the field may be left out. */
export function fieldValue(field: FormField, typed: string): FieldValue {
	const text = typed.trim();
	if (text === '') {
		if (field.usual !== undefined) return { value: field.usual };
		return field.required ? { problem: 'it has to be filled in' } : { value: undefined };
	}
	switch (field.type) {
		case 'number':
		case 'whole': {
			const value = Number(text);
			if (!Number.isFinite(value) || (field.type === 'whole' && !Number.isInteger(value)))
				return { problem: field.type === 'whole' ? 'a whole number is wanted' : 'a number is wanted' };
			return { value };
		}
		case 'yes-no':
			if (/^(y(es)?|true)$/i.test(text)) return { value: true };
			return /^(no?|false)$/i.test(text) ? { value: false } : { problem: 'yes or no is wanted' };
		case 'choice':
			return chosen(field, text);
		case 'choices': {
			const all = text.split(',').map((one) => chosen(field, one.trim()));
			const wrong = all.find((one) => 'problem' in one);
			return (
				wrong ?? { value: all.flatMap((one) => ('value' in one && one.value !== undefined ? [String(one.value)] : [])) }
			);
		}
		default:
			return { value: text };
	}
}

/** By its number, its value or what it is called. */
function chosen({ choices }: FormField, text: string): FieldValue {
	const lower = text.toLowerCase();
	const found =
		choices.find(({ value, title }) => value === text || title.toLowerCase() === lower) ??
		(/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined);
	return found ? { value: found.value } : { problem: `it is one of ${choices.map(({ title }) => title).join(', ')}` };
}
