/** `reprise return`: when what was said is appended to the file that the session came from, when a new file has to be named, and when a return is refused. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Machine } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import type { FormatId, Loss } from '../model/index.ts';
import { quoted } from '../model/quoted.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { agentOf } from '../store/find/session-files.ts';
import { orLoss, ownLog } from '../store/own-data/own-data.ts';
import { databasePath } from '../store/reader/database.ts';
import { openHeader, openSession } from '../store/reader/session-reader.ts';
import { withSidecar } from '../store/reader/sidecar.ts';
import { stemOf } from '../store/reader/whole.ts';
import { agents } from './agents.ts';
import { noteReturned } from './carried.ts';
import { saidIn } from './conversation-print.ts';
import { convertFile, named, remember, writeNew } from './files.ts';
import { ancestryOf, comeHome, type Homecoming } from './home.ts';
import type { Lineage } from './lineage.ts';
import { notedSince } from './noted-since.ts';
import { isSameSum, loadSums, type Sum } from './sum.ts';

export interface ReturnOptions {
	/** A new file to write, instead of adding to the source. */
	readonly out?: string;
	readonly machine?: Machine;
}

export interface Returned {
	readonly format: FormatId;
	readonly id: string;
	/** Every file that was written or appended to; empty when nothing was new. */
	readonly out: readonly string[];
	/** The file that the session came from. */
	readonly path: string;
	/** How many messages came home. */
	readonly messages: number;
	readonly losses: readonly Loss[];
	/** The command that a person types to go on with it. */
	readonly command: string;
}

/** Brings a session that was handed off back to where it came from, with what was added to it. */
export async function returnSession(path: string, options: ReturnOptions = {}): Promise<Returned> {
	const made = await brought(path, options);
	const main = options.out === undefined ? made.path : resolve(options.out);
	const agent = agents.find(({ name }) => name === agentOf(made.format, main));
	const { cwd } = (await openHeader(main)).header;
	// The agent finds only what stands at its own place.
	const isThere = options.out === undefined && agent !== undefined && cwd !== undefined;
	return { ...made, command: isThere ? agent.resume({ id: made.id, cwd, path: main }) : `reprise -r ${quoted(main)}` };
}

async function brought(path: string, options: ReturnOptions): Promise<Omit<Returned, 'command'>> {
	const machine = options.machine ?? thisMachine();
	const session = withSidecar(await openSession(path), path, []);
	const known = await ancestryOf(machine, session, path);
	if (known.is === 'unknown') {
		throw new InputError(
			'no-lineage',
			`${path} was not handed off, and nothing is stored about where it came from; \`reprise convert\` writes it in any format`,
		);
	}
	const { source } = known.lineage;
	if (known.is === 'changed') return await returnChanged(path, known.lineage, options, machine);
	const noted = options.out === undefined ? await notedSince(known.lineage) : undefined;
	const home = await comeHome(machine, session, known, noted);
	const base = { format: source.format, id: home.id, path: source.path, messages: home.messages, losses: home.losses };
	if (options.out !== undefined) {
		const main = resolve(options.out);
		const out = await writeNew(home.codec, main, home.bytes, named(home.beside, stemOf(source.path), main));
		return { ...base, out };
	}
	const out = await bringHome(home, known.lineage, machine, noted !== undefined);
	if (out.length === 0) return { ...base, out };
	// From now on the converted session continues what is in the source now.
	const { target } = known.lineage;
	const sum = (await loadSums()).of(session.source);
	const isCopy = session.format === source.format && (await isSame(source.path, sum));
	const lost = await remember(machine, await openHeader(source.path), source.path, {
		target: { ...target, id: session.id, path: resolve(path) },
		recognised: isCopy ? { written: sum } : { said: saidIn(session) },
	});
	const from = { format: session.format, path, source: session.source };
	const unnoted = await orLoss('what came home', () => noteReturned(machine, from, source, home.before));
	return { ...base, out, losses: [...home.losses, ...lost, ...unnoted] };
}

/** Returns a session whose history has changed: the old file has no place where new turns would fit. */
async function returnChanged(
	path: string,
	lineage: Lineage,
	options: ReturnOptions,
	machine: Machine,
): Promise<Omit<Returned, 'command'>> {
	const { source } = lineage;
	if (options.out === undefined) {
		throw new InputError(
			'changed',
			`the history of ${path} was changed since it came from ${source.path}: name a new file with -o for an ordinary conversion`,
		);
	}
	const made = await convertFile(path, { to: source.format, out: options.out, machine });
	return { format: source.format, id: made.id, path: source.path, out: made.out, messages: 0, losses: made.losses };
}

/** `isNoted`: it comes home to the file as it is now, behind what was noted there. */
async function bringHome(
	home: Homecoming,
	lineage: Lineage,
	machine: Machine,
	isNoted: boolean,
): Promise<readonly string[]> {
	const { path } = lineage.source;
	if (databasePath(path).session !== undefined) {
		throw new InputError('in-a-database', `${path} is a row in its client’s database: name a new file with -o`);
	}
	if (!existsSync(path)) return await writeNew(home.codec, path, home.bytes, home.beside);
	if (!isNoted && !(await isSame(path, lineage.source.sum))) {
		throw new InputError('went-on', `${path} has gone on since it was handed off: name a new file with -o`);
	}
	if (home.added.length === 0) return [];
	const lines = home.codec.capabilities.container === 'lines';
	await using writer = await ownLog(machine).writer(path, { lines, within: dirname(path) });
	const expect = home.before.length;
	if (lines) await writer.append(withoutBreak(home), { expect, durable: true });
	else await writer.replace(home.bytes, { expect });
	return [path];
}

/** The added bytes without a first newline: the writer itself ends a torn tail. */
function withoutBreak({ added, before }: Homecoming): Uint8Array {
	return before.length > 0 && before[before.length - 1] !== 10 && added[0] === 10 ? added.subarray(1) : added;
}

async function isSame(path: string, sum: Sum): Promise<boolean> {
	using source = openFile(path);
	return isSameSum((await loadSums()).of(source), sum);
}
