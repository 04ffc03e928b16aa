/** The document's own way to messages (its appendix C), which is simpler than the client's and kept apart from it. */
import { arrayAt, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { WireMessage } from '../../shared/context/context.ts';
import type { Line } from '../../shared/read/line.ts';
import { lineReader } from '../../shared/read/line-reader.ts';

interface Building {
	readonly role: string;
	content: Json | undefined;
	readonly request?: string | undefined;
}

/**
 * The messages in file order: prompts and results unless `isMeta`, neighbouring replies of one request joined, and
 * everything before a summary replaced by it. Branches, side chains and boundaries are ignored. Lines that are not JSON
 * are skipped, where the document's sample would stop.
 */
export function loadSession(bytes: Uint8Array): readonly WireMessage[] {
	let messages: Building[] = [];
	const visit = ({ value }: Line): void => {
		if (!value) return;
		if (value.type === 'summary') messages = [summaryMessage(value)];
		else if (value.type === 'user' && value.isMeta !== true) addUser(messages, value);
		else if (value.type === 'assistant') addReply(messages, value);
	};
	const reader = lineReader();
	reader.push(bytes, visit);
	reader.end(visit);
	return messages.map(({ role, content }) => ({ role, content }) as WireMessage);
}

function summaryMessage(line: JsonObject): Building {
	return { role: 'user', content: `[Previous conversation summary]: ${stringAt(line, 'summary') ?? ''}` };
}

function addUser(messages: Building[], line: JsonObject): void {
	const message = objectAt(line, 'message');
	if (message) messages.push({ role: stringAt(message, 'role') ?? 'user', content: message.content });
}

function addReply(messages: Building[], line: JsonObject): void {
	const blocks = arrayAt(objectAt(line, 'message') ?? {}, 'content') ?? [];
	const request = stringAt(line, 'requestId');
	const last = messages.at(-1);
	if (last?.role === 'assistant' && last.request === request && Array.isArray(last.content)) {
		last.content = [...last.content, ...blocks];
	} else {
		messages.push({ role: 'assistant', content: blocks, request });
	}
}
