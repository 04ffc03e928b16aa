/** Texts that come along with a prompt are found again, whatever is in them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { embeddedLink, embeddedText, linksIn, splitEmbedded } from './embedded.ts';
import { prompted } from './prompt-words.ts';

const line = fc.constantFrom('x', '', '</context>', '<context ref="', '">', '[image: image/png]', 'é"', '[@a](b)');
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'));
const uri = fc.constantFrom('file:///a.txt', 'zed:///s', 'file:///a.txt#L1:1');

it('any words and texts come back as they were, with a picture behind them or not', () => {
	fc.assert(
		fc.property(
			fc.array(fc.record({ uri, text }), { minLength: 1, maxLength: 3 }),
			fc.boolean(),
			(given, withPicture) => {
				const words = `see ${given.map((one) => embeddedLink(one.uri, 'it')).join(' ')}`;
				const behind = withPicture ? '\n[image: image/png]' : '';
				const whole = [words, ...given.map(embeddedText)].join('\n') + behind;
				const { said, embedded } = splitEmbedded(whole);
				expect(said).toBe(words + behind);
				expect(embedded).toEqual(given);
				expect(linksIn(said).map((one) => one.uri)).toEqual(given.map((one) => one.uri));
				expect(prompted(whole).text).toBe(`see ${given.map(() => '@it').join(' ')}${behind}`);
			},
		),
		{ numRuns: 1000 },
	);
});

it('what has no such text behind it is all words', () => {
	for (const said of [
		'',
		'fix <context ref="a">\nb\n</context> please',
		'<context ref="a">',
		'a\n</context>',
		'</context>',
	])
		expect(splitEmbedded(said)).toEqual({ said, embedded: [] });
});

it.each(['\n</context>', '\n<context ref="a">\n', '[@', '[@a](', '\n'])('10 MB of %j take no second', (piece) => {
	const whole = piece.repeat(10_000_000 / piece.length);
	const began = performance.now();
	for (const one of [whole, `<context ref="a">\n${whole}\n</context>`, `${whole}<context ref="a">\nb\n</context>`])
		prompted(one);
	expect(performance.now() - began).toBeLessThan(3000);
});
