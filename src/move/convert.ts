/** Converts a session's entries to another format: the order of the stages, the id of the new session, and when there is nothing to convert. Files are written by `write.ts`. */
import { createHash } from 'node:crypto';
import { type Codec, codecOf, type Encoded, type EncodedPieces, type EncodeInput } from '../codecs/index.ts';
import { deriveUuid, isUuid } from '../codecs/shared/write/derive.ts';
import {
	compact,
	type EntriesWithLeaf,
	type Entry,
	type EntryId,
	type Header,
	history,
	inGraph,
	type JsonObject,
	type Loss,
	lastInGraph,
	type Profile,
	reusedPieces,
	type Session,
	type Source,
} from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { flatten } from './flatten.ts';
import { LossList } from './losses.ts';
import { mapTools, type ToolMapping } from './map-tools.ts';
import { pairCalls } from './pairs.ts';
import { straighten } from './straighten.ts';
import { tidy } from './tidy.ts';

export interface ConvertOptions {
	readonly profile: Profile;
	/** The absolute path that the main file will have: some clients find a session only through it. */
	readonly path?: string;
	/** Translate calls to the target's own tools where that is exact. */
	readonly mapTools?: boolean;
	/** The agent that is to read it, if that is known and leaves out calls of tools that it does not have. */
	readonly agent?: ToolMapping['agent'];
	/** The project's folder, to replace the one that the session names. */
	readonly cwd?: string;
	/** The reference to the source, for formats that have a place for it. */
	readonly reference?: () => JsonObject;
	/** The new session's id. Default: the source's, where the client would find a session under it. */
	readonly id?: string;
}

export interface Converted extends Encoded {
	/** The id of the new session. */
	readonly id: string;
}

/** The session as the codec writes it. Only the session and the options decide: converting twice gives equal bytes. */
export function convertSession(session: Session, codec: Codec, options: ConvertOptions): Converted {
	const losses = new LossList();
	const input = inputFor(session, codec, options, losses);
	const { bytes, beside } = codec.write.encode(input);
	return { bytes, beside, id: input.id, losses: losses.told() };
}

export interface ConvertedPieces extends Omit<EncodedPieces, 'losses'> {
	readonly id: string;
	/** The losses; complete once all pieces have been taken. */
	losses(): readonly Loss[];
}

/** Converts piece by piece, so that the result is never held as a whole. */
export function convertInPieces(
	session: Session,
	codec: Codec,
	options: ConvertOptions & {
		/** The rest of the entries, for a session that is read in windows (`session-windows.ts`). */
		readonly more?: Iterable<readonly Entry[]>;
	},
): ConvertedPieces {
	const losses = new LossList();
	const input = inputFor(session, codec, options, losses);
	const more = options.more && goingOn(options.more, session, codec, options, losses);
	const { losses: _, ...encoded } = codec.write.encodeInPieces({ ...input, ...(more ? { more } : {}) });
	return { ...encoded, id: input.id, losses: () => losses.told() };
}

function inputFor(session: Session, codec: Codec, options: ConvertOptions, losses: LossList): EncodeInput {
	const source = codecOf(session.format);
	if (!source) throw new Error(`no codec for ${session.format}`);
	const ready = prepared(session, source, session.format !== codec.id, losses);
	refuseSilence(session, ready);
	const placed = options.cwd === undefined ? ready.entries : ready.entries.map(withoutFolder);
	const mapped = withTools(placed, session, codec, options, losses);
	const told = { entries: mapped, leaf: ready.leaf };
	const id = options.id ?? idFor(session, codec);
	if (options.id === undefined && id !== session.id) {
		const note = `the session is called ${id} here: ${codec.name} would not find ${session.id || 'one without an id'}`;
		losses.push({ entry: '', path: 'id', how: 'approximated', note });
	}
	const { profile } = options;
	const adopted = session.format === codec.id ? undefined : codec.write.adopt?.(told, { session: id, profile }, losses);
	return {
		profile,
		id,
		header: headerFor(session, source, codec, options),
		...(adopted ?? told),
		losses,
		...compact({ path: options.path, reference: options.reference }),
	};
}

/** Converts the further windows of a session. */
function* goingOn(
	windows: Iterable<readonly Entry[]>,
	session: Session,
	codec: Codec,
	options: ConvertOptions,
	losses: LossList,
): Generator<readonly Entry[]> {
	const source = codecOf(session.format);
	const begun = session.entries.find((entry) => entry.time !== undefined) ?? session.entries[0];
	if (!source || !begun) return;
	const to = { session: options.id ?? idFor(session, codec), profile: options.profile, begun };
	let last = session.leaf;
	for (const entries of windows) {
		const window = { entries, leaf: lastInGraph(entries) };
		const { entries: ready, leaf } = prepared({ ...session, ...window }, source, true, losses, last);
		const placed = options.cwd === undefined ? ready : ready.map(withoutFolder);
		const mapped = withTools(placed, session, codec, options, losses);
		last = window.leaf ?? last;
		yield codec.write.adopt ? codec.write.adopt({ entries: mapped, leaf }, to, losses).entries : mapped;
	}
}

function withTools(
	entries: readonly Entry[],
	{ format }: Session,
	codec: Codec,
	{ mapTools: all = false, agent }: ConvertOptions,
	losses: Loss[],
): readonly Entry[] {
	return all || agent ? mapTools(entries, format, codec.id, losses, { all, ...compact({ agent }) }) : entries;
}

/** The entry without a folder of its own: the whole session gets the folder that was asked for. */
function withoutFolder(entry: Entry): Entry {
	if (entry.kind !== 'setting' || entry.set.cwd === undefined) return entry;
	const { cwd: _, ...set } = entry.set;
	return { ...entry, set };
}

/** Throws for a conversation without content: no client goes on from nothing, or from empty messages. */
function refuseSilence(session: Session, { entries, leaf }: EntriesWithLeaf): void {
	const last = entries.findLast((entry) => entry.id === leaf);
	if (last && saysSomething(last)) return;
	if (entries.some(inGraph) ? history({ entries }, leaf).some(saysSomething) : entries.some(saysSomething)) return;
	const why = entries.some(saysSomething) ? 'goes on from nothing that was said' : 'has no messages';
	throw new InputError('no-messages', `the session ${session.id} ${why}: there is nothing to convert`);
}

function saysSomething(entry: Entry): boolean {
	if (entry.kind !== 'message' || entry.agent !== undefined) return false;
	return entry.content.some((block) => block.type !== 'text' || block.text.trim() !== '');
}

/** The entries in the form that every writer takes. */
function prepared(
	session: Session,
	source: Codec,
	foreign: boolean,
	losses: Loss[],
	after?: EntryId | null,
): EntriesWithLeaf {
	const { leaf, bridges } = session;
	const bridgesGaps =
		source.context.resumePath?.links(session.dialect) === true && source.context.resumePath.bridgesGaps;
	const options = { bridgesGaps, bridges, after: after ?? undefined };
	const straight = { entries: straighten(flatten(session, losses), options, losses), leaf };
	return pairCalls(foreign ? tidy(straight, losses) : straight, (tool) => source.context.unanswered(tool), losses);
}

/** The new session's id: the old one where it is a UUID, which every client takes, else one made from its bytes. */
export function idFor(session: Session, codec: Codec): string {
	if (isUuid(session.id)) return session.id.toLowerCase();
	if (codec.id !== session.format && bareUuid.test(session.id)) return hyphenated(session.id.toLowerCase());
	// The name of a file that does not say its id is no id: clients refuse to resume by it.
	if (codec.id === session.format && session.header.id) return session.header.id;
	const time = new Date(session.header.created ?? Number.NaN);
	return codec.write.newId(digestOf(session), Number.isNaN(time.getTime()) ? new Date(0) : time);
}

/** The id of a copy for another agent: two sessions with one id could not be told apart. Equal bytes give equal ids. */
export function copyId(session: Session, agent: string): string {
	return deriveUuid('copy', agent, session.id, Buffer.from(digestOf(session)).toString('hex'));
}

/** A UUID without hyphens, as the document of Clido's format writes it. */
const bareUuid = /^[0-9a-f]{32}$/i;

function hyphenated(hex: string): string {
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const digests = new WeakMap<Source, Uint8Array>();

/** SHA-256 of the session's main file, which is read once: an id must be unique, so a sum would not do. */
function digestOf({ source }: Pick<Session, 'source'>): Uint8Array {
	let digest = digests.get(source);
	if (!digest) {
		const hash = createHash('sha256');
		for (const piece of reusedPieces(source)) hash.update(piece);
		digest = hash.digest();
		digests.set(source, digest);
	}
	return digest;
}

function headerFor(session: Session, source: Codec, codec: Codec, options: ConvertOptions): Header {
	const { id: _id, dialect: _dialect, agent: _agent, ...header } = session.header;
	const provider = codec.capabilities.model ? (header.provider ?? source.provider) : header.provider;
	return { ...header, ...compact({ provider, cwd: options.cwd }) };
}
