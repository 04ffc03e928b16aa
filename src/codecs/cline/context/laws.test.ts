/** What holds for the context of any file, damaged ones included, and limits too large for a recorded file. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { whole } from '../../../../test/support/context.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { mutation, seed } from '../../../../test/support/mutate.ts';
import type { JsonObject } from '../../../model/index.ts';
import type { Context, ContextOptions } from '../../shared/context/context.ts';
import { type LineIndex, parsedIndex } from '../../shared/read/line-index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { cline } from '../index.ts';
import { displayText, sentText } from '../read/prompt.ts';
import { clients, rulesOf } from './clients.ts';

const files = corpusFiles('cline').filter((file) => file.bytes().length < 100_000);
const built = (index: LineIndex, options: ContextOptions = {}): Context => whole(cline.context.build?.(index, options));
const contextOf = (bytes: Uint8Array, options: ContextOptions = {}) => built(parsedIndex(cline, bytes), options);
const documentOf = (...messages: readonly unknown[]): Uint8Array =>
	Buffer.from(JSON.stringify({ version: 1, agent: 'lead', sessionId: 's', messages }));
const user = (...content: readonly unknown[]) => ({ role: 'user', content });
const reply = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value });
const image = (data: string) => ({ type: 'image', data, mediaType: 'image/png' });
const blocksOf = (context: Context): readonly JsonObject[] =>
	context.messages.flatMap((message) => (typeof message.content === 'string' ? [] : message.content));

describe('context of any file', () => {
	test('never throws, ends, and names only entries of the session', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), mutation, fc.constantFrom(...clients), (file, damage, client) => {
				const bytes = damage.apply(file.bytes());
				const found = contextOf(bytes, { client, side: { compaction: bytes, index: { bytes, id: 'x' } } });
				const ids = new Set(decodeBytes(cline, bytes).entries.map((entry) => entry.id));
				expect(found.from.length).toBe(found.messages.length);
				expect(found.from.flat().filter((id) => !ids.has(id))).toEqual([]);
				if (found.refused !== undefined) expect(found.messages).toEqual([]);
			}),
			{ numRuns: 400, seed },
		);
	});

	test('resuming at an entry equals resuming the file that ends with it', () => {
		for (const file of files) {
			const { entries } = decodeBytes(cline, file.bytes());
			const parsed = JSON.parse(Buffer.from(file.bytes()).toString('utf8'));
			entries.forEach((entry, index) => {
				const messages = (Array.isArray(parsed) ? parsed : parsed.messages).slice(0, index + 1);
				const cut = Buffer.from(JSON.stringify(Array.isArray(parsed) ? messages : { ...parsed, messages }));
				expect(contextOf(file.bytes(), { at: entry.id })).toEqual(contextOf(cut));
			});
		}
	});

	test('an entry that is not there is no place to resume at', () => {
		expect(contextOf(documentOf(user(text('hi'))), { at: 'nowhere' }).refused).toContain('nowhere');
	});

	test('only the envelope is asked of a message that is not sent', () => {
		const index = parsedIndex(
			cline,
			documentOf({ ...user(text('a')), metadata: { displayOnly: true } }, user(text('b'))),
		);
		const asked: number[] = [];
		built({
			...index,
			field(line, path) {
				expect(cline.context.envelope).toContain(path);
				return index.field(line, path);
			},
			value(line) {
				asked.push(line);
				return index.value(line);
			},
		});
		expect(asked).toEqual([1]);
	});

	test('the rules of the nearest known client are used', () => {
		expect(['0.0.78', '0.1.0', '3.0.0', '3.51.0', '4.0.0', undefined].map((one) => rulesOf(one).version)).toEqual([
			'0.0.86',
			'0.0.86',
			'3.0.65',
			'3.0.65',
			'3.0.65',
			'3.0.65',
		]);
		expect(cline.context.clients).toEqual(['0.0.86', '3.0.65']);
	});

	test('values nested too deeply to be walked through are refused', () => {
		const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
		const call = '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"x","input":{}}]}';
		const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","name":"x","content":[{"a":${deep}}]}]}`;
		expect(contextOf(Buffer.from(`{"messages":[${call},${result}]}`)).refused).toContain('deeply');
	});

	test('tags go as by the patterns of the client', () => {
		const byPattern = (value: string): string => {
			let rest = value.trim();
			for (const tag of ['user_input', 'user_command']) {
				const inner = rest.replace(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'g'), '$1');
				rest = (inner === rest ? rest.replace(new RegExp(`<${tag}[^>]*>`, 'g'), '') : inner).trim();
			}
			return rest;
		};
		const pieces = [
			'<user_input',
			'</user_input>',
			'<user_command',
			'</user_command>',
			's',
			' mode="act"',
			'>',
			'\n',
			'<',
		];
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (some) => {
				const value = some.join('');
				expect(sentText(value)).toBe(byPattern(value));
			}),
			{ numRuns: 3_000, seed },
		);
	});

	test('a document of one line is read as fast as one of many', () => {
		const messages = Array.from({ length: 100_000 }, (_, index) =>
			index % 2 === 0 ? user(text('question')) : reply(text('answer')),
		);
		expect(contextOf(documentOf(...messages)).messages.length).toBe(messages.length);
	});

	test('a text of many tags takes no longer than one of few', () => {
		for (const tags of ['<user_input>', '<user_input ', '<mode_notice>', '<user_command slash="x">']) {
			const many = tags.repeat(200_000);
			expect(sentText(many).length).toBeLessThanOrEqual(many.length);
			expect(displayText(many).length).toBeLessThanOrEqual(many.length);
		}
		const markup = `${'<invoke'.repeat(150_000)}${' '.repeat(100_000)}`;
		expect(contextOf(documentOf(user(text('hi')), reply(text(markup)))).refused).toBeUndefined();
	});
});

describe('limits', () => {
	test('a reply loses its middle when it is longer than 200,000 characters', () => {
		const found = contextOf(documentOf(user(text('hi')), reply(text('x'.repeat(200_001)))));
		const sent = String(blocksOf(found)[1]?.text);
		expect(sent.length).toBe(200_000);
		// The number is the one that the client itself put there.
		expect(/\[.*\]/.exec(sent)?.[0]).toBe('[assistant text truncated: omitted 55 chars]');
	});

	test('images get in until eight megabytes are full, and none above five', () => {
		const sized = (bytes: number) => image('A'.repeat(bytes));
		const mega = 1024 * 1024;
		const kinds = (...images: readonly JsonObject[]) =>
			blocksOf(contextOf(documentOf(user(...images)))).map((block) => block.type);
		expect(kinds(sized(5 * mega), sized(3 * mega), sized(4))).toEqual(['image', 'image', 'text']);
		expect(kinds(sized(5 * mega + 4), sized(4))).toEqual(['text', 'image']);
	});
});
