/** How a host's first frame is kept quick: what is loaded for it. Times are measured by `npm run bench -- frames`. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ClientStage, framesIn } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
const frame = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

/** The kinds of frames that come for a prompt, and all files that are loaded until the client ends. */
async function loadedFor(prompt: string, args: readonly string[], more: { readonly [name: string]: string } = {}) {
	const list = join(stage.home, 'loaded.txt');
	rmSync(list, { force: true });
	const hooks = `
		import { appendFileSync } from 'node:fs';
		import { registerHooks } from 'node:module';
		const load = (url, context, next) => {
			if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n');
			return next(url, context);
		};
		registerHooks({ load });`;
	const env = { ...more, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hooks)}` };
	const { out, err, code } = await stage.run([...flags, ...args], { input: frame(prompt), env });
	expect([code, err]).toEqual([0, '']);
	const subtypes = framesIn(out).map(({ subtype }) => subtype);
	return { subtypes, files: readFileSync(list, 'utf8').trim().split('\n') };
}

it('a turn by frames loads few files: each costs a host about half a millisecond', async () => {
	const { subtypes, files } = await loadedFor('hi', ['--script', stage.script({ turns: [{ text: 'ok' }] })]);
	expect(subtypes).toContain('success');
	const own = files.filter((url) => url.includes('/dist/cli/'));
	expect(own.length).toBeGreaterThan(4);
	expect(own.length).toBeLessThan(24);
});

it('init waits for no price and no library of a provider: nobody has been asked yet', async () => {
	const env = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
	const { subtypes, files } = await loadedFor('/help', ['--model', 'anthropic/claude-sonnet-4-5'], env);
	expect(subtypes).toContain('init');
	expect(files.filter((url) => /genai-prices|\/dist\/cli\/sdk-|@anthropic-ai/.test(url))).toEqual([]);
});
