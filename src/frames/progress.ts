/** Frames that say that something is still at work: how often for a model that thinks (by tokens), and after how long for a call that takes its time. */
import type { AgentEvent } from '../agent/events.ts';
import type { Frame } from './frames.ts';
import { system } from './news.ts';

/** So many characters are about a token. */
const perToken = 4;
/** So many tokens are told of at once. */
const tokensTold = 50;
/** A call that is still at work is told of so often, for the first time after as long. */
const everyMs = 30_000;

export class ProgressFrames implements Disposable {
	readonly #send: (frame: Frame) => void;
	readonly #calls = new Map<string, NodeJS.Timeout>();
	#characters = 0;
	#told = 0;

	constructor(send: (frame: Frame) => void) {
		this.#send = send;
	}

	event(event: AgentEvent): void {
		if (event.type === 'message_update') {
			const { assistantMessageEvent: piece } = event;
			if (piece.type === 'thinking_start') this.#characters = this.#told = 0;
			if (piece.type === 'thinking_delta') this.#thinks(piece.delta.length, tokensTold);
			if (piece.type === 'thinking_end') this.#thinks(0, 1);
		}
		if (event.type === 'tool_execution_start') this.#starts(event.toolCallId, event.toolName);
		if (event.type === 'tool_execution_end') this.#ends(event.toolCallId);
	}

	[Symbol.dispose](): void {
		for (const id of [...this.#calls.keys()]) this.#ends(id);
	}

	#thinks(characters: number, least: number): void {
		this.#characters += characters;
		const tokens = Math.ceil(this.#characters / perToken);
		const delta = tokens - this.#told;
		if (delta < least) return;
		this.#told = tokens;
		this.#send(system('thinking_tokens', { estimated_tokens: tokens, estimated_tokens_delta: delta }));
	}

	#starts(id: string, name: string): void {
		const began = performance.now();
		const tell = (): void => {
			const elapsed = Math.round((performance.now() - began) / 1000);
			const call = { tool_use_id: id, tool_name: name, parent_tool_use_id: null };
			this.#send({ type: 'tool_progress', ...call, elapsed_time_seconds: elapsed });
		};
		this.#calls.set(id, setInterval(tell, everyMs).unref());
	}

	#ends(id: string): void {
		clearInterval(this.#calls.get(id));
		this.#calls.delete(id);
	}
}
