/** Small conversations to encode, for the tests of the Cline codec. */
import { cline } from '../../src/codecs/cline/index.ts';
import type { Encoded, EncodeInput } from '../../src/codecs/codec.ts';
import { decodeBytes } from '../../src/codecs/shared/read/read.ts';
import type { Block, Entry, Header, JsonObject, MessageEntry, Session } from '../../src/model/index.ts';

export const header: Header = { cwd: '/p', model: 'm', provider: 'p', created: '2026-01-01T00:00:00.000Z' };

let count = 0;
export const entry = (role: MessageEntry['role'], content: readonly Block[], more: object = {}): MessageEntry => {
	count += 1;
	const time = new Date(Date.UTC(2026, 0, 1, 0, 0, count)).toISOString();
	return { kind: 'message', role, content, id: `e${count}`, records: [], time, parent: null, ...more };
};
export const text = (value: string): Block => ({ type: 'text', text: value });
export const call = (id: string): Block => ({ type: 'tool_call', id, name: 'Bash', input: {} });
export const result = (id: string, more: object = {}): Block => ({
	type: 'tool_result',
	call: id,
	content: [text('out')],
	isError: false,
	...more,
});

/** Each entry after the one before it. */
export const chain = (...entries: Entry[]): readonly Entry[] =>
	entries.map((one, index) => ({ ...one, parent: entries[index - 1]?.id ?? null }));

export const write = (entries: readonly Entry[], more: Partial<EncodeInput> = {}): Encoded =>
	cline.write.encode({
		profile: 'client',
		id: '1700000000000_a',
		header,
		entries,
		path: '/h/1700000000000_a.messages.json',
		...more,
	});
export const documentOf = (encoded: Encoded): JsonObject => JSON.parse(Buffer.from(encoded.bytes).toString('utf8'));
export const messagesOf = (encoded: Encoded): readonly JsonObject[] =>
	documentOf(encoded).messages as readonly JsonObject[];
export const lossesOf = (encoded: Encoded): readonly string[] =>
	encoded.losses.map((loss) => `${loss.how} ${loss.path}`);
export const read = (encoded: Encoded): Session => decodeBytes(cline, encoded.bytes);
export const besideOf = (encoded: Encoded, ending: string): Uint8Array => {
	const file = encoded.beside.find((one) => one.path.endsWith(ending));
	if (!file) throw new Error(`no ${ending} beside`);
	return file.bytes;
};
