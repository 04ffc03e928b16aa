/** `listSessions` and `getSessionInfo` as the SDK has them: what a list shows of sessions, of files or of a store. */
import { statSync } from 'node:fs';
import { compact, isObject, parsedJson, type Session } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import type { FoundSession } from '../../store/find/discover.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { readAnnotations } from '../../store/manage/annotations.ts';
import { databasePath } from '../../store/reader/database.ts';
import { glance } from '../../store/reader/glance.ts';
import type { SessionStore, SessionStoreEntry, SessionSummaryEntry } from '../contract.ts';
import { foldSessionSummary } from '../fold-summary.ts';
import {
	linesIn,
	localSession,
	localSessions,
	type PlaceOptions,
	sessionFrom,
	storeKey,
	storeProject,
} from './place.ts';
import { archivedBeside, entriesAtEnds, foldedEnds, isProgrammatic } from './sdk-files.ts';

export interface SessionInfo {
	readonly sessionId: string;
	/** The title, else the last or the first prompt. */
	readonly summary: string;
	/** Whole milliseconds since 1970. */
	readonly lastModified: number;
	readonly fileSize?: number;
	readonly customTitle?: string;
	readonly firstPrompt?: string;
	readonly gitBranch?: string;
	readonly cwd?: string;
	readonly tag?: string;
	readonly createdAt?: number;
	readonly archived?: boolean;
}

export interface ListSessionsOptions extends PlaceOptions {
	/** The most that are told; 0 is no limit. */
	readonly limit?: number;
	readonly offset?: number;
	/** With `dir`: also sessions of other folders and worktrees of its repository. Default true. */
	readonly includeWorktrees?: boolean;
	/** Also sessions that a program has had, through `-p` or an SDK. Default true. */
	readonly includeProgrammatic?: boolean;
}

/** The sessions of a project, or on files of every project, the newest first. Those in which nothing was said are left out. */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SessionInfo[]> {
	const { dir, sessionStore, offset = 0, limit } = options;
	const all = sessionStore ? await storedInfos(sessionStore, dir) : localInfos(options);
	return all.slice(offset, limit !== undefined && limit > 0 ? offset + limit : undefined);
}

/** One session; undefined where there is none, or nothing was said in it. */
export async function getSessionInfo(sessionId: string, options: PlaceOptions = {}): Promise<SessionInfo | undefined> {
	const { dir, sessionStore } = options;
	if (!sessionStore) {
		const found = localSession(sessionId, dir);
		return found && localInfo(found);
	}
	const lines = await linesIn(sessionStore, storeKey(sessionId, dir));
	return lines ? infoFromLines(lines, sessionId) : undefined;
}

function localInfos({
	dir,
	includeWorktrees,
	includeProgrammatic = true,
}: ListSessionsOptions): readonly SessionInfo[] {
	const infos = Iterator.from(localSessions(dir, includeWorktrees)).flatMap((session) => {
		const info = localInfo(session, includeProgrammatic);
		return info ? [info] : [];
	});
	return [...infos].sort((a, b) => b.lastModified - a.lastModified || (a.sessionId > b.sessionId ? -1 : 1));
}

/** Undefined where nothing was said, or a program has had it and those are not wanted. */
function localInfo(session: FoundSession, withPrograms = true): SessionInfo | undefined {
	const stat = statSync(databasePath(session.path).file, { throwIfNoEntry: false });
	if (!stat) return undefined;
	const lastModified = stat.mtime.getTime();
	const entries = entriesAtEnds(session.path);
	const folded = entries && foldedEnds(entries, session.id, lastModified);
	if (folded?.data.isSidechain === true || (!withPrograms && entries && isProgrammatic(entries))) return undefined;
	const info = (folded && infoFromSummary(folded)) ?? glancedInfo(session, lastModified);
	const { tags, archived, folder } = readAnnotations(thisMachine())(session);
	return (
		info &&
		compact({
			...info,
			fileSize: stat.size,
			cwd: folder ?? info.cwd,
			tag: info.tag ?? tags[0],
			archived: archived === undefined ? archivedBeside(session.path) : true,
		})
	);
}

/** Of an agent whose lines are not the SDK's. */
function glancedInfo(session: FoundSession, lastModified: number): SessionInfo | undefined {
	const seen = glance(session);
	if (!seen?.title) return undefined;
	return compact({
		sessionId: session.id,
		summary: seen.title,
		lastModified,
		customTitle: seen.named ? seen.title : undefined,
		firstPrompt: seen.prompt,
		gitBranch: seen.gitBranch,
		cwd: seen.cwd,
		createdAt: seen.created === undefined ? undefined : Date.parse(seen.created),
	});
}

/** By summaries where the store keeps them and they are not older than the session; else each is loaded. */
async function storedInfos(store: SessionStore, dir: string | undefined): Promise<readonly SessionInfo[]> {
	if (!store.listSessions) throw new InputError('session-store', 'this store cannot list sessions');
	const projectKey = storeProject(dir);
	const listed = [...(await store.listSessions(projectKey))].sort((a, b) => b.mtime - a.mtime);
	const summaries = new Map((await store.listSessionSummaries?.(projectKey))?.map((one) => [one.sessionId, one]));
	const infos: SessionInfo[] = [];
	for (const { sessionId, mtime } of listed) {
		const summary = summaries.get(sessionId);
		const known = summary && summary.mtime >= mtime ? infoFromSummary(summary) : undefined;
		const lines = known ? null : await linesIn(store, { projectKey, sessionId });
		const info = known ?? (lines && infoFromLines(lines, sessionId, mtime));
		if (info) infos.push(info);
	}
	return infos;
}

function infoFromSummary({ sessionId, mtime, data }: SessionSummaryEntry): SessionInfo | undefined {
	if (data.isSidechain === true) return undefined;
	const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
	const firstPrompt = text(data.firstPromptLocked === true ? data.firstPrompt : data.commandFallback);
	const customTitle = text(data.customTitle) ?? text(data.aiTitle);
	const summary = customTitle ?? text(data.lastPrompt) ?? text(data.summaryHint) ?? firstPrompt;
	if (summary === undefined) return undefined;
	return compact({
		sessionId,
		summary,
		lastModified: mtime,
		customTitle,
		firstPrompt,
		gitBranch: text(data.gitBranch),
		cwd: text(data.cwd),
		tag: text(data.tag),
		createdAt: typeof data.createdAt === 'number' ? data.createdAt : undefined,
	});
}

/** What the lines say: in the SDK's own words, or of another agent's session, by reading it. */
function infoFromLines(lines: readonly string[], sessionId: string, mtime?: number): SessionInfo | undefined {
	const entries = lines.map(parsedJson).filter((value) => isObject(value)) as unknown as SessionStoreEntry[];
	const session = sessionFrom(lines, sessionId);
	const times = [...entries.map(({ timestamp }) => timestamp), ...(session?.entries ?? []).map(({ time }) => time)];
	const last = times.findLast((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time)));
	const lastModified = mtime ?? (last === undefined ? Date.now() : Date.parse(last));
	const folded = foldSessionSummary(undefined, { projectKey: '-', sessionId }, entries, { mtime: lastModified });
	if (folded.data.isSidechain === true) return undefined;
	return infoFromSummary(folded) ?? (session && infoFromSession(session, sessionId, lastModified));
}

function infoFromSession(session: Session, sessionId: string, lastModified: number): SessionInfo | undefined {
	const { title, cwd, gitBranch, created } = session.header;
	const prompt = session.entries.find((entry) => entry.kind === 'message' && entry.role === 'user');
	const firstPrompt = prompt?.kind === 'message' ? promptText(prompt.content) : undefined;
	const summary = title?.trim() || firstPrompt;
	if (!summary) return undefined;
	return compact({
		sessionId,
		summary,
		lastModified,
		customTitle: title?.trim() || undefined,
		firstPrompt,
		gitBranch,
		cwd,
		createdAt: created === undefined ? undefined : Date.parse(created),
	});
}

function promptText(content: readonly { readonly type: string }[]): string | undefined {
	const text = content.find((block): block is { type: 'text'; text: string } => block.type === 'text')?.text;
	return text?.replace(/\s+/g, ' ').trim().slice(0, 200) || undefined;
}
