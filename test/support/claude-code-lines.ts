/** Lines of a Claude Code session to read, and what is read from them. */
import { claudeCode } from '../../src/codecs/claude-code/index.ts';
import { decodeBytes } from '../../src/codecs/shared/read/read.ts';
import type { Entry, JsonObject, SessionEvent } from '../../src/model/index.ts';

export const envelope = {
	sessionId: '07c9cd52-5a41-4c0e-9d0a-3b1f0a6a2c11',
	timestamp: '2026-01-03T15:44:58.325Z',
	isSidechain: false,
	userType: 'external',
	cwd: '/home/dev/app',
	version: '2.1.29',
	gitBranch: 'main',
};

export const inGraph = (fields: JsonObject): JsonObject => ({ ...envelope, uuid: 'u2', parentUuid: 'u1', ...fields });
export const user = (content: JsonObject[string], fields: JsonObject = {}): JsonObject =>
	inGraph({ type: 'user', message: { role: 'user', content }, ...fields });
export const assistant = (block: JsonObject, fields: JsonObject = {}, message: JsonObject = {}): JsonObject =>
	inGraph({
		type: 'assistant',
		requestId: 'req_1',
		message: {
			id: 'msg_1',
			type: 'message',
			role: 'assistant',
			model: 'claude-opus-4-5',
			content: [block],
			...message,
		},
		...fields,
	});

export const read = (...lines: readonly JsonObject[]) =>
	decodeBytes(claudeCode, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));

export function entry(line: JsonObject): Entry {
	const [first] = read(line).entries;
	if (!first) throw new Error('the line has no entry');
	return first;
}

export function event(line: JsonObject): SessionEvent {
	const made = entry(line);
	if (made.kind !== 'event') throw new Error(`the line is a ${made.kind}`);
	return made.event;
}
