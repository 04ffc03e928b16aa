/** Finds and opens the sessions of this machine for all that lists, searches and counts them: filters by project, agent and time, and warnings for what cannot be read. */
import { openFile } from '../log/file-source.ts';
import { type Carried, compact, type Source } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { discoverSessions, type FoundSession } from '../store/find/discover.ts';
import { diskFolders, foldersOfDisk, thisMachine } from '../store/find/folders.ts';
import { folderTree, type Project } from '../store/find/project.ts';
import { checkAgent } from '../store/format-named.ts';
import { type Annotations, readAnnotations } from '../store/manage/annotations.ts';
import { allCarried } from '../store/own-data/carried-notes.ts';
import { databasePath } from '../store/reader/database.ts';
import { openSource } from '../store/reader/open-source.ts';
import type { Access, Unread } from './cost/collect.ts';

/** Which sessions are asked about. Default: all on this machine. */
export interface SessionQuery {
	/** A folder with everything below it, or a project: commands use `projectAt(process.cwd())`. */
	readonly project?: string | Project;
	/** The agent, as commands name it: `claude-code`, `cline`, `clido`, `pi`, `openclaw`. */
	readonly agent?: string;
	/** Called with one line for each thing that is missing from the answer. */
	readonly warn?: (message: string) => void;
	/** Reports from time to time how much is done: files, or bytes of those that have to be indexed. */
	readonly progress?: (done: number, of: number) => void;
}

/** Milliseconds or a date; `until` itself is excluded. */
export interface PeriodQuery {
	readonly since?: number | Date;
	readonly until?: number | Date;
}

/** The sessions for one question. They are found once: a later question needs a new object. */
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

	/** Every session of this machine, with sub-agents' files where wanted. Unreadable folders are reported once. */
	all({ subagents = true } = {}): Iterable<FoundSession> {
		return discoverSessions(thisMachine(), this.#folders, { subagents });
	}

	readonly #folders = foldersOfDisk((path, message) => {
		if (!this.#told.has(path)) this.tellUnread([{ path, message }]);
		this.#told.add(path);
	});

	/** A session's annotations, read once. If they cannot be read, the answer is given without them. */
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

	/** Notes of hand-offs. If they cannot be read, copied replies count twice in the answer. */
	#carried(): readonly Carried[] {
		try {
			return allCarried(thisMachine());
		} catch (error) {
			if (!(error instanceof Error && 'code' in error)) throw error;
			this.warn(`what sessions hold of others could not be read: ${error.message}`);
			return [];
		}
	}

	/** Warns about each file that is missing from the answer, or of which it has nothing but the name. */
	tellUnread(unread: readonly Unread[], listed = false): void {
		for (const { path, message } of unread) {
			// The warning names the path already.
			const why = message.replace(/, \w+ '.*'$/s, '');
			this.warn(listed ? `cannot read ${path}, only its name is listed: ${why}` : `left out ${path}: ${why}`);
		}
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

/** A question as filters of the catalog. */
export function filtersOf({ project, agent, since, until }: SessionQuery & PeriodQuery): Filters {
	if (agent !== undefined) checkAgent(agent);
	const meant = typeof project === 'string' ? folderTree(project) : project;
	return {
		...(meant === undefined ? {} : { project: (cwd) => meant.has(cwd) }),
		...compact({ agent, since: since?.valueOf(), until: until?.valueOf() }),
	};
}
