/** What a command's text becomes: words in their places, commands where the file has them, files where it names them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filledParts, mentionedFiles, mentionOf, namedPictures, words } from './fill.ts';

function filled(template: string, args = '', more: { readonly skillFolder?: string } = {}): string {
	const parts = filledParts(template, { args, sessionId: 'SID', ...more });
	return parts
		.map((part) => ('text' in part ? part.text : `[${'command' in part ? part.command : 'refused'}]`))
		.join('');
}

it('words are counted from zero, quotes keep blanks together, and all of them have a place of their own', () => {
	expect(filled('$0|$1|$ARGUMENTS[0]|$ARGUMENTS', 'AA "B B"')).toBe('AA|B B|AA|AA "B B"');
	expect(words(`a 'b c' "d \\"e\\"" f\\ g "open`)).toEqual(['a', 'b c', 'd "e"', 'f g', '"open']);
});

it('a place that nothing was written for stays, and words without a place are told at the end', () => {
	expect(filled('awk {print $2}', 'one')).toBe('awk {print $2}\n\nARGUMENTS: one');
	expect(filled('awk {print $2}')).toBe('awk {print $2}');
	expect(filled('Say: $ARGUMENTS.')).toBe('Say: .');
	expect(filled('$ARGUMENTS and $5', 'x')).toBe('x and $5');
	expect(filled('$1st is no place', 'a b')).toBe('$1st is no place\n\nARGUMENTS: a b');
});

it('the session and the folder of a skill have names', () => {
	const text = `\${CLAUDE_SESSION_ID} \${CLAUDE_SKILL_DIR}`;
	expect(filled(text, '', { skillFolder: '/s' })).toBe('SID /s');
	expect(filled(text)).toBe(`SID \${CLAUDE_SKILL_DIR}`);
});

it('commands stand at the beginning of a line or behind a blank', () => {
	expect(filled('!`a $0`\nx !`b` y!`c` `!d`', 'w')).toBe('[a w]\nx [b] y!`c` `!d`');
});

it('words behind the name never become a command of their own, whatever they are', () => {
	fc.assert(
		fc.property(fc.string(), fc.string({ unit: fc.constantFrom('!', '`', '$', '0', ' ', '\n', 'a') }), (any, odd) => {
			for (const args of [any, odd, `!\`${any}\``]) {
				const parts = filledParts('Look: $ARGUMENTS $0 $1\n!`ls $0`', { args, sessionId: 'S' });
				expect(parts.filter((part) => 'command' in part)).toHaveLength(1);
			}
		}),
	);
});

it('words in a command are words of it, one each, in whatever quotes their place stands', () => {
	expect(filled('!`wc -l $0`', "'ok.txt;touch pwned'")).toBe("[wc -l 'ok.txt;touch pwned']");
	expect(filled('!`wc $ARGUMENTS`', "-l 'a b' c")).toBe("[wc -l 'a b' c]");
	expect(filled('!`wc "$ARGUMENTS" x`', '-l $(a)')).toBe(`[wc ""'-l $(a)'"" x]`);
	expect(filled(`!\`grep '$0' "$(cat "$1")"\``, `'a b' '$(b)'`)).toBe(`[grep '''a b''' "$(cat ""'$(b)'"")"]`);
	expect(filled('!`wc $0`', `"it's"`)).toBe(`[wc 'it'\\''s']`);
	for (const odd of ['sh -c "wc $0"', 'cat <<E $0', `echo $'$0'`, `echo \${x:-$0}`, 'eval wc $0']) {
		expect(filled(`!\`${odd}\``, "';rm x'")).toBe('[refused]');
		expect(filled(`!\`${odd}\``, 'x.ts')).toBe(`[${odd.replace('$0', 'x.ts')}]`);
	}
});

it('files are named with an at sign, and addresses are no files', () => {
	expect(mentionedFiles('See @src/a.ts, (@b.md) and @~/c. Not x@y.z, not @.\n@d\\ e.txt @b.md')).toEqual([
		'src/a.ts',
		'b.md',
		'~/c',
		'd e.txt',
	]);
});

it('any name of one line is written so that it is found again', () => {
	const sign = fc.constantFrom(...` ab.,;:!?@'"<>()[]\\/\t#é\u00a0\u{1f600}`);
	fc.assert(
		fc.property(fc.array(sign, { minLength: 1, maxLength: 12 }), (signs) => {
			const name = signs.join('');
			expect(mentionedFiles(`see ${mentionOf(name)}, and (${mentionOf(name)})`)).toEqual([name]);
		}),
		{ numRuns: 2000 },
	);
});

it.each(['x', '/', '\\x', '\\ ', '"', "'", '!', '@'])(
	'10 MB of %s name no file, and end nothing',
	(piece) => {
		for (const before of ['', '@', '"', "'", '/a ']) {
			const text = before + piece.repeat(10_000_000 / piece.length);
			expect(mentionedFiles(text)).toEqual([]);
			expect(namedPictures(text, (name) => name.endsWith('.png'))).toEqual([]);
		}
	},
	60_000,
);
