/** Laws of counting tokens. */
import { describe, expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { blockText, entryText, jsonText } from './text.ts';
import { noUsage, responses, usageOf } from './usage.ts';

const line = (id: string, response: string, output: number, request?: string): Entry => ({
	id,
	parent: null,
	kind: 'message',
	role: 'assistant',
	content: [{ type: 'text', text: id }],
	records: [],
	response: { id: response, ...(request ? { request } : {}), usage: { ...noUsage, input: 10, output } },
});

describe('usage', () => {
	it('a response that is written as several lines is counted once, with its final output', () => {
		const entries = [line('a', 'm1', 1), line('b', 'm1', 50), line('c', 'm1', 50), line('d', 'm2', 7)];
		expect(responses(entries).map((counted) => counted.entries)).toEqual([['a', 'b', 'c'], ['d']]);
		expect(usageOf(entries)).toEqual({ ...noUsage, input: 20, output: 57 });
	});

	it('what a client invents is not counted', () => {
		const made = { ...line('a', 'm1', 5), response: { synthetic: true, usage: { ...noUsage, output: 5 } } } as Entry;
		expect(usageOf([made])).toEqual(noUsage);
	});

	it('the same message id under another request is another response', () => {
		expect(responses([line('a', 'm1', 1, 'r1'), line('b', 'm1', 1, 'r2')])).toHaveLength(2);
	});
});

describe('plain text', () => {
	it('a message reads as its blocks', () => {
		const entry: Entry = {
			id: 'a',
			parent: null,
			kind: 'message',
			role: 'assistant',
			records: [],
			content: [
				{ type: 'text', text: 'Let me look.' },
				{ type: 'tool_call', id: 't', name: 'Read', input: { path: 'a.ts' } },
				{ type: 'image', mime: 'image/png', data: { base64: 'AAAA' } },
			],
		};
		expect(entryText(entry)).toBe('Let me look.\nRead({"path":"a.ts"})\n[image: image/png]');
	});

	it('a value nested too deeply to serialise is named, not thrown', () => {
		let deep: readonly unknown[] = [];
		for (let i = 0; i < 100_000; i += 1) deep = [deep];
		expect(jsonText(deep as never)).toBe('[too deeply nested]');
		expect(blockText({ type: 'data', value: deep as never })).toBe('[too deeply nested]');
	});
});
