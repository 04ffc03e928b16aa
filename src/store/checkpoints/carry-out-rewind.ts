/** Carries out a planned rewind of files and conversation so that it can be killed anywhere: the order of its steps, who finishes it, and the note that the session gets. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Machine } from '../../codecs/index.ts';
import { LogHeld } from '../../log/index.ts';
import { type EntryId, isObject, type Json, type NamedSession } from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { openHandle, type Rewound, type SessionHandle } from '../handle/handle.ts';
import { openState } from '../handle/open-state.ts';
import { forkSession } from '../manage/fork.ts';
import { dataFolder } from '../own-data/data-folder.ts';
import { ownLog, readOwn } from '../own-data/own-data.ts';
import { changeOf, type EndStep, FileHistory, type RewindStep } from './file-history.ts';
import { type FormedChange, formHere, sameForm } from './forms.ts';
import { copiedFrom } from './inherit.ts';
import { restoreAll } from './restore-file.ts';

/** What is to be done, as it is written down. */
export interface RewindOrder {
	/** The id of the checkpoint. */
	readonly id: string;
	readonly time: string;
	/** The entry that the conversation goes back to, or `null` for its beginning; absent where only files change. */
	readonly to?: EntryId | null;
	/** The main file of the session that `to` is in, where this one was made by the rewind that is undone. */
	readonly in?: string;
	/** The entry whose files these are, for the record. */
	readonly at?: EntryId;
	/** Where it went on before. */
	readonly from?: EntryId | null;
	readonly undoes?: string;
	/** `before` is what is there now, `after` what it becomes. */
	readonly changes: readonly FormedChange[];
	/** Ends of commands that were cut off: they are noted before the rewind, which comes after them. */
	readonly ended?: readonly EndStep[];
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
	/** The handle of whoever has the session open. Default: one is opened. */
	readonly handle?: SessionHandle;
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
export async function rewindConversation(place: RewindPlace, to: EntryId): Promise<Rewound> {
	return await withHandle(place, async (handle) => {
		const from = handle.leaf;
		const moved = await handle.rewind(to, { takesBack: true });
		if (moved.leaf === from && !moved.fork) return moved; // it was there already
		const { id, time } = newOrder({ changes: [], roots: [] });
		const facts = moved.leaf === null ? {} : { to: moved.leaf };
		const session = { format: place.session.format, id: moved.id };
		// Where a new session was made, the entry that it came from is in the old one.
		const steps = moved.fork ? [copiedFrom(place)] : [];
		const rewound: RewindStep = { is: 'rewind', id, time, ...facts, from, changes: [] };
		new FileHistory(place.machine, session).appendAll([rewound, ...steps]);
		return moved;
	});
}

async function withHandle<T>({ path, handle }: RewindPlace, work: (handle: SessionHandle) => Promise<T>): Promise<T> {
	if (handle) return await work(handle);
	await using opened = await openHandle(path);
	return await work(opened);
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
		if (order.ended) history.appendAll(order.ended);
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
	place: RewindPlace,
	order: RewindOrder,
	restored: readonly FormedChange[],
): Promise<Rewound | undefined> {
	const { id, at, undoes } = order;
	return await withHandle(place, async (handle) => {
		const moved = await moveConversation(place, handle, order);
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
		// A client that began anew would go on from the note, and from what was taken back with it.
		if (moved?.leaf === null && !moved.fork) await handle.rewind(null);
		return moved;
	});
}

async function moveConversation(
	place: RewindPlace,
	handle: SessionHandle,
	{ to, in: other, undoes }: RewindOrder,
): Promise<Rewound | undefined> {
	if (to === undefined) return undefined;
	if (other === undefined) return await handle.rewind(to, { takesBack: undoes === undefined });
	// What was said there is told once more in a session of its own, so that nobody's session is changed by an undo.
	const { path, session } = place;
	const fork = await forkSession(other, to, { historyOf: { path, session }, machine: place.machine });
	return { leaf: openState(fork.path).held.leaf, path: fork.path, id: fork.id, fork };
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
