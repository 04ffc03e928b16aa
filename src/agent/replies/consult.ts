/** A question to the model beside the conversation: nothing of it is written into the session but what it used. */
import { type AssistantMessage, errorText } from '../../model/index.ts';
import type { AgentConfig } from '../config.ts';
import type { Consulted } from '../contracts.ts';
import { textOf } from '../recording/blocks.ts';

export async function consult(
	question: { readonly system: string; readonly text: string },
	config: AgentConfig,
	signal: AbortSignal,
	used: (message: AssistantMessage) => void,
): Promise<Consulted> {
	const { provider, model, host } = config;
	const messages = [{ role: 'user', content: question.text, timestamp: host.now() } as const];
	let problem = 'the model said nothing';
	let answer: AssistantMessage | undefined;
	try {
		for await (const event of provider.stream({ model, system: question.system, messages, tools: [] }, signal)) {
			if (event.type === 'failure') problem = event.failure.message;
			else if (event.type === 'done') answer = event.message;
		}
	} catch (error) {
		problem = errorText(error);
	}
	if (!answer) return { problem };
	used(priced(answer, config));
	const text = textOf(answer.content).trim();
	return text === '' ? { problem } : { text };
}

/** With what it cost, where that is known. */
export function priced(message: AssistantMessage, { price }: AgentConfig): AssistantMessage {
	const cost = price?.(message.model, message.provider, message.usage);
	return cost ? { ...message, usage: { ...message.usage, cost } } : message;
}
