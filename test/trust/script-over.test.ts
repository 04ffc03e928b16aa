/** A script that does not answer everything is the user's mistake, and is told as one. */
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

it('a script that is over ends the run with an error', async () => {
	const call = { content: [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'ls' } }] };
	const { code, out, err } = await stage.run(['-p', 'go', '--script', stage.script([call])]);
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(err).toContain('The script is over');
});

it('tokens that a turn leaves out are none where it gives others', async () => {
	const script = stage.script([{ text: 'hello', usage: { input: 7 } }]);
	expect(await stage.json('-p', 'go', '--script', script)).toMatchObject({
		usage: { input_tokens: 7, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
	});
});
