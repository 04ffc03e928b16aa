/** The wire of Ollama's API: `messages` without instructions, as we and OpenClaw send them; pi does not use it. */
import { isObject, type Json, type JsonObject, parsedJson, stringAt } from '../model/index.ts';
import { blocksOf, imagesIn, plainMessage, Sent, type Wire, type WireRules } from './prepare.ts';

/** Messages as Ollama takes them. Unlike other wires it keeps failed replies and leaves open calls open. */
export const toOllama: Wire = (messages, _target, rules) => {
	const sent = new Sent();
	for (const [at, input] of messages.entries()) {
		const message = plainMessage(input as JsonObject);
		if (message === undefined) continue;
		sent.add(convert(message, rules), [at]);
	}
	return { messages: sent.messages, from: sent.from };
};

function convert(message: JsonObject, rules: WireRules): JsonObject {
	const blocks = blocksOf(message);
	const content = blocks
		.filter((block) => block.type === 'text')
		.map((block) => stringAt(block, 'text') ?? '')
		.join('');
	if (message.role === 'toolResult') {
		const name = stringAt(message, 'toolName');
		const id = rules.namesCalls ? stringAt(message, 'toolCallId') : undefined;
		return { role: 'tool', content, ...(name ? { tool_name: name } : {}), ...(id ? { tool_call_id: id } : {}) };
	}
	if (message.role === 'assistant') {
		const calls = blocks.filter((block) => block.type === 'toolCall').map(callPart);
		return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
	}
	const images = imagesIn(blocks).map((block) => block.data ?? '');
	return { role: 'user', content, ...(images.length > 0 ? { images } : {}) };
}

function callPart(block: JsonObject): JsonObject {
	const id = stringAt(block, 'id')?.trim();
	const name = (stringAt(block, 'name') ?? '').trim();
	return { ...(id ? { id } : {}), function: { name, arguments: argumentsOf(block.arguments) } };
}

/** A call's arguments as an object, which Ollama wants; some models leave a string. */
function argumentsOf(value: Json | undefined): JsonObject {
	const given = typeof value === 'string' ? parsedJson(value) : value;
	return isObject(given) ? given : {};
}
