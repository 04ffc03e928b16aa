// A writer process for kill.test.ts: it says on stdout what was acknowledged, until it is killed.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { diskCalls } from './calls.ts';
import { filesLog, sqliteLog } from './index.ts';

const [mode, backend, place, locks, key, start] = process.argv.slice(2);
const say = (text) => writeSync(1, `${text}\n`);
/**
 * Says when a large write begins, so that a kill can be aimed into it. Every second one is done in short writes, as the
 * system may do at any time: a kill finds it half done more often than one that takes a millisecond.
 */
let large = 0;
const calls = {
	...diskCalls,
	write(file, from, at, length) {
		if (at === 0 && length > 1_000_000) {
			large += 1;
			say('write');
		}
		const piece = from.length > 1_000_000 && large % 2 === 1 ? Math.min(length, 1024) : length;
		return diskCalls.write(file, from, at, piece);
	},
};
const command = 'kill child';
const log = backend === 'files' ? filesLog({ locks, command, calls }) : await sqliteLog(place, { locks, command });

/** Sizes from a few bytes to megabytes: the large ones are what a kill tears. */
const sizes = [0, 10, 300, 5_000, 70_000, 4_000_000];
const lineOf = (n) => Buffer.from(`${JSON.stringify({ n, pad: 'x'.repeat(sizes[(n * 7) % sizes.length]) })}\n`);

if (mode === 'race') {
	say('ready');
	const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
	await lines.next();
	const writer = await log.writer(key).catch((error) => error);
	if (writer instanceof Error) {
		say(`lost ${writer.name} ${writer.holder?.pid} ${writer.message}`);
	} else {
		await writer.append(Buffer.from(`${process.pid}\n`), { durable: true });
		say('won');
		await lines.next();
		await writer.release();
	}
	process.exit(0);
}

if (mode === 'turns') {
	for (let n = 0; n < Number(start); ) {
		const writer = await log.writer(key).catch((error) => error);
		if (writer.name === 'LogHeld') continue;
		await writer.append(Buffer.from(`${process.pid}\n`));
		await writer.release();
		n += 1;
	}
	process.exit(0);
}

const writer = await log.writer(key, { lines: mode === 'append' });
if (mode === 'append') {
	say(`open ${writer.length} ${writer.torn?.at ?? -1}`);
	for (let n = Number(start); ; ) {
		const batch = Array.from({ length: 1 + (n % 4) }, (_, i) => n + i);
		const done = await Promise.all(batch.map((each) => writer.append(lineOf(each), { durable: each % 2 === 0 })));
		n += batch.length;
		say(`ack ${n} ${done.at(-1).end}`);
	}
} else {
	say(`open ${writer.length} -1`);
	for (let n = Number(start); ; n++) {
		const { length } = await writer.replace(lineOf(n));
		say(`ack ${n + 1} ${length}`);
	}
}
