/** The list of sessions for editors: its order, how many are on a page, which are left out; and which session an id of it means. */
import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk';
import { listWithNames, type SessionSummary } from '../catalog/list-sessions.ts';
import { parsedJson } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { findSession } from '../store/find/find-session.ts';
import { realPath } from '../store/find/project.ts';
import { agentPrefixes } from '../store/find/session-names.ts';

const pageLength = 50;

/** Newest first. One whose folder nobody knows is left out: the protocol has no way to say that. */
export function listPage({ cwd, cursor }: ListSessionsRequest, warn: (text: string) => void): ListSessionsResponse {
	const { sessions, all } = listWithNames({ warn });
	const prefix = agentPrefixes(all);
	const folder = cwd === undefined || cwd === null ? undefined : realPath(cwd);
	const wanted = sessions
		.filter((one) => one.cwd !== null && (folder === undefined || realPath(one.cwd) === folder))
		.sort((a, b) => (isBehind(a, b) ? 1 : -1));
	const page = after(wanted, cursor ?? undefined);
	const last = page.length > pageLength ? page[pageLength - 1] : undefined;
	return {
		sessions: page.slice(0, pageLength).map((one) => ({
			sessionId: `${prefix(one)}${one.id}`,
			cwd: one.cwd ?? '',
			title: one.title,
			updatedAt: one.updatedAt,
			_meta: { 'reprise/agent': one.agent },
		})),
		...(last ? { nextCursor: Buffer.from(JSON.stringify([last.updatedAt, last.path])).toString('base64url') } : {}),
	};
}

/** Those behind the cursor, wherever the session that it names has gone meanwhile. */
function after(sessions: readonly SessionSummary[], cursor: string | undefined): readonly SessionSummary[] {
	if (cursor === undefined) return sessions;
	const place = parsedJson(Buffer.from(cursor, 'base64url').toString());
	const [updatedAt, path] = Array.isArray(place) ? place : [];
	if (typeof updatedAt !== 'string' || typeof path !== 'string')
		throw new InputError('bad-value', 'the cursor is none of ours');
	return sessions.filter((one) => isBehind(one, { updatedAt, path }));
}

type Place = Pick<SessionSummary, 'updatedAt' | 'path'>;

/** One order for the list and its cursors, which know times to the millisecond only. */
function isBehind(one: Place, other: Place): boolean {
	return one.updatedAt < other.updatedAt || (one.updatedAt === other.updatedAt && one.path > other.path);
}

/** Only a whole name counts, as the list gives it: titles and beginnings of names are for people. */
export function pathOfSession(id: string): string | undefined {
	// A file of that name would be found first.
	if (id === '' || /[/\\]/.test(id)) return undefined;
	const result = findSession(id);
	const session = result.ok ? result.session : undefined;
	if (!session || session.parent !== undefined) return undefined;
	return id === session.id || id === `${session.agent}:${session.id}` ? session.path : undefined;
}
