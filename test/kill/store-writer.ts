/** A program that tests kill: appends numbered entries to a store until all are acknowledged. Arguments: where, its name, how many, from which on. */
import { setTimeout as pause } from 'node:timers/promises';
import { contentId } from '../../src/session-store/exact-store.ts';
import { openStore } from '../../src/session-store/open-store.ts';
import { lineOf, sessionOf } from './store-lines.ts';

const [to = '', name = '', count = '0', from = '0'] = process.argv.slice(2);
// A test that has ended does not wait for its writers.
process.on('disconnect', () => process.exit(1));
await using store = openStore(to).store;

/** Some lines have a uuid, the others are told apart by what they say. */
const idOf = (n: number): string => (n % 3 === 0 ? contentId(lineOf(name, n), 0) : `${name}-${n}`);

for (let n = Number(from); n < Number(count); ) {
	// Each batch overlaps the one before it, as after a retry by somebody who does not know what has arrived.
	const first = Math.max(0, n - Math.floor(Math.random() * 8));
	const last = Math.min(Number(count), n + 1 + Math.floor(Math.random() * 40));
	const lines = Array.from({ length: last - first }, (_, index) => ({
		text: lineOf(name, first + index),
		id: idOf(first + index),
	}));
	try {
		await store.appendLines(sessionOf(name), lines);
		n = last;
		process.send?.(n);
		await pause(Math.random() * 20);
	} catch (error) {
		// The server is away, or has cut the connection: what the batch has become is not known.
		if (!(error instanceof Error)) throw error;
		await pause(20 + Math.random() * 80);
	}
}
process.removeAllListeners('disconnect');
process.disconnect?.();
