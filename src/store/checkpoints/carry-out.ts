/** Carries out a rewind so that it can be killed anywhere: it is written down first, and whoever comes next finishes it. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Machine } from '../../codecs/index.ts';
import { LogHeld } from '../../log/index.ts';
import { type EntryId, isObject, type Json, type NamedSession } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { openHandle, type Rewound, type SessionHandle } from '../handle/handle.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { ownLog, readOwn } from '../own-data/own-data.ts';
import { changeOf, FileHistory } from './file-history.ts';
import { type FormedChange, formHere, sameForm } from './forms.ts';
import { restoreAll } from './restore-file.ts';

/** What is to be done, as it is written down. */
export interface RewindOrder {
	/** The id of the checkpoint. */
	readonly id: string;
	readonly time: string;
	/** Where the conversation goes on; absent where only files change. */
	readonly to?: EntryId;
	/** The entry whose files these are, for the record. */
	readonly at?: EntryId;
	/** Where it went on before. */
	readonly from?: EntryId;
	readonly undoes?: string;
	/** `before` is what is there now, `after` what it becomes. */
	readonly changes: readonly FormedChange[];
	/** Folders that stay, however empty they become. */
	readonly roots: readonly string[];
}

export interface RewindDone {
	readonly id: string;
	readonly restored: readonly FormedChange[];
	/** Files that were changed by somebody while this was under way: they are left as they are. */
	readonly kept: readonly FormedChange[];
	readonly conversation?: Rewound;
}

export interface RewindPlace {
	readonly machine: Machine;
	/** The session's main file. */
	readonly path: string;
	readonly session: NamedSession;
}

export function newOrder(order: Omit<RewindOrder, 'id' | 'time'>): RewindOrder {
	return { id: randomBytes(6).toString('hex'), time: new Date().toISOString(), ...order };
}

/** The rewind of this session that was begun and not finished. */
export function pendingRewind({ machine, session }: RewindPlace): RewindOrder | undefined {
	const value = readOwn(new FileHistory(machine, session).planFile);
	if (!value || typeof value.id !== 'string' || !Array.isArray(value.changes)) return undefined;
	const changes = value.changes.flatMap((change: Json) => (isObject(change) ? (changeOf(change) ?? []) : []));
	return { ...value, changes } as unknown as RewindOrder;
}

/** Only the conversation goes back: nothing has to be prepared, and it can be undone too. */
export async function rewindConversation({ machine, path, session }: RewindPlace, to: EntryId): Promise<Rewound> {
	await using handle = await openHandle(path);
	const from = handle.leaf;
	const moved = await handle.rewind(to);
	if (moved.fork || from === null) return moved;
	const { id, time } = newOrder({ changes: [], roots: [] });
	new FileHistory(machine, session).append({ is: 'rewind', id, time, to: moved.leaf, from, changes: [] });
	return moved;
}

/** Does it from the beginning. */
export async function carryOut(place: RewindPlace, order: RewindOrder): Promise<RewindDone> {
	const history = new FileHistory(place.machine, place.session);
	return await alone(place, history, async (write) => {
		// What is there now is copied before anything is written: without it the rewind could not be undone.
		const ready = order.changes.filter(({ path, before }) => {
			const now = formHere(path, (bytes, sha256) => history.copies.keep(bytes, sha256, true));
			return sameForm(now, before) || (before.is === 'absent' && now.is === 'unknown');
		});
		history.copies.settle(ready.flatMap(({ after }) => (after.is === 'file' ? [after.sha256] : [])));
		await write({ ...order, changes: ready });
		const done = await finish(place, history, { ...order, changes: ready });
		return { ...done, kept: [...order.changes.filter((change) => !ready.includes(change)), ...done.kept] };
	});
}

/** Goes on with one that was begun. */
export async function finishRewind(place: RewindPlace, order: RewindOrder): Promise<RewindDone> {
	const history = new FileHistory(place.machine, place.session);
	return await alone(place, history, async () => await finish(place, history, order));
}

/** One rewind of a session at a time: the second would take the first one's half-done work for somebody's changes. */
async function alone<T>(
	{ machine, path }: RewindPlace,
	history: FileHistory,
	work: (write: (order: RewindOrder) => Promise<void>) => Promise<T>,
): Promise<T> {
	const log = ownLog(machine);
	try {
		await using writer = await log.writer(history.planFile, { lines: false, within: dataFolder(machine) });
		return await work(async (order) => {
			await writer.replace(Buffer.from(`${JSON.stringify(order)}\n`));
		});
	} catch (error) {
		if (error instanceof LogHeld) throw new InputError('busy', `${path} is being rewound by another process`);
		throw error;
	} finally {
		await log.close();
	}
}

async function finish(place: RewindPlace, history: FileHistory, order: RewindOrder): Promise<RewindDone> {
	const { id, time, at, from, undoes, changes, roots } = order;
	const { restored, kept } = restoreAll(changes, { copies: history.copies, roots, name: `.reprise-${id}.tmp` });
	const isNoted = history.steps().some((step) => step.is === 'rewind' && step.id === id);
	if (!isNoted) {
		const facts = { ...(at === undefined ? {} : { to: at }), ...(from === undefined ? {} : { from }) };
		history.append(
			{ is: 'rewind', id, time, ...facts, ...(undoes === undefined ? {} : { undoes }), changes: restored },
			true,
		);
	}
	const conversation = await tellSession(place, order, restored);
	rmSync(history.planFile, { force: true });
	return { id, restored, kept, ...(conversation ? { conversation } : {}) };
}

/** The conversation goes where it shall, and the session says which files were restored, by which checkpoint. */
async function tellSession(
	{ path }: RewindPlace,
	{ id, to, at, undoes }: RewindOrder,
	restored: readonly FormedChange[],
): Promise<Rewound | undefined> {
	await using handle = await openHandle(path);
	const moved = to === undefined ? undefined : await handle.rewind(to);
	if (restored.length === 0) return moved;
	const what = undoes === undefined ? `files are as they were at ${at}` : `the rewind ${undoes} was undone`;
	const named = restored.slice(0, mostNamed).map((change) => change.path);
	const more = restored.length > mostNamed ? `, and ${restored.length - mostNamed} more` : '';
	const names = `${named.join(', ')}${more}`;
	const note = `Rewound: ${what} (checkpoint ${id}): ${names}`;
	if (moved?.fork) {
		await using forked = await openHandle(moved.path);
		await tell(forked, note);
	} else await tell(handle, note);
	return moved;
}

/** The session is told of so many; our own history has them all. */
const mostNamed = 200;

/** A session that only its client may write to cannot say it: our own history does. */
async function tell(handle: SessionHandle, message: string): Promise<void> {
	try {
		await handle.append({ kind: 'event', event: { type: 'notice', level: 'info', message } });
		await handle.sync();
	} catch (error) {
		if (!(error instanceof InputError && error.rule === 'read-only')) throw error;
	}
}
