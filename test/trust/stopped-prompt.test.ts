/** A prompt that a hook stops is in no session, and begins none. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { command, HookRuns } from '../support/hooks.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

describe.each(['claude-code', 'clido', 'cline', 'openclaw'])('in the format %s', (format) => {
	it('a stopped prompt leaves no session, and -c goes on with the one before', async () => {
		const script = stage.script([{ text: 'one' }, { text: 'two' }]);
		const flags = ['--script', script, '--session-format', format];
		expect((await stage.run(['-p', 'first', ...flags])).code).toBe(0);
		const before = await stage.sessions();
		new HookRuns(stage).hooks({
			SessionStart: [command('true')],
			UserPromptSubmit: [command('echo not this >&2; exit 2')],
		});
		const stopped = await stage.run(['-p', 'second', ...flags]);
		expect(stopped.code).toBe(1);
		expect(stopped.err).toMatch(/the prompt was stopped by a hook: .*not this/);
		expect((await stage.sessions()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
		new HookRuns(stage).hooks({});
		expect((await stage.run(['-p', 'third', '-c', '--script', script])).err).toContain('going on with “first”');
	});
});
