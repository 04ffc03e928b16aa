/** How a tool's schema is converted for Gemini, rule by rule. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/index.ts';
import { cleanSchema } from './google-schema.ts';

/** The converted schema of one property. */
const cleaned = (property: unknown, more: object = {}): unknown => {
	const schema = cleanSchema({ type: 'object', properties: { p: property }, ...more } as JsonObject);
	return (schema.properties as JsonObject).p;
};

const keywords = [
	...['patternProperties', 'additionalProperties', '$schema', '$id', '$defs', 'definitions', 'examples'],
	...['minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf', 'pattern', 'format', 'minItems', 'maxItems'],
	...['uniqueItems', 'minProperties', 'maxProperties', 'not', '~optional'],
];
const more = [
	'$comment',
	'$anchor',
	'if',
	'then',
	'else',
	'contains',
	'exclusiveMinimum',
	'propertyNames',
	'prefixItems',
];

describe('the schema of a tool', () => {
	it.each([...keywords, ...more])('the keyword %s is taken out, at every depth', (keyword) => {
		const node = { type: 'string', description: 'kept', [keyword]: { type: 'string' } };
		expect(cleaned(node)).toEqual({ type: 'string', description: 'kept' });
		expect(cleaned({ type: 'array', items: node })).toEqual({
			type: 'array',
			items: { type: 'string', description: 'kept' },
		});
		expect(cleanSchema({ type: 'object', properties: {}, [keyword]: {} })).toEqual({ type: 'object', properties: {} });
	});

	it('a property may be named like a keyword', () => {
		const properties = {
			pattern: { type: 'string' },
			format: { type: 'string' },
			not: { type: 'string' },
			type: { type: 'string' },
		};
		expect(cleanSchema({ type: 'object', properties, required: ['pattern', 'type'] })).toEqual({
			type: 'object',
			properties,
			required: ['pattern', 'type'],
		});
	});

	it('a reference is replaced by what it names, with what was said beside it', () => {
		const $defs = { path: { type: 'string', minLength: 1, description: 'A path.' }, 'a/b': { type: 'number' } };
		expect(cleaned({ $ref: '#/$defs/path' }, { $defs })).toEqual({ type: 'string', description: 'A path.' });
		expect(cleaned({ $ref: '#/$defs/path', description: 'Where.' }, { $defs })).toEqual({
			type: 'string',
			description: 'Where.',
		});
		expect(cleaned({ $ref: '#/definitions/a~1b' }, { definitions: $defs })).toEqual({ type: 'number' });
	});

	it('a reference with a percent sign that escapes nothing is taken as it is written', () => {
		expect(cleaned({ $ref: '#/$defs/100%' }, { $defs: { '100%': { type: 'string' } } })).toEqual({ type: 'string' });
		expect(cleaned({ $ref: '#/$defs/a%20b' }, { $defs: { 'a b': { type: 'string' } } })).toEqual({ type: 'string' });
	});

	it('a reference that leads to itself, elsewhere or nowhere becomes anything', () => {
		const $defs = { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } };
		expect(cleaned({ $ref: '#/$defs/node' }, { $defs })).toEqual({ type: 'object', properties: { next: {} } });
		expect(cleaned({ $ref: 'https://example.org/schema' })).toEqual({});
		expect(cleaned({ $ref: '#/$defs/none' })).toEqual({});
	});

	it.each([4, 40])('%i types that refer to each other stay small, and the first of them are told', (count) => {
		const names = Array.from({ length: count }, (_, index) => `t${index}`);
		const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
		const type = { type: 'object', description: 'One of them.', properties };
		const $defs = Object.fromEntries(names.map((name) => [name, type]));
		const made = cleanSchema({ type: 'object', properties: { ...properties, last: type }, $defs } as JsonObject);
		expect(JSON.stringify(made).length).toBeLessThan(200_000);
		const shown = made.properties as { readonly [name: string]: { readonly properties?: object } };
		for (const name of [...names, 'last']) expect(Object.keys(shown[name]?.properties ?? {})).toEqual(names);
	});

	it('a long chain of references that each lead on twice ends where it would become too long', () => {
		const link = (index: number): object => ({ $ref: `#/$defs/t${index + 1}` });
		const types = Array.from({ length: 200 }, (_, index) => [
			`t${index}`,
			{ type: 'object', properties: { a: link(index), b: link(index) } },
		]);
		const made = cleanSchema({ $ref: '#/$defs/t0', $defs: Object.fromEntries(types) } as JsonObject);
		expect(JSON.stringify(made).length).toBeLessThan(200_000);
		expect(made).toMatchObject({ properties: { b: { properties: { b: { properties: { b: {} } } } } } });
	});

	it('a long description is not repeated without bound', () => {
		const properties = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`p${n}`, { $ref: '#/$defs/long' }]));
		const $defs = { long: { type: 'string', description: 'x'.repeat(10_000) } };
		expect(JSON.stringify(cleanSchema({ properties, $defs } as JsonObject)).length).toBeLessThan(200_000);
	});

	it('one allowed value is a list of one', () => {
		expect(cleaned({ const: 'a' })).toEqual({ type: 'string', enum: ['a'] });
	});

	it('allowed values are texts, each once, and null is none of them', () => {
		expect(cleaned({ enum: ['a', 1, '1', null, true, 'a'] })).toEqual({ type: 'string', enum: ['a', '1', 'true'] });
		expect(cleaned({ type: 'string', enum: [null] })).toEqual({ type: 'string' });
	});

	it.each(['anyOf', 'oneOf'])('literals in %s are a list of values', (keyword) => {
		const variants = [{ const: 'a' }, { enum: ['b', 'c'] }, { const: null }, { type: 'null' }];
		expect(cleaned({ [keyword]: variants, description: 'Which.' })).toEqual({
			description: 'Which.',
			type: 'string',
			enum: ['a', 'b', 'c'],
		});
	});

	it('null is taken out of types and unions', () => {
		expect(cleaned({ type: ['string', 'null'] })).toEqual({ type: 'string' });
		expect(cleaned({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toEqual({ type: 'integer' });
		expect(cleaned({ anyOf: [{ type: 'null' }], description: 'x' })).toEqual({ description: 'x' });
	});

	it('texts and numbers together are texts', () => {
		expect(cleaned({ type: ['number', 'string'] })).toEqual({ type: 'string' });
		expect(cleaned({ anyOf: [{ type: 'number' }, { type: 'string' }] })).toEqual({ type: 'string' });
		expect(cleaned({ anyOf: [{ type: 'integer' }, { type: 'number' }] })).toEqual({ type: 'number' });
	});

	it('of any other union one variant stays', () => {
		const object = { type: 'object', properties: { a: { type: 'string' } } };
		expect(cleaned({ oneOf: [object, { type: 'array', items: object }], description: 'One.' })).toEqual({
			...object,
			description: 'One.',
		});
	});

	it('all of several schemas are one', () => {
		const a = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
		const b = { properties: { b: { type: 'number' } }, required: ['b'] };
		expect(cleaned({ allOf: [a, b] })).toEqual({
			type: 'object',
			properties: { ...a.properties, ...b.properties },
			required: ['a', 'b'],
		});
	});

	it('only properties that are described are required', () => {
		expect(cleanSchema({ type: 'object', properties: { a: {} }, required: ['a', 'b', 7] as never })).toEqual({
			type: 'object',
			properties: { a: {} },
			required: ['a'],
		});
		expect(cleanSchema({ type: 'object', required: ['b'] })).toEqual({ type: 'object' });
	});

	it('the items of a tuple are like its first', () => {
		expect(cleaned({ type: 'array', items: [{ type: 'string' }, { type: 'number' }] })).toEqual({
			type: 'array',
			items: { type: 'string' },
		});
	});

	it('the input of a tool is an object, even where its schema does not say so', () => {
		expect(cleanSchema({})).toEqual({ type: 'object', properties: {} });
		expect(cleanSchema({ properties: { a: true } } as JsonObject)).toEqual({ type: 'object', properties: { a: {} } });
	});

	it('what was clean stays as it was', () => {
		const schema = {
			type: 'object',
			properties: { p: { type: 'string', title: 'P', default: 'x', enum: ['x'] } },
			required: ['p'],
		};
		expect(cleanSchema(schema)).toEqual(schema);
	});
});
