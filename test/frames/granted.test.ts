/** What a host grants beside a call: it is kept where the host says so and the folder is trusted, and nothing is passed over in silence. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { Host } from '../support/host.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
const touch = (name: string) => ({
	content: [{ type: 'tool_use' as const, name: 'Bash', input: { command: `touch ${name}` } }],
});

/** The first question is answered with the updates, the others with no. */
const granting = (updates: readonly object[], script: readonly object[], args: readonly string[] = []): Host => {
	let asked = 0;
	return new Host(stage, {
		script: script as never,
		args,
		answers: {
			can_use_tool: ({ input }) => {
				asked += 1;
				if (asked > 1) return { behavior: 'deny', message: 'no more' };
				return { behavior: 'allow', updatedInput: input as never, updatedPermissions: updates as never };
			},
		},
	});
};
const rule = (content: string, destination: string, behavior = 'allow') => ({
	...{ type: 'addRules', behavior, destination, rules: [{ toolName: 'Bash', ruleContent: content }] },
});
const local = join(stage.cwd, '.claude/settings.local.json');

it('a rule for the local settings is written there where the folder is trusted, and holds at once', async () => {
	const script = [touch('one'), touch('two'), { text: 'ok' }];
	await using untrusted = granting([rule('touch:*', 'localSettings')], script);
	expect(await untrusted.turn('go')).toMatchObject({ permission_denials: [] });
	expect(existsSync(local)).toBe(false);
	expect(untrusted.of('informational')).toMatchObject([{ content: expect.stringContaining('not trusted') }]);
	await untrusted.end();
	await using trusted = granting([rule('touch:*', 'localSettings')], script, ['--trust']);
	expect(await trusted.turn('go')).toMatchObject({ permission_denials: [] });
	expect(trusted.of('informational')).toEqual([]);
	expect(JSON.parse(readFileSync(local, 'utf8'))).toEqual({ permissions: { allow: ['Bash(touch:*)'] } });
});

it('a rule for the session is written nowhere; one for other files is told', async () => {
	writeFileSync(local, '{}');
	await using one = granting([rule('touch:*', 'session')], [touch('a1'), touch('a2'), { text: 'ok' }]);
	expect(await one.turn('go')).toMatchObject({ permission_denials: [] });
	await using two = granting([rule('touch:*', 'userSettings')], [touch('b1'), { text: 'ok' }]);
	await two.turn('go');
	expect(two.of('informational')).toMatchObject([{ content: expect.stringContaining('userSettings') }]);
	expect(readFileSync(local, 'utf8')).toBe('{}');
});

it('a rule that denies holds from then on, also where all is allowed by another', async () => {
	const updates = [rule('touch:*', 'session'), rule('touch c2', 'session', 'deny')];
	await using one = granting(updates, [touch('c1'), touch('c2'), { text: 'ok' }]);
	expect(await one.turn('go')).toMatchObject({ permission_denials: [{ tool_input: { command: 'touch c2' } }] });
	expect([existsSync(stage.file('c1')), existsSync(stage.file('c2'))]).toEqual([true, false]);
});

it('a folder that is added may be worked in; what cannot be done is told', async () => {
	const folder = join(stage.home, 'beside');
	mkdirSync(folder);
	writeFileSync(join(folder, 'x.txt'), 'x\n');
	const updates = [
		{ type: 'addDirectories', directories: [folder], destination: 'session' },
		{ type: 'replaceRules', rules: [], behavior: 'allow', destination: 'localSettings' },
	];
	const read = { content: [{ type: 'tool_use', name: 'Read', input: { file_path: join(folder, 'x.txt') } }] };
	await using one = granting(updates, [touch('d1'), read, { text: 'ok' }]);
	expect(await one.turn('go')).toMatchObject({ permission_denials: [] });
	expect(one.of('informational')).toMatchObject([{ content: expect.stringContaining('replaceRules') }]);
});

it.each([
	['bypassPermissions', 'chosen when the client is started'],
	['fast', 'there is none'],
])('the mode %s is not granted by an answer, and the host hears why', async (mode, why) => {
	const files = [`${mode}1`, `${mode}2`];
	await using one = granting(
		[{ type: 'setMode', mode, destination: 'session' }],
		[...files.map(touch), { text: 'ok' }],
	);
	expect(await one.turn('go')).toMatchObject({
		permission_denials: [{ tool_input: { command: `touch ${files[1]}` } }],
	});
	expect(one.of('informational')).toMatchObject([{ tag: 'permission_update', content: expect.stringContaining(why) }]);
});

it('a mode that is granted holds, and that it is written nowhere is told where the host wanted that', async () => {
	const script = [touch('e1'), { text: 'ok' }];
	const update = { type: 'setMode', mode: 'acceptEdits' };
	await using one = granting([{ ...update, destination: 'session' }], script);
	await one.turn('go');
	expect([one.of('informational'), one.of('status')]).toMatchObject([[], [{ permissionMode: 'acceptEdits' }]]);
	await using two = granting([{ ...update, destination: 'userSettings' }], script);
	await two.turn('go');
	expect(two.of('informational')).toMatchObject([{ content: expect.stringContaining('userSettings is not written') }]);
});
