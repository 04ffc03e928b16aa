/** A reply as each protocol streams it, told piece by piece: by a script that knows it whole, or by a gateway that hears it from elsewhere. */
import type { Json, JsonObject } from '../../src/model/index.ts';
import { pieces, type ScriptBlock, type ScriptUsage } from '../../src/providers/script.ts';
import type { Frame, Speaking } from './model-server-wires.ts';

type Call = Extract<ScriptBlock, { type: 'tool_use' }>;

/** One reply in the words of a protocol. `close` is given the block whole: some protocols send nothing of a call before. */
export interface Voice {
	begin(usage: ScriptUsage): readonly Frame[];
	open(block: ScriptBlock): readonly Frame[];
	/** A piece of the open block. A text is signed with its last piece, where that is known. */
	piece(block: ScriptBlock, text: string, last: boolean): readonly Frame[];
	close(block: ScriptBlock): readonly Frame[];
	end(stop: string, usage: ScriptUsage): readonly Frame[];
}

export interface Speaker {
	readonly model: string;
	readonly newId: (prefix: string) => string;
}

export const argumentsOf = (block: Call): string => block.rawInput ?? JSON.stringify(block.input ?? {});

/** The text that comes in pieces. */
function spoken(block: ScriptBlock): string | undefined {
	switch (block.type) {
		case 'text':
			return block.text;
		case 'thinking':
			return block.thinking;
		case 'tool_use':
			return argumentsOf(block);
		case 'redacted_thinking':
			return undefined;
	}
}

/** A scripted turn, told by a voice. */
export function* framesOf(voice: Voice, { content, usage, stop, chunk }: Speaking): Generator<Frame> {
	yield* voice.begin(usage);
	for (const block of content) {
		yield* voice.open(block);
		const whole = spoken(block);
		const parts = whole === undefined ? [] : pieces(whole, chunk);
		for (const [at, part] of parts.entries()) yield* voice.piece(block, part, at === parts.length - 1);
		yield* voice.close(block);
	}
	yield* voice.end(stop, usage);
}

const endOfBlock: readonly Frame[] = [{ block: true }];

export function anthropicVoice({ model, newId }: Speaker): Voice {
	let index = -1;
	const counted = (usage: ScriptUsage) => ({
		input_tokens: usage.input,
		cache_creation_input_tokens: usage.cacheWrite,
		cache_read_input_tokens: usage.cacheRead,
	});
	const delta = (value: JsonObject): Frame => ({
		data: { type: 'content_block_delta', index, delta: value },
		chunk: true,
	});
	const message = { id: newId('msg'), type: 'message', role: 'assistant', model, content: [], stop_reason: null };
	return {
		begin: (usage) => [
			{ data: { type: 'message_start', message: { ...message, usage: { ...counted(usage), output_tokens: 1 } } } },
			{ data: { type: 'ping' } },
		],
		open(block) {
			index++;
			return [{ data: { type: 'content_block_start', index, content_block: anthropicStart(block) } }];
		},
		piece(block, text) {
			if (block.type === 'text') return [delta({ type: 'text_delta', text })];
			if (block.type === 'thinking') return [delta({ type: 'thinking_delta', thinking: text })];
			return [delta({ type: 'input_json_delta', partial_json: text })];
		},
		close(block) {
			const signed = block.type === 'thinking' && block.signature;
			const stop: Frame = { data: { type: 'content_block_stop', index }, block: true };
			return signed ? [delta({ type: 'signature_delta', signature: signed }), stop] : [stop];
		},
		end: (stop, usage) => [
			{
				data: {
					type: 'message_delta',
					delta: { stop_reason: stop, stop_sequence: null },
					usage: { ...counted(usage), output_tokens: usage.output },
				},
			},
			{ data: { type: 'message_stop' } },
		],
	};
}

function anthropicStart(block: ScriptBlock): JsonObject {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: '' };
		case 'thinking':
			return { type: 'thinking', thinking: '', signature: '' };
		case 'redacted_thinking':
			return { type: 'redacted_thinking', data: block.data };
		case 'tool_use':
			return { type: 'tool_use', id: block.id, name: block.name, input: {} };
	}
}

/** Scripts name stops as Anthropic does. */
const stops: { readonly [protocol: string]: { readonly [stop: string]: string } } = {
	chat: { end_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length', refusal: 'content_filter' },
	google: { end_turn: 'STOP', tool_use: 'STOP', max_tokens: 'MAX_TOKENS', refusal: 'SAFETY' },
	ollama: { end_turn: 'stop', tool_use: 'stop', max_tokens: 'length', refusal: 'stop' },
};

const stopIn = (protocol: string, stop: string): string => stops[protocol]?.[stop] ?? stop;

export function chatVoice({ model, newId }: Speaker): Voice {
	const base = { id: newId('chatcmpl'), object: 'chat.completion.chunk', created: 1, model };
	const delta = (value: JsonObject): Frame => ({
		data: { ...base, choices: [{ index: 0, delta: value, finish_reason: null }] },
		chunk: true,
	});
	let index = -1;
	return {
		begin: () => [delta({ role: 'assistant', content: '' })],
		open(block) {
			if (block.type !== 'tool_use') return [];
			index++;
			const named = { index, id: block.id, type: 'function', function: { name: block.name, arguments: '' } };
			return [delta({ tool_calls: [named] })];
		},
		piece(block, text) {
			if (block.type === 'text') return [delta({ content: text })];
			if (block.type === 'thinking') return [delta({ reasoning_content: text })];
			return [delta({ tool_calls: [{ index, function: { arguments: text } }] })];
		},
		close: () => endOfBlock,
		end(stop, usage) {
			const input = usage.input + usage.cacheRead;
			const counted = {
				prompt_tokens: input,
				completion_tokens: usage.output,
				total_tokens: input + usage.output,
				prompt_tokens_details: { cached_tokens: usage.cacheRead },
				completion_tokens_details: { reasoning_tokens: usage.reasoning },
			};
			return [
				{ data: { ...base, choices: [{ index: 0, delta: {}, finish_reason: stopIn('chat', stop) }] } },
				{ data: { ...base, choices: [], usage: counted } },
				{ data: '[DONE]' },
			];
		},
	};
}

export function responsesVoice({ model, newId }: Speaker): Voice {
	const id = newId('resp');
	let sequence_number = 0;
	let item: Item | undefined;
	const output: JsonObject[] = [];
	const event = (type: string, value: JsonObject): JsonObject => ({
		type,
		sequence_number: sequence_number++,
		...value,
	});
	const response = (status: string, usage: Json): JsonObject => ({
		id,
		object: 'response',
		status,
		model,
		output,
		error: null,
		incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
		usage,
	});
	return {
		begin: () => [{ data: event('response.created', { response: response('in_progress', null) }) }],
		open(block) {
			item = responsesItem(block, newId);
			if (item === undefined) return [];
			return [{ data: event('response.output_item.added', { output_index: output.length, item: item.begun }) }];
		},
		piece(_, delta) {
			if (item === undefined) return [];
			const at = { item_id: item.begun.id, output_index: output.length, content_index: 0, summary_index: 0 };
			return [{ data: event(item.delta, { ...at, delta }), chunk: true }];
		},
		close(block) {
			if (item === undefined) return [];
			const whole = item.whole(block);
			const done = event('response.output_item.done', { output_index: output.length, item: whole });
			output.push(whole);
			return [{ data: done, block: true }];
		},
		end(stop, usage) {
			const status = stop === 'max_tokens' ? 'incomplete' : 'completed';
			return [{ data: event(`response.${status}`, { response: response(status, responsesUsage(usage)) }) }];
		},
	};
}

function responsesUsage(usage: ScriptUsage): Json {
	const input = usage.input + usage.cacheRead;
	return {
		input_tokens: input,
		input_tokens_details: { cached_tokens: usage.cacheRead },
		output_tokens: usage.output,
		output_tokens_details: { reasoning_tokens: usage.reasoning },
		total_tokens: input + usage.output,
	};
}

interface Item {
	readonly begun: JsonObject;
	whole(block: ScriptBlock): JsonObject;
	readonly delta: string;
}

function responsesItem(block: ScriptBlock, newId: (prefix: string) => string): Item | undefined {
	if (block.type === 'thinking') {
		const base = { id: newId('rs'), type: 'reasoning' };
		return {
			begun: { ...base, encrypted_content: '', summary: [] },
			whole: (said) => ({
				...base,
				encrypted_content: (said.type === 'thinking' && said.signature) || '',
				summary: [{ type: 'summary_text', text: spoken(said) ?? '' }],
			}),
			delta: 'response.reasoning_summary_text.delta',
		};
	}
	if (block.type === 'tool_use') {
		const base = { id: newId('fc'), type: 'function_call', call_id: block.id, name: block.name };
		return {
			begun: { ...base, status: 'in_progress', arguments: '' },
			whole: (said) => ({ ...base, status: 'completed', arguments: spoken(said) ?? '' }),
			delta: 'response.function_call_arguments.delta',
		};
	}
	if (block.type !== 'text') return undefined;
	const base = { id: newId('msg'), type: 'message', role: 'assistant' };
	return {
		begun: { ...base, status: 'in_progress', content: [] },
		whole(said) {
			const content = [{ type: 'output_text', text: spoken(said) ?? '', annotations: [] }];
			return { ...base, status: 'completed', content };
		},
		delta: 'response.output_text.delta',
	};
}

export function googleVoice({ model, newId }: Speaker): Voice {
	const responseId = newId('g');
	const frame = (parts: readonly JsonObject[], more: JsonObject = {}, usageMetadata?: JsonObject): JsonObject => ({
		responseId,
		modelVersion: model,
		candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
		...(usageMetadata ? { usageMetadata } : {}),
	});
	const signed = (signature: string | undefined) => (signature ? { thoughtSignature: signature } : {});
	return {
		begin: () => [],
		open: () => [],
		piece(block, text, last) {
			if (block.type === 'thinking') return [{ data: frame([{ text, thought: true }]), chunk: true }];
			if (block.type !== 'text') return [];
			return [{ data: frame([{ text, ...signed(last ? block.signature : undefined) }]), chunk: true }];
		},
		close(block) {
			if (block.type !== 'tool_use') return endOfBlock;
			const functionCall = { id: block.id, name: block.name, args: block.input ?? {} };
			return [{ data: frame([{ functionCall, ...signed(block.signature) }]), chunk: true }, { block: true }];
		},
		end(stop, usage) {
			const input = usage.input + usage.cacheRead;
			const counted = {
				promptTokenCount: input,
				cachedContentTokenCount: usage.cacheRead,
				candidatesTokenCount: Math.max(0, usage.output - usage.reasoning),
				thoughtsTokenCount: usage.reasoning,
				totalTokenCount: input + usage.output,
			};
			return [{ data: frame([{ text: '' }], { finishReason: stopIn('google', stop) }, counted) }];
		},
	};
}

export function ollamaVoice({ model }: Speaker): Voice {
	const frame = (message: JsonObject, more: JsonObject): JsonObject => ({
		model,
		created_at: '2026-01-01T00:00:00Z',
		message: { role: 'assistant', content: '', ...message },
		...more,
	});
	const part = (message: JsonObject): Frame => ({ data: frame(message, { done: false }), chunk: true });
	return {
		begin: () => [],
		open: () => [],
		piece(block, text) {
			if (block.type === 'text') return [part({ content: text })];
			return block.type === 'thinking' ? [part({ thinking: text })] : [];
		},
		close(block) {
			if (block.type !== 'tool_use') return endOfBlock;
			const call = { function: { name: block.name, arguments: block.input ?? {} } };
			return [part({ tool_calls: [call] }), { block: true }];
		},
		end: (stop, usage) => [
			{
				data: frame(
					{},
					{
						done: true,
						done_reason: stopIn('ollama', stop),
						prompt_eval_count: usage.input,
						eval_count: usage.output,
					},
				),
			},
		],
	};
}
