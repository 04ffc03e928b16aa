/** Laws of the document's own reconstruction of messages. */
import { describe, expect, test } from 'vitest';
import { loadSession } from './seed.ts';

const lines = (...values: readonly object[]): Uint8Array =>
	Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
const user = (content: unknown, more: object = {}): object => ({
	type: 'user',
	message: { role: 'user', content },
	...more,
});
const reply = (requestId: string, text: string): object => ({
	type: 'assistant',
	requestId,
	message: { role: 'assistant', content: [{ type: 'text', text }] },
});

describe('appendix C', () => {
	test('neighbouring replies of one request are one message', () => {
		expect(loadSession(lines(user('hi'), reply('r1', 'a'), reply('r1', 'b'), reply('r2', 'c')))).toEqual([
			{ role: 'user', content: 'hi' },
			{
				role: 'assistant',
				content: [
					{ type: 'text', text: 'a' },
					{ type: 'text', text: 'b' },
				],
			},
			{ role: 'assistant', content: [{ type: 'text', text: 'c' }] },
		]);
	});

	test('what the client injected is left out', () => {
		expect(loadSession(lines(user('hi'), user('meta', { isMeta: true })))).toEqual([{ role: 'user', content: 'hi' }]);
	});

	test('a summary stands for everything before it', () => {
		const summary = { type: 'summary', summary: 'They said hi.', leafUuid: 'x' };
		expect(loadSession(lines(user('hi'), summary, user('on')))).toEqual([
			{ role: 'user', content: '[Previous conversation summary]: They said hi.' },
			{ role: 'user', content: 'on' },
		]);
	});

	test('other lines and broken ones change nothing', () => {
		const bytes = Buffer.concat([
			lines(user('hi'), { type: 'progress', data: {} }),
			Buffer.from('{"type":"user","mess'),
		]);
		expect(loadSession(bytes)).toEqual([{ role: 'user', content: 'hi' }]);
	});
});
