/** Laws of the terminal view. */
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { TranscriptPart } from '../../export/transcript.ts';
import type { Entry } from '../../model/index.ts';
import { type TerminalOptions, terminalPieces } from './show-terminal.ts';

async function terminalText(parts: readonly TranscriptPart[], options: TerminalOptions): Promise<string> {
	let text = '';
	for await (const piece of terminalPieces(parts, options)) text += piece;
	return text;
}

const from: Entry = { id: 'a', kind: 'opaque', type: 'x', records: [] };
const text =
	'Eine längere Antwort mit 日本語のテキスト and **bold** words, `code` and a [link](https://example.org/a), '.repeat(
		4,
	);

describe('the terminal view', () => {
	it.each([40, 80, 200])('keeps to %i columns, also with wide characters', async (width) => {
		const parts: TranscriptPart[] = [
			{ kind: 'prompt', text, from },
			{ kind: 'reply', text: `# Head\n\n${text}\n\n- ${text}\n- two\n\n> ${text}`, from },
			{ kind: 'tool', call: 'c', name: 'Bash', subject: text, output: text, isError: false, from },
		];
		for (const line of (await terminalText(parts, { width, fold: 5 })).split('\n')) {
			expect(stringWidth(stripVTControlCharacters(line)), line).toBeLessThanOrEqual(Math.max(width, 40));
		}
	});

	it('tells who speaks without colour, too', async () => {
		const parts: TranscriptPart[] = [
			{ kind: 'compaction', text: 'what came before', from },
			{ kind: 'reply', text: 'Call `f()` now.', from },
		];
		const shown = await terminalText(parts, { width: 80, fold: 5 });
		expect(shown).toBe('── the conversation was compacted here ──\n  what came before\n\nCall `f()` now.\n');
	});

	it('folds long output and says how much is missing', async () => {
		const output = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
		const shown = await terminalText(
			[{ kind: 'tool', call: 'c', name: 'Bash', subject: 'ls', output, isError: false, from }],
			{
				width: 80,
				fold: 5,
			},
		);
		expect(shown).toContain('line 4');
		expect(shown).not.toContain('line 5');
		expect(shown).toContain('25 more lines');
	});
});
