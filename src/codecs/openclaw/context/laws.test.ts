/** What holds for the context of any file, damaged ones included. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whole } from '../../../../test/support/context.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { mutation, seed } from '../../../../test/support/mutate.ts';
import {
	assistant,
	call,
	file,
	header,
	line,
	result,
	said,
	text,
	user,
} from '../../../../test/support/openclaw-lines.ts';
import { wires } from '../../../wires/index.ts';
import { type LineIndex, parsedIndex } from '../../shared/read/line-index.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { contextMessages, openclaw, readyMessages, rulesOf, targetOf } from '../index.ts';
import { clients } from './clients.ts';

const context = (bytes: Uint8Array, options: Parameters<NonNullable<typeof openclaw.context.build>>[1] = {}) =>
	whole(openclaw.context.build?.(parsedIndex(openclaw, bytes), options));

describe('context of any file', () => {
	const files = corpusFiles('openclaw').map((one) => one.bytes());

	it('never throws, ends, and names only entries of the session', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), mutation, fc.constantFrom(...clients), (bytes, damage, client) => {
				const damaged = damage.apply(bytes);
				const built = context(damaged, { client });
				const ids = new Set(decodeBytes(openclaw, damaged, 'x').entries.map((entry) => entry.id));
				expect(built.from.length).toBe(built.messages.length);
				expect(built.from.flat().filter((id) => !ids.has(id))).toEqual([]);
				for (const message of built.messages) expect(message.content.length).toBeGreaterThan(0);
			}),
			{ numRuns: 400, seed },
		);
	});

	it('every wire takes every file', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), mutation, fc.constantFrom(...clients), (bytes, damage, client) => {
				const found = contextMessages(parsedIndex(openclaw, damage.apply(bytes)), { client });
				for (const [api, wire] of Object.entries(wires)) {
					const target = targetOf(found, { api });
					const messages = readyMessages(found, target).turns.map((turn) => turn.message);
					const sent = wire(messages, { ...target, images: false }, found.rules);
					expect(sent.from.length).toBe(sent.messages.length);
					expect(sent.from.flat().every((at) => at >= 0 && at < messages.length)).toBe(true);
				}
			}),
			{ numRuns: 300, seed },
		);
	});

	it('asks only for what the envelope names', () => {
		for (const bytes of files) {
			const index = parsedIndex(openclaw, bytes);
			const field = (at: number, path: string) => {
				expect(openclaw.context.envelope).toContain(path);
				return index.field(at, path);
			};
			for (const client of clients) openclaw.context.build?.({ ...index, field }, { client });
		}
	});
});

/** An index that remembers which lines were parsed. */
function watched(bytes: Uint8Array): { readonly index: LineIndex; readonly asked: Set<number> } {
	const index = parsedIndex(openclaw, bytes);
	const asked = new Set<number>();
	const value = (at: number) => {
		asked.add(at);
		return index.value(at);
	};
	return { index: { ...index, value }, asked };
}

describe('context of pi', () => {
	it('what a compaction left behind is never parsed', () => {
		const fixture = join(import.meta.dirname, '../../../../test/context/openclaw/compaction/session.jsonl');
		for (const client of clients) {
			const { index, asked } = watched(readFileSync(fixture));
			openclaw.context.build?.(index, { client });
			// The header, the two messages before the first kept one, and the older compaction.
			expect([0, 1, 2, 4].filter((at) => asked.has(at))).toEqual([]);
		}
	});

	it('resumes at the entry that is named, not at the last one', () => {
		const bytes = file(
			header,
			said('a', null, user('one')),
			said('b', 'a', assistant([text('two')])),
			said('c', 'b', user('three')),
		);
		expect(context(bytes, { at: 'b' }).from).toEqual([['a'], ['b']]);
		expect(context(bytes, { at: 'zzz' }).refused).toContain('no entry zzz');
	});

	it('a run of results is one message made of several entries, and invented results are made of none', () => {
		const built = context(
			file(
				header,
				said('a', null, user()),
				said('b', 'a', assistant([call('x'), call('y')])),
				said('c', 'b', result('x')),
				said('d', 'c', user('on')),
			),
		);
		expect(built.from).toEqual([['a'], ['b'], ['c'], ['d']]);
		expect(built.messages[2]?.content).toHaveLength(2);
		const open = context(file(header, said('a', null, user()), said('b', 'a', assistant([call('x')]))));
		expect(open.from).toEqual([['a'], ['b'], []]);
	});

	it('the target is who answered last, and a change of the model after that counts', () => {
		const lines = [header, said('a', null, user()), said('b', 'a', assistant())];
		expect(context(file(...lines))).toMatchObject({ provider: 'anthropic', model: 'claude-opus-4-6' });
		const changed = file(...lines, line('c', 'b', 'model_change', { provider: 'openai', modelId: 'gpt-5' }));
		expect(context(changed)).toMatchObject({ provider: 'openai', model: 'gpt-5' });
	});

	it('thinking stays with the model that thought it, and is text to any other', () => {
		const thought = { type: 'thinking', thinking: 'hm', thinkingSignature: 'c2ln' };
		const bytes = file(header, said('a', null, user()), said('b', 'a', assistant([thought, text('ok')])));
		expect(context(bytes).messages[1]?.content).toEqual([
			{ type: 'thinking', thinking: 'hm', signature: 'c2ln' },
			{ type: 'text', text: 'ok' },
		]);
		const other = context(bytes, { target: { provider: 'anthropic', model: 'claude-haiku-4-5' } });
		expect(other.messages[1]?.content).toEqual([text('hm'), text('ok')]);
	});

	it('recorded system messages add up to the system prompt and are no messages', () => {
		const system = (content: string, sections: object) => ({ role: 'system', content, sections, timestamp: 1 });
		const built = context(
			file(
				header,
				said('a', null, system('base', { cwd: 'here', rules: 'be kind' })),
				said('b', 'a', user()),
				said('c', 'b', system('more', { rules: null, cwd: 'there' })),
			),
		);
		expect(built.system).toBe('base\n\nmore\n\nthere');
		expect(built.from).toEqual([['b']]);
	});

	it('a file of bare messages is refused, and still says what it says', () => {
		const built = context(file(user('one'), assistant([text('two')])), { client: '0.87.1' });
		expect(built.refused).toContain('not a valid pi session');
		expect(built.messages.map((message) => message.role)).toEqual(['user', 'assistant']);
		expect(built.from).toEqual([['line:1'], ['line:2']]);
	});

	it('a cycle of parents is refused by pi and cut by OpenClaw', () => {
		const bytes = file(header, said('a', 'b', user('one')), said('b', 'a', assistant([text('two')])));
		expect(context(bytes, { client: '0.87.1' })).toMatchObject({ messages: [], refused: expect.any(String) });
		expect(context(bytes, { client: '2026.7.1' }).from).toEqual([['a'], ['b']]);
	});
});

describe('whose rules', () => {
	it('an unknown version follows the nearest older one that is known', () => {
		expect(rulesOf('0.50.0').client).toBe('0.73.1');
		expect(rulesOf('0.80.0').client).toBe('0.73.1');
		expect(rulesOf('1.5.0').client).toBe('0.87.1');
		expect(rulesOf('2026.1.29').client).toBe('2026.7.1');
		expect(rulesOf('2026.8.1-beta.2').client).toBe('2026.7.1');
		expect(rulesOf('2027.1.1').client).toBe('2026.9.6');
		expect(rulesOf('newest').client).toBe('0.87.1');
	});

	it('without a version it is that of the program whose marks the file has', () => {
		const lines = [header, said('a', null, user())];
		expect(context(file(...lines)).client).toBe('0.87.1');
		expect(context(file(...lines, line('b', 'a', 'custom', { customType: 'model-snapshot' }))).client).toBe('2026.7.1');
		expect(context(file({ ...header, version: 4 }, said('a', null, user()))).client).toBe('2026.9.6');
	});
});
