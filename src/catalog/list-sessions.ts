/** `reprise ls`, and the library's `listSessions`: filters and orders of the list, and what it says of a session. */
import type { FormatId } from '../model/index.ts';
import type { Annotations } from '../store/manage/annotations.ts';
import type { SessionFile, Unread } from './cost/collect.ts';
import type { ListedSession } from './index/catalog.ts';
import { indexAll, openCatalog } from './open-catalog.ts';
import { filtersOf, type PeriodQuery, type SessionQuery, SessionsHere } from './sessions-here.ts';

/** The fields by which a list can be sorted. */
export const listOrders = ['updated', 'created', 'cost', 'turns', 'title'] as const;

/** `since` and `until` filter by when a session was last used. */
export interface ListOptions extends SessionQuery, PeriodQuery {
	/** The order. Default `updated`. */
	readonly sort?: (typeof listOrders)[number];
	readonly limit?: number;
	/** Keeps only sessions with this tag. */
	readonly tag?: string;
	/** Includes archived sessions. */
	readonly archived?: boolean;
	/** Counts turns and costs of all sessions first; otherwise only those counted before are known. */
	readonly count?: boolean;
}

/** A session in a list: what its file says, and the user's annotations. */
export interface SessionSummary {
	readonly id: string;
	/** The agent: `claude-code`, `cline`, `clido`, `pi`, `openclaw`. */
	readonly agent: string;
	readonly format: FormatId;
	readonly path: string;
	readonly cwd: string | null;
	readonly title: string | null;
	readonly gitBranch: string | null;
	readonly tag: string | null;
	readonly tags: readonly string[];
	readonly createdAt: string | null;
	readonly updatedAt: string;
	/** Null until the session is counted. */
	readonly turns: number | null;
	readonly costUsd: number | null;
	/** When the session was archived. */
	readonly archived?: string;
	/** The file could not be read: nothing but its name is known. */
	readonly unreadable?: true;
}

/** The sessions of this machine, newest first. Files that did not change since the last time are not opened. */
export function listSessions(options: ListOptions = {}): readonly SessionSummary[] {
	return listWithNames(options).sessions;
}

/** The list, and all sessions that exist: a short name has to differ from theirs. */
export function listWithNames(options: ListOptions): {
	readonly sessions: readonly SessionSummary[];
	readonly all: readonly SessionFile[];
} {
	const here = new SessionsHere(options.warn);
	using catalog = openCatalog(here);
	const uncounted: Unread[] = [];
	if (options.count) {
		indexAll(catalog, here, [...here.all()], options.progress, (found) => void uncounted.push(...found));
	}
	const unread: Unread[] = [];
	const listed = catalog.list(here.all({ subagents: false }), (one) => unread.push(one));
	const known = new Set(listed.map(({ session }) => session.path));
	const unreadable = new Set(unread.map(({ path }) => path));
	const sessions = chosen(listed, here, options).map((one) =>
		unreadable.has(one.path) ? { ...one, unreadable: true as const } : one,
	);
	for (const one of unread) here.tellUnread([one], known.has(one.path));
	here.tellUnread(uncounted.filter(({ path }) => !unreadable.has(path)));
	return { sessions, all: listed.map(({ session }) => session) };
}

/** A session with its annotations. */
interface Row extends ListedSession {
	readonly cwd: string | undefined;
	readonly annotations: Annotations;
}

function chosen(listed: readonly ListedSession[], here: SessionsHere, options: ListOptions): readonly SessionSummary[] {
	const { agent, since, until, project } = filtersOf(options);
	const rows: Row[] = [];
	for (const item of listed) {
		if (agent !== undefined && item.session.agent !== agent) continue;
		if (since !== undefined && item.updated < since) continue;
		if (until !== undefined && item.updated >= until) continue;
		const annotations = here.annotationsOf(item.session);
		const cwd = annotations.folder ?? item.seen.cwd;
		if (project?.(cwd) === false) continue;
		if (annotations.archived !== undefined && !options.archived) continue;
		if (options.tag !== undefined && !annotations.tags.includes(options.tag.replace(/^#/, ''))) continue;
		rows.push({ ...item, annotations, cwd });
	}
	rows.sort(comparers[options.sort ?? 'updated']);
	return (options.limit === undefined ? rows : rows.slice(0, options.limit)).map(summaryOf);
}

const byUpdated = (a: Row, b: Row): number => b.updated - a.updated || (a.session.path < b.session.path ? -1 : 1);

const comparers: { readonly [S in NonNullable<ListOptions['sort']>]: (a: Row, b: Row) => number } = {
	updated: byUpdated,
	created: (a, b) => (b.seen.created ?? '').localeCompare(a.seen.created ?? '') || byUpdated(a, b),
	cost: (a, b) => (b.costUsd ?? -1) - (a.costUsd ?? -1) || byUpdated(a, b),
	turns: (a, b) => (b.turns ?? -1) - (a.turns ?? -1) || byUpdated(a, b),
	title: (a, b) => (a.seen.title ?? '\uffff').localeCompare(b.seen.title ?? '\uffff') || byUpdated(a, b),
};

function summaryOf({ session, seen, cwd, updated, turns, costUsd, annotations }: Row): SessionSummary {
	const { id, agent, format, path } = session;
	return {
		id,
		agent,
		format,
		path,
		cwd: cwd ?? null,
		title: seen.title ?? null,
		gitBranch: seen.gitBranch ?? null,
		tag: annotations.tags[0] ?? null,
		tags: annotations.tags,
		createdAt: seen.created ?? null,
		updatedAt: new Date(updated).toISOString(),
		turns,
		costUsd,
		...(annotations.archived === undefined ? {} : { archived: annotations.archived }),
	};
}
