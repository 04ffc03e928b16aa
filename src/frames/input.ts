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
	| { readonly type: 'prompt'; readonly sent: SentPrompt }
	| { readonly type: 'request'; readonly request: ControlRequest }
	| { readonly type: 'answer'; readonly answer: ControlAnswer }
	/** A request that cannot be read, and whose sender waits for an answer. */
	| { readonly type: 'odd'; readonly id: string; readonly problem: string }
	/** A request that its sender does not need any more. */
	| { readonly type: 'cancel'; readonly id: string }
	/** A frame that this program does not act upon. */
	| { readonly type: 'other'; readonly of: string }
	| { readonly type: 'broken'; readonly problem: string };

/** A prompt as it was sent. */
export interface SentPrompt {
	readonly prompt: Prompt;
	/** The content as the line has it. */
	readonly content: Json;
	/** The name that its sender gave it. */
	readonly uuid?: string;
	/** False: it is said, and nobody is asked. */
	readonly asks: boolean;
	/** It waits for no other prompt, and ends the turn that goes on. */
	readonly now: boolean;
	/** The content has more than texts: pictures, of which nobody has looked at the data, and what the prompt is without. */
	readonly attached: boolean;
}

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
	if (type === 'control_request') {
		const request = readRequest(value);
		if (!('problem' in request)) return { type: 'request', request };
		const { id, problem } = request;
		return id === undefined ? { type: 'broken', problem } : { type: 'odd', id, problem };
	}
	const answer = type === 'control_response' ? readAnswer(value) : undefined;
	if (answer) return { type: 'answer', answer };
	const cancelled = type === 'control_cancel_request' ? stringAt(value, 'request_id') : undefined;
	if (cancelled !== undefined) return { type: 'cancel', id: cancelled };
	if (type !== 'user') return { type: 'other', of: type };
	const message = objectAt(value, 'message');
	if (message?.role !== undefined && message.role !== 'user')
		return { type: 'broken', problem: 'a user line of the input has a message whose role is not user' };
	const prompt = message && promptOf(message.content);
	if (prompt === undefined)
		return {
			type: 'broken',
			problem: 'a user line of the input has no message.content that is a text or a list of blocks',
		};
	const uuid = stringAt(value, 'uuid');
	const content = message?.content ?? '';
	const how = { asks: value.shouldQuery !== false, now: value.priority === 'now' };
	const sent = { prompt, content, ...how, attached: hasMore(content) };
	return { type: 'prompt', sent: { ...sent, ...(uuid === undefined ? {} : { uuid }) } };
}

function hasMore(content: Json): boolean {
	return Array.isArray(content) && content.some((block: Json) => isObject(block) && blockOf(block)[0]?.type !== 'text');
}

function promptOf(content: Json | undefined): Prompt | undefined {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return undefined;
	const isBlock = (block: Json): boolean => isObject(block) && typeof block.type === 'string';
	if (content.length > 0 && !content.some(isBlock)) return undefined;
	return content.flatMap((block: Json) => (isObject(block) ? blockOf(block) : []));
}

/** A text or a picture, as models are shown them; nothing for all else. */
export function blockOf(block: JsonObject): readonly (TextContent | ImageContent)[] {
	const text = stringAt(block, 'text');
	if (block.type === 'text' && text !== undefined) return [{ type: 'text', text }];
	const source = block.type === 'image' ? objectAt(block, 'source') : undefined;
	const data = source && stringAt(source, 'data');
	if (!source || data === undefined) return [];
	return [{ type: 'image', data, mimeType: stringAt(source, 'media_type') ?? 'image/png' }];
}
