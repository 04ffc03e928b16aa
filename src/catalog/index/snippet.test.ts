/** Snippets are readable, around what was found, and the same whether a record was parsed or only searched. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quickSnippet, snippetOf } from './snippet.ts';

const filler = Array.from({ length: 4000 }, (_, index) => `word${index}`).join(' ');

function record(text: string): Uint8Array {
	const message = { role: 'user', content: [{ type: 'tool_result', content: text }] };
	return Buffer.from(
		`${JSON.stringify({ type: 'user', cwd: '/home/needle', uuid: 'needle', message, toolUseResult: { stdout: text } })}\n`,
	);
}

describe('a piece of a long record', () => {
	it('is around what was found, without escapes and without what is no text', () => {
		const text = `${filler}\nthe "old" needle\tlies\\here\nin größter Not ${filler}`;
		const shown = quickSnippet(record(text), ['needle']);
		expect(shown).toContain('the "old" needle lies\\here in größter Not');
		expect(shown?.startsWith('…')).toBe(true);
		expect(shown?.endsWith('…')).toBe(true);
	});

	it('has no markup of a compaction in it', () => {
		const said = ['write a parser', 'while you are at it, a needle', 'and the docs'];
		const summary = said.map((text) => `<user_message>\n${text}\n</user_message>`).join('\n');
		for (let before = 0; before < 80; before += 1) {
			const shown = snippetOf(`${'x'.repeat(before)} ${summary} ${filler}`, ['needle']);
			expect(shown).toContain('while you are at it, a needle');
			expect(shown).not.toMatch(/[<>]|user_mess/);
		}
	});

	it('is found whatever stands around it', () => {
		const piece = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 60 }),
			fc.constantFrom('"', '\\', '\\"', '\n', ' ', 'ß', '🚀', '\u0000'),
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 30 }), fc.array(piece, { maxLength: 30 }), (before, after) => {
				const text = `${filler} ${before.join('')} one Needle two three ${after.join('')} ${filler}`;
				const shown = quickSnippet(record(text), ['needle']) ?? snippetOf(text, ['needle']);
				expect(shown).toContain('one Needle two three'.slice(0, 20));
			}),
		);
	});

	it('is left to parsing for short records, and where the words are not next to each other', () => {
		expect(quickSnippet(Buffer.from('{"text":"a needle in a short one"}'), ['needle'])).toBeUndefined();
		expect(quickSnippet(record(`${filler} one\ntwo ${filler}`), ['one two'])).toBeUndefined();
	});
});

describe('a piece of a text', () => {
	it('is found with and without the marks on its letters', () => {
		const text = `${'a '.repeat(100)} das Café an der Ecke ${'b '.repeat(100)}`;
		expect(snippetOf(text, ['cafe'])).toContain('Café');
		expect(snippetOf(text.normalize('NFC').replace('é', 'e'), ['café'])).toContain('Cafe');
	});

	it('is where the term begins a word, else where it first stands', () => {
		expect(snippetOf(`xneedle ${'a '.repeat(100)} needle here`, ['needle'])).toContain('needle here');
		expect(snippetOf(`xneedle ${'a '.repeat(100)}`, ['needle'])).toContain('xneedle');
		expect(snippetOf(`${'a '.repeat(100)} one -- two ${'b '.repeat(100)}`, ['one two'])).toContain('one -- two');
	});
});
