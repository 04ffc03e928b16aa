/** The five protocols as a server speaks them: what a request asks, and a turn as frames of a stream. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../src/model/index.ts';
import type { Asked, Played, ScriptError } from '../../src/providers/script.ts';
import {
	anthropicVoice,
	chatVoice,
	googleVoice,
	ollamaVoice,
	responsesVoice,
	type Speaker,
	type Voice,
} from './model-server-frames.ts';

export type Protocol = 'anthropic' | 'chat' | 'responses' | 'google' | 'ollama';

export interface Frame {
	readonly data?: Json;
	/** It carries a piece of the reply. */
	readonly chunk?: boolean;
	/** It ends a block of the reply. */
	readonly block?: boolean;
}

export interface Speaking extends Played, Speaker {}

export interface Speech {
	readonly contentType: string;
	frame(data: Json): string;
	asked(body: JsonObject): Omit<Asked, 'raw' | 'path' | 'model'>;
	/** One reply; it is told piece by piece. */
	voice(speaker: Speaker): Voice;
	/** The document of an answer that is no reply. */
	error(error: ScriptError): Json;
	/** The same in the middle of a stream. */
	streamError(error: ScriptError): Json;
}

const paths: readonly (readonly [RegExp, Protocol])[] = [
	[/\/messages$/, 'anthropic'],
	[/\/chat\/completions$/, 'chat'],
	[/\/responses$/, 'responses'],
	[/:streamGenerateContent$/, 'google'],
	[/\/api\/chat$/, 'ollama'],
];

export function protocolOf(path: string): Protocol | undefined {
	const [bare = ''] = path.split('?');
	return paths.find(([pattern]) => pattern.test(bare))?.[1];
}

/** Google's is in the address. */
export function modelOf(body: JsonObject, path: string): string {
	return typeof body.model === 'string' ? body.model : (/models\/([^:]+):/.exec(path)?.[1] ?? 'unnamed');
}

const words: { readonly [status: number]: string } = {
	400: 'invalid_request_error',
	401: 'authentication_error',
	403: 'permission_error',
	404: 'not_found_error',
	429: 'rate_limit_error',
	529: 'overloaded_error',
};

const typeOf = ({ type, status = 500 }: ScriptError): string => type ?? words[status] ?? 'api_error';
const messageOf = ({ message }: ScriptError): string => message ?? 'scripted error';

const events = (data: Json): string => {
	const name = isObject(data) ? stringAt(data, 'type') : undefined;
	return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
};
const dataOnly = (data: Json): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export function list(value: Json | undefined): readonly JsonObject[] {
	return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

/** Every text in a message's content, whatever the protocol calls its parts. */
export function textOf(content: Json | undefined): string {
	if (typeof content === 'string') return content;
	return list(content)
		.map((part) => stringAt(part, 'text') ?? '')
		.filter((text) => text !== '')
		.join('\n');
}

const prompts = (messages: readonly JsonObject[], key = 'content'): readonly string[] =>
	messages.filter((one) => one.role === 'user').map((one) => textOf(one[key]));
const instructions = (messages: readonly JsonObject[]): string =>
	messages
		.filter((one) => one.role === 'system' || one.role === 'developer')
		.map((one) => textOf(one.content))
		.join('\n');
const hasTools = (body: JsonObject): boolean => list(body.tools).length > 0;

const openAiError = (error: ScriptError): Json => ({
	error: { message: messageOf(error), type: typeOf(error), code: error.code ?? null, param: null },
});
const anthropicError = (error: ScriptError): Json => ({
	type: 'error',
	error: { type: typeOf(error), message: messageOf(error) },
});
const googleError = (error: ScriptError): Json => ({
	error: { code: error.status ?? 500, message: messageOf(error), status: typeOf(error).toUpperCase() },
});
const ollamaError = (error: ScriptError): Json => ({ error: messageOf(error) });

export const protocols: { readonly [P in Protocol]: Speech } = {
	anthropic: {
		contentType: 'text/event-stream',
		frame: events,
		asked: (body) => ({ system: textOf(body.system), prompts: prompts(list(body.messages)), tools: hasTools(body) }),
		voice: anthropicVoice,
		error: anthropicError,
		streamError: anthropicError,
	},
	chat: {
		contentType: 'text/event-stream',
		frame: dataOnly,
		asked: (body) => ({
			system: instructions(list(body.messages)),
			prompts: prompts(list(body.messages)),
			tools: hasTools(body),
		}),
		voice: chatVoice,
		error: openAiError,
		streamError: openAiError,
	},
	responses: {
		contentType: 'text/event-stream',
		frame: events,
		asked: (body) => ({
			system: [stringAt(body, 'instructions') ?? '', instructions(list(body.input))].join('\n').trim(),
			prompts: prompts(list(body.input)),
			tools: hasTools(body),
		}),
		voice: responsesVoice,
		error: openAiError,
		streamError: (error) => ({
			type: 'error',
			code: error.code ?? typeOf(error),
			message: messageOf(error),
			param: null,
		}),
	},
	google: {
		contentType: 'text/event-stream',
		frame: dataOnly,
		asked: (body) => ({
			system: textOf(objectAt(body, 'systemInstruction')?.parts),
			prompts: prompts(list(body.contents), 'parts'),
			tools: hasTools(body),
		}),
		voice: googleVoice,
		error: googleError,
		streamError: googleError,
	},
	ollama: {
		contentType: 'application/x-ndjson',
		frame: (data) => `${JSON.stringify(data)}\n`,
		asked: (body) => ({
			system: instructions(list(body.messages)),
			prompts: prompts(list(body.messages)),
			tools: hasTools(body),
		}),
		voice: ollamaVoice,
		error: ollamaError,
		streamError: ollamaError,
	},
};
