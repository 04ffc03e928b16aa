/** The blocks of a streaming reply: texts, thinking, and calls, whose arguments come as JSON in pieces. */
import type { ModelEvent } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { isObject, type JsonObject, parsedJson, type ToolCall } from '../model/index.ts';

/** A text, or thinking, that is still streaming. */
export class OpenSpeech {
	readonly is: 'text' | 'thinking';
	/** The signature that it gets when it ends. */
	signature = '';
	/** True once a piece of it has come. */
	written = false;
	readonly #reply: ReplyBuilder;
	readonly #at: number;

	constructor(reply: ReplyBuilder, is: OpenSpeech['is']) {
		this.#reply = reply;
		this.#at = reply.message.content.length;
		this.is = is;
	}

	/** Starts the block. `hidden`: thinking that only its provider can read. */
	start(hidden?: string): ModelEvent {
		return this.is === 'text' ? this.#reply.textStart() : this.#reply.thinkingStart(hidden);
	}

	delta(text: string): ModelEvent {
		this.written = true;
		return this.is === 'text' ? this.#reply.textDelta(this.#at, text) : this.#reply.thinkingDelta(this.#at, text);
	}

	end(signature = this.signature): readonly ModelEvent[] {
		const { is } = this;
		return [is === 'text' ? this.#reply.textEnd(this.#at, signature) : this.#reply.thinkingEnd(this.#at, signature)];
	}
}

/** Makes blocks for APIs that do not say where one ends: a block ends where another begins. */
export class Speaker {
	readonly #reply: ReplyBuilder;
	#open: OpenSpeech | undefined;

	constructor(reply: ReplyBuilder) {
		this.#reply = reply;
	}

	say(is: OpenSpeech['is'], text: string, events: ModelEvent[], signature?: string): void {
		if (this.#open?.is !== is) {
			this.close(events);
			this.#open = new OpenSpeech(this.#reply, is);
			events.push(this.#open.start());
		}
		if (signature) this.#open.signature = signature;
		if (text !== '') events.push(this.#open.delta(text));
	}

	close(events: ModelEvent[]): void {
		events.push(...(this.#open?.end() ?? []));
		this.#open = undefined;
	}
}

/** A call that is still streaming. */
export class OpenCall {
	readonly is = 'call';
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

	/** Ends the call. `whole`: the complete JSON of its arguments, where the server repeats it. */
	end(whole?: string, more: Partial<ToolCall> = {}): readonly ModelEvent[] {
		const raw = whole ?? this.#json;
		const given = parseArguments(raw);
		const event = this.#reply.callEnd(this.#index, { ...more, arguments: given ?? {} });
		return given ? [event] : [{ type: 'malformed-call', callId: this.#id, raw }, event];
	}
}

/** The arguments of a call; models send nothing for tools that take none. */
export function parseArguments(json: string): JsonObject | undefined {
	if (json.trim() === '') return {};
	const value = parsedJson(json);
	return isObject(value) ? value : undefined;
}
