/** What a model can take: known of each kind of server, so that a conversation is compacted before anybody cuts it off. */
import { afterAll, expect, it } from 'vitest';
import type { ScriptTurnInput } from '../../src/providers/script.ts';
import { ClientStage } from '../support/client.ts';
import { type ModelRequestSeen, startModelServer } from '../support/model-server.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

interface Tried {
	readonly compacted: boolean;
	readonly requests: readonly ModelRequestSeen[];
}

/** A run whose first reply reports so many tokens and goes on. */
async function tried(
	model: string,
	input: number,
	env: { readonly [name: string]: string },
	show?: object,
): Promise<Tried> {
	const read = { type: 'tool_use' as const, name: 'Read', input: { file_path: stage.file('a.txt') } };
	const usage = { input, output: 0, cacheRead: 0, cacheWrite: 0 };
	const turns: ScriptTurnInput[] = [
		{ when: { last: 'is about to be replaced by a summary' }, text: '<summary>It reads.</summary>' },
		{ content: [read], usage },
		{ text: 'Done.' },
	];
	await using server = await startModelServer({ turns, ...(show ? { show } : {}) });
	const host = { OLLAMA_HOST: server.url, GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_API_KEY: 'k' };
	const { code, err } = await stage.run(['-p', 'Read', '--model', model], { env: { ...host, ...env } });
	expect(code).toBe(0);
	return { compacted: err.includes('was compacted'), requests: server.requests };
}

it.each(['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3-pro-preview'])(
	'%s takes a million tokens, not 200,000',
	async (model) => {
		expect((await tried(`google/${model}`, 500_000, {})).compacted).toBe(false);
		expect((await tried(`google/${model}`, 1_040_000, {})).compacted).toBe(true);
	},
);

const made = { 'general.architecture': 'llama', 'llama.context_length': 131_072 };
it.each([
	['what the model’s own file sets', 8192, {}, { parameters: 'stop "x"\nnum_ctx 8192', model_info: made }],
	['what the model was made for', 16_384, {}, { model_info: { 'qwen3.context_length': 16_384 } }],
	['what machines have memory for', 32_768, {}, { model_info: made }],
	['what is usual, of a server that does not say', 32_768, {}, undefined],
	['what the user sets', 65_536, { OLLAMA_CONTEXT_LENGTH: '65536' }, { model_info: made }],
])('Ollama is sent %s, and the conversation is compacted before that is full', async (_, window, env, show) => {
	const full = await tried('ollama/qwen3', window - 1000, env, show);
	expect(full.compacted).toBe(true);
	for (const { body } of full.requests) expect(body).toMatchObject({ options: { num_ctx: window } });
	expect((await tried('ollama/qwen3', Math.floor(window * 0.7), env, show)).compacted).toBe(false);
});
