/** Words and questions. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { snippetOf } from './snippet.ts';
import { indexable, parseQuery, withoutEncoded } from './words.ts';

it('words are all wanted, phrases keep their order, prefixes and exclusions are told apart', () => {
	expect(parseQuery('flaky "login test" migr* -draft').match).toBe(
		'("flaky" AND "login test" AND "migr"*) NOT ("draft")',
	);
	expect(parseQuery('-"only without"').match).toBe('');
	expect(parseQuery('" - * "').match).toBe('');
});

it('a question cannot break out into the language of the index', () => {
	expect(parseQuery('a OR b').match).toBe('"a" AND "OR" AND "b"');
	expect(parseQuery('col:x NEAR(y)').match).toBe('"col:x" AND "NEAR(y)"');
	expect(parseQuery('un"closed phrase').match).toBe('"un closed" AND "phrase"');
});

it('scripts without spaces are phrases of their characters', () => {
	expect(indexable('関数は')).toBe(' 関  数  は ');
	expect(parseQuery('関数').match).toBe('"関  数"');
	expect(indexable('größer naïve проверка')).toBe('größer naïve проверка');
});

it('what is encoded is no word', () => {
	const picture = Buffer.from('x'.repeat(300)).toString('base64');
	expect(withoutEncoded(`before ${picture} after`)).toBe('before   after');
	expect(withoutEncoded('https://example.org/a/b/c '.repeat(20))).toContain('example');
});

it('the places of a question are whole words, as the index has them', () => {
	const placesIn = (question: string, text: string) => text.match(parseQuery(question).places) ?? [];
	expect(placesIn('the', 'The other one, the_third, them')).toEqual(['The', 'the']);
	expect(placesIn('th*', 'The other one, them')).toEqual(['Th', 'th']);
	expect(placesIn('"foo bar"', 'foo_bar foo (bar) foobar')).toEqual(['foo_bar', 'foo (bar']);
	expect(placesIn('関数 data', 'この関数はdataを返す。metadata')).toEqual(['関数', 'data']);
	expect(placesIn('-x', 'x')).toEqual([]);
});

it('a snippet shows the first place where a term stands', () => {
	const text = `${'filler '.repeat(60)}the needle is here${' more'.repeat(60)}`;
	const snippet = snippetOf(text, ['needle']);
	expect(snippet).toContain('the needle is here');
	expect(snippet.startsWith('…') && snippet.endsWith('…')).toBe(true);
	expect(snippetOf(`pools ${'filler '.repeat(60)}the pool`, ['pool'])).toContain('the pool');
	expect(snippetOf('foo_bar(x)', ['foo bar'])).toBe('foo_bar(x)');
	expect(snippetOf('', ['x'])).toBe('');
});

it('base64 in lines is no text either, and what stands around it, and lists of checksums, stay', () => {
	const bytes = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 7919) % 251));
	fc.assert(
		fc.property(fc.constantFrom(64, 72, 76), fc.integer({ min: 300, max: 400 }), fc.nat(400), (width, size, before) => {
			const encoded = bytes
				.subarray(0, size)
				.toString('base64')
				.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
			const around = 'a plain line\n'.repeat(before / 13);
			const kept = withoutEncoded(`${around}${encoded}\n\nbehind it`);
			expect(kept.startsWith(around)).toBe(true);
			expect(kept.slice(around.length).trim()).toBe('behind it');
		}),
	);
	const sums = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(64, 'abc0')).join('\n');
	expect(withoutEncoded(sums)).toBe(sums);
	const names = 'SomeName\n'.repeat(100);
	expect(withoutEncoded(names)).toBe(names);
});
