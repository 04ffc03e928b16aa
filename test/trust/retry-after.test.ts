/** A server that says how long to wait is waited for, or the run ends and says how long that would be. */
import { afterAll, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const args = ['-p', 'hello', '--model', 'claude-sonnet-4-5'];
const limited = (seconds: number) => ({
	error: { status: 429, message: 'slow down', headers: { 'retry-after': String(seconds) } },
});

it('45 seconds are 45 seconds', async () => {
	await using server = await startModelServer({ turns: [limited(45)], fallback: { text: 'hello' } });
	const child = stage.start(args, { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-0123456789' });
	child.stdin.end();
	let err = '';
	for await (const piece of child.stderr) {
		err += String(piece);
		if (err.includes('\n')) break;
	}
	child.kill('SIGKILL');
	expect(err).toContain('Trying again in 45.0 s (1 of 5).');
});

it('an hour is not waited: the run ends at once, and says so', async () => {
	await using server = await startModelServer({ turns: [limited(3600)], fallback: { text: 'hello' } });
	const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-ant-0123456789' };
	const { code, err } = await stage.run(args, { env });
	expect({ code, requests: server.requests.length }).toEqual({ code: 3, requests: 1 });
	expect(err).toContain('It wants to be asked again in 1 h');
});
