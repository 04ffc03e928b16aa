/** Keeps what the calls of a run change, file by file, before and after, which is what `rewind` brings back; and which folders are too wide to look at. */
import { homedir } from 'node:os';
import { parse } from 'node:path';
import type { ChangeKeeper, ChangingCall } from '../agent/contracts.ts';
import type { Machine } from '../codecs/index.ts';
import { codeOf } from '../log/errors.ts';
import { compact, type EntryId, errorText, type NamedSession } from '../model/index.ts';
import type { Copies } from '../store/checkpoints/copies.ts';
import { type BeginStep, FileHistory, looksOf } from '../store/checkpoints/file-history.ts';
import { type FormedChange, formAt, sameForm } from '../store/checkpoints/forms.ts';
import { pruneCopies, seenFolder } from '../store/checkpoints/prune.ts';
import { lateEnds } from './looks/killed-commands.ts';
import { type Look, ProjectFiles } from './looks/project-files.ts';

export interface KeptSession {
	readonly machine: Machine;
	readonly session: NamedSession;
	/** The session's folders, the project's first. */
	readonly folders: readonly string[];
	/** Patterns of files that git ignores and that are kept all the same. */
	readonly ignored?: readonly string[];
}

type Found = Pick<Look, 'missed'> & { readonly changes: readonly FormedChange[] };

/** A failure to keep is never a failure of the call: it is written down as something that cannot be rewound. */
export function keepChanges({ machine, session, folders, ignored = [] }: KeptSession): ChangeKeeper {
	const history = new FileHistory(machine, session);
	const kept = looksOf(machine);
	const [cwd = '/'] = folders;
	const projects = folders.map((folder) =>
		isTooWide(folder) ? folder : new ProjectFiles(folder, history.copies, seenFolder(machine), { ignored }),
	);
	/** What calls have left in files: one that ran meanwhile has seen the changes of another as well. */
	const left = new Map<string, { readonly form: FormedChange['after']; readonly step: number }>();
	let prompt: EntryId | undefined;
	let step = 0;
	let pruned = false;
	let isBegun = false;

	const ended = (call: ChangingCall, began: number, { changes, missed }: Found, note?: string): void => {
		const own = changes.flatMap((change) => {
			const known = left.get(change.path);
			const seen = known && known.step > began ? { ...change, before: known.form } : change;
			return sameForm(seen.before, seen.after) ? [] : [seen];
		});
		step += 1;
		for (const { path, after } of own) left.set(path, { form: after, step });
		history.append({
			is: 'end',
			...placeOf(call),
			changes: own,
			missed: note === undefined ? missed : [...missed, note],
		});
	};
	/** What a run before this one was killed in is looked for before anything is changed by this one. */
	const endCutOff = async (): Promise<void> => {
		if (isBegun) return;
		isBegun = true;
		history.appendAll(await lateEnds(machine, history.steps()));
	};
	const placeOf = ({ id, within }: ChangingCall) => compact({ call: id, within, prompt });

	return {
		prompt(id) {
			prompt = id;
			history.append({ is: 'prompt', prompt: id, time: new Date().toISOString(), cwd });
		},
		async before(call, path) {
			try {
				await endCutOff();
				const began = step;
				const base = { is: 'begin', ...placeOf(call), tool: call.tool, what: call.what } as const;
				if (path !== undefined) {
					const before = formAt(path, (bytes, sum) => history.copies.keep(bytes, sum));
					history.append({ ...base, files: [{ path, before }] });
					return async () => ended(call, began, { changes: [{ path, before, after: formAt(path) }], missed: [] });
				}
				if (!pruned) pruneCopies(machine);
				pruned = true;
				const looks = await Promise.all(projects.map(lookAt));
				history.append({ ...base, files: [], ...noted(projects, looks, kept) });
				return async (note) => ended(call, began, await changesSince(projects, looks), note);
			} catch (error) {
				const reason = reasonOf(error);
				return async () => ended(call, step, { changes: [], missed: [reason] });
			}
		},
	};
}

type Project = ProjectFiles | string;

async function lookAt(project: Project): Promise<Look> {
	if (typeof project !== 'string') return await project.look();
	return {
		files: new Map(),
		missed: [`${project} is too wide to look at: what commands change there is not kept`],
		closed: true,
		leftOut: new Set(),
		beganMs: 0,
	};
}

/** What a rewind needs where this is never ended. */
function noted(
	projects: readonly Project[],
	looks: readonly Look[],
	kept: Copies,
): Pick<BeginStep, 'looks' | 'missed'> {
	const missed = looks.flatMap((look) => look.missed);
	const sums = projects.flatMap((project, index) => {
		const look = looks[index];
		return typeof project === 'string' || !look || look.closed ? [] : [project.keep(look, kept)];
	});
	return { looks: sums, ...(missed.length > 0 ? { missed } : {}) };
}

const nothing: Found = { changes: [], missed: [] };

async function changesSince(projects: readonly Project[], looks: readonly Look[]): Promise<Found> {
	try {
		const found = await Promise.all(
			projects.map(async (project, index) => {
				const before = looks[index];
				if (typeof project === 'string' || !before) return { changes: [], missed: before?.missed ?? [] };
				const after = await project.look();
				// What was not looked at would count as absent, and a rewind would remove all of it.
				const isBoth = !before.closed && !after.closed;
				const { changes, missed } = isBoth ? await project.changes(before, after) : nothing;
				return { changes, missed: [...before.missed, ...after.missed, ...missed] };
			}),
		);
		const missed = new Set(found.flatMap((one) => one.missed));
		return { changes: found.flatMap(({ changes }) => changes), missed: [...missed] };
	} catch (error) {
		return { changes: [], missed: [reasonOf(error)] };
	}
}

/** Everything of a user, or of the machine, is nobody's project. */
function isTooWide(folder: string): boolean {
	return folder === homedir() || folder === parse(folder).root;
}

function reasonOf(error: unknown): string {
	if (codeOf(error) === undefined) throw error;
	return `what it changed could not be kept: ${errorText(error)}`;
}
