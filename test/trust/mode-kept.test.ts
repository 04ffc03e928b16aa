/** A stricter permission mode holds when its session goes on, whatever the format has words for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
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
