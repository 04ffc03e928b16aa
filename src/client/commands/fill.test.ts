/** What a command's text becomes: words in their places, commands where the file has them, files where it names them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filledParts, mentionedFiles, words } from './fill.ts';

function filled(template: string, args = '', more: { readonly skillFolder?: string } = {}): string {
	const parts = filledParts(template, { args, sessionId: 'SID', ...more });
	return parts.map((part) => ('text' in part ? part.text : `[${part.command}]`)).join('');
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

it('files are named with an at sign, and addresses are no files', () => {
	expect(mentionedFiles('See @src/a.ts, (@b.md) and @~/c. Not x@y.z, not @.\n@d\\ e.txt @b.md')).toEqual([
		'src/a.ts',
		'b.md',
		'~/c',
		'd e.txt',
	]);
});
