/** Laws of a conversation that is shown as it happens. */
import { describe, expect, it } from 'vitest';
import type { Block, Entry } from '../model/index.ts';
import { LiveTranscript, tellsSomething } from './live.ts';

const message = (id: string, role: 'user' | 'assistant', ...content: readonly Block[]): Entry => ({
	id,
	parent: null,
	kind: 'message',
	role,
	content,
	records: [],
});
const call: Block = { type: 'tool_call', id: 't', name: 'Bash', input: { command: 'npm test' } };
const result: Block = { type: 'tool_result', call: 't', content: [{ type: 'text', text: 'green' }], isError: false };

describe('a conversation as it happens', () => {
	it('tells a call when it is made, and again with its answer', () => {
		const live = new LiveTranscript({});
		expect(live.tell([message('a', 'assistant', call)])).toMatchObject([
			{ kind: 'tool', subject: 'npm test', open: true },
		]);
		const [answered] = live.tell([message('b', 'user', result)]);
		expect(answered).toMatchObject({ kind: 'tool', name: 'Bash', subject: 'npm test', output: 'green' });
		expect(answered).not.toHaveProperty('open');
		expect(live.tell([message('c', 'user', result)])).toEqual([]);
	});

	it('tells call and answer once where they come together', () => {
		const live = new LiveTranscript({});
		const parts = live.tell([message('a', 'assistant', call), message('b', 'user', result)]);
		expect(parts).toMatchObject([{ kind: 'tool', output: 'green' }]);
		expect(live.tell([message('c', 'user', result)])).toEqual([]);
	});

	it('says nothing of answers to calls that it never saw, and counts what tells something by itself', () => {
		expect(new LiveTranscript({}).tell([message('b', 'user', result)])).toEqual([]);
		expect(tellsSomething(message('a', 'assistant', call), {})).toBe(true);
		expect(tellsSomething(message('b', 'user', result), {})).toBe(false);
		expect(tellsSomething(message('c', 'assistant', { type: 'thinking', text: 'hm' }), {})).toBe(false);
		expect(tellsSomething(message('c', 'assistant', { type: 'thinking', text: 'hm' }), { thinking: true })).toBe(true);
	});
});
