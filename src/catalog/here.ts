/** The sessions of this machine, as everything that lists, searches and counts them finds and reaches them. */
import { openFile } from '../log/file-source.ts';
import { type Carried, compact, type Source } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { discoverSessions, type FoundSession } from '../store/find/discover.ts';
import { diskFolders, foldersOfDisk, thisMachine } from '../store/find/folders.ts';
import { folderTree, type Project } from '../store/find/project.ts';
import { type Annotations, readAnnotations } from '../store/manage/annotations.ts';
import { allCarried } from '../store/own-data/carried-notes.ts';
import { databasePath } from '../store/reader/database.ts';
import { openSource } from '../store/reader/open-source.ts';
import type { Access, Unread } from './cost/collect.ts';

/** Whose sessions are asked about. By default all that are on this machine. */
export interface SessionQuery {
	/** Those of this folder and below it, or of a project: `projectAt(process.cwd())` is the one that commands mean by themselves. */
	readonly project?: string | Project;
	/** By the names that commands take: `claude-code`, `cline`, `clido`, `pi`, `openclaw`. */
	readonly agent?: string;
	/** Told of what is missing from the answer, a line each. */
	readonly warn?: (message: string) => void;
	/** Told now and then how much is done: files, or bytes of those that have to be indexed. */
	readonly progress?: (done: number, of: number) => void;
}

/** Milliseconds or a date; what is of `until` itself is not included. */
export interface PeriodQuery {
	readonly since?: number | Date;
	readonly until?: number | Date;
}

/** What was found once serves one question: a program that asks again later looks again. */
export class SessionsHere {
	readonly warn: (message: string) => void;
	readonly #told = new Set<string>();
	#annotations: ReturnType<typeof readAnnotations> | undefined;

	constructor(warn: (message: string) => void = () => undefined) {
		this.warn = warn;
	}

	readonly access: Access = {
		open,
		folders: diskFolders,
		folderOf: (session) => this.annotationsOf(session).folder,
		carried: () => this.#carried(),
	};

	/** Every session of this machine, sub-agents' files included where they are wanted. Folders that may not be read are told of, once. */
	all({ subagents = true } = {}): Iterable<FoundSession> {
		return discoverSessions(thisMachine(), this.#folders, { subagents });
	}

	readonly #folders = foldersOfDisk((path, message) => {
		if (!this.#told.has(path)) this.tellUnread([{ path, message }]);
		this.#told.add(path);
	});

	/** What was noted about a session. Read once; without the notes there is still an answer. */
	annotationsOf(session: Pick<FoundSession, 'format' | 'id'>): Annotations {
		if (this.#annotations === undefined) {
			try {
				this.#annotations = readAnnotations(thisMachine());
			} catch (error) {
				if (!(error instanceof InputError || (error instanceof Error && 'code' in error))) throw error;
				this.warn(`tags, archived sessions and moved projects could not be read: ${error.message}`);
				this.#annotations = () => ({ tags: [] });
			}
		}
		return this.#annotations(session);
	}

	/** What is known of hand-offs. Without it there is still an answer, in which copied replies count again. */
	#carried(): readonly Carried[] {
		try {
			return allCarried(thisMachine());
		} catch (error) {
			if (!(error instanceof Error && 'code' in error)) throw error;
			this.warn(`what sessions hold of others could not be read: ${error.message}`);
			return [];
		}
	}

	/** One line each for what is missing from the answer. */
	tellUnread(unread: readonly Unread[]): void {
		// The path is told already.
		for (const { path, message } of unread) this.warn(`left out ${path}: ${message.replace(/, \w+ '.*'$/s, '')}`);
	}
}

function open(path: string): Source & Disposable {
	if (databasePath(path).session === undefined) return openFile(path);
	const found = openSource(path);
	if (found.ok) return found.source;
	throw Object.assign(new Error(found.message), { code: found.rule });
}

interface Filters {
	project?(cwd: string | undefined): boolean;
	readonly agent?: string;
	readonly since?: number;
	readonly until?: number;
}

/** A question in the words of the catalog. */
export function filtersOf({ project, agent, since, until }: SessionQuery & PeriodQuery): Filters {
	const meant = typeof project === 'string' ? folderTree(project) : project;
	return {
		...(meant === undefined ? {} : { project: (cwd) => meant.has(cwd) }),
		...compact({ agent, since: since?.valueOf(), until: until?.valueOf() }),
	};
}
