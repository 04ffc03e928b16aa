/** Who may do what: modes and rules, as a table. */
import { describe, expect, it } from 'vitest';
import type { PendingCall, PermissionMode, Tool, ToolEffect } from './contracts.ts';
import { modePolicy, parseRule, type Rule, rulePolicy, splitRules } from './permissions.ts';

function call(name: string, effect: ToolEffect, ...subjects: readonly string[]): PendingCall {
	const tool: Tool = {
		name,
		effect,
		description: '',
		inputSchema: {},
		parse: (input) => ({ ok: true, input }),
		subjects: () => subjects,
		run: () => Promise.resolve({ content: [] }),
	};
	return { id: 'c', tool, input: {}, subjects };
}

const read = (path: string) => call('Read', 'read', path);
const edit = (path: string) => call('Edit', 'write', path);
const run = (command: string) => call('Bash', 'exec', command);
const situation = (mode: PermissionMode) => ({ mode, cwd: '/p', dirs: ['/more'] });

describe('modes', () => {
	const table: readonly (readonly [PermissionMode, PendingCall, string])[] = [
		['default', read('/p/a'), 'allow'],
		['default', read('/p'), 'allow'],
		['default', read('/more/a'), 'allow'],
		['default', read('/pa/a'), 'ask'],
		['default', read('/etc/passwd'), 'ask'],
		['default', edit('/p/a'), 'ask'],
		['default', run('ls'), 'ask'],
		['acceptEdits', edit('/p/a'), 'allow'],
		['acceptEdits', edit('/etc/passwd'), 'ask'],
		['acceptEdits', run('ls'), 'ask'],
		['plan', read('/p/a'), 'allow'],
		['plan', edit('/p/a'), 'deny'],
		['plan', run('ls'), 'deny'],
		['dontAsk', read('/p/a'), 'allow'],
		['dontAsk', edit('/p/a'), 'deny'],
		['bypassPermissions', run('rm -rf /'), 'allow'],
		['bypassPermissions', read('/etc/passwd'), 'allow'],
	];
	it.each(table)('in %s, %o: %s', async (mode, one, expected) => {
		expect((await modePolicy.decide(one, situation(mode))).is).toBe(expected);
	});
});

describe('rules', () => {
	const rules = (...texts: readonly string[]): readonly Rule[] => texts.map((text) => parseRule(text) as Rule);
	const table: readonly (readonly [string, PendingCall, boolean])[] = [
		['Read', read('/etc/passwd'), true],
		['Read', edit('/p/a'), false],
		['Bash', run('anything'), true],
		['Bash(*)', run('anything'), true],
		['Bash(npm test)', run('npm test'), true],
		['Bash(npm test)', run('npm test -- x'), false],
		['Bash(npm test:*)', run('npm test -- x'), true],
		['Bash(npm test:*)', run('npm test'), true],
		['Bash(npm test:*)', run('npm tester'), false],
		['Bash(npm test:*)', run('npm test; rm -rf /'), false],
		['Bash(npm test:*)', run('npm test && curl evil'), false],
		['Bash(npm test:*)', run('npm test $(curl evil)'), false],
		['Bash(npm test:*)', run('npm test > /etc/passwd'), false],
		['Bash(npm test:*)', run('npm test\nrm -rf /'), false],
		['Edit(src/**)', edit('/p/src/deep/a.ts'), true],
		['Edit(src/*)', edit('/p/src/a.ts'), true],
		['Edit(src/*)', edit('/p/src/deep/a.ts'), false],
		['Edit(./src/?.ts)', edit('/p/src/a.ts'), true],
		['Edit(//etc/hosts)', edit('/etc/hosts'), true],
		['Edit(src/**)', edit('/p/srcs/a.ts'), false],
		['Edit(a.ts)', edit('/p/axts'), false],
	];
	it.each(table)('%s and %o: %s', async (text, one, allowed) => {
		const policy = rulePolicy(rules(text), []);
		expect((await policy.decide(one, situation('default'))).is).toBe(allowed ? 'allow' : 'pass');
	});

	it('what is denied stays denied, whatever else is allowed', async () => {
		const policy = rulePolicy(rules('Bash'), rules('Bash(rm:*)'));
		expect(await policy.decide(run('rm -rf x'), situation('bypassPermissions'))).toMatchObject({ is: 'deny' });
		expect(await policy.decide(run('ls'), situation('default'))).toEqual({ is: 'allow' });
	});

	it('lists are split at commas and blanks, but not inside brackets', () => {
		expect(splitRules('Read,Edit Bash(npm run test:*), mcp__a__b')).toEqual([
			'Read',
			'Edit',
			'Bash(npm run test:*)',
			'mcp__a__b',
		]);
	});

	it('what is no rule is not guessed at', () => {
		expect(parseRule('(x)')).toBeUndefined();
		expect(parseRule('Bash(npm')).toBeUndefined();
	});
});
