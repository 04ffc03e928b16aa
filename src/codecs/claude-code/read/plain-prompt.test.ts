/** Prompts given as texts equal those of the entries. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { type Entry, entryText, isPrompt } from '../../../model/index.ts';
import type { DecodeSink } from '../../codec.ts';
import { lineReader } from '../../shared/read/line-reader.ts';
import { decoder } from './decode.ts';

/** The prompts and the header that a decoder gives. */
function promptsOf(
	bytes: Uint8Array,
	asTexts: boolean,
): { readonly texts: readonly string[]; readonly header: object } {
	const texts: string[] = [];
	let header = {};
	const sink: DecodeSink = {
		entry: (entry: Entry) => void (isPrompt(entry) && texts.push(entryText(entry))),
		...(asTexts ? { prompt: (text: string) => void texts.push(text) } : {}),
		header: (patch) => {
			header = { ...header, ...patch };
		},
		issue: () => undefined,
	};
	const reader = lineReader();
	const reading = decoder();
	reader.push(bytes, (line) => void (line.part === 'gap' || reading.visit(line, sink)));
	return { texts, header };
}

describe('a prompt that is told as a text', () => {
	it('is the text of its entry, in every file of the corpus', () => {
		let prompts = 0;
		for (const file of corpusFiles('claude-code')) {
			const told = promptsOf(file.bytes(), true);
			expect({ file: file.name, ...told }).toEqual({ file: file.name, ...promptsOf(file.bytes(), false) });
			prompts += told.texts.length;
		}
		expect(prompts).toBeGreaterThan(100);
	});

	it('is the text of its entry, whatever else its line says', () => {
		const truth = fc.constantFrom(true, false, null, 'true', undefined);
		const content = fc.oneof(
			fc.constantFrom('', ' ', '<command-name>/x</command-name>', '<bash-input>ls</bash-input>', null, 7),
			fc.string(),
			fc.constant([{ type: 'text', text: 'hello' }]),
			fc.constant([{ type: 'tool_result', tool_use_id: 't', content: 'x' }]),
		);
		const line = fc.record({
			type: fc.constantFrom('user', 'assistant', 'system', 'summary', 'other'),
			uuid: fc.constantFrom('u', undefined),
			isMeta: truth,
			isCompactSummary: truth,
			isSidechain: truth,
			toolUseResult: fc.constantFrom('x', { a: 1 }, undefined),
			message: fc.oneof(fc.record({ role: fc.constantFrom('user', 'assistant'), content }), fc.constant('text')),
		});
		fc.assert(
			fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
				const bytes = Buffer.from(lines.map((value) => `${JSON.stringify(value)}\n`).join(''));
				expect(promptsOf(bytes, true)).toEqual(promptsOf(bytes, false));
			}),
			{ numRuns: 500 },
		);
	});
});
