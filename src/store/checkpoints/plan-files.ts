/** Plans which files a rewind changes and what they become: what counts as a conflict that the user is asked about, and which commands did what cannot be brought back (those that change git’s own data among them), in words. */
import { type EntryId, shortened } from '../../model/index.ts';
import type { Copies } from './copies.ts';
import type { BeginStep, HistoryStep } from './file-history.ts';
import { type FileForm, type FormedChange, formHere, linkOnWay, sameForm } from './forms.ts';
import { folderIsGone } from './restore-file.ts';

export interface PlannedFile {
	readonly path: string;
	/** What is there now. */
	readonly now: FileForm;
	/** What will be there. */
	readonly target: FileForm;
	/** Why replacing it would lose what somebody else did. */
	readonly conflict?: string;
}

export interface FilesPlan {
	readonly files: readonly PlannedFile[];
	/** What a rewind cannot bring back, in words for the user. */
	readonly missed: readonly string[];
	/** The files among them that are there and are not replaced, whatever anybody answers. */
	readonly stays: readonly string[];
}

/** What is known of a file between the moment to go back to and now. */
export interface FileStory {
	readonly path: string;
	/** What it was at that moment. */
	readonly target: FileForm;
	/** What the session left there last; undefined where nobody knows. */
	readonly left: FileForm | undefined;
	/** Somebody else has changed it between two changes of the session. */
	readonly others: boolean;
	/** When the first and the last of these changes were made, in milliseconds; as precise as prompts and rewinds. */
	readonly first: number;
	readonly last: number;
}

/** The first step after the entries that stay: the order of steps is that of time, so all from there on is undone. */
export function cutAt(
	steps: readonly HistoryStep[],
	stays: { readonly entries: ReadonlySet<EntryId>; readonly calls: ReadonlySet<string> },
): number {
	return (
		steps.findLastIndex((step) => {
			if (step.is === 'rewind' || step.is === 'copied') return false;
			if (step.is === 'prompt') return stays.entries.has(step.prompt);
			return stays.calls.has(step.within ?? step.call) && (step.prompt === undefined || stays.entries.has(step.prompt));
		}) + 1
	);
}

/** The story of every file that a step from `cut` on has changed. */
export function storiesSince(steps: readonly HistoryStep[], cut: number): Map<string, FileStory> {
	const stories = new Map<string, FileStory>();
	const cutOff = cutOffIn(steps);
	let now = timeBefore(steps, cut);
	const tell = (change: FormedChange, left: FileForm | undefined): void => {
		const known = stories.get(change.path);
		if (!known) {
			stories.set(change.path, {
				path: change.path,
				target: change.before,
				left,
				others: false,
				first: now,
				last: now,
			});
			return;
		}
		const others = known.others || known.left === undefined || !sameForm(known.left, change.before);
		stories.set(change.path, { ...known, left, others, last: now });
	};
	for (const step of steps.slice(cut)) {
		now = timeOf(step) ?? now;
		if (step.is === 'prompt' || step.is === 'copied') continue;
		if (step.is === 'begin') {
			if (cutOff.has(step)) for (const { path, before } of step.files) tell({ path, before, after: before }, undefined);
		} else for (const change of step.changes) tell(change, step.is === 'end' && step.late ? undefined : change.after);
	}
	return stories;
}

/** When the first command since then was run that nobody could foresee the files of; undefined where there was none. */
export function commandsSince(steps: readonly HistoryStep[], cut: number): number | undefined {
	const isCommand = (step: HistoryStep): boolean => step.is === 'begin' && step.files.length === 0;
	const first = steps.findIndex((step, index) => index >= cut && isCommand(step));
	return first === -1 ? undefined : timeBefore(steps, first);
}

function timeOf(step: HistoryStep): number | undefined {
	return 'time' in step ? Date.parse(step.time) : undefined;
}

function timeBefore(steps: readonly HistoryStep[], cut: number): number {
	const step = steps.slice(0, cut).findLast((one) => timeOf(one) !== undefined);
	return (step && timeOf(step)) ?? 0;
}

/** The calls that have begun and never ended. */
export function cutOffIn(steps: readonly HistoryStep[]): ReadonlySet<HistoryStep> {
	const found = new Set<HistoryStep>();
	const ended = new Set<string>();
	for (const step of steps.toReversed()) {
		if (step.is === 'end') ended.add(step.call);
		else if (step.is === 'begin' && !ended.has(step.call)) found.add(step);
	}
	return found;
}

/** What the steps from `cut` on could not keep. */
export function missedSince(steps: readonly HistoryStep[], cut: number): readonly string[] {
	const begun = new Map(steps.flatMap((step) => (step.is === 'begin' ? [[step.call, step] as const] : [])));
	const cutOff = cutOffIn(steps);
	const missed = steps.slice(cut).flatMap((step) => {
		if (step.is === 'begin') {
			const open = cutOff.has(step) ? [`${named(step)} was cut off: what it changed may not be known`] : [];
			return changesGit.test(step.what) ? [...open, `${named(step)}: ${gitStays}`] : open;
		}
		if (step.is !== 'end') return [];
		return step.missed.map((why) => `${named(begun.get(step.call))}: ${why}`);
	});
	return [...new Set(missed)];
}

/** Commands that change what git itself keeps. It is looked for in words, not parsed: it only decides what the user is told. */
const changesGit =
	/\bgit\s(?:[^;&|\n]*\s)?(?:add|am|branch|checkout|cherry-pick|clone|commit|fetch|init|merge|mv|pull|push|rebase|reset|restore|revert|rm|stash|switch|tag|update-index|update-ref|worktree)\b/;
const gitStays = 'git’s own data (branch, commits, index) stays as it is now';

const longestCommand = 80;

function named(step: BeginStep | undefined): string {
	if (!step) return 'a command';
	return `${step.tool} ${shortened(step.what.replaceAll(/\s+/g, ' '), longestCommand)}`;
}

/** The changes that lead back. Nothing is changed here. */
export function planFiles(stories: Iterable<FileStory>, copies: Copies): FilesPlan {
	const missed: string[] = [];
	const stays: string[] = [];
	const all = [...stories];
	const leaving = new Set(all.filter(({ target }) => target.is === 'absent').map(({ path }) => path));
	const files = all.flatMap((story): readonly PlannedFile[] => {
		const { path, target } = story;
		const found = formHere(path);
		const now: FileForm = found.is === 'unknown' && folderIsGone(path, leaving) ? { is: 'absent' } : found;
		if (sameForm(now, target)) return [];
		const lost = target.is === 'file' && !copies.has(target.sha256) ? 'its copy is gone' : undefined;
		const why = target.is === 'unknown' ? target.why : lost;
		if (why !== undefined) {
			missed.push(`${path} cannot be brought back: ${why}`);
			return [];
		}
		const kept = now.is === 'unknown' ? `there is something else now (${now.why})` : wayOf(path, leaving);
		if (kept !== undefined) {
			stays.push(path);
			missed.push(`${path} is left as it is: ${kept}`);
			return [];
		}
		const conflict = conflictOf(story, now, found.is === 'unknown');
		return [{ path, now, target, ...(conflict === undefined ? {} : { conflict }) }];
	});
	return { files: files.sort((one, other) => (one.path < other.path ? -1 : 1)), missed, stays };
}

/** `isFolder`: nothing that stays is in it, so that it counts as absent. */
function conflictOf({ left, others }: FileStory, now: FileForm, isFolder: boolean): string | undefined {
	if (left === undefined) return 'nobody knows whether it was changed since';
	if (!sameForm(now, left) && isFolder) return 'an empty folder is in its place now';
	if (!sameForm(now, left))
		return now.is === 'absent' ? 'somebody has removed it since' : 'somebody has changed it since';
	return others ? 'somebody else changed it between two changes of the session' : undefined;
}

/** What is wrong with the way to a file: a folder may have become a link, through which another file would be written. */
function wayOf(path: string, leaving: ReadonlySet<string>): string | undefined {
	const link = linkOnWay(path);
	return link === undefined || leaving.has(link) ? undefined : 'a link on its way leads elsewhere';
}
