/** Makes the bytes of a messages document: a new one, or an old one with messages added and its bytes unchanged. */
import {
	type Amendment,
	arrayAt,
	type Header,
	isObject,
	type Json,
	type JsonObject,
	joinRecords,
	objectAt,
	type Profile,
	type Session,
	stringAt,
} from '../../../model/index.ts';
import { isDeep } from '../../shared/read/deep.ts';
import { documentReader } from '../../shared/read/document-reader.ts';
import { arraySpans } from '../../shared/read/json-spans.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { spliceFields } from '../../shared/write/splice.ts';
import { type ClineAgent, childId, childSession, memberOf } from '../lines.ts';

export interface Head {
	readonly profile: Profile;
	readonly id: string;
	readonly header: Header;
	readonly updatedAt: string;
	readonly systemPrompt: string | undefined;
}

/** The kind of agent that a file is about. */
export function agentOf(header: Header, id: string): ClineAgent {
	const own = header.extra && stringAt(header.extra, 'agent');
	if (own === 'subagent' || own === 'teammate') return own;
	if (header.agent === undefined) return 'lead';
	return childId(id)?.team ? 'teammate' : 'subagent';
}

/** The session id; a sub-agent's begins with that of its session. */
export function sessionIdOf(header: Header, id: string): string {
	if (agentOf(header, id) === 'lead' || id.includes('__')) return id;
	return childSession(header.from?.session ?? id, header.agent ?? id);
}

/** The parts of a document that a sidecar repeats. */
export interface DocumentParts {
	readonly sessionId?: string | undefined;
	readonly system_prompt?: string | undefined;
}

/** The parts of a document; `messages` is absent where it has none. */
export function partsOfDocument(bytes: Uint8Array): DocumentParts & { readonly messages: readonly Json[] | undefined } {
	const { value = {}, other = [] } = parseRecord(bytes, true);
	return {
		messages: Array.isArray(other) && other.length > 0 ? other : arrayAt(value, 'messages'),
		sessionId: stringAt(value, 'sessionId'),
		system_prompt: stringAt(value, 'system_prompt'),
	};
}

/** A new document, message by message. The fields behind the messages are asked for after these are written. */
export function* newDocument(head: () => Head, messages: Iterable<readonly JsonObject[]>): Generator<string> {
	yield aroundMessages(head()).before;
	let separator = '';
	for (const part of messages) {
		for (const message of part) {
			yield `${separator}\n    ${indented(message)}`;
			separator = ',';
		}
	}
	yield `${separator === '' ? '' : '\n  '}${aroundMessages(head()).after}`;
}

const noMessages = '\n  "messages": []';

function aroundMessages(head: Head): { readonly before: string; readonly after: string } {
	const empty = emptyDocument(head);
	// Only a key of the document itself is two spaces from the start of its line.
	const at = empty.indexOf(noMessages) + noMessages.length - 1;
	return { before: empty.slice(0, at), after: empty.slice(at) };
}

const timeSign = '"updated_at": "';

/** The change of the time in a new document's head, once known. It precedes everything that could look like it. */
export function amendedTime(head: Head): Amendment {
	return { at: emptyDocument(head).indexOf(timeSign) + timeSign.length, bytes: Buffer.from(head.updatedAt) };
}

function emptyDocument(head: Head): string {
	const { header } = head;
	const agent = agentOf(header, head.id);
	const sessionId = sessionIdOf(header, head.id);
	const own = header.extra && stringAt(header.extra, 'taskType');
	const taskType = agent === 'lead' ? undefined : (own ?? (agent === 'teammate' ? 'team' : 'subagent_task'));
	const document = {
		version: 1,
		updated_at: head.updatedAt,
		agent,
		sessionId,
		taskType,
		origin: head.profile === 'client' ? originOf(header, agent, sessionId) : undefined,
		messages: [],
		system_prompt: head.systemPrompt,
	};
	return `${JSON.stringify(document, null, 2)}\n`;
}

function originOf(header: Header, agent: ClineAgent, sessionId: string): JsonObject {
	const own = header.extra && objectAt(header.extra, 'origin');
	const kept = isObject(own) && !isDeep(own) ? own : {};
	const mode = { lead: 'user', subagent: 'subagent', teammate: 'team' }[agent];
	const parent = header.from?.how === 'subagent' ? { parentThreadId: header.from.session } : {};
	const child = agent === 'lead' ? {} : { ...parent, subagent: memberOf(header.agent ?? agent) };
	return { source: 'cli', mode, sessionId, ...child, ...kept, ...(kept.sessionId === undefined ? {} : { sessionId }) };
}

export interface Extended {
	readonly bytes: Uint8Array;
	/** What could not be copied from a damaged document. */
	readonly lost?: string;
}

export function extendDocument(after: Session, head: Head, messages: readonly JsonObject[]): Extended {
	const old = joinRecords(after.source, after.records);
	const added = messages.map((message) => Buffer.from(indented(message)));
	const parts = partsOf(old);
	const updated = { updated_at: head.updatedAt };
	if (parts.sound) return { bytes: spliced(messages.length > 0 ? spliceFields(old, updated) : old, added) };
	const bytes = spliced(Buffer.from(emptyDocument(head)), [...parts.messages, ...added]);
	return { bytes, lost: 'the document was damaged: what could not be read of it is left out' };
}

/** The messages of a document as bytes, and whether the document as a whole is valid JSON. */
function partsOf(bytes: Uint8Array): { readonly sound: boolean; readonly messages: readonly Uint8Array[] } {
	const reader = documentReader('messages');
	const messages: Uint8Array[] = [];
	let sound = arraySpans(bytes, 'messages') !== undefined;
	reader.push(bytes, () => undefined);
	reader.end((line) => {
		if (line.flaws.some((flaw) => flaw === 'torn' || flaw === 'not-json' || flaw === 'too-long')) sound = false;
		if (line.part === 'item' && (line.value !== undefined || line.other !== undefined)) messages.push(line.bytes);
	});
	return { sound, messages };
}

const outside = JSON.stringify([[0]], null, 2).split('0');

/** A message with the indentation that it has in a document. */
function indented(message: JsonObject): string {
	const [before = '', after = ''] = outside;
	return JSON.stringify([[message]], null, 2).slice(before.length, -after.length);
}

/** Inserts elements at the end of the messages, formatted as the client does. */
function spliced(bytes: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
	const spans = arraySpans(bytes, 'messages');
	if (!spans || pieces.length === 0) return bytes;
	const last = spans.elements.at(-1)?.end;
	const out: Uint8Array[] = [bytes.subarray(0, last ?? spans.open)];
	pieces.forEach((piece, index) => {
		out.push(Buffer.from(last === undefined && index === 0 ? '\n    ' : ',\n    '), piece);
	});
	out.push(last === undefined ? Buffer.from('\n  ') : Buffer.alloc(0), bytes.subarray(last ?? spans.close));
	return Buffer.concat(out);
}
