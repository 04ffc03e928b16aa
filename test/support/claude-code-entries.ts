/** Entries of any origin to write as a Claude Code session, and the session written. */

import { claudeCode } from '../../src/codecs/claude-code/index.ts';
import { checkBytes, issuesIn } from '../../src/codecs/shared/check/check.ts';
import { decodeBytes } from '../../src/codecs/shared/read/read.ts';
import type { Block, Entry, JsonObject, MessageEntry, Profile } from '../../src/model/index.ts';

export const id = '44444444-4444-4444-8444-444444444444';
export const header = { cwd: '/home/dev/app', gitBranch: 'main' };

export const time = (seconds: number): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1000).toISOString();
export const user = (
	name: string,
	parent: string | null,
	content: readonly Block[],
	seconds: number,
): MessageEntry => ({
	kind: 'message',
	id: name,
	parent,
	time: time(seconds),
	records: [],
	role: 'user',
	content,
});
export const say = (text: string): Block => ({ type: 'text', text });
export const reply = (
	name: string,
	parent: string,
	content: readonly Block[],
	seconds: number,
	response: MessageEntry['response'] = {},
): MessageEntry => ({
	...user(name, parent, content, seconds),
	role: 'assistant',
	response: {
		id: `msg_${name}`,
		request: `req_${name}`,
		model: 'claude-opus-4-5',
		stop: 'end',
		usage: { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5 },
		...response,
	},
});
export const result = (call: string): Block => ({
	type: 'tool_result',
	call,
	content: [say(`out ${call}`)],
	isError: false,
});
export const call = (name: string): Block => ({ type: 'tool_call', id: name, name: 'Bash', input: { command: 'ls' } });

export type Line = { readonly [key: string]: JsonObject[string] } & {
	readonly message?: { readonly content?: unknown; readonly usage?: unknown; readonly stop_reason?: unknown };
};

export function write(entries: readonly Entry[], profile: Profile = 'client', more: object = {}) {
	const encoded = claudeCode.write.encode({ profile, id, header, entries, ...more });
	const text = Buffer.from(encoded.bytes).toString('utf8');
	const lines =
		text === ''
			? []
			: text
					.trimEnd()
					.split('\n')
					.map((line) => JSON.parse(line) as Line);
	const issues = issuesIn(profile, checkBytes(claudeCode, encoded.bytes)).filter((issue) => issue.severity !== 'info');
	return { ...encoded, lines, issues, session: decodeBytes(claudeCode, encoded.bytes, id) };
}

export const losses = (written: ReturnType<typeof write>): readonly string[] =>
	written.losses.map((loss) => `${loss.entry} ${loss.path} ${loss.how}`);
