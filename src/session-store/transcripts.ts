/** The transcripts of a session on this machine, and the key that each has in a store. */
import { statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { Machine } from '../codecs/index.ts';
import { sqliteCode } from '../log/load-sqlite.ts';
import type { FoundSession } from '../store/find/discover.ts';
import { diskFolders } from '../store/find/folders.ts';
import { codecNamed } from '../store/find/session-files.ts';
import { subagentFiles } from '../store/handle/subagents.ts';
import { databasePath, databaseSessions } from '../store/reader/database.ts';
import { glance } from '../store/reader/glance.ts';
import type { SessionKey } from './contract.ts';
import { projectKeyOf } from './project-key.ts';

export interface Transcript {
	readonly key: SessionKey;
	/** A file, or `DB#SESSION`. */
	readonly path: string;
	/**
	 * `lines`: each line is an entry. `document`: each state is one, as what changed since the one before. `metadata`: a note
	 * about a sub-agent, which is an entry of that one's transcript.
	 */
	readonly kind: 'lines' | 'document' | 'metadata';
}

export interface DatedTranscript extends Transcript {
	/** When its file, or its session in a database, was written last. */
	readonly written: number;
}

/** Each with its time, the oldest first. One that is gone meanwhile is left out. */
export function oldestFirst(transcripts: readonly Transcript[]): readonly DatedTranscript[] {
	const databases = new Map<string, ReadonlyMap<string, number>>();
	const inDatabase = (file: string, id: string): number | undefined => {
		const known = databases.get(file) ?? timesIn(file);
		databases.set(file, known);
		return known.get(id);
	};
	const dated = transcripts.flatMap((transcript): readonly DatedTranscript[] => {
		const { file, session } = databasePath(transcript.path);
		const stat = statSync(file, { throwIfNoEntry: false });
		if (!stat) return [];
		const own = session === undefined ? undefined : inDatabase(file, session);
		return [{ ...transcript, written: own ?? stat.mtimeMs }];
	});
	return dated.sort((a, b) => a.written - b.written);
}

/** Of a database that cannot be read nothing is known here: whoever reads its sessions says so. */
function timesIn(file: string): ReadonlyMap<string, number> {
	try {
		const sessions = databaseSessions(file) ?? [];
		return new Map(sessions.flatMap(({ id, updated }) => (Number.isFinite(updated) ? [[id, updated]] : [])));
	} catch (error) {
		if (sqliteCode(error) === undefined) throw error;
		return new Map();
	}
}

/** The key of a session's main transcript. */
function sessionKey(session: Pick<FoundSession, 'path' | 'format' | 'id' | 'agent'>): SessionKey {
	const place = inProjects(session.path);
	if (place) return place;
	// After a hand-off sessions of several agents share an id, so here it goes with the name of the agent.
	const { cwd } = glance(session) ?? {};
	return { projectKey: projectKeyOf(cwd ?? '/'), sessionId: `${session.agent}:${session.id}` };
}

/** The key that the SDK gives a file by where it lies: `projects/PROJECT/SESSION.jsonl`. */
function inProjects(path: string): SessionKey | undefined {
	const folder = dirname(path);
	if (basename(dirname(folder)) !== 'projects' || extname(path) !== '.jsonl') return undefined;
	return { projectKey: basename(folder), sessionId: basename(path, '.jsonl') };
}

/** Everything that is stored of a session: its main file first, then what belongs to it. */
export function transcriptsOf(session: FoundSession, machine: Machine): readonly Transcript[] {
	const { path, format } = session;
	const { capabilities, places } = codecNamed(format);
	const kind = capabilities.container === 'lines' ? 'lines' : 'document';
	const key = sessionKey(session);
	const main: Transcript = { key, path, kind };
	if (databasePath(path).session !== undefined) return [main];
	const agents = new Map(
		subagentFiles({ path, format, machine }).map((file) => [file.id, subpathOf(path, file.path, file.id)]),
	);
	const beside = places.sideFiles(path, diskFolders).flatMap((file): readonly Transcript[] => {
		if (file.role === 'manifest' || file.role === 'compaction')
			return [{ key: { ...key, subpath: file.role }, path: file.path, kind: 'document' }];
		const subpath = file.role === 'subagent-meta' ? agents.get(file.id ?? '') : undefined;
		return subpath === undefined ? [] : [{ key: { ...key, subpath }, path: file.path, kind: 'metadata' }];
	});
	const own = subagentFiles({ path, format, machine }).map(
		(file): Transcript => ({ key: { ...key, subpath: agents.get(file.id) ?? file.id }, path: file.path, kind }),
	);
	return [main, ...own, ...beside];
}

/** `subagents/agent-ID`, as the file lies in the session's own folder, or would: what has another name there is not found as a sub-agent. */
function subpathOf(main: string, path: string, id: string): string {
	const inside = relative(join(dirname(main), basename(main, extname(main))), path);
	const named = inside.slice(0, -extname(inside).length).split(sep).join('/');
	return agentIn(named) === id ? named : `subagents/agent-${id}`;
}

/** The id of the sub-agent whose transcript a store has under this subpath; undefined for any other. */
export function agentIn(subpath: string): string | undefined {
	return /^subagents\/(?:.*\/)?agent-([^/]+)$/.exec(subpath)?.[1];
}
