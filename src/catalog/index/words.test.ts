/** Words and questions. */
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

it('a snippet shows the first place where a term stands', () => {
	const text = `${'filler '.repeat(60)}the needle is here${' more'.repeat(60)}`;
	const snippet = snippetOf(text, ['needle']);
	expect(snippet).toContain('the needle is here');
	expect(snippet.startsWith('…') && snippet.endsWith('…')).toBe(true);
	expect(snippetOf('foo_bar(x)', ['foo bar'])).toBe('foo_bar(x)');
	expect(snippetOf('', ['x'])).toBe('');
});
