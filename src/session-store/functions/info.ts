/** `listSessions` and `getSessionInfo` as the SDK has them: what a list shows of sessions, of files or of a store. */
import { statSync } from 'node:fs';
import { SessionsHere } from '../../catalog/sessions-here.ts';
import { codecOf } from '../../codecs/index.ts';
import { compact, type FormatId, type Header, isObject, parsedJson, type Session } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import type { FoundSession } from '../../store/find/discover.ts';
import { databasePath } from '../../store/reader/database.ts';
import { glance } from '../../store/reader/glance.ts';
import type { SessionKey, SessionStore, SessionStoreEntry, SessionSummaryEntry } from '../contract.ts';
import { transcriptBytes } from '../document-entries.ts';
import { foldSessionSummary } from '../fold-summary.ts';
import {
	linesIn,
	localSession,
	localSessions,
	type PlaceOptions,
	sdkAgent,
	sessionFrom,
	storeKey,
	storeProject,
} from './place.ts';
import { archivedBeside, entriesAtEnds, foldedEnds, isProgrammatic } from './sdk-files.ts';

export interface SessionInfo {
	readonly sessionId: string;
	/** The agent whose session it is, by the name that `reprise agents` has for it: `claude-code`, `cline`, `pi`. */
	readonly agent: string;
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
	/** Called with one line for what is missing from the answer: tags of sessions, where those cannot be read. */
	readonly warn?: (message: string) => void;
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
		return found && localInfo(found, new SessionsHere());
	}
	return await storedInfo(sessionStore, storeKey(sessionId, dir));
}

function localInfos({
	dir,
	includeWorktrees,
	includeProgrammatic = true,
	warn,
}: ListSessionsOptions): readonly SessionInfo[] {
	const here = new SessionsHere(warn);
	const infos = Iterator.from(localSessions(dir, includeWorktrees)).flatMap((session) => {
		const info = localInfo(session, here, includeProgrammatic);
		return info ? [info] : [];
	});
	return [...infos].sort((a, b) => b.lastModified - a.lastModified || (a.sessionId > b.sessionId ? -1 : 1));
}

/** Undefined where nothing was said, or a program has had it and those are not wanted. */
function localInfo(session: FoundSession, here: SessionsHere, withPrograms = true): SessionInfo | undefined {
	const stat = statSync(databasePath(session.path).file, { throwIfNoEntry: false });
	if (!stat) return undefined;
	const lastModified = stat.mtime.getTime();
	const entries = entriesAtEnds(session.path);
	const folded = entries && foldedEnds(entries, session.id, lastModified);
	if (folded?.data.isSidechain === true || (!withPrograms && entries && isProgrammatic(entries))) return undefined;
	const info = (folded && infoFromSummary(folded, session.agent)) ?? glancedInfo(session, lastModified);
	const { tags, archived, folder } = here.annotationsOf(session);
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
		agent: session.agent,
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
		// A summary is folded from the SDK's lines: what other agents say of a session is only in their own.
		const isKnown = summary && summary.mtime >= mtime && agentNamed(sessionId) === undefined;
		const info =
			(isKnown && infoFromSummary(summary, sdkAgent)) || (await storedInfo(store, { projectKey, sessionId }, mtime));
		if (info) infos.push(info);
	}
	return infos;
}

/** The agent that a key names: `sessionKey` puts it before the ids of all but the SDK's own sessions. */
function agentNamed(sessionId: string): string | undefined {
	return /^([^:]+):/.exec(sessionId)?.[1];
}

function infoFromSummary({ sessionId, mtime, data }: SessionSummaryEntry, agent: string): SessionInfo | undefined {
	if (data.isSidechain === true) return undefined;
	const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
	const firstPrompt = text(data.firstPromptLocked === true ? data.firstPrompt : data.commandFallback);
	const customTitle = text(data.customTitle) ?? text(data.aiTitle);
	const summary = customTitle ?? text(data.lastPrompt) ?? text(data.summaryHint) ?? firstPrompt;
	if (summary === undefined) return undefined;
	return compact({
		sessionId,
		agent,
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

/** What its lines say: in the SDK's own words, or of another agent's session, by reading it and its manifest. */
async function storedInfo(store: SessionStore, key: SessionKey, mtime?: number): Promise<SessionInfo | undefined> {
	const lines = await linesIn(store, key);
	if (!lines) return undefined;
	const { sessionId } = key;
	const entries = lines.map(parsedJson).filter((value) => isObject(value)) as unknown as SessionStoreEntry[];
	const session = sessionFrom(lines, sessionId);
	const times = [...entries.map(({ timestamp }) => timestamp), ...(session?.entries ?? []).map(({ time }) => time)];
	const last = times.findLast((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time)));
	const lastModified = mtime ?? (last === undefined ? Date.now() : Date.parse(last));
	const folded = foldSessionSummary(undefined, key, entries, { mtime: lastModified });
	if (folded.data.isSidechain === true) return undefined;
	const agent = agentNamed(sessionId) ?? session?.format ?? sdkAgent;
	const told = infoFromSummary(folded, agent);
	if (!session || (told && agent === sdkAgent)) return told;
	const manifest = await linesIn(store, { ...key, subpath: 'manifest' });
	// What was appended in the store, a title or a tag, is newer than what was imported.
	const title = told?.customTitle;
	const tag = typeof folded.data.tag === 'string' ? folded.data.tag : undefined;
	const header = {
		...(manifest && manifestHeader(session.format, manifest)),
		...session.header,
		...compact({ title }),
	};
	return infoFromSession({ ...session, header }, compact({ sessionId, agent, lastModified, tag }));
}

function manifestHeader(format: FormatId, lines: readonly string[]): Partial<Header> | undefined {
	return codecOf(format)?.read.sideHeader?.('manifest', transcriptBytes(lines));
}

function infoFromSession(
	session: Session,
	known: Pick<SessionInfo, 'sessionId' | 'agent' | 'lastModified' | 'tag'>,
): SessionInfo | undefined {
	const { title, cwd, gitBranch, created } = session.header;
	const prompt = session.entries.find((entry) => entry.kind === 'message' && entry.role === 'user');
	const firstPrompt = prompt?.kind === 'message' ? promptText(prompt.content) : undefined;
	const summary = title?.trim() || firstPrompt;
	if (!summary) return undefined;
	return compact({
		...known,
		summary,
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
