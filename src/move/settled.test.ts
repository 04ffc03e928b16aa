/** A window that counts as settled is one that no stage of a conversion would change. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seed } from '../../test/support/mutate.ts';
import { NotPossible } from '../codecs/pieces.ts';
import { type Block, type Entry, type Loss, lastInGraph, type MessageEntry } from '../model/index.ts';
import { pairCalls } from './pairs.ts';
import { isSettled } from './settled.ts';
import { straighten } from './straighten.ts';
import { summaries, tidy } from './tidy.ts';
import { windowsOf } from './windows.ts';

type Step = Partial<Omit<MessageEntry, 'kind'>> | { readonly kind: string };
type Move = readonly [what: number, back: number];

const say = (text: string): Block => ({ type: 'text', text });

/** One more entry after those before; now and then it follows somebody further up. */
function entryFor([what, back]: Move, before: readonly Entry[], open: string[]): Entry {
	const id = `e${before.length}`;
	const chain = before.filter((entry) => entry.parent !== undefined);
	const last = chain.at(-1)?.id ?? null;
	const parent = back > 95 ? (chain.at(-2)?.id ?? null) : last;
	const base = { id, parent, records: [] };
	const reply = { id: back % 7 === 0 ? `r${before.length}` : `r${Math.floor(before.length / 4)}`, request: 'q' };
	const message = (fields: Step): Entry =>
		({ ...base, kind: 'message', role: 'user', content: [say('x')], ...fields }) as Entry;
	const ask = (): Block => {
		open.push(`c${before.length}`);
		return { type: 'tool_call', id: `c${before.length}`, name: 'Bash', input: {} };
	};
	const answer = (one: string): Block => ({ type: 'tool_result', call: one, content: [], isError: false });
	const made: readonly (() => Entry)[] = [
		() => message({}),
		() => message({ role: 'assistant', response: {} }),
		() => message({ role: 'assistant', response: reply }),
		() => message({ role: 'assistant', response: {}, content: [ask()] }),
		() => message({ role: 'assistant', response: reply, content: [say('y'), ask()] }),
		() => message({ content: open.splice(0, 1).map(answer) }),
		() => message({ content: open.splice(0).map(answer) }),
		() => message({ content: [...open.splice(0).map(answer), say('and')] }),
		() => ({ ...base, kind: 'event', event: { type: 'notice', level: 'info' } }),
		() => ({ id, records: [], kind: 'event', event: { type: 'notice', level: 'info' } }),
		() => ({ ...base, kind: 'compaction', summary: 's', ...(last === null ? {} : { keptFrom: last }) }),
		() => ({ ...base, parent: null, kind: 'compaction', ...(last === null ? {} : { logicalParent: last }) }),
		() => message({ origin: 'compaction' }),
		() => message({ role: 'assistant', response: { ...reply, request: 'other' } }),
		() => message({ role: 'assistant', response: { error: 'no' }, content: [] }),
		() => message({ content: [say(' '), say('z')] }),
		() => message({ content: [] }),
		() => message({ audience: 'user' }),
		() => message({ role: 'system' }),
	];
	// What is unusual comes seldom, or nothing would ever be settled.
	const usual = back > 60 ? what % made.length : what % 8;
	return (made[usual] ?? made[0] ?? (() => message({})))();
}

function sessionOf(moves: readonly Move[]): readonly Entry[] {
	const entries: Entry[] = [];
	const open: string[] = [];
	for (const move of moves) entries.push(entryFor(move, entries, open));
	return entries;
}

/** Empty where the session is not possible in windows. */
function windowsIn(entries: readonly Entry[]): readonly (readonly Entry[])[] {
	try {
		return [
			...windowsOf({ parts: [entries], session: () => ({ header: {} }), leaf: (last) => last }, 'openclaw', {
				least: 1,
				held: 0,
			}),
		];
	} catch (error) {
		if (error instanceof NotPossible) return [];
		throw error;
	}
}

it('all stages together make of it what the summaries of its compactions make of it, and tell the same', () => {
	const seen = { settled: 0, not: 0 };
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.nat(200), fc.nat(100)), { minLength: 4, maxLength: 24 }), (moves) => {
			let after: string | undefined;
			for (const window of windowsIn(sessionOf(moves))) {
				if (after !== undefined && isSettled(window, after)) {
					const told: Loss[] = [];
					const expected: Loss[] = [];
					const leaf = lastInGraph(window);
					const straight = straighten(window, { bridgesGaps: true, after }, expected);
					const whole = pairCalls(tidy({ entries: straight, leaf }, expected), () => 'none', expected);
					expect({ entries: summaries(window, told), leaf }).toEqual(whole);
					expect(told).toEqual(expected);
					seen.settled += 1;
				} else seen.not += 1;
				after = window.findLast((entry) => entry.parent !== undefined)?.id ?? after;
			}
		}),
		{ seed, numRuns: 20_000 },
	);
	expect(seen.settled).toBeGreaterThan(500);
	expect(seen.not).toBeGreaterThan(500);
});
