/** Neutral entries, and what becomes of them when they are written as pi's lines: for the tests of its codec. */
import { expect } from 'vitest';
import { openclaw } from '../../src/codecs/openclaw/index.ts';
import { checkBytes, issuesIn } from '../../src/codecs/shared/check/check.ts';
import { decodeBytes } from '../../src/codecs/shared/read/read.ts';
import type { Block, Entry, Header, ModelResponse, Profile, Session } from '../../src/model/index.ts';
import { linesOf } from './openclaw-lines.ts';

export const head: Header = {
	cwd: '/work',
	created: '2026-01-02T03:04:05.000Z',
	model: 'claude-sonnet-4-5',
	provider: 'anthropic',
};

let count = 0;
export function entry(fields: object): Entry {
	count += 1;
	const time = new Date(Date.parse('2026-01-02T03:05:00.000Z') + count * 1000).toISOString();
	return { records: [], time, ...fields } as unknown as Entry;
}

export const says = (id: string, parent: string | null, role: string, content: readonly Block[], more: object = {}) =>
	entry({ id, parent, kind: 'message', role, content, ...more });
export const words = (value: string): Block => ({ type: 'text', text: value });
export const asks = (id: string, name: string): Block => ({ type: 'tool_call', id, name, input: { path: 'x' } });
export const answers = (id: string): Block => ({
	type: 'tool_result',
	call: id,
	content: [words(`result ${id}`)],
	isError: false,
});
export const reply = (id: string, more: Partial<ModelResponse> = {}): { readonly response: ModelResponse } => ({
	response: {
		id,
		provider: 'anthropic',
		model: 'claude-sonnet-4-5',
		usage: { input: 1, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
		costUsd: 0,
		...more,
	},
});

export function write(
	entries: readonly Entry[],
	profile: Profile = 'client',
	more: { readonly header?: Header; readonly after?: Session; readonly leaf?: string } = {},
) {
	const encoded = openclaw.write.encode({
		profile,
		id: 'session-1',
		header: more.header ?? head,
		entries,
		leaf: more.leaf,
		...(more.after ? { after: more.after } : {}),
	});
	const lines = linesOf(encoded.bytes);
	return {
		lines,
		losses: encoded.losses,
		bytes: encoded.bytes,
		session: decodeBytes(openclaw, encoded.bytes, 'session-1'),
	};
}

export const lost = (losses: readonly { readonly entry: string; readonly path: string; readonly how: string }[]) =>
	losses.map((loss) => `${loss.entry} ${loss.path} ${loss.how}`);

export const sound = (bytes: Uint8Array, profile: Profile = 'client') =>
	expect(issuesIn(profile, checkBytes(openclaw, bytes)).filter((issue) => issue.severity !== 'info')).toEqual([]);
