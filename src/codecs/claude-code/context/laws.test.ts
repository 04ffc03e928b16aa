/** What holds for the context of any file, even a damaged one or one of which only the end was read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../../test/support/claude-code-context.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { endOf } from '../../../../test/support/ends.ts';
import { mutation, seed } from '../../../../test/support/mutate.ts';
import type { Context } from '../../shared/context/context.ts';
import { parsedIndex } from '../../shared/read/line-index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { claudeCode } from '../index.ts';
import { clients } from './context.ts';

const root = join(import.meta.dirname, '../../../../test/context/claude-code');
const written = readdirSync(root).map((name) => readFileSync(join(root, name, 'session.jsonl')));
const recorded = corpusFiles('claude-code').map((file) => file.bytes());
const files = [...written, ...recorded];

describe('the context of any file', () => {
	it('never throws, ends, and names only entries of the session', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...files),
				fc.array(mutation, { minLength: 1, maxLength: 3 }),
				fc.constantFrom(...clients),
				fc.boolean(),
				(bytes, damages, client, exact) => {
					const damaged = damages.reduce((before, damage) => damage.apply(before), bytes);
					const { messages, from } = contextOf(damaged, { client, exact });
					const ids = new Set(decodeBytes(claudeCode, damaged, 'x').entries.map((entry) => entry.id));
					expect(from.length).toBe(messages.length);
					expect(from.flat().filter((id) => !ids.has(id))).toEqual([]);
					for (const message of messages) expect(message.content.length).toBeGreaterThan(0);
				},
			),
			{ numRuns: 500, seed },
		);
	});

	it('never has two messages of the user in a row, and every call of 2.1.325 has one result right behind it', () => {
		for (const bytes of files) {
			for (const client of clients) {
				const { messages } = contextOf(bytes, { client });
				messages.forEach((message, at) => {
					const next = messages[at + 1];
					if (message.role === 'user') expect(next?.role).not.toBe('user');
					if (client !== '2.1.325' || message.role !== 'assistant') return;
					expect(ids(next, 'tool_use_id').sort()).toEqual(ids(message, 'id').sort());
				});
			}
		}
	});

	it('asks only for what the envelope names', () => {
		for (const bytes of files) {
			const index = parsedIndex(claudeCode, bytes);
			const field = (at: number, path: string) => {
				expect(claudeCode.context.envelope).toContain(path);
				return index.field(at, path);
			};
			for (const client of clients) claudeCode.context.build?.({ ...index, field }, { client });
		}
	});
});

function ids(message: Context['messages'][number] | undefined, key: 'id' | 'tool_use_id'): string[] {
	if (typeof message?.content !== 'object') return [];
	const type = key === 'id' ? 'tool_use' : 'tool_result';
	return message.content.filter((block) => block.type === type).map((block) => String(block[key]));
}

const compacted = files.filter((bytes) => Buffer.from(bytes).includes('"compact_boundary"'));

/** How many ends of a file gave an answer; each must equal the answer of the whole. */
function answersFromEnds(bytes: Uint8Array, client: string, options: { readonly exact?: boolean } = {}): number {
	const index = parsedIndex(claudeCode, bytes);
	const whole = claudeCode.context.build?.(index, { client, ...options });
	let answers = 0;
	for (let from = 1; from < index.length; from += 1) {
		const found = claudeCode.context.build?.(endOf(index, from), { client, ...options });
		if (found === 'more') continue;
		expect(found).toEqual(whole);
		answers += 1;
	}
	return answers;
}

describe('the end of a file', () => {
	it('gives the context of the whole file, or asks for more', () => {
		expect(compacted.length).toBeGreaterThan(8);
		for (const bytes of compacted) {
			for (const client of clients) for (const exact of [true, false]) answersFromEnds(bytes, client, { exact });
		}
	});

	it('is enough from the last compaction on, where 2.1.325 kept nothing from before it', () => {
		const lines = recorded
			.map((bytes) => Buffer.from(bytes).toString('utf8'))
			.filter((text) => text.includes('preserved'));
		expect(lines.length).toBeGreaterThan(0);
		for (const text of lines) expect(answersFromEnds(Buffer.from(text), '2.1.325')).toBeGreaterThan(5);
	});

	it('is never enough for 2.1.29, which looks at all times', () => {
		for (const bytes of compacted) expect(answersFromEnds(bytes, '2.1.29')).toBe(0);
	});

	it('gives no wrong context of a damaged file either', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...compacted),
				mutation,
				fc.double({ min: 0, max: 1, noNaN: true }),
				(bytes, damage, share) => {
					const index = parsedIndex(claudeCode, damage.apply(bytes));
					const from = Math.floor(share * index.length);
					const found = claudeCode.context.build?.(endOf(index, from), { client: '2.1.325' });
					if (found !== 'more') expect(found).toEqual(claudeCode.context.build?.(index, { client: '2.1.325' }));
				},
			),
			{ numRuns: 400, seed },
		);
	});

	it('has the entry to resume at, or asks for more', () => {
		for (const bytes of compacted) {
			const index = parsedIndex(claudeCode, bytes);
			const { from } = contextOf(bytes, { client: '2.1.325' });
			const at = from.findLast((ids) => ids.length > 0)?.at(-1);
			if (at === undefined) continue;
			const whole = claudeCode.context.build?.(index, { client: '2.1.325', at });
			for (let start = 1; start < index.length; start += 1) {
				const found = claudeCode.context.build?.(endOf(index, start), { client: '2.1.325', at });
				if (found !== 'more') expect(found).toEqual(whole);
			}
		}
	});
});
