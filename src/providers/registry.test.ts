/** Names of models, and who answers for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from '../../test/support/model-server-ask.ts';
import { scratchMachine } from '../../test/support/scratch.ts';
import { loadPrices } from '../catalog/cost/prices.ts';
import { noUsage } from '../model/index.ts';
import { anthropic, google, ollama, openAiChat, openAiResponses } from './index.ts';
import { claudeKind, configuredModel, configuredProviders, findModel } from './registry.ts';
import type { Env } from './service.ts';

const all: Env = {
	ANTHROPIC_API_KEY: 'a',
	OPENAI_API_KEY: 'o',
	GEMINI_API_KEY: 'g',
	OLLAMA_HOST: 'http://127.0.0.1:11434',
};

/** `provider api model`, or the problem, for a name. */
async function found(name: string, env: Env = all): Promise<string> {
	const result = await findModel(name, { env });
	return result.ok ? `${result.provider.id} ${result.provider.api} ${result.model}` : result.problem;
}

describe('the name of a model', () => {
	it.each([
		['anthropic/claude-sonnet-5-5', 'anthropic anthropic-messages claude-sonnet-5-5'],
		['openai/gpt-5.5', 'openai openai-responses gpt-5.5'],
		['openai-chat/gpt-5.5', 'openai openai-completions gpt-5.5'],
		['openai-responses/gpt-5.5', 'openai openai-responses gpt-5.5'],
		['google/gemini-3-pro', 'google google-generative-ai gemini-3-pro'],
		['ollama/hf.co/org/model:Q4', 'ollama ollama hf.co/org/model:Q4'],
	])('%s says whose it is', async (name, who) => {
		expect(await found(name)).toBe(who);
	});

	it.each([
		['claude-opus-5-5', 'anthropic anthropic-messages claude-opus-5-5'],
		['gpt-5.5', 'openai openai-responses gpt-5.5'],
		['o4-mini', 'openai openai-responses o4-mini'],
		['gemini-flash-latest', 'google google-generative-ai gemini-flash-latest'],
		['gpt-oss:20b', 'ollama ollama gpt-oss:20b'],
		['qwen3', 'ollama ollama qwen3'],
	])('%s alone is enough', async (name, who) => {
		expect(await found(name)).toBe(who);
	});

	it('another server of the OpenAI kind is asked over the older API, unless the user says otherwise', async () => {
		const env = { OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' };
		expect(await found('openai/llama', env)).toBe('openai openai-completions llama');
		expect(await found('llama', env)).toBe('openai openai-completions llama');
		expect(await found('openai-responses/llama', env)).toBe('openai openai-responses llama');
	});

	it('a provider that nobody knows is answered with those that are known', async () => {
		expect(await found('acme/model')).toMatch(
			/"acme\/model" does not name a known provider.*anthropic, openai,.*google, ollama, offline/,
		);
		expect(await found('constructor/x')).toContain('does not name a known provider');
	});

	it('a name that says nothing is answered with how to write it', async () => {
		expect(await found('mystery', {})).toMatch(/Write PROVIDER\/mystery/);
		expect(await found('anthropic/')).toMatch(/does not name a model: write anthropic\/NAME/);
	});

	it.each([
		['anthropic/claude-x', 'ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN'],
		['openai/gpt-x', 'OPENAI_API_KEY'],
		['google/gemini-x', 'GOOGLE_API_KEY or GEMINI_API_KEY'],
	])('without a key %s names the variable for one', async (name, variables) => {
		expect(await found(name, {})).toBe(`${name} needs a key: set ${variables}`);
		expect(await found(name, { ANTHROPIC_API_KEY: ' ', OPENAI_API_KEY: '', GEMINI_API_KEY: '' })).toContain(
			'needs a key',
		);
	});

	it('an address that is none is named by its variable', async () => {
		expect(await found('openai/x', { ...all, OPENAI_BASE_URL: 'not an address' })).toMatch(
			/OPENAI_BASE_URL is not an address/,
		);
		expect(await found('anthropic/x', { ...all, ANTHROPIC_BASE_URL: '::' })).toMatch(
			/ANTHROPIC_BASE_URL is not an address/,
		);
	});

	it.each([
		['ANTHROPIC_BASE_URL', anthropic],
		['OPENAI_BASE_URL', openAiChat],
		['OPENAI_BASE_URL', openAiResponses],
		['GOOGLE_GEMINI_BASE_URL', google],
		['OLLAMA_HOST', ollama],
	])('a provider that somebody makes with no address in %s says so when it is asked', async (name, make) => {
		const { failure } = await ask(make({ env: { ...all, [name]: 'no address' } }), { model: 'm' });
		expect(failure?.message).toMatch(`${name} is not an address: "`);
		expect(failure?.retry).toBe(false);
	});

	it('says which variable the key came from', async () => {
		const named = async (env: Env) => await findModel('anthropic/x', { env });
		expect(await named({ ANTHROPIC_AUTH_TOKEN: 't' })).toMatchObject({ ok: true, keyName: 'ANTHROPIC_AUTH_TOKEN' });
		expect(await named({ ANTHROPIC_AUTH_TOKEN: 't', ANTHROPIC_API_KEY: 'k' })).toMatchObject({
			keyName: 'ANTHROPIC_API_KEY',
		});
	});
});

describe('what is set up', () => {
	it('nothing, where no variable is set', () => {
		expect(configuredProviders({})).toEqual([]);
		expect(configuredModel({})).toBeUndefined();
	});

	it('every provider that has a key or an address of its own', () => {
		expect(configuredProviders(all).map(({ name }) => name)).toEqual(['anthropic', 'openai', 'google', 'ollama']);
		expect(configuredProviders({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toEqual([
			{ name: 'openai', url: 'http://127.0.0.1:1/v1' },
		]);
	});

	it('the first provider gives the model, and its own variable names another', () => {
		expect(configuredModel(all)).toMatch(/^anthropic\/claude-/);
		expect(configuredModel({ ...all, ANTHROPIC_MODEL: 'claude-x' })).toBe('anthropic/claude-x');
		expect(configuredModel({ GOOGLE_API_KEY: 'g' })).toMatch(/^google\/gemini-/);
		expect(configuredModel({ OLLAMA_HOST: 'x', OLLAMA_MODEL: 'qwen3' })).toBe('ollama/qwen3');
		expect(configuredModel({ OLLAMA_HOST: 'x' })).toBeUndefined();
	});

	it('is found again by its own name', async () => {
		for (const { model } of configuredProviders(all))
			if (model) expect((await findModel(model, { env: all })).ok).toBe(true);
	});

	it('what Ollama listens on is where it is asked', () => {
		const url = (OLLAMA_HOST: string) => configuredProviders({ OLLAMA_HOST })[0]?.url;
		expect(url('0.0.0.0')).toBe('http://127.0.0.1:11434');
		expect(url('0.0.0.0:9999')).toBe('http://127.0.0.1:9999');
		expect(url(':9999')).toBe('http://127.0.0.1:9999');
		expect(url('box.local')).toBe('http://box.local:11434');
		expect(url('https://ollama.com')).toBe('https://ollama.com');
	});
});

describe('the SDKs', () => {
	it('are loaded by the first request, not by a name', () => {
		const folder = import.meta.dirname;
		const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
		const sdk = /^import (?!type ).*'(@anthropic-ai\/sdk|openai|@google\/genai[^']*|ollama[^']*)'/m;
		expect(files.filter((name) => sdk.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
		const lazy = files.filter((name) => /await import\('[^.]/.test(readFileSync(join(folder, name), 'utf8')));
		expect(lazy).toEqual(['anthropic.ts', 'google.ts', 'ollama.ts', 'openai-client.ts']);
	});
});

it('the newest Claude of each kind is one whose price is known, and a variable names another', () => {
	for (const kind of ['opus', 'sonnet', 'haiku']) {
		const { newest, variable } = claudeKind(kind, {}) ?? {};
		expect(newest).toMatch(new RegExp(`^claude-${kind}-`));
		expect(loadPrices().cost({ ...noUsage, input: 1 }, String(newest), 'anthropic', undefined), kind).toBeGreaterThan(
			0,
		);
		expect(claudeKind(kind, { [String(variable)]: 'mine' })?.said).toBe('mine');
	}
	expect(claudeKind('gpt', {})).toBeUndefined();
});

describe('offline', () => {
	it('offline/script plays the file that REPRISE_SCRIPT names', async () => {
		using scratch = scratchMachine();
		const file = join(scratch.root, 'script.json');
		await writeFile(file, '[{"text": "hello"}]');
		expect(await found('offline/script', { REPRISE_SCRIPT: file })).toBe('offline anthropic-messages script');
		expect(await found(`offline/script:${file}`, {})).toBe('offline anthropic-messages script');
	});

	it('a script that is missing, unreadable or wrong is told before anything is asked', async () => {
		expect(await found('offline/script', {})).toContain('or set REPRISE_SCRIPT');
		expect(await found('offline/script', { REPRISE_SCRIPT: '/does/not/exist' })).toContain('does not exist');
		using scratch = scratchMachine();
		const file = join(scratch.root, 'script.json');
		await writeFile(file, '[{"txt": "hello"}]');
		expect(await found('offline/script', { REPRISE_SCRIPT: file })).toMatch(/script\.json: .*txt/);
		expect(await found('offline/other', {})).toContain('offline/script:FILE plays a script');
		expect(await found('offline/replay', {})).toContain('reprise replay SESSION');
	});
});
