/** Lines as pi would write them, for the tests of its codec. */

import { openclaw } from '../../src/codecs/openclaw/index.ts';
import { checkBytes } from '../../src/codecs/shared/check/check.ts';
import { decodeBytes } from '../../src/codecs/shared/read/read.ts';
import type { Entry, JsonObject, Session } from '../../src/model/index.ts';

export const header = { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/tmp' };

const usage = {
	input: 120,
	output: 45,
	cacheRead: 10,
	cacheWrite: 5,
	totalTokens: 180,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

export const text = (value: string) => ({ type: 'text', text: value });
export const call = (id: string, name = 'read') => ({ type: 'toolCall', id, name, arguments: { path: 'x' } });

export const user = (content: unknown = 'hi') => ({ role: 'user', content, timestamp: 1740000000000 });
export const assistant = (content: unknown = [text('ok')], more: object = {}) => ({
	role: 'assistant',
	content,
	api: 'anthropic-messages',
	provider: 'anthropic',
	model: 'claude-opus-4-6',
	usage,
	stopReason: 'stop',
	timestamp: 1740000001000,
	...more,
});
export const result = (id: string, more: object = {}) => ({
	role: 'toolResult',
	toolCallId: id,
	toolName: 'read',
	content: [text('out')],
	isError: false,
	timestamp: 1740000002000,
	...more,
});

export const line = (id: string, parentId: string | null, type: string, fields: object = {}) => ({
	type,
	id,
	parentId,
	timestamp: '2026-01-01T00:00:01.000Z',
	...fields,
});
export const said = (id: string, parentId: string | null, message: object) =>
	line(id, parentId, 'message', { message });

/** A file of these lines; strings are written as they are. */
export function file(...lines: readonly (object | string)[]): Uint8Array {
	return Buffer.from(lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''), 'utf8');
}

export function read(...lines: readonly (object | string)[]): Session {
	return decodeBytes(openclaw, file(...lines), 'fallback');
}

/** The entry of a line put after a header. */
export function entryOf(value: object): Entry {
	const entry = read(header, value).entries[1];
	if (!entry) throw new Error('the line gave no entry');
	return entry;
}

/** `severity rule line` of each issue, in order, without the note that pi's own lines are not the document's. */
export function issuesOf(...lines: readonly (object | string)[]): readonly string[] {
	return checkBytes(openclaw, file(...lines))
		.filter((issue) => issue.rule !== 'openclaw/wrapped')
		.map((issue) => `${issue.severity} ${issue.rule.replace('openclaw/', '')} ${issue.line}`);
}

/** The lines of an encoded file. */
export function linesOf(bytes: Uint8Array): readonly JsonObject[] {
	return Buffer.from(bytes)
		.toString('utf8')
		.split('\n')
		.filter((one) => one !== '')
		.map((one) => JSON.parse(one) as JsonObject);
}
