/** Which responses a conversion carries over, and which session wrote each of them first: `cost` counts them there. */
import { statSync } from 'node:fs';
import { readCosts } from '../catalog/cost/read.ts';
import { partAt } from '../catalog/cost/standing.ts';
import type { Codec, Machine, Sighting } from '../codecs/index.ts';
import { openFile } from '../log/file-source.ts';
import { type CarriedPart, type FormatId, memorySource, type NamedSession, type Source } from '../model/index.ts';
import { codecNamed, sessionId } from '../store/find/session-files.ts';
import { addCarried, carriedIn, noteCarried } from '../store/own-data/carried-notes.ts';
import { databasePath } from '../store/reader/database.ts';
import { agentsBeside } from './lineage.ts';
import { leastPassing } from './write.ts';

/** A session file that is read from or written to. */
export interface MovedFile {
	readonly format: FormatId;
	readonly path: string;
	readonly source: Source;
}

type Origin = Pick<CarriedPart, 'of' | 'length' | 'hops'>;

/** Notes that all of a new file came from another session, or through that from others. */
export async function noteConverted(machine: Machine, from: MovedFile, to: Omit<MovedFile, 'source'>): Promise<void> {
	const codec = codecNamed(to.format);
	const before = originsIn(machine, from);
	const { size } = statSync(to.path);
	const now = Date.now();
	// A session that holds no copies wrote all of it itself. Documents have messages that do not look like responses.
	const unsure = isDocument(codec) && size < leastPassing;
	const mine = unsure || before.known.length > 0 ? responsesOfFile(to) : [];
	// Clocks differ: a carried response may have a later time than this machine's.
	const until = mine.reduce((last, { time = 0 }) => Math.max(last, time), now);
	const range = { from: 0, ...(isDocument(codec) ? { until } : { to: size }) };
	const hidden = unsure && mine.length === 0 ? { hidden: true as const } : {};
	const main = aligned(before, mine, range).map((part) => ({ ...part, ...hidden }));
	const threads = agentsBeside(to).map((agent) => {
		const origin = onward(before.threads.find((part) => part.agents?.includes(agent))) ?? before.own;
		return { ...origin, from: 0, until: now, agents: [agent] };
	});
	const parts = [...main, ...threads];
	const name = nameOf(codec, to.path);
	// A copy of a session in another place carries nothing from others.
	if (!isOne(name, before.own.of)) await noteCarried(machine, { ...name, parts });
}

/** Notes that what a session gained since `before` came home from another session. */
export async function noteReturned(
	machine: Machine,
	from: MovedFile,
	to: Omit<MovedFile, 'source'>,
	before: Uint8Array,
): Promise<void> {
	const codec = codecNamed(to.format);
	// What comes home from a copy under the same id is the same records.
	if (isOne(nameOf(codecNamed(from.format), from.path), nameOf(codec, to.path))) return;
	const old = responsesIn(codec, memorySource(before));
	const mine = responsesOfFile(to).slice(old.length);
	const [first, last] = [mine[0], mine.at(-1)];
	if (first === undefined || last === undefined) return;
	const range = isDocument(codec)
		? { from: (old.at(-1)?.line ?? 0) + 1, to: last.line + 1, until: Date.now() }
		: { from: before.length, to: statSync(to.path).size };
	await addCarried(machine, { ...nameOf(codec, to.path), parts: aligned(originsIn(machine, from), mine, range) });
}

interface Origins {
	/** Where responses come from that the session wrote itself. */
	readonly own: Origin;
	/** The parts of its main file, and the files of sub-agents, that others wrote. */
	readonly known: readonly CarriedPart[];
	readonly threads: readonly CarriedPart[];
	/** The origin of each response; empty where the session wrote all of them. */
	readonly each: readonly Origin[];
}

function originsIn(machine: Machine, { format, path, source }: MovedFile): Origins {
	const codec = codecNamed(format);
	const of = nameOf(codec, path);
	const own = { of, length: source.size, hops: 1 };
	const parts = carriedIn(machine, of);
	const known = parts.filter((part) => part.agents === undefined);
	const threads = parts.filter((part) => part.agents !== undefined);
	if (known.length === 0) return { own, known, threads, each: [] };
	const each = responsesIn(codec, source).map((response) => onward(partAt(known, response)) ?? own);
	return { own, known, threads, each };
}

function onward(part: CarriedPart | undefined): Origin | undefined {
	return part && { of: part.of, length: part.length, hops: part.hops + 1 };
}

/**
 * Splits a range of the new file into parts of one origin each. Responses are matched from the last one backwards:
 * those that a conversion cannot show as a response, or leaves behind on another branch, are earlier ones.
 */
function aligned(
	{ own, known, each }: Origins,
	mine: readonly Sighting[],
	range: Pick<CarriedPart, 'from' | 'to' | 'until'>,
): readonly CarriedPart[] {
	const earlier = onward(known[0]) ?? own;
	const parts: CarriedPart[] = [];
	for (const [index, response] of mine.entries()) {
		const origin = each[each.length - mine.length + index] ?? earlier;
		const last = parts.at(-1);
		if (last && isSame(last, origin)) continue;
		const place = range.until === undefined ? response.at : response.line;
		if (last) parts[parts.length - 1] = { ...last, to: place };
		parts.push({ ...range, ...origin, from: last ? place : range.from });
	}
	return parts.length > 0 ? parts : [{ ...range, ...own }];
}

function isSame(a: Origin, b: Origin): boolean {
	return isOne(a.of, b.of) && a.length === b.length;
}

function isOne(a: NamedSession, b: NamedSession): boolean {
	return a.format === b.format && a.id === b.id;
}

function isDocument({ places: { usage } }: Codec): boolean {
	return usage?.elements !== undefined;
}

/** The session's name as `cost` finds it. */
function nameOf(codec: Codec, path: string): NamedSession {
	return { format: codec.id, id: databasePath(path).session ?? sessionId(codec, path) };
}

function responsesOfFile({ format, path }: Omit<MovedFile, 'source'>): readonly Sighting[] {
	using source = openFile(path);
	return responsesIn(codecNamed(format), source);
}

/** The responses of a file, each at its first record. */
function responsesIn({ places: { usage } }: Codec, source: Source): readonly Sighting[] {
	const found = new Map<string, Sighting>();
	const seen = (sighting: Sighting): void => {
		if (sighting.responses === 1 && !found.has(sighting.key)) found.set(sighting.key, sighting);
	};
	if (usage) readCosts(usage, source, { seen, rejected: () => undefined, cwd: () => undefined });
	return [...found.values()];
}
