/** A scripted turn as each protocol streams it. */
import type { Json, JsonObject } from '../../src/model/index.ts';
import { pieces, type ScriptBlock, type ScriptUsage } from '../../src/providers/script.ts';
import type { Frame, Speaking } from './model-server-wires.ts';

type Call = Extract<ScriptBlock, { type: 'tool_use' }>;

const argumentsOf = (block: Call): string => block.rawInput ?? JSON.stringify(block.input ?? {});

export function* anthropicFrames({ content, model, newId, usage, stop, chunk }: Speaking): Generator<Frame> {
	const counted = {
		input_tokens: usage.input,
		cache_creation_input_tokens: usage.cacheWrite,
		cache_read_input_tokens: usage.cacheRead,
	};
	const message = { id: newId('msg'), type: 'message', role: 'assistant', model, content: [], stop_reason: null };
	yield { data: { type: 'message_start', message: { ...message, usage: { ...counted, output_tokens: 1 } } } };
	yield { data: { type: 'ping' } };
	for (const [index, block] of content.entries()) {
		const delta = (value: JsonObject): Frame => ({
			data: { type: 'content_block_delta', index, delta: value },
			chunk: true,
		});
		yield { data: { type: 'content_block_start', index, content_block: anthropicStart(block) } };
		if (block.type === 'text') {
			for (const text of pieces(block.text, chunk)) yield delta({ type: 'text_delta', text });
		} else if (block.type === 'thinking') {
			for (const thinking of pieces(block.thinking, chunk)) yield delta({ type: 'thinking_delta', thinking });
			if (block.signature) yield delta({ type: 'signature_delta', signature: block.signature });
		} else if (block.type === 'tool_use') {
			for (const partial_json of pieces(argumentsOf(block), chunk))
				yield delta({ type: 'input_json_delta', partial_json });
		}
		yield { data: { type: 'content_block_stop', index }, block: true };
	}
	const end = { stop_reason: stop, stop_sequence: null };
	yield { data: { type: 'message_delta', delta: end, usage: { ...counted, output_tokens: usage.output } } };
	yield { data: { type: 'message_stop' } };
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

export function* chatFrames({ content, model, newId, usage, stop, chunk }: Speaking): Generator<Frame> {
	const base = { id: newId('chatcmpl'), object: 'chat.completion.chunk', created: 1, model };
	const delta = (value: JsonObject): Frame => ({
		data: { ...base, choices: [{ index: 0, delta: value, finish_reason: null }] },
		chunk: true,
	});
	yield delta({ role: 'assistant', content: '' });
	let calls = 0;
	for (const block of content) {
		if (block.type === 'text') for (const text of pieces(block.text, chunk)) yield delta({ content: text });
		else if (block.type === 'thinking') {
			for (const text of pieces(block.thinking, chunk)) yield delta({ reasoning_content: text });
		} else if (block.type === 'tool_use') {
			const index = calls++;
			const named = { index, id: block.id, type: 'function', function: { name: block.name, arguments: '' } };
			yield delta({ tool_calls: [named] });
			for (const text of pieces(argumentsOf(block), chunk)) {
				yield delta({ tool_calls: [{ index, function: { arguments: text } }] });
			}
		}
		yield { block: true };
	}
	yield { data: { ...base, choices: [{ index: 0, delta: {}, finish_reason: stopIn('chat', stop) }] } };
	const input = usage.input + usage.cacheRead;
	const counted = {
		prompt_tokens: input,
		completion_tokens: usage.output,
		total_tokens: input + usage.output,
		prompt_tokens_details: { cached_tokens: usage.cacheRead },
		completion_tokens_details: { reasoning_tokens: usage.reasoning },
	};
	yield { data: { ...base, choices: [], usage: counted } };
	yield { data: '[DONE]' };
}

export function* responsesFrames(speaking: Speaking): Generator<Frame> {
	const { content, model, newId, usage, stop, chunk } = speaking;
	const id = newId('resp');
	let sequence_number = 0;
	const output: JsonObject[] = [];
	const event = (type: string, value: JsonObject): JsonObject => ({
		type,
		sequence_number: sequence_number++,
		...value,
	});
	const response = (status: string): JsonObject => ({
		id,
		object: 'response',
		status,
		model,
		output,
		error: null,
		incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
		usage: status === 'in_progress' ? null : responsesUsage(usage),
	});
	yield { data: event('response.created', { response: response('in_progress') }) };
	for (const block of content) {
		const item = responsesItem(block, newId);
		if (item === undefined) continue;
		const at = { item_id: item.whole.id, output_index: output.length };
		yield { data: event('response.output_item.added', { output_index: output.length, item: item.begun }) };
		for (const part of pieces(item.text, chunk)) {
			yield { data: event(item.delta, { ...at, content_index: 0, summary_index: 0, delta: part }), chunk: true };
		}
		yield { data: event('response.output_item.done', { output_index: output.length, item: item.whole }), block: true };
		output.push(item.whole);
	}
	const status = stop === 'max_tokens' ? 'incomplete' : 'completed';
	yield { data: event(`response.${status}`, { response: response(status) }) };
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
	readonly whole: JsonObject;
	readonly text: string;
	readonly delta: string;
}

function responsesItem(block: ScriptBlock, newId: (prefix: string) => string): Item | undefined {
	if (block.type === 'thinking') {
		const base = { id: newId('rs'), type: 'reasoning', encrypted_content: block.signature ?? '' };
		const whole = { ...base, summary: [{ type: 'summary_text', text: block.thinking }] };
		return {
			begun: { ...base, summary: [] },
			whole,
			text: block.thinking,
			delta: 'response.reasoning_summary_text.delta',
		};
	}
	if (block.type === 'tool_use') {
		const text = argumentsOf(block);
		const base = { id: newId('fc'), type: 'function_call', call_id: block.id, name: block.name };
		const begun = { ...base, status: 'in_progress', arguments: '' };
		const whole = { ...base, status: 'completed', arguments: text };
		return { begun, whole, text, delta: 'response.function_call_arguments.delta' };
	}
	if (block.type !== 'text') return undefined;
	const base = { id: newId('msg'), type: 'message', role: 'assistant' };
	const content = [{ type: 'output_text', text: block.text, annotations: [] }];
	const whole = { ...base, status: 'completed', content };
	const begun = { ...base, status: 'in_progress', content: [] };
	return { begun, whole, text: block.text, delta: 'response.output_text.delta' };
}

export function* googleFrames({ content, model, newId, usage, stop, chunk }: Speaking): Generator<Frame> {
	const responseId = newId('g');
	const frame = (parts: readonly JsonObject[], more: JsonObject = {}, usageMetadata?: JsonObject): JsonObject => ({
		responseId,
		modelVersion: model,
		candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
		...(usageMetadata ? { usageMetadata } : {}),
	});
	for (const block of content) {
		for (const part of googleParts(block, chunk)) yield { data: frame([part]), chunk: true };
		yield { block: true };
	}
	const input = usage.input + usage.cacheRead;
	const counted = {
		promptTokenCount: input,
		cachedContentTokenCount: usage.cacheRead,
		candidatesTokenCount: Math.max(0, usage.output - usage.reasoning),
		thoughtsTokenCount: usage.reasoning,
		totalTokenCount: input + usage.output,
	};
	yield { data: frame([{ text: '' }], { finishReason: stopIn('google', stop) }, counted) };
}

function googleParts(block: ScriptBlock, chunk: number): readonly JsonObject[] {
	const signed = block.type !== 'redacted_thinking' && block.signature ? { thoughtSignature: block.signature } : {};
	switch (block.type) {
		case 'thinking':
			return pieces(block.thinking, chunk).map((text) => ({ text, thought: true }));
		case 'text': {
			const texts = pieces(block.text, chunk);
			return texts.map((text, i) => ({ text, ...(i === texts.length - 1 ? signed : {}) }));
		}
		case 'tool_use':
			return [{ functionCall: { id: block.id, name: block.name, args: block.input ?? {} }, ...signed }];
		case 'redacted_thinking':
			return [];
	}
}

export function* ollamaFrames({ content, model, usage, stop, chunk }: Speaking): Generator<Frame> {
	const frame = (message: JsonObject): Frame => ({
		data: {
			model,
			created_at: '2026-01-01T00:00:00Z',
			message: { role: 'assistant', content: '', ...message },
			done: false,
		},
		chunk: true,
	});
	for (const block of content) {
		if (block.type === 'text') for (const text of pieces(block.text, chunk)) yield frame({ content: text });
		else if (block.type === 'thinking') for (const thinking of pieces(block.thinking, chunk)) yield frame({ thinking });
		else if (block.type === 'tool_use') {
			yield frame({ tool_calls: [{ function: { name: block.name, arguments: block.input ?? {} } }] });
		}
		yield { block: true };
	}
	yield {
		data: {
			model,
			created_at: '2026-01-01T00:00:00Z',
			message: { role: 'assistant', content: '' },
			done: true,
			done_reason: stopIn('ollama', stop),
			prompt_eval_count: usage.input,
			eval_count: usage.output,
		},
	};
}
