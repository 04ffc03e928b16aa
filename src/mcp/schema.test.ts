/** What of a server's words reaches a provider: names, schemas, and forms for its user. */
import { describe, expect, it } from 'vitest';
import { fieldsOf, fieldValue } from './elicitation.ts';
import { offeredName } from './names.ts';
import { schemaProblem } from './schema.ts';

describe('a schema', () => {
	it.each([
		[{ type: 'object' }],
		[{ type: 'object', properties: { a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'string' }, true] } } }],
		[{ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'array', items: {} } } }],
	])('%j is offered', (schema) => {
		expect(schemaProblem(schema)).toBeUndefined();
	});

	it.each([
		[undefined, 'not an object'],
		['x', 'not an object'],
		[{ type: 'string' }, 'not one of an object'],
		[{ type: 'object', oneOf: [] }, 'oneOf at its top'],
		[{ type: 'object', properties: [] }, 'properties that are no object'],
		[{ type: 'object', properties: { a: 'string' } }, 'a part that is no schema'],
		[{ type: 'object', properties: { a: { items: { type: 'int' } } } }, 'a type that is none'],
		[{ type: 'object', required: [1] }, 'requires what is no name'],
		[{ type: 'object', properties: { a: { enum: 'x' } } }, 'an enum that is no list'],
		[{ type: 'object', properties: { [`${'a'.repeat(65)}`]: {} } }, 'a property that providers do not take'],
	])('%j is left out', (schema, problem) => {
		expect(schemaProblem(schema)).toContain(problem);
	});

	it('of any depth ends in an answer', () => {
		let schema: object = { type: 'object' };
		for (let depth = 0; depth < 20_000; depth += 1) schema = { type: 'object', properties: { a: schema } };
		expect(schemaProblem(schema as never)).toBe('its schema is nested too deeply');
	});
});

describe('a name', () => {
	it('has only letters that providers take, and not too many of them', () => {
		expect(offeredName('my server!', 'do/it now')).toBe('mcp__my_server__do_it_now');
		const long = offeredName('s', 'x'.repeat(100));
		expect(long).toHaveLength(64);
		expect(long).not.toBe(offeredName('s', `${'x'.repeat(99)}y`));
	});

	it('of one server is never that of another: a rule for the one does not fit the other', () => {
		expect(offeredName('a__b', 'c')).toBe('mcp__a_b__c');
		expect(offeredName('a_', '_c')).toBe('mcp__a___c');
		expect(offeredName('__', 'c')).toBe('mcp__server__c');
	});
});

describe('a form', () => {
	const schema = {
		type: 'object',
		properties: {
			name: { type: 'string', title: 'Name' },
			age: { type: 'integer' },
			sure: { type: 'boolean', default: false },
			size: { type: 'string', enum: ['s', 'l'], enumNames: ['small', 'large'] },
			all: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A!' }, { const: 'b' }] } },
		},
		required: ['name'],
	};
	const typed = (name: string, text: string): unknown => {
		const field = fieldsOf(schema).find((one) => one.name === name);
		return field && fieldValue(field, text);
	};

	it('takes what is typed as its fields want it', () => {
		expect(fieldsOf(schema).map(({ type }) => type)).toEqual(['text', 'whole', 'yes-no', 'choice', 'choices']);
		expect(typed('name', ' Ada ')).toEqual({ value: 'Ada' });
		expect(typed('age', '36')).toEqual({ value: 36 });
		expect(typed('sure', '')).toEqual({ value: false });
		expect(typed('sure', 'y')).toEqual({ value: true });
		expect(typed('size', 'large')).toEqual({ value: 'l' });
		expect(typed('size', '1')).toEqual({ value: 's' });
		expect(typed('all', 'A!, b')).toEqual({ value: ['a', 'b'] });
		expect(typed('age', '')).toEqual({ value: undefined });
	});

	it('says what is wrong with what is typed', () => {
		expect(typed('name', '')).toEqual({ problem: 'it has to be filled in' });
		expect(typed('age', '3.5')).toEqual({ problem: 'a whole number is wanted' });
		expect(typed('sure', 'perhaps')).toEqual({ problem: 'yes or no is wanted' });
		expect(typed('size', '3')).toEqual({ problem: 'it is one of small, large' });
		expect(typed('all', 'a, c')).toEqual({ problem: 'it is one of A!, b' });
	});
});
