/** Kills writers at random points, and looks at what they leave behind. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codecOf } from '../../src/codecs/index.ts';
import { type FormatId, path } from '../../src/model/index.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { fileNamed, Scratch } from '../support/sessions.ts';
import { type Program, randomFrom } from '../support/writers.ts';

export interface Outcome {
	readonly kills: number;
	/** Kills that left a torn line behind, or nothing where a session was to begin. */
	readonly torn: number;
	/** Sessions that a writer began. */
	readonly begun: number;
	/** Turns that were acknowledged, and those that are in the files. */
	readonly acknowledged: number;
	readonly found: number;
}

/** How many bytes a writer may write at most; a document takes all of itself each time. */
const mostBytes = (format: FormatId): number =>
	codecOf(format)?.capabilities.container === 'document' ? 400_000 : 60_000;

/** A file is given up for a fresh one after so many kills: a document is written whole each time. */
const killsPerFile = 12;

export async function killWriters(writers: Program, format: FormatId, kills: number, seed: number): Promise<Outcome> {
	const random = randomFrom(seed);
	const total = { kills: 0, torn: 0, acknowledged: 0, found: 0, begun: 0 };
	for (let file = 0; total.kills < kills; file += 1) {
		using scratch = new Scratch();
		const rounds = Math.min(killsPerFile, kills - total.kills);
		// In turn a session of the client's own, and one that is begun by the first writer that lives long enough.
		const done = await killOnOneFile(writers, format, scratch, file % 2 === 0, rounds, random);
		total.kills += rounds;
		total.torn += done.torn;
		total.acknowledged += done.acknowledged;
		total.found += done.found;
		total.begun += done.begun;
	}
	return total;
}

async function killOnOneFile(
	writers: Program,
	format: FormatId,
	scratch: Scratch,
	copied: boolean,
	rounds: number,
	random: () => number,
): Promise<Omit<Outcome, 'kills'>> {
	let file = copied ? scratch.copy(format) : newFile(scratch, format, 0);
	const own = join(scratch.folder, 'own');
	mkdirSync(own);
	let before = bytesOf(file);
	let next = 0;
	const done = { torn: 0, acknowledged: 0, begun: 0 };
	/** Turns that are there though nobody was told so: they may be half a turn. */
	const unacknowledged = new Set<number>();
	for (let round = 0; round < rounds; round += 1) {
		const where = `${format}, kill ${round} of ${file}`;
		const budget = 1 + Math.floor(random() ** 2 * mostBytes(format));
		const said = await runUntilKilled(writers, [format, file, own, String(next), String(budget)], next);
		done.acknowledged += said - next;
		if (!existsSync(file)) {
			// Killed while it was being made: then it is not there, and nobody was told that it is.
			if (before.length > 0 || said > next) throw new Error(`${where}: the session is gone`);
			file = newFile(scratch, format, round + 1);
			done.torn += 1;
			continue;
		}
		if (before.length === 0) done.begun += 1;
		const after = readFileSync(file);
		if (format !== 'cline' && !after.subarray(0, before.length).equals(before)) {
			throw new Error(`${where}: bytes that were there before have changed`);
		}
		if (after.at(-1) !== 10) done.torn += 1;
		next = await turnsIn(file, said, unacknowledged, where);
		for (let n = said; n < next; n += 1) unacknowledged.add(n);
		before = after;
	}
	return { ...done, found: next };
}

/** What a killed writer left of a session that never came to be stays where it is: the next one gets a place of its own. */
function newFile(scratch: Scratch, format: FormatId, attempt: number): string {
	return join(scratch.folder, `new${attempt}`, fileNamed(format, 'new'));
}

function bytesOf(file: string): Uint8Array {
	return existsSync(file) ? readFileSync(file) : new Uint8Array(0);
}

/** How many turns are in the file: every one that was acknowledged, without a gap, each with its reply. */
async function turnsIn(
	file: string,
	acknowledged: number,
	unacknowledged: ReadonlySet<number>,
	where: string,
): Promise<number> {
	const session = await openSession(file, { subagents: false });
	const mine: number[] = [];
	const replies = new Set<number>();
	for (const entry of path(session)) {
		for (const block of entry.kind === 'message' ? entry.content : []) {
			const found = block.type === 'text' ? /^(?:#(\d+) x+|re #(\d+))$/.exec(block.text) : null;
			if (found?.[1] !== undefined) mine.push(Number(found[1]));
			else if (found?.[2] !== undefined) replies.add(Number(found[2]));
		}
	}
	mine.forEach((n, index) => {
		if (n !== index) throw new Error(`${where}: turn ${index} is missing, ${n} is there instead`);
		const whole = n < acknowledged && !unacknowledged.has(n);
		if (whole && !replies.has(n)) throw new Error(`${where}: the reply of turn ${n} is missing`);
	});
	if (mine.length < acknowledged) {
		throw new Error(`${where}: ${acknowledged} turns were acknowledged, ${mine.length} are there`);
	}
	return mine.length;
}

/** Resolves with the number of the first turn that was not acknowledged. */
async function runUntilKilled(writers: Program, args: readonly string[], first: number): Promise<number> {
	const running = writers.start(args, ['ignore', 'pipe', 'inherit']);
	let said = '';
	running.stdout?.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [, signal] = (await once(running, 'close')) as [number | null, string | null];
	if (signal !== 'SIGKILL') throw new Error('the writer ended by itself');
	const last = said.trimEnd().split('\n').at(-1);
	return last ? Number(last) : first;
}
