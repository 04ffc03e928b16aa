/** What a conversation print recognises. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { deriveHex } from '../codecs/shared/write/derive.ts';
import type { MessageEntry } from '../model/index.ts';
import { conversationOf } from './conversation-print.ts';

const message = (text: string): MessageEntry => ({
	kind: 'message',
	id: 'a',
	parent: null,
	role: 'user',
	content: [
		{ type: 'text', text },
		{ type: 'tool_result', call: 'c', content: [], isError: false },
		{ type: 'thinking', text: 'hm' },
	],
	records: [],
});

const allBlanks = Array.from({ length: 1 << 16 }, (_, code) => String.fromCharCode(code)).filter((one) =>
	/\s/.test(one),
);

it('a text is recognised by its words, however long it is and whatever blanks are between them', () => {
	const part = fc.oneof(
		fc.constantFrom(' ', '\n', '\t\t', '\r\n', '\v\f', 'é', '日', '\u0001', 'word', '😀', '\ud800', '\udc00', 'Â'),
		fc.constantFrom(...allBlanks),
		fc.constantFrom(
			'\u00a1',
			'\u1681',
			'\u1ffff',
			'\u200b',
			'\u2027',
			'\u202e',
			'\u2060',
			'\u3001',
			'\ufefe',
			'\u180e',
		),
		fc.string({ maxLength: 20, unit: 'binary' }),
	);
	const text = fc.tuple(fc.array(part, { maxLength: 30 }), fc.nat(40)).map(([parts, times]) => {
		const some = parts.join('');
		return some.repeat(times + 1);
	});
	fc.assert(
		fc.property(text, (said) => {
			const plain = said.replace(/\s+/g, ' ').trim();
			const result = deriveHex(12, 'user', 'result c');
			const expected = plain === '' ? [result] : [deriveHex(12, 'user', `text ${plain}`), result];
			expect(
				conversationOf({ entries: [message(said)], leaf: message(said).id }).marks.map((mark) => mark.hash),
			).toEqual(expected);
		}),
		{ seed, numRuns: 1000 },
	);
});
