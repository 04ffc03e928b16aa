/** The way back of a converted session: which stored source it came from where several could be, and the source's bytes with what was said since. */
import { resolve } from 'node:path';
import { type Codec, codecOf, decodeBytes, type Machine, profileOf } from '../codecs/index.ts';
import type { Loss, Session } from '../model/index.ts';
import { newEntries } from './added-since.ts';
import { beginsWith, type Conversation, conversationOf, type Said } from './conversation-print.ts';
import { agentsBeside, type Lineage, lineages, storedFiles } from './lineage.ts';
import { saidAgain, saidAsStored } from './recognise.ts';
import { referenceIn } from './reference.ts';
import { isSameSum, loadSums } from './sum.ts';

export interface Known {
	readonly is: 'known';
	readonly lineage: Lineage;
	/** The conversation print from when the session was written; `conversation` is what is said now. */
	readonly said: Said;
	readonly conversation: Conversation;
	/** The session as it comes home from the conversion before this one, where there were several. */
	readonly through?: { readonly session: Session; readonly losses: readonly Loss[] };
}

/** What is known about where a session came from. */
export type Ancestry =
	| Known
	/** The session came from there, but its history is no longer what was written. */
	| { readonly is: 'changed'; readonly lineage: Lineage }
	| { readonly is: 'unknown' };

/**
 * The stored source that the session at `path` continues: the one that explains most of it. With `to`, a source of that
 * format, through however many conversions.
 */
export async function ancestryOf(
	machine: Machine,
	session: Session,
	path: string,
	to?: Codec,
	seen: ReadonlySet<string> = new Set(),
): Promise<Ancestry> {
	const direct = await parentOf(machine, session, path, seen, to);
	if (direct.is === 'known' || !to) return direct;
	const between = await parentOf(machine, session, path, seen);
	if (between.is !== 'known') return direct;
	const home = await comeHome(machine, session, between);
	const before = decodeBytes(home.codec, home.bytes, home.id);
	const { key, source } = between.lineage;
	const further = await ancestryOf(machine, before, source.path, to, new Set([...seen, key]));
	if (further.is !== 'known') return direct;
	const { session: last = before, losses = [] } = further.through ?? {};
	return { ...further, through: { session: last, losses: [...home.losses, ...losses] } };
}

/** The conversion that made a session. */
async function parentOf(
	machine: Machine,
	session: Session,
	path: string,
	seen: ReadonlySet<string>,
	to?: Codec,
): Promise<Ancestry> {
	const { format } = session;
	const byId = lineages(machine, { format, id: session.id });
	// A client's own copy of the session has another id, but still holds the reference to its source.
	const source = byId.length === 0 ? referenceIn(session) : undefined;
	const copies = source ? lineages(machine).filter((one) => isSameSum(one.source.sum, source)) : [];
	const named = [...byId, ...copies.filter((one) => one.target.format === format)].filter(
		(one) => !seen.has(one.key) && !isItself(one, path) && (!to || one.source.format === to.id),
	);
	const [first] = named;
	if (!first) return { is: 'unknown' };
	const [best] = (await explaining(machine, named, session, path)).sort(
		(a, b) =>
			nearness(b.lineage, path) - nearness(a.lineage, path) ||
			b.said.marks.length - a.said.marks.length ||
			(a.lineage.made < b.lineage.made ? 1 : -1),
	);
	return best ?? { is: 'changed', lineage: first };
}

/** True for the record of a copy under the same id, asked about the session that was copied: it did not come from itself. */
function isItself({ source }: Lineage, path: string): boolean {
	return source.path === path || source.path === resolve(path);
}

/** Those conversions whose print the session begins with. */
async function explaining(
	machine: Machine,
	named: readonly Lineage[],
	session: Session,
	path: string,
): Promise<Known[]> {
	const conversation = conversationOf(session);
	const fitting: Known[] = [];
	const take = (lineage: Lineage, said: Said | undefined): void => {
		if (!said || !beginsWith(conversation.marks, said.marks)) return;
		const known = { is: 'known', lineage, said, conversation } as const;
		if (isSure(known, session, path)) fitting.push(known);
	};
	const unclear: Lineage[] = [];
	for (const lineage of named) {
		const said = await saidAsStored(lineage, session);
		if (said) take(lineage, said);
		else if (nearness(lineage, path) > 0) take(lineage, await saidAgain(machine, lineage));
		else unclear.push(lineage);
	}
	// Converting all of them again is slow, so it is the last resort.
	if (fitting.length === 0) for (const lineage of unclear) take(lineage, await saidAgain(machine, lineage));
	return fitting;
}

/** False when no stored source can belong to the session. */
export function mayComeHome(machine: Machine, session: Session): boolean {
	if (lineages(machine, session).length > 0) return true;
	const source = referenceIn(session);
	return source !== undefined && lineages(machine).some((one) => isSameSum(one.source.sum, source));
}

/** True when the source is certain. A file without an id goes by its name, so its path or all content decides. */
function isSure({ lineage, said, conversation }: Known, session: Session, path: string): boolean {
	if (session.header.id !== undefined || nearness(lineage, path) > 0) return true;
	return said.marks.length === conversation.marks.length;
}

/** Prefers, of two sources with one target id, the one that was written to this very file. */
function nearness(one: Lineage, path: string): number {
	return one.target.path === resolve(path) ? 1 : 0;
}

export interface Homecoming {
	readonly id: string;
	readonly codec: Codec;
	/** The source's bytes as they were; `added` follows them, and is empty when nothing is new. */
	readonly before: Uint8Array;
	readonly added: Uint8Array;
	/** The whole main file. */
	readonly bytes: Uint8Array;
	readonly beside: readonly { readonly path: string; readonly bytes: Uint8Array }[];
	readonly losses: readonly Loss[];
	/** The number of new messages. */
	readonly messages: number;
}

/** The source's bytes, followed by what was said since. `noted`: its bytes as they are now (`notedSince`). */
export async function comeHome(machine: Machine, own: Session, known: Known, noted?: Uint8Array): Promise<Homecoming> {
	const { lineage, said, conversation } = known;
	const { session, losses: lost } = known.through ?? { session: own, losses: [] };
	const codec = codecOf(lineage.source.format);
	if (!codec) throw new Error(`no codec for ${lineage.source.format}`);
	const [main, ...beside] = await storedFiles(machine, lineage);
	const before = noted ?? main?.bytes ?? new Uint8Array(0);
	const losses: Loss[] = [...lost];
	const source = decodeBytes(codec, before, lineage.source.id);
	const more = known.through ? undefined : await addedToCopy(own, lineage);
	if (more) {
		const old = new Set(source.entries.map((entry) => entry.id));
		const messages = own.entries.filter((entry) => entry.kind === 'message' && !old.has(entry.id)).length;
		return { id: lineage.source.id, codec, before, losses, messages, beside, ...added(before, more) };
	}
	const fresh = newEntries({ session, conversation, lineage, said, source }, losses);
	const messages = fresh.filter((entry) => entry.kind === 'message').length;
	const base = { id: lineage.source.id, codec, before, losses, messages };
	if (fresh.length === 0) return { ...base, added: new Uint8Array(0), bytes: before, beside };
	const made = codec.write.encode({
		profile: profileOf(codec, source),
		id: source.id,
		header: source.header,
		entries: fresh,
		after: source,
	});
	losses.push(...made.losses);
	const replaced = new Set(made.beside.map((file) => file.path));
	const files = [...beside.filter((file) => !replaced.has(file.path)), ...made.beside];
	if (codec.capabilities.container === 'document')
		return { ...base, added: made.bytes, bytes: made.bytes, beside: files };
	return { ...base, beside: files, ...added(before, made.bytes) };
}

/**
 * What was added to a copy that was the same byte for byte: it comes home as it is. Undefined for any other session, and where sub-agents
 * were started since, whose files have to come along.
 */
async function addedToCopy({ source, format }: Session, lineage: Lineage): Promise<Uint8Array | undefined> {
	const { recognised, agents, target } = lineage;
	if (format !== lineage.source.format || !('written' in recognised)) return undefined;
	const { written } = recognised;
	if (!isSameSum(written, lineage.source.sum) || !(await loadSums()).stillBegins(source, written)) return undefined;
	if (agentsBeside(target).some((agent) => !agents.includes(agent))) return undefined;
	return source.read(written.length, source.size - written.length);
}

function added(before: Uint8Array, more: Uint8Array): Pick<Homecoming, 'added' | 'bytes'> {
	const lines = more.length === 0 ? more : ended(before, more);
	return {
		added: lines,
		// Computed on demand: a caller that only appends does not need a second copy.
		get bytes() {
			return Buffer.concat([before, lines]);
		},
	};
}

/** The added bytes, after a newline where the file has a torn tail: new lines would otherwise become part of it. */
function ended(before: Uint8Array, added: Uint8Array): Uint8Array {
	const torn = before.length > 0 && before[before.length - 1] !== 10 && added[0] !== 10;
	return torn ? Buffer.concat([Buffer.from('\n'), added]) : added;
}
