/** Laws of how sessions are named. */
import { expect, it } from 'vitest';
import { sessionWord } from './session-names.ts';

it('a session is named by its id in a command, and by its file where that would mean something else', () => {
	const path = '/home/dev/some where/a.jsonl';
	const word = (id: string) => sessionWord({ id, path });
	expect(word('0f1e-22')).toBe('0f1e-22');
	expect(word('pi:0f1e-22')).toBe('pi:0f1e-22');
	expect(word('x;touch y')).toBe("'x;touch y'");
	expect(word("$(id)'s")).toBe(`'$(id)'\\''s'`);
	for (const id of ['', 'last', '-p', '--undo', '../x', 'notes.json']) expect(word(id), id).toBe(`'${path}'`);
});
