/** Kills writers at random points, and looks at what they leave behind. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FormatId, path } from '../../src/model/index.ts';
import { openSession } from '../../src/store/open.ts';
import { Scratch } from '../support/sessions.ts';

export interface Outcome {
	readonly kills: number;
	/** Kills that left a torn line behind, or an unfinished copy. */
	readonly torn: number;
	/** Turns that were acknowledged, and those that are in the files. */
	readonly acknowledged: number;
	readonly found: number;
}

/** How many bytes a writer may write at most; a document takes all of itself each time. */
const mostBytes: { readonly [F in FormatId]: number } = {
	'claude-code': 60_000,
	openclaw: 60_000,
	clido: 60_000,
	cline: 400_000,
};

/** A file is given up for a fresh one after so many kills: a document is written whole each time. */
const killsPerFile = 25;

/** Deterministic, so that a failure can be seen again. */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}

export async function killWriters(format: FormatId, kills: number, seed: number): Promise<Outcome> {
	const random = randomFrom(seed);
	const total = { kills: 0, torn: 0, acknowledged: 0, found: 0 };
	while (total.kills < kills) {
		using scratch = new Scratch();
		const rounds = Math.min(killsPerFile, kills - total.kills);
		const done = await killOnOneFile(format, scratch, rounds, random);
		total.kills += rounds;
		total.torn += done.torn;
		total.acknowledged += done.acknowledged;
		total.found += done.found;
	}
	return total;
}

async function killOnOneFile(
	format: FormatId,
	scratch: Scratch,
	rounds: number,
	random: () => number,
): Promise<Omit<Outcome, 'kills'>> {
	const file = scratch.copy(format);
	const own = join(scratch.folder, 'own');
	mkdirSync(own);
	let before: Uint8Array = readFileSync(file);
	let next = 0;
	let torn = 0;
	let acknowledged = 0;
	/** Turns that are there though nobody was told so: they may be half a turn. */
	const unacknowledged = new Set<number>();
	for (let round = 0; round < rounds; round += 1) {
		const said = await runUntilKilled(file, own, next, Math.floor(random() ** 2 * mostBytes[format]));
		acknowledged += said - next;
		const after = readFileSync(file);
		if (format !== 'cline' && !after.subarray(0, before.length).equals(before)) {
			throw new Error(`${format}, kill ${round}: bytes that were there before have changed`);
		}
		if (after.at(-1) !== 10) torn += 1;
		next = await turnsIn(file, said, unacknowledged, `${format}, kill ${round}`);
		for (let n = said; n < next; n += 1) unacknowledged.add(n);
		before = after;
	}
	return { torn, acknowledged, found: next };
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

const child = join(import.meta.dirname, 'child.ts');
const noise = '--disable-warning=ExperimentalWarning';
let compiled: string | undefined;

/** Compiling takes a writer longer than everything else, and one that is killed keeps nothing of it. */
function compileOnce(): string {
	if (compiled === undefined) {
		compiled = mkdtempSync(join(tmpdir(), 'reprise-kill-'));
		execFileSync(process.execPath, [noise, child], { env: environment(compiled) });
	}
	return compiled;
}

export function forgetCompiled(): void {
	if (compiled !== undefined) rmSync(compiled, { recursive: true, force: true });
	compiled = undefined;
}

function environment(cache: string): NodeJS.ProcessEnv {
	return { ...process.env, NODE_COMPILE_CACHE: cache, NODE_EXTRA_CA_CERTS: undefined };
}

/** Resolves with the number of the first turn that was not acknowledged. */
async function runUntilKilled(file: string, own: string, first: number, budget: number): Promise<number> {
	const args = [noise, child, file, join(own, 'locks'), own, String(first), String(budget)];
	const env = environment(compileOnce());
	const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
	let said = '';
	running.stdout.setEncoding('utf8');
	running.stdout.on('data', (text: string) => {
		said += text;
	});
	const [, signal] = (await once(running, 'close')) as [number | null, string | null];
	if (signal !== 'SIGKILL') throw new Error('the writer ended by itself');
	const last = said.trimEnd().split('\n').at(-1);
	return last ? Number(last) : first;
}
