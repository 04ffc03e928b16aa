/** A request in any of the protocols as the request to Anthropic's API that says the same: the wires, read backwards. */
import { type Json, type JsonObject, objectAt, parsedJson, stringAt } from '../../src/model/index.ts';
import { list, type Protocol, textOf } from './model-server-wires.ts';

export type OtherProtocol = Exclude<Protocol, 'anthropic'>;

/** Thinking that went through, with its signature: only the Responses API has a place for that, and gateways remember it. */
export type Signatures = ReadonlyMap<string, string>;

/** Anthropic's API wants a limit, and no other does. */
const roomForReply = 8192;

/**
 * The conversation, the instructions, the tools, the model and the limit. How hard to think and under which key to cache are left out:
 * they say how to answer, not what was said.
 */
export function anthropicRequest(
	protocol: OtherProtocol,
	body: JsonObject,
	model: string,
	signatures: Signatures,
): JsonObject {
	const said = new Said(signatures);
	readers[protocol](body, said);
	const tools = toolsIn(protocol, body);
	return {
		model,
		max_tokens: limitIn(protocol, body) ?? roomForReply,
		stream: true,
		...(said.system.length > 0 ? { system: said.system.join('\n') } : {}),
		messages: said.messages,
		...(tools.length > 0 ? { tools } : {}),
	};
}

/** What was said so far, as Anthropic's messages. */
class Said {
	readonly system: string[] = [];
	readonly messages: { readonly role: string; readonly content: JsonObject[] }[] = [];
	/** Calls that the protocol gave no id, in the order in which they are answered. */
	readonly #unnamed: string[] = [];
	readonly #signatures: Signatures;
	#count = 0;

	constructor(signatures: Signatures) {
		this.#signatures = signatures;
	}

	instruct(content: Json | undefined): void {
		this.system.push(textOf(content));
	}

	add(role: 'user' | 'assistant', content: readonly JsonObject[]): void {
		if (content.length > 0) this.messages.push({ role, content: [...content] });
	}

	/** The same, as a part of the message before it where that one is of the same role and has such blocks. */
	join(role: 'user' | 'assistant', content: readonly JsonObject[], type?: string): void {
		const last = this.messages.at(-1);
		if (last?.role === role && (type === undefined || last.content[0]?.type === type)) last.content.push(...content);
		else this.add(role, content);
	}

	/** Thinking as it came. Where nobody knows its signature it would be refused, and is a text. */
	thought(text = '', signature = this.#signatures.get(text)): readonly JsonObject[] {
		return signature ? [{ type: 'thinking', thinking: text, signature }] : partsOf(text);
	}

	call(id: string | undefined, name: Json | undefined, input: Json | undefined): JsonObject {
		const known = id ?? `call_${++this.#count}`;
		if (id === undefined) this.#unnamed.push(known);
		return { type: 'tool_use', id: known, name: String(name), input: input ?? {} };
	}

	/** Results that follow each other are one message. */
	result(id: string | undefined, content: Json, isError = false): void {
		const tool_use_id = id ?? this.#unnamed.shift() ?? '';
		const block = { type: 'tool_result', tool_use_id, content, ...(isError ? { is_error: true } : {}) };
		this.join('user', [block], 'tool_result');
	}
}

const readers: { readonly [P in OtherProtocol]: (body: JsonObject, said: Said) => void } = {
	chat(body, said) {
		for (const message of list(body.messages)) {
			if (message.role === 'system' || message.role === 'developer') said.instruct(message.content);
			else if (message.role === 'tool') said.result(stringAt(message, 'tool_call_id'), textOf(message.content));
			else if (message.role === 'user') said.add('user', partsOf(message.content));
			else {
				const calls = list(message.tool_calls).map((one) => {
					const { name, arguments: given } = objectAt(one, 'function') ?? {};
					return said.call(stringAt(one, 'id'), name, parsedJson(String(given)));
				});
				const thought = said.thought(stringAt(message, 'reasoning_content'));
				said.add('assistant', [...thought, ...partsOf(message.content), ...calls]);
			}
		}
	},

	responses(body, said) {
		if (stringAt(body, 'instructions')) said.instruct(body.instructions);
		for (const item of list(body.input)) {
			if (item.role === 'system' || item.role === 'developer') said.instruct(item.content);
			else if (item.role === 'user') said.add('user', partsOf(item.content));
			else if (item.type === 'function_call_output') {
				const given = typeof item.output === 'string' ? item.output : partsOf(item.output);
				said.result(stringAt(item, 'call_id'), given);
			} else if (item.type === 'function_call') {
				const input = parsedJson(String(item.arguments));
				said.join('assistant', [said.call(stringAt(item, 'call_id'), item.name, input)]);
			} else if (item.type === 'reasoning') {
				said.join('assistant', said.thought(textOf(item.summary), stringAt(item, 'encrypted_content')));
			} else said.join('assistant', partsOf(item.content));
		}
	},

	google(body, said) {
		const system = objectAt(body, 'systemInstruction');
		if (system) said.instruct(system.parts);
		for (const { role, parts } of list(body.contents)) {
			const blocks: JsonObject[] = [];
			for (const part of list(parts)) {
				const [call, result, image] = ['functionCall', 'functionResponse', 'inlineData'].map((key) =>
					objectAt(part, key),
				);
				if (call) blocks.push(said.call(stringAt(call, 'id'), call.name, call.args));
				else if (result) googleResult(result, said);
				else if (image) blocks.push(imageOf(String(image.mimeType), String(image.data)));
				else if (part.thought) blocks.push(...said.thought(stringAt(part, 'text'), stringAt(part, 'thoughtSignature')));
				else blocks.push(...partsOf([part]));
			}
			said.add(role === 'model' ? 'assistant' : 'user', blocks);
		}
	},

	ollama(body, said) {
		for (const message of list(body.messages)) {
			if (message.role === 'system') said.instruct(message.content);
			else if (message.role === 'tool') said.result(stringAt(message, 'tool_call_id'), textOf(message.content));
			else if (message.role === 'user') {
				const images = (Array.isArray(message.images) ? message.images : []) as readonly Json[];
				const seen = images.map((data) => imageOf(kindOf(String(data)), String(data)));
				said.add('user', [...partsOf(message.content), ...seen]);
			} else {
				const calls = list(message.tool_calls).map((one) => {
					const { name, arguments: input } = objectAt(one, 'function') ?? {};
					return said.call(stringAt(one, 'id'), name, input);
				});
				const thought = said.thought(stringAt(message, 'thinking'));
				said.add('assistant', [...thought, ...partsOf(message.content), ...calls]);
			}
		}
	},
};

function googleResult(result: JsonObject, said: Said): void {
	const { output, error } = objectAt(result, 'response') ?? {};
	const text = String(error ?? output ?? '');
	const images = list(result.parts).flatMap((part) => {
		const image = objectAt(part, 'inlineData');
		return image ? [imageOf(String(image.mimeType), String(image.data))] : [];
	});
	said.result(stringAt(result, 'id'), images.length > 0 ? [...partsOf(text), ...images] : text, error !== undefined);
}

/** Texts and images, whatever the protocol calls them. An empty text says nothing, and is refused. */
function partsOf(content: Json | undefined): readonly JsonObject[] {
	const parts = typeof content === 'string' ? [{ text: content }] : list(content);
	return parts.flatMap((part: JsonObject) => {
		const address = stringAt(part, 'image_url') ?? stringAt(objectAt(part, 'image_url') ?? {}, 'url');
		const [, kind, data] = /^data:([^;]*);base64,(.*)$/s.exec(address ?? '') ?? [];
		if (kind !== undefined && data !== undefined) return [imageOf(kind, data)];
		const text = stringAt(part, 'text') ?? '';
		return text.trim() === '' ? [] : [{ type: 'text', text }];
	});
}

function imageOf(media_type: string, data: string): JsonObject {
	return { type: 'image', source: { type: 'base64', media_type, data } };
}

/** Ollama is not told what kind of image it gets: it looks at the first bytes. */
function kindOf(data: string): string {
	if (data.startsWith('/9j/')) return 'image/jpeg';
	if (data.startsWith('R0lGOD')) return 'image/gif';
	return data.startsWith('UklGR') ? 'image/webp' : 'image/png';
}

function toolsIn(protocol: OtherProtocol, body: JsonObject): readonly JsonObject[] {
	const declared = list(body.tools).flatMap((one) => {
		if (protocol === 'google') return list(one.functionDeclarations);
		return protocol === 'responses' ? [one] : [objectAt(one, 'function') ?? {}];
	});
	return declared.map(({ name, description, parameters, parametersJsonSchema }) => ({
		name: name ?? '',
		description: description ?? '',
		input_schema: parametersJsonSchema ?? parameters ?? { type: 'object' },
	}));
}

function limitIn(protocol: OtherProtocol, body: JsonObject): number | undefined {
	const limits: { readonly [P in OtherProtocol]: Json | undefined } = {
		chat: body.max_completion_tokens ?? body.max_tokens,
		responses: body.max_output_tokens,
		google: objectAt(body, 'generationConfig')?.maxOutputTokens,
		ollama: objectAt(body, 'options')?.num_predict,
	};
	const limit = limits[protocol];
	return typeof limit === 'number' ? limit : undefined;
}
