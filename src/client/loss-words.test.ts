/** Losses in words for people: whatever a foreign file calls its records, the report can be made. */
import { expect, it } from 'vitest';
import { report } from './loss-words.ts';

it('a record that is called like a property of every object is told by its own name', () => {
	const loss = { entry: 'line:2', path: '', how: 'dropped' } as const;
	const note = 'a line of type "constructor" has no counterpart';
	expect(report([{ ...loss, note }])).toEqual([`gone: an entry line:2: ${note}`]);
	expect(report([{ ...loss, path: 'toString', note: 'no such field' }])).toEqual([
		'gone: toString of line:2: no such field',
	]);
});

it('one reason stands for others of its kind as an example', () => {
	const note = (agent: string): string => `the thread of sub-agent ${agent} has no place`;
	const lost = ['a1', 'a2'].map((agent) => ({ entry: agent, path: '', how: 'dropped' as const, note: note(agent) }));
	expect(report(lost)).toEqual([`gone 2 times: entries: for example, ${note('a1')}`]);
	const alike = lost.map((loss) => ({ ...loss, note: note('a1') }));
	expect(report(alike)).toEqual([`gone 2 times: entries: ${note('a1')}`]);
});
