/** Plans a rewind: which files become what, what stands in the way, and what nobody can bring back. Nothing is changed. */
import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { decide } from '../agent/permissions/decide.ts';
import { isProtected } from '../agent/permissions/protected.ts';
import { noRules } from '../agent/permissions/rule.ts';
import { nodeHost } from '../host/node-host.ts';
import { type EntryId, history, isObject, type Session, type ToolCallBlock } from '../model/index.ts';
import { translateCall } from '../move/index.ts';
import {
	carryOut,
	newOrder,
	pendingRewind,
	type RewindDone,
	type RewindOrder,
	type RewindPlace,
} from '../store/checkpoints/carry-out.ts';
import { FileHistory, type HistoryStep } from '../store/checkpoints/file-history.ts';
import {
	cutAt,
	type FileStory,
	type FilesPlan,
	missedSince,
	type PlannedFile,
	planFiles,
	storiesSince,
} from '../store/checkpoints/plan-files.ts';
import { storiesTaken } from '../store/checkpoints/session-checkpoints.ts';
import { InputError } from '../store/errors.ts';
import { thisMachine } from '../store/find/folders.ts';
import { projectAt } from '../store/find/project.ts';
import { openState } from '../store/handle/open-state.ts';
import { entryAt } from '../store/manage/fork.ts';
import { openSession } from '../store/reader/session-reader.ts';

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

export interface RewindPlan extends FilesPlan {
	readonly place: RewindPlace;
	/** Where the conversation will go on; absent where it stays. */
	readonly to?: EntryId;
	/** The entry whose files are restored. */
	readonly at?: EntryId;
	readonly undoes?: string;
	/** Where the conversation goes on now. */
	readonly from?: EntryId;
	/** The folder of the session. */
	readonly folder: string;
	/** Shell commands since then whose changes nobody has kept. */
	readonly unknownCommands: readonly string[];
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
	const session = await openSession(path, { subagents: false });
	const steps = new FileHistory(place.machine, place.session).steps();
	const from = openState(path).held.leaf ?? undefined;
	const folder = folderOf(session, request, steps);
	const base = { place, folder, ...(from === undefined ? {} : { from }) };
	return request.to === undefined
		? planUndo(request, steps, base)
		: await planBack(request, entryAt(session, request.to, path), { session, steps, base });
}

type Base = Pick<RewindPlan, 'place' | 'folder' | 'from'>;

/** Back to before the last rewind: whatever was done since is undone with it. */
function planUndo({ path, files, conversation }: RewindRequest, steps: readonly HistoryStep[], base: Base): RewindPlan {
	const index = steps.findLastIndex((step) => step.is === 'rewind');
	const last = steps[index];
	if (last?.is !== 'rewind') throw new InputError('nothing-to-undo', `${path} was not rewound by Reprise`);
	const { copies } = new FileHistory(base.place.machine, base.place.session);
	const plan = files ? planFiles(storiesSince(steps, index).values(), copies) : noFiles;
	const to = conversation && last.from !== undefined ? { to: last.from } : {};
	return { ...base, ...plan, ...to, undoes: last.id, unknownCommands: [] };
}

const noFiles: FilesPlan = { files: [], missed: [] };

interface Known {
	readonly session: Session;
	readonly steps: readonly HistoryStep[];
	readonly base: Base;
}

async function planBack(request: RewindRequest, at: EntryId, known: Known): Promise<RewindPlan> {
	const { session, steps, base } = known;
	const to = request.conversation && !isThere(session, base.from, at) ? { to: at } : {};
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
	const taken = takenStories(request, at, known);
	const { copies } = new FileHistory(base.place.machine, base.place.session);
	const plan = planFiles(merged(own, taken.stories).values(), copies);
	const unknownCommands = await commandsAfter(session, at, steps, base.folder);
	return {
		...base,
		...to,
		at,
		unknownCommands,
		files: plan.files,
		missed: [...missedSince(steps, cut), ...taken.missed, ...plan.missed],
	};
}

/** True where nothing was said since the entry: going back to it once more would only be one more rewind to undo. */
function isThere(session: Session, leaf: EntryId | undefined, at: EntryId): boolean {
	const way = leaf === undefined ? [] : history(session, leaf);
	const index = way.findLastIndex(({ id }) => id === at);
	return index !== -1 && way.slice(index + 1).every(({ kind }) => kind !== 'message');
}

/** The session's folder, where the user may be taken at their word that it is theirs. */
function folderOf({ header }: Session, { folder, cwd }: RewindRequest, steps: readonly HistoryStep[]): string {
	if (folder !== undefined) return realpathSync(resolve(folder));
	const noted = steps.findLast((step) => step.is === 'prompt');
	const told = (noted?.is === 'prompt' ? noted.cwd : undefined) ?? header.cwd;
	return told !== undefined && existsSync(told) ? realpathSync(told) : cwd;
}

/** What the client's own checkpoints say. They are the word of whoever wrote the session: they hold in the user's project only. */
function takenStories(request: RewindRequest, at: EntryId, { session, steps, base }: Known) {
	const known = new Set(steps.flatMap((step) => (step.is === 'prompt' ? [step.prompt] : [])));
	const hasOthers = session.entries.some(
		({ kind, ...entry }) => kind === 'checkpoint' && !known.has(String('of' in entry ? entry.of : '')),
	);
	if (!hasOthers) return { stories: [], missed: [] };
	const { folder } = base;
	if (request.folder === undefined && !projectAt(request.cwd).has(folder)) {
		const why = `the session's own checkpoints are of files in ${folder}, which is another project: go there, or name it with --cwd`;
		return { stories: [], missed: [why] };
	}
	const { copies } = new FileHistory(base.place.machine, base.place.session);
	const found = storiesTaken({ session, path: request.path, to: at, folder, copies, known });
	const kept = found.stories.filter(({ path }) => isProtected(relative(folder, path)));
	return {
		stories: found.stories.filter((story) => !kept.includes(story)),
		missed: [...found.missed, ...kept.map(({ path }) => `${path} is obeyed by other programs: it is left as it is`)],
	};
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

/** Commands after the entry that may have written something, and that nobody was looking at. */
async function commandsAfter(
	session: Session,
	at: EntryId,
	steps: readonly HistoryStep[],
	cwd: string,
): Promise<readonly string[]> {
	const watched = new Set(steps.flatMap((step) => (step.is === 'begin' ? [step.call] : [])));
	const prompts = new Set(steps.flatMap((step) => (step.is === 'prompt' ? [step.prompt] : [])));
	const host = nodeHost();
	const found: string[] = [];
	const from = session.entries.findLastIndex(({ id }) => id === at);
	let isOurs = false;
	for (const entry of session.entries.slice(from + 1)) {
		if (prompts.has(entry.id)) isOurs = true;
		else if (entry.kind === 'message' && entry.role === 'user' && entry.content.some(({ type }) => type === 'text'))
			isOurs = false;
		if (entry.kind !== 'message' || isOurs) continue;
		for (const block of entry.content) {
			const command = block.type === 'tool_call' && !watched.has(block.id) ? commandOf(block, session) : undefined;
			if (command === undefined) continue;
			const circumstances = {
				mode: 'default',
				rules: noRules,
				cwd,
				dirs: [],
				home: host.home,
				files: host.names,
			} as const;
			const { decision } = await decide({ tool: 'Bash', input: { command } }, circumstances);
			if (decision !== 'allow') found.push(command);
		}
	}
	return found;
}

function commandOf({ name, input }: ToolCallBlock, { format }: Session): string | undefined {
	const call = (isObject(input) && translateCall({ name, input }, format, 'claude-code')) || { name, input };
	const isCommand = call.name === 'Bash' && isObject(call.input) && typeof call.input.command === 'string';
	return isCommand && isObject(call.input) ? String(call.input.command) : undefined;
}

/** The plan as it is carried out. Conflicts are left alone unless the user wants to overwrite them. */
export function orderOf(plan: RewindPlan, overwrite: boolean): RewindOrder {
	const { to, at, from, undoes, folder, files } = plan;
	const wanted = files.filter(({ conflict, stays }) => conflict === undefined || (overwrite && !stays));
	return newOrder({
		...(to === undefined ? {} : { to }),
		...(at === undefined ? {} : { at }),
		...(from === undefined || to === undefined ? {} : { from }),
		...(undoes === undefined ? {} : { undoes }),
		changes: wanted.map(({ path, now, target }: PlannedFile) => ({ path, before: now, after: target })),
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
