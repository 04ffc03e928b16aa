/** Which command a prompt calls. */
import { expect, it } from 'vitest';
import { calledIn, named, nearNames } from './called.ts';

it('a slash and a name call a command, and everything else is a prompt', () => {
	expect(calledIn('  /web:lint  a b\nc ')).toEqual({ name: 'web:lint', args: 'a b\nc' });
	expect(calledIn('/cost')).toEqual({ name: 'cost', args: '' });
	expect(calledIn([{ type: 'text', text: '/größe 1' }])).toEqual({ name: 'größe', args: '1' });
	for (const prompt of ['/etc/hosts is odd', 'say /cost', '/', '//x', '/-x', '/<b>', ''])
		expect(calledIn(prompt)).toBeUndefined();
});

it('the folder of a command need not be named where that leaves no doubt', () => {
	const list = ['web:lint', 'api:lint', 'web:test', 'test'].map((name) => ({ name }));
	expect(named('web:lint', list)?.name).toBe('web:lint');
	expect(named('lint', list)).toBeUndefined();
	expect(named('test', list)?.name).toBe('test');
});

it('names are near that begin alike or are a slip away', () => {
	const names = ['cost', 'compact', 'context', 'help', 'x'];
	expect(nearNames('cosst', names)).toEqual(['cost']);
	expect(nearNames('hlep', names)).toEqual(['help']);
	expect(nearNames('co', names)).toEqual(['compact', 'context', 'cost']);
	expect(nearNames('xylophone', names)).toEqual([]);
});
