/** What commands about many sessions share: how sessions are found and reached, and which project the user is in. */
import { InvalidArgumentError } from 'commander';
import { periodOf } from '../catalog/cost/calendar.ts';
import type { Access, Unread } from '../catalog/cost/collect.ts';
import { openFile } from '../log/file-source.ts';
import type { Carried, Source } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { discoverSessions, type FoundSession } from '../store/find/discover.ts';
import { currentFolder, diskFolders, foldersOfDisk, thisMachine } from '../store/find/folders.ts';
import { type Project, projectAt } from '../store/find/project.ts';
import { type Annotations, readAnnotations } from '../store/manage/annotations.ts';
import { allCarried } from '../store/own-data/carried.ts';
import { databasePath } from '../store/reader/database.ts';
import { openSource } from '../store/reader/open-source.ts';
import { complain } from './prose.ts';

export const access: Access = {
	open,
	folders: diskFolders,
	isPlain,
	folderOf: (session) => annotationsOf(session).folder,
	carried,
};

/** What is known of hand-offs. Without it there is still an answer, in which copied replies count again. */
function carried(): readonly Carried[] {
	try {
		return allCarried(thisMachine());
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		complain(`what sessions hold of others could not be read: ${error.message}`);
		return [];
	}
}

type MarksOf = ReturnType<typeof readAnnotations>;
let marks: MarksOf | undefined;

/** What was noted about a session. Read once per command; without the notes there is still an answer. */
export function annotationsOf(session: Parameters<MarksOf>[0]): Annotations {
	if (marks === undefined) {
		try {
			marks = readAnnotations(thisMachine());
		} catch (error) {
			if (!(error instanceof InputError || (error instanceof Error && 'code' in error))) throw error;
			complain(`tags, archived sessions and moved projects could not be read: ${error.message}`);
			marks = () => ({ tags: [] });
		}
	}
	return marks(session);
}

/** As opposed to a session inside a database. */
function isPlain(path: string): boolean {
	return databasePath(path).session === undefined;
}

function open(path: string): Source & Disposable {
	if (isPlain(path)) return openFile(path);
	const found = openSource(path);
	if (found.ok) return found.source;
	throw Object.assign(new Error(found.message), { code: found.rule });
}

/** Every session of this machine, sub-agents' files included where they are wanted. Folders that may not be read are told of, once. */
export function allSessions({ subagents = true } = {}): Iterable<FoundSession> {
	return discoverSessions(thisMachine(), tellingFolders, { subagents });
}

const toldOf = new Set<string>();
const tellingFolders = foldersOfDisk((path, message) => {
	if (!toldOf.has(path)) reportUnread([{ path, message }]);
	toldOf.add(path);
});

/** The project that the user is in. */
export function currentProject(): Project {
	const { path, gone } = currentFolder();
	if (gone && !told)
		complain(`the folder ${path} is gone; these are the sessions it had. --all shows those of every project`);
	told ||= gone;
	return projectAt(path);
}

let told = false;

/** One line each for what is missing from the answer. */
export function reportUnread(unread: readonly Unread[]): void {
	// The path is told already.
	for (const { path, message } of unread) complain(`left out ${path}: ${message.replace(/, \w+ '.*'$/s, '')}`);
}

export interface Period {
	readonly from: number;
	readonly to: number;
}

/** For options that name a day, a month or a time ago. commander turns the error into a usage message. */
export function parsePeriod(text: string): Period {
	const period = periodOf(text);
	if (period === undefined) throw new InvalidArgumentError('Use a day (2026-03-09), a month (2026-03), or 7d, 2w, 3m.');
	return period;
}

export function parseCount(text: string): number {
	const count = Number(text);
	if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('Use a whole number, 1 or more.');
	return count;
}
