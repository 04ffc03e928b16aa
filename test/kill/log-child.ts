/** A writer process for src/log/kill.test.ts: it says on stdout what was acknowledged, until it is killed. */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { filesLog, type Log, LogHeld, type LogWriter, sqliteLog } from '../../src/log/index.ts';
import { dieAfterBytes, dieAtStatement } from '../support/mortal.ts';
import { lineOf } from './log-lines.ts';

const [mode = '', backend = '', database = '', locks = '', key = '', start = '0', end = '0'] = process.argv.slice(2);
const first = Number(start);
const say = (text: string): void => void writeSync(1, `${text}\n`);

async function openLog(): Promise<Log> {
	const command = 'kill child';
	return backend === 'files' ? filesLog({ locks, command }) : await sqliteLog(database, { locks, command });
}

async function writerOrHolder(log: Log, key: string): Promise<LogWriter | LogHeld> {
	try {
		return await log.writer(key);
	} catch (error) {
		if (error instanceof LogHeld) return error;
		throw error;
	}
}

async function append(log: Log): Promise<never> {
	const writer = await log.writer(key);
	say(`open ${writer.length} ${writer.torn?.at ?? -1}`);
	for (let n = first; ; ) {
		const batch = Array.from({ length: 1 + (n % 4) }, (_, i) => n + i);
		const bytes = (each: number): Buffer => Buffer.from(`${lineOf(each)}\n`);
		const done = await Promise.all(batch.map((each) => writer.append(bytes(each), { durable: each % 2 === 0 })));
		n += batch.length;
		say(`ack ${n} ${done.at(-1)?.end}`);
	}
}

async function replace(log: Log): Promise<never> {
	const writer = await log.writer(key, { lines: false });
	say(`open ${writer.length} -1`);
	for (let n = first; ; n += 1) {
		const { length } = await writer.replace(Buffer.from(`${lineOf(n)}\n`));
		say(`ack ${n + 1} ${length}`);
	}
}

/** Each line of input is a key that the other one is told at the same moment; the winner holds it until the next line. */
async function race(log: Log): Promise<void> {
	let held: LogWriter | undefined;
	say('ready');
	for await (const wanted of createInterface({ input: process.stdin })) {
		await held?.release();
		held = undefined;
		if (wanted === '') {
			say('ready');
			continue;
		}
		const writer = await writerOrHolder(log, wanted);
		if (writer instanceof LogHeld) say(`lost ${writer.name} ${writer.holder?.pid} ${writer.message}`);
		else {
			await writer.append(Buffer.from(`${process.pid}\n`), { durable: true });
			held = writer;
			say('won');
		}
	}
}

async function turns(log: Log): Promise<void> {
	for (let n = 0; n < first; ) {
		const writer = await writerOrHolder(log, key);
		if (writer instanceof LogHeld) continue;
		await writer.append(Buffer.from(`${process.pid}\n`));
		await writer.release();
		n += 1;
	}
}

const budget = Number(end);
if (budget > 0 && backend === 'files') dieAfterBytes(budget);
const modes: { readonly [name: string]: (log: Log) => Promise<void> } = { append, replace, race, turns };
const run = modes[mode];
// Without a mode it only has its code compiled, for all that come.
if (run) {
	const log = await openLog();
	// A database is there by then: what counts are the statements of appends.
	if (budget > 0 && backend === 'sqlite') dieAtStatement(Math.ceil(budget / 2), budget % 2 === 0);
	await run(log);
}
