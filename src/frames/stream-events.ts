/** Frames of a streaming reply: raw events of Anthropic's Messages API, for `--include-partial-messages`. */
import type { AgentEvent, AssistantMessageEvent } from '../agent/events.ts';
import type { AssistantMessage, JsonObject, MessageStop } from '../model/index.ts';
import type { Frame } from './frames.ts';

/** A reply starts with its first piece: only then is the id known, which the frames of its whole blocks have too. */
export class StreamFrames {
	readonly #uuid: () => string;
	/** The id of the reply that streams. */
	id: string | undefined;
	#beginning: AssistantMessage | undefined;

	/** `uuid` makes the id of each frame. */
	constructor(uuid: () => string) {
		this.#uuid = uuid;
	}

	/** The frames of one event of a run; none for an event that is no piece of a reply. */
	of(event: AgentEvent, sessionId: string): readonly Frame[] {
		return this.#raw(event).map((raw) => ({
			type: 'stream_event',
			event: raw,
			session_id: sessionId,
			parent_tool_use_id: null,
			...(this.id === undefined ? {} : { api_message_id: this.id }),
			uuid: this.#uuid(),
		}));
	}

	#raw(event: AgentEvent): readonly JsonObject[] {
		if (event.type === 'message_start')
			this.#beginning = event.message.role === 'assistant' ? event.message : undefined;
		if (event.type !== 'message_update') return [];
		const pieces = piece(event.assistantMessageEvent);
		const beginning = pieces.length > 0 ? this.#beginning : undefined;
		if (!beginning) return pieces;
		this.#beginning = undefined;
		return [begin(beginning, this.id ?? this.#uuid()), ...pieces];
	}
}

function begin({ model, usage }: AssistantMessage, id: string): JsonObject {
	const message = {
		id,
		type: 'message',
		role: 'assistant',
		model,
		content: [],
		stop_reason: null,
		stop_sequence: null,
	};
	return { type: 'message_start', message: { ...message, usage: { input_tokens: usage.input, output_tokens: 0 } } };
}

function piece(event: AssistantMessageEvent): readonly JsonObject[] {
	switch (event.type) {
		case 'text_start':
			return [opened(event.contentIndex, { type: 'text', text: '' })];
		case 'text_delta':
			return [delta(event.contentIndex, { type: 'text_delta', text: event.delta })];
		case 'thinking_start':
			return [opened(event.contentIndex, { type: 'thinking', thinking: '', signature: '' })];
		case 'thinking_delta':
			return [delta(event.contentIndex, { type: 'thinking_delta', thinking: event.delta })];
		case 'thinking_end':
			return [...signed(event), closed(event.contentIndex)];
		case 'toolcall_start':
			return [opened(event.contentIndex, callAt(event.partial, event.contentIndex))];
		case 'toolcall_delta':
			return [delta(event.contentIndex, { type: 'input_json_delta', partial_json: event.delta })];
		case 'text_end':
		case 'toolcall_end':
			return [closed(event.contentIndex)];
		case 'done':
			return [end(event.reason, event.message), { type: 'message_stop' }];
		default:
			return [];
	}
}

function opened(index: number, content_block: JsonObject): JsonObject {
	return { type: 'content_block_start', index, content_block };
}

function delta(index: number, given: JsonObject): JsonObject {
	return { type: 'content_block_delta', index, delta: given };
}

function closed(index: number): JsonObject {
	return { type: 'content_block_stop', index };
}

function signed({
	contentIndex,
	partial,
}: Extract<AssistantMessageEvent, { type: 'thinking_end' }>): readonly JsonObject[] {
	const block = partial.content[contentIndex];
	if (block?.type !== 'thinking' || !block.thinkingSignature) return [];
	return [delta(contentIndex, { type: 'signature_delta', signature: block.thinkingSignature })];
}

function callAt({ content }: AssistantMessage, index: number): JsonObject {
	const call = content[index];
	const { id, name } = call?.type === 'toolCall' ? call : { id: '', name: '' };
	return { type: 'tool_use', id, name, input: {} };
}

/** The ends of a reply, in the words of Anthropic's API. */
export const stopReasons: { readonly [S in MessageStop]: string | null } = {
	stop: 'end_turn',
	toolUse: 'tool_use',
	length: 'max_tokens',
	error: null,
	aborted: null,
};

function end(reason: MessageStop, { usage }: AssistantMessage): JsonObject {
	return {
		type: 'message_delta',
		delta: { stop_reason: stopReasons[reason], stop_sequence: null },
		usage: { input_tokens: usage.input, output_tokens: usage.output },
	};
}
