// A writer process for kill.test.ts: it says on stdout what was acknowledged, until it is killed.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { filesLog, sqliteLog } from './index.ts';

const [mode, backend, place, locks, key, start] = process.argv.slice(2);
const say = (text) => writeSync(1, `${text}\n`);
const log =
	backend === 'files'
		? filesLog({ locks, command: 'kill child' })
		: await sqliteLog(place, { locks, command: 'kill child' });

/** Sizes from a few bytes to megabytes: the large ones are what a kill tears. */
const sizes = [0, 10, 300, 5_000, 70_000, 1_500_000];
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
