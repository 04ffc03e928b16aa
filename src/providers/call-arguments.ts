/** The arguments of a tool call while they stream: JSON in pieces, and what becomes of JSON that is none. */
import type { ModelEvent } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/reply-builder.ts';
import { isObject, type JsonObject, type ToolCall } from '../model/index.ts';

/** One call of a reply that is still being written. */
export class OpenCall {
	readonly #reply: ReplyBuilder;
	readonly #id: string;
	#index = -1;
	#json = '';

	constructor(reply: ReplyBuilder, id: string) {
		this.#reply = reply;
		this.#id = id;
	}

	start(name: string): ModelEvent {
		const event = this.#reply.callStart(this.#id, name);
		if (event.type === 'toolcall_start') this.#index = event.contentIndex;
		return event;
	}

	delta(json: string): ModelEvent {
		this.#json += json;
		return this.#reply.callDelta(this.#index, json);
	}

	/** `whole`: all of the arguments' JSON, where the server repeats it at the end. */
	end(whole?: string, more: Partial<ToolCall> = {}): readonly ModelEvent[] {
		const raw = whole ?? this.#json;
		const given = parseArguments(raw);
		const event = this.#reply.callEnd(this.#index, { ...more, arguments: given ?? {} });
		return given ? [event] : [{ type: 'malformed-call', callId: this.#id, raw }, event];
	}
}

/** Models leave out the arguments of tools that take none. */
export function parseArguments(json: string): JsonObject | undefined {
	if (json.trim() === '') return {};
	try {
		const value: unknown = JSON.parse(json);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
