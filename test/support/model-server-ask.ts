/** Asking a model server in tests: every protocol by the name users give it. */
import type { Failure, ModelEvent, ModelRequest, Provider } from '../../src/agent/contracts.ts';
import type { AssistantMessage } from '../../src/model/index.ts';
import { findModel } from '../../src/providers/registry.ts';
import type { Env } from '../../src/providers/service.ts';

/** Variables under which every provider finds the server. */
export function envFor(url: string): Env {
	return {
		ANTHROPIC_API_KEY: 'key-a',
		ANTHROPIC_BASE_URL: url,
		OPENAI_API_KEY: 'key-o',
		OPENAI_BASE_URL: `${url}/v1`,
		GEMINI_API_KEY: 'key-g',
		GOOGLE_GEMINI_BASE_URL: url,
		OLLAMA_HOST: url,
	};
}

/** One model of each protocol. */
export const modelNames = {
	anthropic: 'anthropic/claude-sonnet-4-5',
	responses: 'openai-responses/gpt-5',
	chat: 'openai-chat/gpt-4.1',
	google: 'google/gemini-3-pro',
	ollama: 'ollama/qwen3',
} as const;

export type ProtocolName = keyof typeof modelNames;
export const protocolNames = Object.keys(modelNames) as readonly ProtocolName[];

export async function providerAt(
	name: string,
	env: Env,
): Promise<{ readonly provider: Provider; readonly model: string }> {
	const found = await findModel(name, { env });
	if (!found.ok) throw new Error(found.problem);
	return found;
}

export interface Answered {
	readonly events: readonly ModelEvent[];
	/** The types of the events; runs of deltas count once. */
	readonly order: string;
	readonly message: AssistantMessage;
	readonly failure?: Failure;
}

export const someTool = {
	name: 'read',
	description: 'Reads a file.',
	inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
} as const;

export async function ask(
	provider: Provider,
	request: Partial<ModelRequest> & Pick<ModelRequest, 'model'>,
	signal: AbortSignal = new AbortController().signal,
): Promise<Answered> {
	const messages = [{ role: 'user', content: 'hi', timestamp: 1 } as const];
	const events: ModelEvent[] = [];
	for await (const event of provider.stream({ system: '', messages, tools: [someTool], ...request }, signal))
		events.push(event);
	const last = events.at(-1);
	if (last?.type !== 'done' && last?.type !== 'error') throw new Error(`a stream ended with ${String(last?.type)}`);
	const failure = events.find((event) => event.type === 'failure')?.failure;
	const order = events
		.map((event) => event.type)
		.filter((type, at, all) => type !== all[at - 1])
		.join(' ');
	return { events, order, message: last.type === 'done' ? last.message : last.error, ...(failure ? { failure } : {}) };
}
