/** Reads prompts that another process sends: one JSON object per line. */
import type { Prompt } from '../agent/config.ts';
import {
	type ImageContent,
	isObject,
	type Json,
	type JsonObject,
	objectAt,
	stringAt,
	type TextContent,
} from '../model/index.ts';
import { type ControlAnswer, type ControlRequest, readAnswer, readRequest } from './control.ts';

export type InputLine =
	| { readonly type: 'prompt'; readonly prompt: Prompt }
	| { readonly type: 'request'; readonly request: ControlRequest }
	| { readonly type: 'answer'; readonly answer: ControlAnswer }
	/** A frame that this program does not act upon. */
	| { readonly type: 'other'; readonly of: string }
	| { readonly type: 'broken'; readonly problem: string };

export function readInputLine(line: string): InputLine {
	let value: Json;
	try {
		value = JSON.parse(line) as Json;
	} catch (error) {
		return {
			type: 'broken',
			problem: `a line of the input is not JSON: ${error instanceof Error ? error.message : ''}`,
		};
	}
	if (!isObject(value) || typeof value.type !== 'string') {
		return { type: 'broken', problem: 'a line of the input is not an object with a type' };
	}
	const { type } = value;
	const request = type === 'control_request' ? readRequest(value) : undefined;
	if (request) return { type: 'request', request };
	const answer = type === 'control_response' ? readAnswer(value) : undefined;
	if (answer) return { type: 'answer', answer };
	if (type !== 'user') return { type: 'other', of: type };
	const message = objectAt(value, 'message');
	const prompt = message && promptOf(message.content);
	return prompt === undefined
		? { type: 'broken', problem: 'a user line of the input has no message.content' }
		: { type: 'prompt', prompt };
}

function promptOf(content: Json | undefined): Prompt | undefined {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return undefined;
	const blocks = content.flatMap((block: Json) => (isObject(block) ? blockOf(block) : []));
	return blocks.length === 0 ? undefined : blocks;
}

function blockOf(block: JsonObject): readonly (TextContent | ImageContent)[] {
	const text = stringAt(block, 'text');
	if (block.type === 'text' && text !== undefined) return [{ type: 'text', text }];
	const source = block.type === 'image' ? objectAt(block, 'source') : undefined;
	const data = source && stringAt(source, 'data');
	if (!source || data === undefined) return [];
	return [{ type: 'image', data, mimeType: stringAt(source, 'media_type') ?? 'image/png' }];
}
