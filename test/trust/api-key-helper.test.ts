/** `apiKeyHelper`: a command of the user's settings prints the key, and nobody else ever sees it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';

let stage: ClientStage;
beforeEach(() => {
	stage = new ClientStage();
});
afterEach(() => stage[Symbol.dispose]());

const secret = 'sk-a-very-secret-key';
const prints = `echo ran >> count; echo ${secret}`;

function settings(value: object, path = join(stage.home, '.claude/settings.json')): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, JSON.stringify(value));
}

const bash = { content: [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'true' } }] };
const count = (): string => (existsSync(stage.file('count')) ? readFileSync(stage.file('count'), 'utf8') : '');

async function ask(turns: readonly object[], env: { readonly [name: string]: string } = {}, ...flags: string[]) {
	await using server = await startModelServer({ turns: [...turns, { text: 'done' }] as never });
	const args = ['-p', 'go', '--output-format', 'stream-json', '--dangerously-skip-permissions', ...flags];
	const ran = await stage.run(args, { env: { ANTHROPIC_BASE_URL: server.url, ...env } });
	const keys = server.requests.map(
		({ headers }) => headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', ''),
	);
	return { ...ran, keys };
}

it('gives the key, once for all requests of a run, and it is written and printed nowhere', async () => {
	settings({ apiKeyHelper: prints, statusLine: { type: 'command', command: 'touch status' } });
	const { code, keys, out, err } = await ask([bash, bash]);
	expect({ code, keys, count: count(), err }).toEqual({
		code: 0,
		keys: [secret, secret, secret],
		count: 'ran\n',
		err: '',
	});
	expect(existsSync(stage.file('status'))).toBe(false);
	const [session] = await stage.sessions();
	expect(`${out}${err}${readFileSync(session?.path ?? '', 'utf8')}`).not.toContain(secret);
});

it('is asked again when its key is too old', async () => {
	settings({ apiKeyHelper: 'date +%s%N', env: { CLAUDE_CODE_API_KEY_HELPER_TTL_MS: '1' } });
	const { keys } = await ask([bash, bash]);
	expect(new Set(keys).size).toBe(3);
});

it.each([
	['fails', 'echo half-a-key-sk-123; echo vault is sealed >&2; exit 3', 'it ended with code 3: vault is sealed'],
	['prints nothing', 'echo log in first >&2', 'printed no key: log in first'],
	['prints more than a key', 'echo two words', 'printed something that is no key'],
])('that %s is one line with what it said, and no request is made', async (_, helper, says) => {
	settings({ apiKeyHelper: helper });
	const { code, keys, err, out } = await ask([]);
	expect({ code, keys }).toEqual({ code: 3, keys: [] });
	expect(err.trim().split('\n')).toHaveLength(1);
	expect(err).toContain(says);
	expect(out + err).not.toContain('half-a-key');
});

it('is asked again, once, when its key is refused', async () => {
	settings({ apiKeyHelper: 'echo x >> count; echo key-$(wc -l < count)' });
	const refused = { error: { status: 401, message: 'invalid key' } };
	const { code, keys } = await ask([refused, bash]);
	expect({ code, keys }).toEqual({ code: 0, keys: ['key-1', 'key-2', 'key-2'] });
	const twice = await ask([refused, refused]);
	expect({ code: twice.code, keys: twice.keys }).toEqual({ code: 3, keys: ['key-3', 'key-4'] });
});

it('whose key is refused is not shown', async () => {
	settings({ apiKeyHelper: `echo ${secret}` });
	const body = { type: 'error', error: { type: 'authentication_error', message: `invalid key ${secret}` } };
	const { code, err, out } = await ask([{ error: { status: 401, body } }]);
	expect(code).toBe(3);
	expect(out + err).not.toContain(secret);
});

it('is not run where a variable holds the key, nor for another provider', async () => {
	settings({ apiKeyHelper: prints });
	expect((await ask([], { ANTHROPIC_API_KEY: 'from-env' })).keys).toEqual(['from-env']);
	await stage.run(['-p', 'go', '--script', stage.script([{ text: 'ok' }])]);
	expect(count()).toBe('');
});

it('of a project is run once the folder is trusted, and not before', async () => {
	settings({ apiKeyHelper: prints }, stage.file('.claude/settings.json'));
	const before = await ask([], {});
	expect({ keys: before.keys, count: count() }).toEqual({ keys: [], count: '' });
	expect(before.err).toContain('no model is set up');
	const waits = /apiKeyHelper of this project would give a key, and waits until the folder is trusted/;
	expect(before.err).toMatch(waits);
	expect((await ask([], {}, '--model', 'opus')).err).toMatch(waits);
	expect((await ask([], {}, '--model', 'gpt-5')).err).not.toMatch(waits);
	expect((await ask([], {}, '--trust')).keys).toEqual([secret]);
});

it('a key is sent as a key, a token as a token, and what the helper prints as both', async () => {
	const sent = async (env: { readonly [name: string]: string }) => {
		await using server = await startModelServer({ turns: [{ text: 'done' }] });
		await stage.run(['-p', 'go', '--model', 'claude-sonnet-4-5'], { env: { ANTHROPIC_BASE_URL: server.url, ...env } });
		const { 'x-api-key': asKey, authorization } = server.requests[0]?.headers ?? {};
		return { asKey, authorization };
	};
	expect(await sent({ ANTHROPIC_API_KEY: secret })).toEqual({ asKey: secret, authorization: undefined });
	expect(await sent({ ANTHROPIC_AUTH_TOKEN: secret })).toEqual({ asKey: undefined, authorization: `Bearer ${secret}` });
	settings({ apiKeyHelper: prints });
	expect(await sent({})).toEqual({ asKey: secret, authorization: `Bearer ${secret}` });
});
