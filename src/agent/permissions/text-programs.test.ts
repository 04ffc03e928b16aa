/** Programs by any name: a name that every object of the language knows is a program like others. */
import { expect, it } from 'vitest';
import { judge } from '../../../test/support/shell-rules.ts';

it('a command that is called like a property of every object is asked about', async () => {
	for (const command of ['constructor x', 'toString', 'git valueOf x', 'docker constructor x', 'docker toString'])
		expect(await judge(command, {}), command).toBe('ask');
});
