/** Small conversations to encode, for the tests of the Clido codec. */

import { clido } from '../../src/codecs/clido/index.ts';
import type { Block, Entry, Header, Loss, MessageEntry, Profile } from '../../src/model/index.ts';

export const header: Header = { cwd: '/home/dev/app', created: '2026-01-02T03:04:05.678Z' };
export const uuid = '3f2b8a9e-6f0e-4c55-9d3d-0c1f0d7d9a11';

export function write(
	profile: Profile,
	entries: readonly Entry[],
	more: Header = {},
): { lines: string[]; losses: readonly Loss[] } {
	const { bytes, losses } = clido.write.encode({ profile, id: uuid, header: { ...header, ...more }, entries });
	return { lines: Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1), losses };
}

let count = 0;
export function message(
	role: MessageEntry['role'],
	content: readonly Block[],
	more: Partial<MessageEntry> = {},
): MessageEntry {
	count += 1;
	return { kind: 'message', id: `line:${count}`, parent: null, records: [], role, content, ...more };
}

/** Messages one after the other. */
export function chain(...messages: readonly MessageEntry[]): readonly MessageEntry[] {
	return messages.map((entry, index) => ({ ...entry, parent: messages[index - 1]?.id ?? null }));
}

export const text = (value: string): Block => ({ type: 'text', text: value });
export const call = (id: string, input = {}): Block => ({ type: 'tool_call', id, name: 'Read', input });
export const answer = (id: string): Block => ({
	type: 'tool_result',
	call: id,
	content: [text(`of ${id}`)],
	isError: false,
});
export const types = (lines: readonly string[]): readonly string[] =>
	lines.map((line) => String(JSON.parse(line).type));
