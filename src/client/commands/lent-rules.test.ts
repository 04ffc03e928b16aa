/** Laws of rules that a command brings: how long each is said to hold is how long it does. */
import { expect, it } from 'vitest';
import type { Rule } from '../../agent/permissions/rule.ts';
import { heldUntil, lend, takeBack } from './lent-rules.ts';

it('a rule that a command brought holds, and is said to hold, until the next prompt; one that was given when asked stays', () => {
	const given: Rule = { text: 'Bash(make:*)', tool: 'Bash', content: 'make:*' };
	const brought: Rule = { text: 'Bash(git:*)', tool: 'Bash', content: 'git:*' };
	const granted = [given];
	lend([brought], granted);
	expect(granted.map(heldUntil)).toEqual(['until the session is left', 'until the next prompt']);
	takeBack(granted);
	expect(granted).toEqual([given]);
});
