/** A conversation that changes its model at every prompt: each server accepts what the others have said. */
import { describe, expect, it } from 'vitest';
import { resumeConversation } from '../../src/agent/recording/resume.ts';
import { startRun } from '../../src/agent/run.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { openHandle } from '../../src/store/handle/handle.ts';
import { stage } from '../support/agent.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { formats } from '../support/sessions.ts';
import { type WireCase, wireCases } from '../support/wires.ts';

const [anthropic, responses, chat, google, ollama] = wireCases as [WireCase, WireCase, WireCase, WireCase, WireCase];
const order = [anthropic, google, responses, chat, ollama, anthropic];

/** Every server thinks, calls two tools at once, and answers. */
const turns = [
	{
		content: [
			{ type: 'thinking' as const, thinking: 'hm, two files', signature: 'c2lnbmVk' },
			{ type: 'text' as const, text: 'Looking.' },
			{ type: 'tool_use' as const, name: 'Read', input: { file_path: 'a.txt' } },
			{ type: 'tool_use' as const, name: 'Bash', input: { command: 'echo hi' } },
		],
	},
	{ text: 'Done.' },
];

async function servers(): Promise<ReadonlyMap<string, ModelServer>> {
	const made = new Map<string, ModelServer>();
	for (const { name } of wireCases) {
		const times = order.filter((one) => one.name === name).length;
		made.set(name, await startModelServer({ turns: Array.from({ length: times }, () => turns).flat(), strict: true }));
	}
	return made;
}

/** Signed thoughts in what a server was sent. */
function signedThoughts(body: JsonObject): number {
	return JSON.stringify(body).match(/c2lnbmVk/g)?.length ?? 0;
}

describe('a conversation that goes from model to model', () => {
	it.each(formats.flatMap((format) => [false, true].map((reopened) => [format, reopened] as const)))(
		'in %s (opened anew each time: %s) is accepted by every strict server',
		async (format, reopened) => {
			const running = await servers();
			const urlOf = ({ name }: WireCase): string => running.get(name)?.url ?? '';
			await using work = await stage(anthropic.provider(urlOf(anthropic)), { format });
			let { conversation } = work;
			let handle = work.handle;
			for (const wire of order) {
				const config = { ...work.config, provider: wire.provider(urlOf(wire)), model: wire.model };
				const result = await startRun(handle, conversation, `ask ${wire.name}`, config).result;
				expect([wire.name, result.outcome, result.problem]).toEqual([wire.name, 'success', undefined]);
				if (!reopened) continue;
				await handle[Symbol.asyncDispose]();
				conversation = resumeConversation(handle.path).conversation;
				handle = await openHandle(handle.path, { machine: work.scratch.machine });
			}
			if (reopened) await handle[Symbol.asyncDispose]();
			for (const [name, server] of running) {
				const refused = server.requests.filter(({ rejected }) => rejected !== undefined);
				expect([name, refused.map(({ rejected }) => rejected)]).toEqual([name, []]);
			}
			// Thinking goes back signed to the model that thought it, and to nobody else.
			const last = running.get('anthropic')?.requests.at(-1)?.body ?? {};
			expect(signedThoughts(last)).toBeLessThanOrEqual(2);
			for (const name of ['openai-chat', 'openai-responses', 'ollama', 'google']) {
				const first = running.get(name)?.requests[0]?.body ?? {};
				expect([name, signedThoughts(first)]).toEqual([name, 0]);
			}
			for (const server of running.values()) await server.close();
		},
		30_000,
	);
});
