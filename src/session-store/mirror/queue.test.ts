/** What waits for a store is sent in order, as much as is sent at once, and nothing more is loaded for it. */
import { expect, it } from 'vitest';
import { scratchPerTest } from '../../../test/support/scratch-per-test.ts';
import type { StoredLine } from '../contract.ts';
import { MirrorQueue } from './queue.ts';

const scratch = scratchPerTest();
const to = { end: 1, tail: '', stamp: '' };

function queueOf(...transcripts: readonly (readonly StoredLine[])[]): MirrorQueue {
	const queue = new MirrorQueue(scratch.machine, 'a store');
	for (const [index, lines] of transcripts.entries()) {
		const key = { projectKey: 'p', sessionId: `s${index}` };
		queue.add(`/transcript-${index}`, key, { from: queue.cursor(`/transcript-${index}`), to, written: 5 }, () => lines);
	}
	return queue;
}

it('lines leave in their order, those of one transcript at a time', () => {
	using queue = queueOf([{ text: 'a', id: '1' }, { text: 'b' }], [{ text: 'c' }]);
	const sent: unknown[] = [];
	for (let batch = queue.next(); batch; batch = queue.next()) {
		sent.push([batch.key.sessionId, batch.lines]);
		queue.done(batch);
	}
	expect(sent).toEqual([
		['s0', [{ text: 'a', id: '1' }, { text: 'b' }]],
		['s1', [{ text: 'c' }]],
	]);
});

it('what waits behind the lines that go next costs nothing', () => {
	const text = 'x'.repeat(2 << 20);
	const cost = (lines: number): number => {
		using queue = queueOf(Array.from({ length: lines }, () => ({ text })));
		const times = Array.from({ length: 5 }, () => {
			const started = performance.now();
			expect(queue.next()?.lines).toHaveLength(1);
			return performance.now() - started;
		});
		queue.done({ key: { projectKey: 'p', sessionId: 's0' }, lines: [], last: lines });
		return Math.min(...times);
	};
	expect(cost(60)).toBeLessThan(8 * cost(2));
});
