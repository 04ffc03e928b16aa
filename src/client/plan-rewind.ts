/** Plans a rewind as a whole: from which entry, and what stands in the way; what becomes of each file, and what cannot be brought back, is planned in `store/checkpoints/plan-files.ts`. Nothing is changed. */
import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isProtected } from '../agent/permissions/protected.ts';
import { prompted } from '../codecs/index.ts';
import { ignoredSince } from '../host/looks/ignored-files.ts';
import { lateEnds } from '../host/looks/killed-commands.ts';
import { type EntryId, entryText, history, type Session } from '../model/index.ts';
import {
	carryOut,
	newOrder,
	pendingRewind,
	type RewindDone,
	type RewindOrder,
	type RewindPlace,
} from '../store/checkpoints/carry-out-rewind.ts';
import { type EndStep, FileHistory, type HistoryStep } from '../store/checkpoints/file-history.ts';
import { originsIn, sessionOf } from '../store/checkpoints/inherit.ts';
import {
	commandsSince,
	cutAt,
	type FileStory,
	type FilesPlan,
	missedSince,
	type PlannedFile,
	planFiles,
	storiesSince,
} from '../store/checkpoints/plan-files.ts';
import { storiesTaken, type TakenStories } from '../store/checkpoints/session-checkpoints.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { projectAt, repositoryOf } from '../store/find/project.ts';
import { openState } from '../store/handle/open-state.ts';
import { entryAt } from '../store/manage/fork.ts';
import { backTo } from '../store/manage/rewind.ts';
import { openSession } from '../store/reader/session-reader.ts';
import type { NotCovered } from './not-covered.ts';
import { commandsAfter } from './unwatched-commands.ts';

export interface RewindRequest {
	/** The session's main file. */
	readonly path: string;
	/** The entry to go back to; its id or the beginning of it. Absent: the last rewind is undone. */
	readonly to?: EntryId;
	/** Files are restored. */
	readonly files: boolean;
	/** The conversation goes back. */
	readonly conversation: boolean;
	/** The folder that the user is in. Names in the session's own checkpoints count only if its folder belongs to that project. */
	readonly cwd: string;
	/** The session's folder, where it was moved. */
	readonly folder?: string;
}

export interface RewindPlan extends FilesPlan, NotCovered {
	readonly place: RewindPlace;
	/** The entry that the conversation goes back to, or `null` for its beginning; absent where it stays. */
	readonly to?: EntryId | null;
	/** The main file of the session that `to` is in, where that is another one. */
	readonly in?: string;
	/** The prompt at `to`: the conversation goes on from before it, so that it can be said anew. */
	readonly prompt?: string;
	/** The entry whose files are restored. */
	readonly at?: EntryId;
	readonly undoes?: string;
	/** Where the conversation goes on now. */
	readonly from: EntryId | null;
	/** The folder of the session. */
	readonly folder: string;
	/** Ends of commands that were cut off, as they are found now. */
	readonly ended: readonly EndStep[];
}

/** Where a session's rewinds are kept, and the one that was begun and not finished. */
export async function rewindPlace(
	path: string,
): Promise<{ readonly place: RewindPlace; readonly pending?: RewindOrder }> {
	const { held } = openState(path);
	const place = { machine: thisMachine(), path, session: { format: held.codec.id, id: held.id } };
	const pending = pendingRewind(place);
	return { place, ...(pending ? { pending } : {}) };
}

/** What a rewind would do: nothing is changed until `rewindByPlan` is given the plan. */
export async function planRewind(request: RewindRequest): Promise<RewindPlan> {
	const { path } = request;
	const { place } = await rewindPlace(path);
	const session = await openSession(path, { subagents: request.files });
	const noted = new FileHistory(place.machine, place.session).steps();
	const ended = request.files ? await lateEnds(place.machine, noted) : [];
	const steps = [...noted, ...ended];
	const from = openState(path).held.leaf;
	const folder = folderOf(session, request, steps);
	const base = { place, folder, from, ended };
	return request.to === undefined
		? await planUndo(request, { session, steps, base })
		: await planBack(request, entryAt(session, request.to, path), { session, steps, base });
}

type Base = Pick<RewindPlan, 'place' | 'folder' | 'from' | 'ended'>;

/** Back to before the last rewind: whatever was done since is undone with it. */
async function planUndo(
	{ path, files, conversation }: RewindRequest,
	{ session, steps, base }: Known,
): Promise<RewindPlan> {
	const index = steps.findLastIndex((step) => step.is === 'rewind');
	const last = steps[index];
	if (last?.is !== 'rewind') throw new InputError('nothing-to-undo', `${path} was not rewound by Reprise`);
	const { copies } = new FileHistory(base.place.machine, base.place.session);
	const plan = files ? planFiles(storiesSince(steps, index).values(), copies) : noFiles;
	const open = files ? await openSince(steps, index, base.folder) : { missed: [] };
	const missed = [...open.missed, ...plan.missed];
	const whole = { ...base, ...plan, ...open, missed, undoes: last.id, unknownCommands: [] };
	if (!conversation || last.from === undefined) return whole;
	const other = sessionOf(steps, index);
	if (!other) return isThere(session, base.from, last.from) ? whole : { ...whole, to: last.from };
	if (existsSync(other.path)) return { ...whole, to: last.from, in: other.path };
	return {
		...whole,
		missed: [...missed, `what was said before the rewind is gone with its session ${other.path}`],
	};
}

const noFiles: FilesPlan = { files: [], missed: [], stays: [] };

interface Known {
	readonly session: Session;
	readonly steps: readonly HistoryStep[];
	readonly base: Base;
}

async function planBack(request: RewindRequest, at: EntryId, known: Known): Promise<RewindPlan> {
	const { session, steps, base } = known;
	const back = backTo(session, at);
	const prompt = back.prompt ? { prompt: prompted(entryText(back.prompt)).text } : {};
	const to = request.conversation && !isThere(session, base.from, back.at) ? { to: at, ...prompt } : {};
	if (!request.files) return { ...base, ...noFiles, ...to, at, unknownCommands: [] };
	const stays = history(session, at);
	const calls = new Set(
		stays.flatMap((entry) =>
			entry.kind === 'message'
				? entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.call] : []))
				: [],
		),
	);
	const cut = cutAt(steps, { entries: new Set(stays.map(({ id }) => id)), calls });
	const own = storiesSince(steps, cut);
	const taken = await takenStories(request, at, known);
	const { copies } = new FileHistory(base.place.machine, base.place.session);
	const plan = planFiles(merged(own, taken.stories).values(), copies);
	const unknownCommands = await commandsAfter(session, at, steps, base.folder);
	const open = await openSince(steps, cut, base.folder);
	return {
		...base,
		...to,
		at,
		unknownCommands,
		...open,
		files: plan.files,
		stays: plan.stays,
		missed: [...open.missed, ...taken.missed, ...plan.missed],
	};
}

/** What the steps from `cut` on could not keep. */
async function openSince(
	steps: readonly HistoryStep[],
	cut: number,
	folder: string,
): Promise<Omit<NotCovered, 'unknownCommands'>> {
	const since = commandsSince(steps, cut);
	const ignored =
		since === undefined ? undefined : await ignoredSince(folder, since, new Set(storiesSince(steps, cut).keys()));
	const looks = steps.slice(cut).flatMap((step) => (step.is === 'begin' ? (step.looks ?? []) : []));
	const keptIgnored = looks.flatMap((look) => look.ignored ?? []);
	const { root: repository } = repositoryOf(folder);
	const isPart = since !== undefined && repository !== folder && !looks.some((look) => look.folder === repository);
	return {
		missed: missedSince(steps, cut),
		...(isPart ? { beyond: { folder, repository } } : {}),
		...(ignored ? { ignored, keptIgnored: [...new Set(keptIgnored)] } : {}),
	};
}

/** True where nothing was said since the entry: going back to it once more would only be one more rewind to undo. */
function isThere(session: Session, leaf: EntryId | null, at: EntryId | null): boolean {
	const way = leaf === null ? [] : history(session, leaf);
	const index = way.findLastIndex(({ id }) => id === at);
	return (index !== -1 || at === null) && way.slice(index + 1).every(({ kind }) => kind !== 'message');
}

/** The session's folder, where the user may be taken at their word that it is theirs. */
function folderOf({ header }: Session, { folder, cwd }: RewindRequest, steps: readonly HistoryStep[]): string {
	if (folder !== undefined) return realpathSync(resolve(folder));
	const noted = steps.findLast((step) => step.is === 'prompt');
	const told = (noted?.is === 'prompt' ? noted.cwd : undefined) ?? header.cwd;
	return told !== undefined && existsSync(told) ? realpathSync(told) : cwd;
}

/** What the client's own checkpoints say. They are the word of whoever wrote the session: they hold in the user's project only. */
async function takenStories(
	request: RewindRequest,
	at: EntryId,
	{ session, steps, base }: Known,
): Promise<TakenStories> {
	const { folder } = base;
	const known = new Set(steps.flatMap((step) => (step.is === 'prompt' ? [step.prompt] : [])));
	const sources = [...(await originals(at, steps)), { path: request.path, session }].filter(({ session: one }) =>
		one.entries.some(
			({ kind, ...entry }) => kind === 'checkpoint' && !known.has(String('of' in entry ? entry.of : '')),
		),
	);
	if (sources.length === 0) return { stories: [], missed: [] };
	if (request.folder === undefined && !projectAt(request.cwd).has(folder)) {
		const why = `the session's own checkpoints are of files in ${folder}, which is another project: go there, or name it with --cwd`;
		return { stories: [], missed: [why] };
	}
	const { copies } = new FileHistory(base.place.machine, base.place.session);
	const found = sources.map((source) => storiesTaken({ ...source, seen: session, to: at, folder, copies, known }));
	const stories = found.flatMap((one) => one.stories);
	const kept = stories.filter(({ path }) => isProtected(relative(folder, path)));
	return {
		stories: stories.filter((story) => !kept.includes(story)),
		missed: [
			...found.flatMap((one) => one.missed),
			...kept.map(({ path }) => `${path} is obeyed by other programs: it is left as it is`),
		],
	};
}

/** The sessions of which this one is a copy, and which have the entry: their client keeps checkpoints with them, and copies none. */
async function originals(at: EntryId, steps: readonly HistoryStep[]) {
	const found = new Map<string, { readonly path: string; readonly session: Session; readonly until: number }>();
	for (const { path, id, time } of originsIn(steps)) {
		if (found.has(path)) continue;
		const session = await openSession(path, { subagents: false });
		if (session.id === id && session.entries.some((entry) => entry.id === at))
			found.set(path, { path, session, until: Date.parse(time) });
	}
	return [...found.values()];
}

/** Of two stories of a file, the one that begins earlier tells what it was, and the one that ends later what was left. */
function merged(own: Map<string, FileStory>, taken: readonly FileStory[]): Map<string, FileStory> {
	for (const story of taken) {
		const known = own.get(story.path);
		const target = known && known.first <= story.first ? known.target : story.target;
		const left = known && known.last >= story.last ? known.left : story.left;
		own.set(story.path, { ...story, target, left, others: known?.others ?? false });
	}
	return own;
}

/** The plan as it is carried out. Conflicts are left alone unless the user wants to overwrite them. */
export function orderOf(plan: RewindPlan, overwrite: boolean): RewindOrder {
	const { to, in: other, at, from, undoes, folder, files, ended } = plan;
	const wanted = files.filter(({ conflict }) => conflict === undefined || overwrite);
	return newOrder({
		...(to === undefined ? {} : { to, from }),
		...(other === undefined ? {} : { in: other }),
		...(at === undefined ? {} : { at }),
		...(undoes === undefined ? {} : { undoes }),
		changes: wanted.map(({ path, now, target }: PlannedFile) => ({ path, before: now, after: target })),
		...(ended.length === 0 ? {} : { ended }),
		roots: [folder],
	});
}

/** Carries out a plan. What was there before is kept, so that planning without `to` undoes it. */
export async function rewindByPlan(
	plan: RewindPlan,
	options: { readonly overwrite?: boolean } = {},
): Promise<RewindDone> {
	return await carryOut(plan.place, orderOf(plan, options.overwrite === true));
}

/** The bytes of a form, to show a difference; undefined where it has none. */
export function bytesOfForm({ place }: RewindPlan, sha256: string): Uint8Array | undefined {
	return new FileHistory(place.machine, place.session).copies.read(sha256);
}
