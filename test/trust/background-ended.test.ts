/** Commands in the background end with their run: the user is told at its end, the model when the session goes on. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const background = (command: string) => ({
	content: [{ type: 'tool_use' as const, name: 'Bash', input: { command, run_in_background: true } }],
});

it.each(['claude-code', 'clido', 'cline', 'openclaw'])(
	'what was running is named and told once in %s',
	async (format) => {
		const script = stage.script([background('sleep 61'), background('sleep 62'), { text: 'started' }]);
		const flags = ['--script', script, '--session-format', format, '--dangerously-skip-permissions'];
		const { code, out, err } = await stage.run(['-p', 'x', ...flags]);
		expect({ code, out }).toEqual({ code: 0, out: 'started\n' });
		expect(err).toContain('2 background commands were ended with this run: sleep 61; sleep 62\n');
		await using server = await startModelServer({ turns: [{ text: 'a' }, { text: 'b' }] });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' };
		for (const prompt of ['and?', 'and now?'])
			await stage.run(['-p', prompt, '-c', '--model', 'claude-sonnet-4-5'], { env });
		const times = server.requests.map(({ body }) => JSON.stringify(body).split('was ended with the run').length - 1);
		expect(times).toEqual([2, 2]);
	},
);
