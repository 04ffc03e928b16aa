/** A stricter permission mode holds when its session goes on, whatever the format has words for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { Host } from '../support/host.ts';
import { tryCalls, write } from '../support/permission-run.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const formats = ['claude-code', 'clido', 'cline', 'openclaw'];
const modes = ['plan', 'dontAsk'];

describe.each(formats.flatMap((format) => modes.map((mode) => ({ format, mode }))))('$mode in $format', (one) => {
	it('holds and is said on -c, until another mode is chosen', async () => {
		const { format, mode } = one;
		await tryCalls(stage, [], '--session-format', format, '--permission-mode', mode);
		const said = `the session is in the mode ${mode}`;
		const call = write(stage.file('made'));
		const kept = await tryCalls(stage, [call], '-c', '--allowedTools', 'Read');
		expect(kept.err).toContain(said);
		expect(kept.denied).toEqual([call.input]);
		await tryCalls(stage, [], '-c', '--permission-mode', 'default');
		const left = await tryCalls(stage, [call], '-c', '--allowedTools', 'Write');
		expect(left.err).not.toContain(said);
		expect(left.denied).toEqual([]);
	});
});

describe.each(formats.flatMap((format) => modes.map((mode) => ({ format, mode }))))(
	'$mode, chosen by a host in $format',
	(one) => {
		it('holds and is said although no prompt followed, until it is left in the same way', async () => {
			const { format, mode } = one;
			const choose = async (chosen: string, ...args: readonly string[]): Promise<void> => {
				await using host = new Host(stage, { script: [{ text: 'ok' }], args });
				if (!args.includes('-c')) {
					host.agent.say('hello');
					await host.until('result');
				}
				await host.agent.request('set_permission_mode', { mode: chosen });
				host.agent.end();
				expect(await host.agent.exit).toBe(0);
			};
			await choose(mode, '--session-format', format);
			const call = write(stage.file('made'));
			const kept = await tryCalls(stage, [call], '-c', '--allowedTools', 'Read');
			expect(kept.err).toContain(`the session is in the mode ${mode}`);
			expect(kept.denied).toEqual([call.input]);
			await choose('default', '-c');
			const left = await tryCalls(stage, [call], '-c', '--allowedTools', 'Write');
			expect(left.err).not.toContain('the session is in the mode');
			expect(left.denied).toEqual([]);
		});
	},
);
