/** Reads system, progress and attachment lines: those of the graph that are no messages. */
import {
	type CompactionEntry,
	compact,
	type Entry,
	isObject,
	type Json,
	type JsonObject,
	numberAt,
	objectAt,
	type SessionEvent,
	stringAt,
} from '../../../model/index.ts';
import type { Line } from '../../shared/read/line.ts';
import { base, fields, opaque } from './common.ts';

const systemFields = fields();
const boundaryFields = fields('subtype');
const timingFields = fields('subtype', 'durationMs');
const commandFields = fields('subtype', 'content', 'level');
const noticeFields = fields('content', 'level');
const errorFields = fields('subtype', 'error', 'retryAttempt');
const progressFields = fields('data', 'toolUseID', 'parentToolUseID');
const attachmentFields = fields('attachment', 'rendered');

export function systemEntry(line: Line, value: JsonObject): Entry {
	switch (value.subtype) {
		case 'compact_boundary':
			return boundary(line, value);
		case 'turn_duration': {
			const durationMs = numberAt(value, 'durationMs');
			if (durationMs === undefined) break;
			return { ...base(line, value, timingFields), kind: 'event', event: { type: 'timing', durationMs } };
		}
		case 'local_command': {
			const content = stringAt(value, 'content');
			if (content === undefined) break;
			return { ...base(line, value, commandFields), kind: 'event', event: command(value, content) };
		}
		case 'api_error':
			return { ...base(line, value, errorFields), kind: 'event', event: apiError(value) };
		case 'stop_hook_summary':
			return stopHooks(line, value);
	}
	return notice(line, value);
}

/** A notice for any other subtype with content; the rest stays opaque. */
function notice(line: Line, value: JsonObject): Entry {
	const message = stringAt(value, 'content');
	const level = stringAt(value, 'level');
	if (message === undefined && level === undefined) return opaque(line, value, 'system');
	const event: SessionEvent = { type: 'notice', level: level ?? 'info', ...compact({ message }) };
	return { ...base(line, value, noticeFields), kind: 'event', event };
}

function boundary(line: Line, value: JsonObject): CompactionEntry {
	const metadata = objectAt(value, 'compactMetadata') ?? {};
	return {
		...base(line, value, boundaryFields),
		kind: 'compaction',
		...compact({
			keptFrom: firstKept(metadata),
			tokensBefore: numberAt(metadata, 'preTokens'),
			tokensAfter: numberAt(metadata, 'postTokens'),
			trigger: stringAt(metadata, 'trigger'),
		}),
	};
}

function firstKept(metadata: JsonObject): string | undefined {
	const head = stringAt(objectAt(metadata, 'preservedSegment') ?? {}, 'headUuid');
	if (head !== undefined) return head;
	const uuids = objectAt(metadata, 'preservedMessages')?.uuids;
	const first = Array.isArray(uuids) ? (uuids[0] as Json) : undefined;
	return typeof first === 'string' ? first : undefined;
}

const commandName = /<command-name>([^<]{0,200})<\/command-name>/;
const commandArgs = /<command-args>([^<]{0,4000})<\/command-args>/;

function command(value: JsonObject, content: string): SessionEvent {
	const run = objectAt(value, 'commandRun') ?? {};
	const name = commandName.exec(content)?.[1] ?? stringAt(run, 'command');
	const args = commandArgs.exec(content)?.[1] ?? stringAt(run, 'args');
	return { type: 'command', content, ...compact({ name, args, level: stringAt(value, 'level') }) };
}

function apiError(value: JsonObject): SessionEvent {
	const { error } = value;
	const told = isObject(error)
		? (stringAt(error, 'formatted') ?? stringAt(error, 'message'))
		: stringAt(value, 'error');
	const message = told ?? stringAt(value, 'content') ?? 'API error';
	return { type: 'error', message, ...compact({ attempt: numberAt(value, 'retryAttempt'), data: error }) };
}

function stopHooks(line: Line, value: JsonObject): Entry {
	const made = base(line, value, systemFields);
	const errors = value.hookErrors;
	const output = Array.isArray(errors)
		? (errors as readonly Json[]).filter((text) => typeof text === 'string').join('\n')
		: '';
	return {
		...made,
		kind: 'event',
		event: { type: 'hook', event: 'Stop', data: made.extra ?? {}, ...(output === '' ? {} : { output }) },
	};
}

export function progressEntry(line: Line, value: JsonObject): Entry {
	const data = objectAt(value, 'data');
	if (!data) return opaque(line, value, 'progress');
	const of = stringAt(data, 'type') ?? 'progress';
	const calls = compact({ call: stringAt(value, 'toolUseID'), parentCall: stringAt(value, 'parentToolUseID') });
	return { ...base(line, value, progressFields), kind: 'event', event: { type: 'progress', of, data, ...calls } };
}

export function attachmentEntry(line: Line, value: JsonObject): Entry {
	const data = objectAt(value, 'attachment');
	if (!data) return opaque(line, value, 'attachment');
	const of = stringAt(data, 'type') ?? 'attachment';
	if (of.startsWith('hook_')) {
		// What the model was told about the hook stays among the leftover fields.
		const made = base(line, value, hookFields);
		return { ...made, kind: 'event', event: hook(data) };
	}
	const rendered = renderedTexts(value.rendered);
	return {
		...base(line, value, rendered === undefined ? hookFields : attachmentFields),
		kind: 'event',
		event: { type: 'attachment', of, data, ...compact({ rendered }) },
	};
}

const hookFields = fields('attachment');

function hook(data: JsonObject): SessionEvent {
	const output = stringAt(data, 'stdout') ?? stringAt(data, 'content');
	const told = compact({ event: stringAt(data, 'hookEvent'), name: stringAt(data, 'hookName'), output });
	return { type: 'hook', data, ...told };
}

/** The texts that were sent for an attachment, each a string or a list of text blocks. */
function renderedTexts(rendered: Json | undefined): readonly string[] | undefined {
	if (!Array.isArray(rendered)) return undefined;
	const texts: string[] = [];
	for (const item of rendered as readonly Json[]) {
		if (!isObject(item)) return undefined;
		if (typeof item.content === 'string') texts.push(item.content);
		else if (Array.isArray(item.content)) {
			for (const part of item.content as readonly Json[]) {
				if (isObject(part) && typeof part.text === 'string') texts.push(part.text);
			}
		}
	}
	return texts;
}
