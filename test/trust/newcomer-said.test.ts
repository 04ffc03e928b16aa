/** What somebody is told who tries things out: which session is meant, what was done, and what that means. */
import { expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';

function newStage(): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	return stage;
}

const done = [{ text: 'done' }];

it('whoever does not name a session is told which one is meant, and a script is not', async () => {
	const stage = newStage();
	await stage.run(['-p', 'Paint the shed', '--script', stage.script(done)]);
	const which = '“Paint the shed” (claude-code, just now)\n';
	for (const flags of [['-c'], ['-r', 'last'], ['-c', '--fork-session']]) {
		const { err, out } = await stage.run([...flags, '-p', 'And now', '--script', stage.script(done)]);
		expect(err).toContain(`reprise: going on with ${which}`);
		expect(out).toBe('done\n');
	}
	expect((await stage.run(['check', 'last'])).err).toBe(`reprise: last is ${which}`);
	expect((await stage.run(['check', 'last', '--json'])).err).toBe('');
	for (const format of ['json', 'stream-json']) {
		const args = ['-c', '-p', 'More', '--script', stage.script(done), '--output-format', format];
		expect((await stage.run(args)).err).not.toContain('going on with');
	}
});
