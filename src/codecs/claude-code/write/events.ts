/** Writes events as the lines that they came from, or as the nearest that the client has. */
import { type EventEntry, isObject, type Json, type SessionEvent } from '../../../model/index.ts';
import type { Fields, Writer } from './line-writer.ts';
import { carried, isOwn, ownFields } from './own-fields.ts';

export function writeEvent(entry: EventEntry, writer: Writer): void {
	const { event } = entry;
	switch (event.type) {
		case 'progress':
			writeProgress(entry, event, writer);
			break;
		case 'queue':
			writeQueue(entry, event, writer);
			break;
		case 'timing':
			system(entry, writer, { subtype: 'turn_duration', durationMs: event.durationMs, isMeta: false });
			break;
		case 'command':
			writeCommand(entry, event, writer);
			break;
		case 'hook':
			writeHook(entry, event, writer);
			break;
		case 'pr_link':
			writePrLink(entry, event, writer);
			break;
		case 'error':
			writeError(entry, event, writer);
			break;
		case 'notice':
			writeNotice(entry, event, writer);
			break;
		case 'attachment':
			writeAttachment(entry, event, writer);
			break;
		case 'cost':
			writeWhole(entry, 'cost-state', event.data, writer);
			break;
		case 'request':
		case 'collapse':
		case 'custom':
			writeWhole(entry, event.of, event.data, writer);
			break;
		case 'usage':
			writer.lose(entry, 'event', 'dropped', 'tokens spent outside a reply are not recorded');
			writer.skip(entry);
			break;
		case 'call':
			// It repeats a call that its message holds.
			writer.skip(entry);
			break;
	}
}

type Of<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

function system(entry: EventEntry, writer: Writer, fields: Fields): void {
	writer.graphLine(entry, writer.parentOf(entry), { type: 'system', ...fields }, {});
}

function writeProgress(entry: EventEntry, event: Of<'progress'>, writer: Writer): void {
	const fields: Fields = { type: 'progress', data: { type: event.of, ...event.data } };
	if (event.call !== undefined) fields.toolUseID = event.call;
	if (event.parentCall !== undefined) fields.parentToolUseID = event.parentCall;
	writer.graphLine(entry, writer.parentOf(entry), fields, { besideChain: true });
}

function writeQueue(entry: EventEntry, event: Of<'queue'>, writer: Writer): void {
	const fields: Fields = {
		type: 'queue-operation',
		operation: event.operation,
		timestamp: writer.plainTime(entry),
		sessionId: writer.sessionId,
		...carried(ownFields(entry)),
	};
	if (event.content !== undefined) fields.content = event.content;
	if (event.reason !== undefined) fields.reason = event.reason;
	writer.besideLine(entry, fields);
}

function writeCommand(entry: EventEntry, event: Of<'command'>, writer: Writer): void {
	const named = event.name === undefined || event.content.includes(event.name) || isOwn(entry.extra);
	if (!named) writer.lose(entry, 'event.name', 'approximated', 'only the text of a command is recorded');
	system(entry, writer, {
		subtype: 'local_command',
		content: event.content,
		level: event.level ?? 'info',
		isMeta: false,
	});
}

function writeHook(entry: EventEntry, event: Of<'hook'>, writer: Writer): void {
	const own = isOwn(entry.extra);
	if (own && ownFields(entry).subtype === 'stop_hook_summary') {
		system(entry, writer, {});
		return;
	}
	const type = event.data.type;
	const isRecord = typeof type === 'string' && type.startsWith('hook_');
	if (isRecord && writer.profile === 'client') {
		writer.graphLine(entry, writer.parentOf(entry), { type: 'attachment', attachment: event.data }, {});
		return;
	}
	if (isRecord) {
		// The document has one kind of line for hooks: it holds all that is known of this one, in the chain as the client has it.
		const data = { command: '', ...event.data, type: 'hook_progress' };
		writer.graphLine(entry, writer.parentOf(entry), { type: 'progress', data }, {});
		return;
	}
	writer.lose(entry, 'event', 'approximated', 'of a hook, its name and event are kept as a progress line');
	const command = typeof event.data.command === 'string' ? event.data.command : '';
	const data = { type: 'hook_progress', hookEvent: event.event ?? '', hookName: event.name ?? '', command };
	writer.graphLine(entry, writer.parentOf(entry), { type: 'progress', data }, { besideChain: true });
}

const pullRequest = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/pull\//;

function writePrLink(entry: EventEntry, event: Of<'pr_link'>, writer: Writer): void {
	writer.besideLine(entry, {
		type: 'pr-link',
		sessionId: writer.sessionId,
		prNumber: event.number,
		prUrl: event.url,
		prRepository: event.repository ?? pullRequest.exec(event.url)?.[1] ?? '',
		timestamp: writer.plainTime(entry),
		...carried(ownFields(entry)),
	});
}

function writeError(entry: EventEntry, event: Of<'error'>, writer: Writer): void {
	const error: Json = isObject(event.data) ? event.data : { message: event.message };
	const fields: Fields = { subtype: 'api_error', error };
	if (!isOwn(entry.extra)) fields.level = 'error';
	if (event.attempt !== undefined) fields.retryAttempt = event.attempt;
	system(entry, writer, fields);
}

function writeNotice(entry: EventEntry, event: Of<'notice'>, writer: Writer): void {
	const fields: Fields = { level: event.level };
	if (event.message !== undefined) fields.content = event.message;
	if (!isOwn(entry.extra))
		Object.assign(fields, { subtype: 'informational', content: event.message ?? '', isMeta: false });
	system(entry, writer, fields);
}

function writeAttachment(entry: EventEntry, event: Of<'attachment'>, writer: Writer): void {
	const rendered = event.rendered ?? [];
	if (writer.profile === 'client') {
		const fields: Fields = { type: 'attachment', attachment: { type: event.of, ...event.data } };
		if (rendered.length > 0) fields.rendered = rendered.map((content) => ({ content }));
		writer.graphLine(entry, writer.parentOf(entry), fields, {});
		return;
	}
	if (rendered.length === 0) {
		writer.lose(entry, 'event', 'dropped', 'the document has no line for what the client added by itself');
		writer.skip(entry);
		return;
	}
	writer.lose(entry, 'event', 'approximated', 'what the client added by itself is written as a user line');
	const content = rendered.map((text) => ({ type: 'text', text }));
	const fields = { type: 'user', isMeta: true, message: { role: 'user', content } };
	writer.graphLine(entry, writer.parentOf(entry), fields, { isMessage: true });
}

/** Writes a line that an event holds whole. The document does not know it, and other formats have no equivalent. */
function writeWhole(entry: EventEntry, type: string, data: Json | undefined, writer: Writer): void {
	if (writer.profile === 'published' || !isObject(data) || data.type !== type) {
		writer.lose(entry, 'event', 'dropped', `there is no line for ${entry.event.type} ${type}`);
		writer.skip(entry);
		return;
	}
	const line: Fields = { ...data };
	if (data.sessionId !== undefined) line.sessionId = writer.sessionId;
	if (entry.parent === undefined) {
		writer.besideLine(entry, line);
		return;
	}
	const { uuid: _, parentUuid: __, timestamp: ___, ...fields } = line;
	writer.graphLine(entry, writer.parentOf(entry), fields, {});
}
