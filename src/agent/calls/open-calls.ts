/** Results for calls that nobody ran, because no API goes on from a call without one; and what of an interrupted reply is still sent. */
import type { AssistantMessage, ToolCall, ToolResultMessage } from '../../model/index.ts';
import type { ToolOutput } from '../contracts.ts';
import type { HookScene } from '../hooks/run-hooks.ts';
import { callsOf } from '../replies/ask-model.ts';
import { isWhole } from '../replies/unfinished.ts';
import { failed, notRun } from './outputs.ts';

type Scene = Pick<HookScene, 'config' | 'conversation' | 'journal'>;

/** An earlier run that was killed may have left calls without a result. */
export async function closeOpenCalls(scene: Scene): Promise<void> {
	const { conversation, journal } = scene;
	for (const call of conversation.unanswered.splice(0)) {
		const known = conversation.answers?.get(call.id);
		await answerInstead(call, known ?? failed(journal.unanswered(call.name)), scene);
	}
}

/** What of an interrupted reply is sent with the next request, where the session's client sends any of it; its calls were not run. */
export async function keepAborted(message: AssistantMessage, scene: Scene): Promise<void> {
	const { abortedCalls } = scene.journal.rules;
	if (abortedCalls === 'keep') return;
	const whole = message.content.filter(isWhole);
	const content = abortedCalls === 'drop' ? whole.filter((block) => block.type !== 'toolCall') : whole;
	if (content.length === 0) return;
	const kept: AssistantMessage = { ...message, stopReason: 'stop', content };
	scene.conversation.messages.push(kept);
	for (const call of callsOf(kept)) await answerInstead(call, notRun(), scene);
}

/** A result for a call that nobody ran. */
async function answerInstead(call: ToolCall, output: ToolOutput, scene: Scene): Promise<void> {
	const { conversation, journal, config } = scene;
	const { content, details, isError = false } = output;
	const message: ToolResultMessage = {
		role: 'toolResult',
		toolCallId: call.id,
		toolName: call.name,
		content: [...content],
		isError,
		timestamp: config.host.now(),
	};
	await journal.result(message, details === undefined ? {} : { details });
	if (!conversation.messages.some((one) => one.role === 'toolResult' && one.toolCallId === call.id)) {
		conversation.messages.push(message);
	}
}
