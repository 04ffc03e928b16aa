/** Laws of converted sessions: what Cline sends of them is accepted by an API, and compactions survive both ways. */
import { describe, expect, test } from 'vitest';
import {
	besideOf,
	call,
	chain,
	entry,
	lossesOf,
	messagesOf,
	read,
	result,
	text,
	write,
} from '../../../test/support/cline-entries.ts';
import type { Block, Entry, Json, JsonObject, Loss } from '../../model/index.ts';
import { cutBy } from './read/compaction-entry.ts';
import { adopt } from './write/adopt.ts';

/** The content of the result as it is written. */
function contentOf(more: object): Json | undefined {
	const encoded = write(chain(entry('assistant', [call('1')]), entry('user', [result('1', more)])));
	const blocks = messagesOf(encoded)[1]?.content as readonly JsonObject[];
	return blocks[0]?.content;
}

describe('results', () => {
	test('an empty one is an empty text: Cline sends an empty list as JSON', () => {
		expect(contentOf({ content: [] })).toBe('');
		expect(contentOf({ content: [text(''), text(' ')] })).toBe('');
	});

	test('blank texts in a list are left out: Cline sends them, and no API takes them', () => {
		expect(contentOf({ content: [text('a'), text('\n'), text('b')] })).toEqual([
			{ type: 'text', text: 'a' },
			{ type: 'text', text: 'b' },
		]);
	});

	test('the texts of a failed one are one: Cline sends a list as JSON there', () => {
		expect(contentOf({ content: [text('a'), text('b')], isError: true })).toBe('a\nb');
	});

	test('what Cline shortens each time it asks is written whole, and a loss says so', () => {
		const long = 'x'.repeat(8001);
		expect(contentOf({ content: [text(long)] })).toBe(long);
		const blocks: readonly (readonly [Block, string])[] = [
			[result('1', { content: [text(long)] }), 'approximated content[0].content[0]'],
			[{ type: 'file', path: '/a', text: 'x'.repeat(50_001) }, 'approximated content[0]'],
		];
		for (const [block, loss] of blocks) {
			const encoded = write(chain(entry('assistant', [call('1')]), entry('user', [block])));
			expect(lossesOf(encoded)).toContain(loss);
		}
		const short = write(chain(entry('assistant', [call('1')]), entry('user', [result('1')])));
		expect(lossesOf(short).filter((loss) => loss.includes('content'))).toEqual([]);
	});
});

describe('ids of calls', () => {
	const odd = `call_1|fc_${'x'.repeat(80)}`;
	const entries = chain(
		entry('assistant', [call(odd), call('toolu_1')]),
		entry('user', [result(odd), result('toolu_1')]),
	);
	const idsOf = (all: readonly Entry[]): readonly string[] =>
		all.flatMap((one) =>
			one.kind === 'message'
				? one.content.flatMap((block) =>
						block.type === 'tool_call' ? [block.id] : block.type === 'tool_result' ? [block.call] : [],
					)
				: [],
		);

	test('one that no API takes is another one in the call and in its result, and a loss says so', () => {
		const losses: Loss[] = [];
		const [first, second, third, fourth] = idsOf(
			adopt({ entries, leaf: null }, { session: 's', profile: 'client' }, losses).entries,
		);
		expect(first).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
		expect([second, third, fourth]).toEqual(['toolu_1', first, 'toolu_1']);
		expect(losses.map(({ how, path }) => `${how} ${path}`)).toEqual([
			'approximated content[0].id',
			'approximated content[0].call',
		]);
	});

	test('the contract takes any', () => {
		expect(idsOf(adopt({ entries, leaf: null }, { session: 's', profile: 'published' }, []).entries)).toEqual(
			idsOf(entries),
		);
	});
});

describe('a cut', () => {
	const messages = chain(
		entry('user', [text('one')]),
		entry('assistant', [text('first')]),
		entry('user', [text('two')]),
		entry('assistant', [text('second')]),
	);
	const [, , kept, last] = messages;
	const cut: Entry = {
		...{ kind: 'compaction', id: 'cut', parent: last?.id ?? null, records: [], summary: 'One was asked.' },
		...{ keptFrom: kept?.id ?? '', tokensBefore: 7 },
	};
	const after = { ...entry('user', [text('three')]), parent: 'cut' };
	const written = write([...messages, cut, after]);
	const sidecar = besideOf(written, '.compaction.json');

	test('is found again where the sidecar that was written for it lies beside the messages', () => {
		const losses: Loss[] = [];
		const found = cutBy(read(written), sidecar, losses);
		expect(losses).toEqual([]);
		expect(found?.entries.find((one) => one.kind === 'compaction')).toMatchObject({
			parent: last?.id,
			summary: 'One was asked.',
			keptFrom: kept?.id,
			tokensBefore: 7,
		});
		expect(found?.entries.at(-1)?.parent).toBe(`${last?.id}/compaction`);
	});

	test('is none where the messages are no longer those that it was made of', () => {
		const other = write(chain(entry('user', [text('something else')]), entry('assistant', [text('first')])));
		expect(cutBy(read(other), sidecar, [])).toBeUndefined();
		expect(cutBy(read(written), Buffer.from('{"torn":'), [])).toBeUndefined();
	});
});
