/** Forks a session: up to which entry, under which id and file name, with which side files, sub-agents and file history; and which entry a shortened id means. */

import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Codec, codecOf, type Forked, type ForkInput, findResumePath, type Machine } from '../../codecs/index.ts';
import { openFile } from '../../log/file-source.ts';
import { createFiles } from '../../log/index.ts';
import { type EntryId, type FormatId, inGraph, type Loss, type Profile, type Session } from '../../model/index.ts';
import { inheritHistory, type Origin } from '../checkpoints/inherit.ts';
import { InputError } from '../errors.ts';
import { diskFolders, thisMachine } from '../find/folders.ts';
import { besidePath, keepHome, placeOf } from '../find/place.ts';
import { sessionId } from '../find/session-files.ts';
import { indexLoss } from '../handle/handle-files.ts';
import { openState } from '../handle/open-state.ts';
import { subagentFiles } from '../handle/subagents.ts';
import { noteCarried } from '../own-data/carried-notes.ts';
import { orLoss } from '../own-data/own-data.ts';
import { scanIndex } from '../reader/scan-index.ts';
import { openSession } from '../reader/session-reader.ts';
import { withoutBroken } from '../reader/tail.ts';
import { type CopiedSubagents, copiedSubagents } from './copy-subagents.ts';

export interface ForkOptions {
	/** The new main file. Default: beside the old one, under the name that the client would choose. */
	readonly to?: string;
	/** The profile to write in. Default: that of the original. */
	readonly profile?: Profile;
	/** Leave compactions out: the copy goes on from all that was said before `at`. */
	readonly uncompacted?: boolean;
	/** The session whose file history the copy goes on with. Default: the one that is copied. */
	readonly historyOf?: Origin;
	readonly now?: () => number;
	/** The machine whose clients' homes count. Default: this one. */
	readonly machine?: Machine;
}

export interface ForkedSession {
	readonly format: FormatId;
	readonly id: string;
	/** The new main file; `files` lists every file that was made. */
	readonly path: string;
	readonly files: readonly string[];
	/** The last entry that was copied, by its id in the original; `null` where nothing was. */
	readonly at: EntryId | null;
	readonly losses: readonly Loss[];
}

/** Copies the session at `path` up to the entry `at` (default: where its conversation goes on; `null`: nothing that was said). */
export async function forkSession(
	path: string,
	at?: EntryId | null,
	options: ForkOptions = {},
): Promise<ForkedSession> {
	const session = await openSession(path, { subagents: false });
	const codec = codecOf(session.format);
	if (!codec) throw new Error(`no codec for ${session.format}`);
	const original = openState(path);
	const profile = options.profile ?? original.profile;
	const entry = at === null ? null : entryAt(session, at === undefined ? session.leaf : at, path);
	const time = new Date(options.now?.() ?? Date.now());
	const id = codec.write.newId(randomBytes(16), time, profile);
	const machine = options.machine ?? thisMachine();
	const made = { id, created: time.toISOString(), profile };
	const place = original.stat === undefined ? outsideOf(codec, session, made, machine) : undefined;
	const to = resolve(options.to ?? place ?? besideOf(codec, session, path, made, machine));
	keepHome(codec, to, machine, original.profile, profile);
	const from = resolve(path);
	const way = entry === null ? [] : pathTo(codec, session, at === undefined ? undefined : entry);
	const base = { session, at: entry, ...(way ? { path: way } : {}), id, time: time.toISOString(), from, to, profile };
	const { compaction, ...side } = sideFilesOf(codec, path);
	const { uncompacted = false } = options;
	const input: ForkInput = { ...base, ...side, ...(uncompacted || !compaction ? { uncompacted } : { compaction }) };
	const copied = forked(codec, input);
	const beside = copied.beside.map((file) => ({ to: besidePath(codec, to, file.path), pieces: file.bytes }));
	const root = { path: from, id: session.id, format: session.format, profile, machine };
	// Only where there are sub-agents is the whole copy held at once.
	const pieces = subagentFiles(root).length === 0 ? copied.pieces : [...copied.pieces];
	const agents = Array.isArray(pieces) ? copiedSubagents(root, { path: to, id }, pieces) : noAgents;
	const plan = [...beside, ...agents.files, { to, pieces }];
	for (const file of plan) {
		if (existsSync(file.to)) throw new InputError('exists', `${file.to} exists already: nothing was written`);
	}
	await createFiles(plan);
	const { format } = session;
	const source: Origin = { path: from, session: { format, id: session.id } };
	const hasCheckpoints = session.entries.some(({ kind }) => kind === 'checkpoint');
	const { historyOf } = options;
	const copy: Origin = { path: to, session: { format, id } };
	// The copy is there, and is one without it: where our own data cannot be written, no session has a file history.
	const unkept = await orLoss('its file history', () =>
		inheritHistory(machine, copy, source, { historyOf, hasCheckpoints }),
	);
	const unlisted = indexLoss(codec, to, machine);
	const unnoted = await orLoss('which session wrote the responses first', () =>
		noteFork(machine, codec, { from, to, length: session.source.size, agents: agents.ids }),
	);
	const files = [to, ...[...beside, ...agents.files].map((file) => file.to)];
	const losses = [...copied.losses, ...agents.losses, ...unkept, ...unlisted, ...unnoted];
	return { format, id, path: to, files, at: entry, losses };
}

const noAgents: CopiedSubagents = { files: [], ids: [], losses: [] };

interface ForkPlaces {
	readonly from: string;
	readonly to: string;
	/** The length of the original's file. */
	readonly length: number;
	/** The sub-agents whose files were copied. */
	readonly agents: readonly string[];
}

/** Notes that all of a fork is the original's: nothing in its bytes says which of both was first, and nobody pays twice. */
async function noteFork(machine: Machine, codec: Codec, { from, to, length, agents }: ForkPlaces): Promise<void> {
	const { id: format } = codec;
	const until = Date.now();
	const origin = { of: { format, id: sessionId(codec, from) }, length, hops: 1, forked: until };
	const isDocument = codec.places.usage?.elements !== undefined;
	const main = { ...origin, from: 0, ...(isDocument ? { until } : { to: statSync(to).size }) };
	const threads = agents.length === 0 ? [] : [{ ...origin, from: 0, until, agents }];
	await noteCarried(machine, { format, id: sessionId(codec, to), parts: [main, ...threads] });
}

/** What the codec makes. Not every format can hold a session in which nothing was said. */
function forked(codec: Codec, input: ForkInput): Forked {
	const made = codec.write.fork(input);
	if (input.at !== null) return made;
	const pieces = [...made.pieces];
	if (pieces.some(({ length }) => length > 0)) return { ...made, pieces };
	const { from } = input;
	throw new InputError('empty', `nothing was said in ${from} before that entry: begin a new session instead`);
}

/** The entries on the way to `at`, or to where the conversation goes on. */
function pathTo(codec: Codec, session: Session, at: EntryId | undefined): readonly EntryId[] | undefined {
	const { resumePath } = codec.context;
	if (!resumePath?.links(session.dialect)) return undefined;
	return withoutBroken((broken) => {
		const index = scanIndex(session.source, resumePath.envelope, { broken });
		const lines = findResumePath(index, resumePath, at)?.lines ?? [];
		return lines.length === 0 ? undefined : lines.flatMap((line) => resumePath.id(index, line) ?? []);
	});
}

/** The entry to stop at, or a message that says which could be meant. */
export function entryAt(session: Session, wanted: EntryId | null, path: string): EntryId {
	if (wanted === null) throw new InputError('empty', `${path} holds no conversation: there is nothing to take over`);
	const entry = session.entries.findLast((one) => one.id === wanted);
	if (entry && inGraph(entry)) return entry.id;
	const starting = session.entries.filter((one) => inGraph(one) && one.id.startsWith(wanted));
	const [only] = starting;
	if (wanted !== '' && only && starting.every((one) => one.id === only.id)) return only.id;
	const why = entry ? 'stands beside the conversation' : starting.length > 1 ? 'could be several' : 'is not there';
	throw new InputError(
		'unknown-entry',
		`the entry ${wanted} ${why} in ${path}; \`reprise show SESSION --ids\` lists entries`,
	);
}

/** The main file of a fork: beside the original. A folder that is named after its session is not shared: the fork gets one of its own. */
function besideOf(
	codec: Codec,
	session: Session,
	path: string,
	made: { readonly id: string; readonly created: string; readonly profile: Profile },
	machine: Machine,
): string {
	const cwd = session.header.cwd ?? '/';
	const place = codec.places.place(machine, { ...made, cwd });
	const folder = dirname(resolve(path));
	if (basename(folder) === session.id) return join(dirname(folder), made.id, basename(place));
	return join(folder, basename(place));
}

/** The main file of a fork of a session in a database: no client looks for files beside one, so it goes where its agent has its files. */
function outsideOf(
	codec: Codec,
	session: Session,
	made: { readonly id: string; readonly created: string; readonly profile: Profile },
	machine: Machine,
): string {
	const { cwd } = session.header;
	const profile = codec.agents.some(({ ownFolder }) => ownFolder) ? 'published' : made.profile;
	return placeOf(machine, codec, { ...made, cwd, profile });
}

function sideFilesOf(codec: Codec, path: string): Pick<ForkInput, 'manifest' | 'compaction'> {
	const found: { manifest?: Uint8Array; compaction?: Uint8Array } = {};
	for (const file of codec.places.sideFiles(path, diskFolders)) {
		if (file.role !== 'manifest' && file.role !== 'compaction') continue;
		using source = openFile(file.path);
		found[file.role] = source.read(0, source.size);
	}
	return found;
}
