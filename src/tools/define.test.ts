/** Inputs of tools: a tool is given the fields that permission rules have been asked about, and no others. */
import { expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { bash } from './bash.ts';
import { read } from './read.ts';

it('a field called __proto__ brings no fields that no rule has seen', () => {
	const hidden = JSON.parse('{"__proto__":{"command":"rm -rf build"}}') as Json;
	expect(bash.parse(hidden)).toMatchObject({
		ok: false,
		problem: 'The required parameter `command` is missing\nAn unexpected parameter `__proto__` was provided',
	});
	expect(read.parse(JSON.parse('{"__proto__":{"file_path":"/a"}}') as Json).ok).toBe(false);
});

it('a number or a yes that a model writes as text is taken so where it can mean nothing else', () => {
	const given = { command: '2', timeout: '5000', run_in_background: 'true' };
	expect(bash.parse(given)).toEqual({
		ok: true,
		input: { command: '2', timeout: 5000, run_in_background: true },
	});
	expect(bash.parse({ command: 'a', timeout: 'soon' }).ok).toBe(false);
});
