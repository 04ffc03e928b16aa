/** The context of files that were written to be difficult, compared with what the real clients did with them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comparable, contextOf, differences, type Sent } from '../../../../test/support/claude-code-context.ts';
import { readJson } from '../../../../test/support/corpus.ts';
import { type LineIndex, parsedIndex } from '../../shared/read/line-index.ts';
import { claudeCode } from '../index.ts';
import { clients } from './context.ts';

const root = join(import.meta.dirname, '../../../../test/context/claude-code');
const bytesOf = (name: string): Uint8Array => readFileSync(join(root, name, 'session.jsonl'));

interface Answer {
	readonly accepted: boolean;
	readonly refusal?: string;
	readonly messages?: Sent;
}

/** The recordings' words for a client that starts anew without saying so. */
const sentNothing = 'the client sent the prompt without any of the history';

describe('what the real clients sent', () => {
	for (const name of readdirSync(root)) {
		for (const client of clients) {
			test(`${name} as ${client} does it`, () => {
				const answer = readJson(join(root, name, `expected.${client}.json`)) as Answer;
				const context = contextOf(bytesOf(name), { client, exact: true });
				if (!answer.accepted && answer.refusal !== sentNothing) {
					expect([context.messages, context.refused]).toEqual([[], expect.any(String)]);
					return;
				}
				expect(context.refused).toBeUndefined();
				const sent = answer.messages ?? [{ role: 'user', content: 'GO ON' }];
				expect(differences(comparable(context.messages), comparable(sent, 'GO ON'))).toEqual([]);
			});
		}
	}
});

let seconds = 0;
/** A line, a second later than the one before. */
function line(fields: object): string {
	seconds += 1;
	return `${JSON.stringify({ timestamp: new Date(Date.UTC(2026, 0, 3) + seconds * 1000).toISOString(), ...fields })}\n`;
}
const says = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}): string =>
	line({ type: 'user', uuid, parentUuid, message: { role: 'user', content }, ...more });
const answers = (uuid: string, parentUuid: string, text: string, more: object = {}): string => {
	const message = { role: 'assistant', id: `msg_${uuid}`, model: 'claude-opus-4-5', content: [{ type: 'text', text }] };
	return line({ type: 'assistant', uuid, parentUuid, message, ...more });
};
const file = (...lines: readonly string[]): Uint8Array => Buffer.from(lines.join(''));

describe('what is kept though the client does not send it', () => {
	test('a summary in the style of the document is the first thing the user says', () => {
		for (const client of clients) {
			const kept = contextOf(bytesOf('document-compaction'), { client });
			expect(JSON.stringify(kept.messages[0])).toContain('[Previous conversation summary]: they talked');
			expect(kept.from[0]).toEqual(['line:3', 'u2']);
			const exact = contextOf(bytesOf('document-compaction'), { client, exact: true });
			expect(JSON.stringify(exact.messages)).not.toContain('they talked');
		}
	});

	test('a summary behind its boundary counts as well, and one that the client repeats as a user line does not', () => {
		const boundary = line({ type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null });
		const summary = line({ type: 'summary', summary: 'they talked', leafUuid: 'a1' });
		const before = [says('u1', null, 'one'), answers('a1', 'u1', 'first'), boundary, summary];
		const after = [says('u2', 'b', 'two'), answers('a2', 'u2', 'second')];
		expect(contextOf(file(...before, ...after), { client: '2.1.325' }).messages[0]?.content).toEqual([
			{ type: 'text', text: '[Previous conversation summary]: they talked\n' },
			{ type: 'text', text: 'two' },
		]);
		const repeated = says('s', 'b', 'they talked', { isCompactSummary: true });
		const both = contextOf(file(...before, repeated, says('u2', 's', 'two'), answers('a2', 'u2', 'second')));
		expect(JSON.stringify(both.messages)).not.toContain('Previous conversation');
	});

	test('a title in a summary line elsewhere is no summary', () => {
		const title = line({ type: 'summary', summary: 'Fixing things', leafUuid: 'x' });
		const context = contextOf(file(title, says('u1', null, 'one'), answers('a1', 'u1', 'first')));
		expect(context.from).toEqual([['u1'], ['a1']]);
	});

	test('what the user asked while the client was busy is there in the user’s words', () => {
		for (const client of clients) {
			const kept = contextOf(bytesOf('queued-prompt'), { client });
			expect(kept.messages[2]?.content).toEqual([
				expect.objectContaining({ type: 'tool_result' }),
				{ type: 'text', text: 'also this' },
			]);
			expect(kept.from[2]).toEqual(['n3', 'n4']);
		}
	});
});

describe('where to resume', () => {
	const bytes = file(
		says('u1', null, 'one'),
		answers('a1', 'u1', 'first'),
		line({ type: 'queue-operation', operation: 'dequeue' }),
		says('u2', 'a1', 'two'),
		answers('a2', 'u2', 'second'),
	);

	test('at an entry it is as if the file ended with it', () => {
		for (const client of clients) {
			expect(contextOf(bytes, { client, at: 'a1' }).from).toEqual([['u1'], ['a1']]);
			expect(contextOf(bytes, { client, at: 'u2' }).from).toEqual([['u1'], ['a1'], ['u2'], []]);
			expect(contextOf(bytes, { client, at: 'line:3' }).from).toEqual([['u1'], ['a1']]);
		}
	});

	test('an entry that is not there is no place to resume', () => {
		expect(contextOf(bytes, { at: 'nowhere' })).toMatchObject({ messages: [], refused: expect.any(String) });
	});

	test('a sub-agent’s lines can be resumed at, though the client would not choose them', () => {
		const aside = says('s1', null, 'aside', { isSidechain: true, agentId: 'a1' });
		const found = contextOf(Buffer.concat([bytes, file(aside)]), { at: 's1' });
		expect(found.from).toEqual([['s1'], []]);
	});
});

describe('whose rules', () => {
	test('a version that is not known follows the next older one that is', () => {
		const rules = (client: string): string => contextOf(file(says('u', null, 'one')), { client }).client;
		expect(['1.0.0', '2.0.76', '2.1.29', '2.1.30', '2.1.324'].map(rules)).toEqual(Array(5).fill('2.1.29'));
		expect(['2.1.325', '2.1.400', '2.2.0', '99.0.0', 'newest'].map(rules)).toEqual(Array(5).fill('2.1.325'));
	});

	test('without one it is the version that wrote the last message', () => {
		const old = says('u', null, 'one', { version: '2.1.29' });
		const young = answers('a', 'u', 'first', { version: '2.1.325' });
		expect(contextOf(file(old)).client).toBe('2.1.29');
		expect(contextOf(file(old, young)).client).toBe('2.1.325');
		expect(contextOf(file(old, young, line({ type: 'summary', version: '2.1.29' }))).client).toBe('2.1.325');
		expect(contextOf(file(says('u', null, 'one'))).client).toBe('2.1.325');
	});
});

test('the model is the one that answered last, and thinking of another one is left out', () => {
	const found = contextOf(bytesOf('thinking-of-two-models'), { client: '2.1.325' });
	expect(found.model).toBe('claude-opus-4-5-20251101');
	expect(JSON.stringify(found.messages)).not.toContain('mine');
	const asked = contextOf(bytesOf('thinking-of-two-models'), {
		client: '2.1.325',
		target: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
	});
	expect(JSON.stringify(asked.messages)).toContain('mine');
});

/** An index that remembers which lines were parsed. */
function watched(bytes: Uint8Array): { readonly index: LineIndex; readonly asked: Set<number> } {
	const index = parsedIndex(claudeCode, bytes);
	const asked = new Set<number>();
	const value = (at: number) => {
		asked.add(at);
		return index.value(at);
	};
	return { index: { ...index, value }, asked };
}

test('what a compaction left behind is not parsed', () => {
	const { index, asked } = watched(bytesOf('compaction-twice'));
	claudeCode.context.build?.(index, { client: '2.1.325' });
	// The first conversation without what was kept of it, and the first compaction.
	expect([0, 1, 2, 4, 5].filter((at) => asked.has(at))).toEqual([]);
});
