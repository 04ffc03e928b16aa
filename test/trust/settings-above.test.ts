/** Settings of the folders above the one that is worked in: what they deny and ask about counts, and nothing else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { bash, put, read, type ToolUse, tryCalls, write } from '../support/permission-run.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
	mkdirSync(stage.file('.git'), { recursive: true });
});
afterEach(() => stage[Symbol.dispose]());

function settingsIn(path: string, value: unknown): void {
	mkdirSync(dirname(stage.file(path)), { recursive: true });
	writeFileSync(stage.file(path), JSON.stringify(value));
}

async function deniedIn(folder: string, calls: readonly ToolUse[], ...flags: string[]) {
	return await tryCalls(stage, calls, '--cwd', stage.file(folder), ...flags);
}

it('what a repository denies is denied in its sub-folders, with patterns meant from the folder of the settings', async () => {
	put(stage, 'secrets/k.env', 'a/b/key', 'a/other/key', 'a/b/c/x');
	settingsIn('.claude/settings.json', { permissions: { deny: ['Read(secrets/**)'] } });
	settingsIn('a/.claude/settings.local.json', { permissions: { deny: ['Read(/b/key)'], ask: ['Edit(./b/c/**)'] } });
	const secret = [read(stage.file('secrets/k.env')), bash('cat k.env')];
	expect((await deniedIn('secrets', secret)).denied).toEqual(secret.map(({ input }) => input));
	const calls = [read(stage.file('a/b/key')), read(stage.file('a/b/c/x')), write(stage.file('a/b/c/new'))];
	const { denied } = await deniedIn('a/b', calls, '--permission-mode', 'acceptEdits');
	expect(denied).toEqual([calls[0]?.input, calls[2]?.input]);
});

it('nothing but deny and ask rules comes from above, and nothing from above the repository', async () => {
	put(stage, 'a/x');
	settingsIn('.claude/settings.json', {
		permissions: { allow: ['Bash(touch:*)'], defaultMode: 'plan' },
		hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] },
		env: { WHO: 'above' },
	});
	settingsIn('../.claude/settings.json', { permissions: { deny: ['Read'] } });
	const calls = [read(stage.file('a/x')), bash('touch y'), write(stage.file('a/z'))];
	const { code, denied } = await deniedIn('a', calls, '--trust', '--allowedTools', 'Write');
	expect(code).toBe(0);
	expect(denied).toEqual([calls[1]?.input]);
});

it('settings above that cannot be read are named', async () => {
	put(stage, 'a/x');
	mkdirSync(stage.file('.claude'), { recursive: true });
	writeFileSync(stage.file('.claude/settings.json'), '{"permissions": {');
	expect((await deniedIn('a', [])).err).toContain(stage.file('.claude/settings.json'));
});
