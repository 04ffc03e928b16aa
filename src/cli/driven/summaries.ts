/** `tool_use_summary`: the instruction for a line about calls that were made, how much of each call the model sees, and its time limit. */
import type { AgentEvent } from '../../agent/events.ts';
import { textOf } from '../../agent/recording/blocks.ts';
import { consult } from '../../agent/replies/consult.ts';
import type { Client } from '../../client/client.ts';
import type { FrameOutput } from './frame-output.ts';

const system =
	'You are told the tool calls that a coding agent has just made, with their results. Say in one line of at most ten words what ' +
	'they have done, in the past tense and without quotation marks.';

const longestText = 1000;
/** Whoever has not answered by then is not waited for. */
const patience = 15_000;

export class ToolSummaries {
	readonly #client: Client;
	readonly #frames: FrameOutput;
	readonly #asked = new Set<Promise<void>>();

	constructor(client: Client, frames: FrameOutput) {
		this.#client = client;
		this.#frames = frames;
		frames.summaries = (event) => {
			if (event.type !== 'turn_end' || event.toolResults.length === 0) return;
			const asked = this.#sumUp(event).finally(() => this.#asked.delete(asked));
			this.#asked.add(asked);
		};
	}

	/** Every line that was asked for has come, or never will. */
	async settled(): Promise<void> {
		await Promise.all(this.#asked);
	}

	async #sumUp({ message, toolResults }: Extract<AgentEvent, { type: 'turn_end' }>): Promise<void> {
		const calls = message.role === 'assistant' ? message.content.filter((block) => block.type === 'toolCall') : [];
		const text = toolResults.map(({ toolCallId, toolName, content }) => {
			const call = calls.find(({ id }) => id === toolCallId);
			const input = JSON.stringify(call?.arguments ?? {}).slice(0, longestText);
			return `${toolName} ${input}\n${textOf(content).slice(0, longestText)}`;
		});
		const config = await this.#client.station().config();
		const question = { system, text: text.join('\n\n') };
		const answer = await consult(question, config, AbortSignal.timeout(patience), () => undefined);
		if ('problem' in answer) return;
		const preceding = toolResults.map(({ toolCallId }) => toolCallId);
		this.#frames.send({ type: 'tool_use_summary', summary: answer.text, preceding_tool_use_ids: preceding });
	}
}
