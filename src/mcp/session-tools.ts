/** The tools of `reprise mcp`, with their wording and limits. They read, and never write; they answer about sessions that are found on this machine, and no other file. */
import { z } from 'zod';
import { groupings } from '../catalog/cost/report.ts';
import { listSessions } from '../catalog/list-sessions.ts';
import { searchSessions } from '../catalog/search-sessions.ts';
import { sessionCosts } from '../catalog/session-costs.ts';
import { openTitled } from '../export/index.ts';
import { markdown } from '../export/markdown.ts';
import { transcript } from '../export/transcript.ts';
import { compact } from '../model/index.ts';
import { quoted } from '../model/quoted.ts';
import { agents } from '../move/agents.ts';
import { InputError } from '../store/errors.ts';
import { discoverSessions, type FoundSession } from '../store/find/discover.ts';
import { findSession } from '../store/find/find-session.ts';
import { checkFile } from '../store/reader/check.ts';
import { contextOf } from '../store/reader/context.ts';

export interface SessionTool<S extends z.ZodObject> {
	readonly name: string;
	readonly description: string;
	readonly input: S;
	run(input: z.infer<S>): Promise<string> | string;
}

const usualRead = 20_000;
const mostRead = 100_000;
/** Lines of a tool's output that are shown. */
const foldAfter = 40;
const mostIssues = 20;

const moment = z.iso.datetime({ offset: true }).or(z.iso.date());
const asked = {
	project: z.string().describe('Only sessions of this folder and those below it; default: all').optional(),
	agent: z
		.enum(agents.map(({ name }) => name))
		.describe('Only sessions of this agent')
		.optional(),
	since: moment.describe('From this day or moment on, as in 2026-03-09').optional(),
	until: moment.describe('Before this day or moment').optional(),
};
const which = z
	.string()
	.describe('A session: its id or the beginning of it (agent:id where agents share it), its path, its title, or last');
const atMost = (most: number, usual: number) =>
	z.int().min(1).max(most).describe(`At most this many; default ${usual}`).default(usual);

const list = define({
	name: 'list_sessions',
	description:
		'Lists the sessions of the coding agents on this machine, newest first: id, agent, folder, title, times.',
	input: z.strictObject({
		...asked,
		tag: z.string().describe('Only sessions with this tag').optional(),
		limit: atMost(500, 20),
	}),
	run: ({ limit, tag, ...query }) =>
		json({ sessions: listSessions({ ...queryOf(query), limit, ...compact({ tag }) }) }),
});

const search = define({
	name: 'search_sessions',
	description:
		'Finds what was said in any session, newest first. Every word has to be there: words, "a phrase", begin*, -without. ' +
		'Each hit names its session and its entry, and whether its client would still send it to a model.',
	input: z.strictObject({
		query: z.string().min(1),
		...asked,
		tool: z.string().describe('Only calls and results of this tool').optional(),
		limit: atMost(100, 10),
	}),
	run: ({ query, limit, tool, ...rest }) =>
		json(searchSessions(query, { ...queryOf(rest), limit, ...compact({ tool }) })),
});

const read = define({
	name: 'read_session',
	description:
		'What was asked, said and done in a session, as Markdown, a part at a time: nextOffset is where the next part begins.',
	input: z.strictObject({
		session: which,
		offset: z.int().min(0).describe('Characters to skip; default 0').default(0),
		limit: z.int().min(1).max(mostRead).describe(`Characters to show; default ${usualRead}`).default(usualRead),
		last: z.int().min(1).describe('Only the last turns, so many of them').optional(),
		thinking: z.boolean().describe('With what the model thought').optional(),
	}),
	run: ({ session, offset, limit, last, thinking }) =>
		part(sessionAt(session).path, offset, limit, compact({ last, thinking })),
});

const cost = define({
	name: 'session_costs',
	description:
		'What sessions cost, in dollars and tokens: by day, week, month, session, project, model or agent, or of one session. A reply counts once, however many copies repeat it.',
	input: z.strictObject({
		...asked,
		by: z.enum(groupings).describe('One row for each; default day').optional(),
		session: which.describe('Only this session; by is not needed then').optional(),
	}),
	run: ({ by = 'day', session, ...query }) => {
		if (session === undefined) return json(sessionCosts({ ...queryOf(query), by }));
		const { id, agent } = sessionAt(session);
		const { rows } = sessionCosts({ ...queryOf({ ...query, agent }), by: 'session' });
		return json({ rows: rows.filter((row) => row.session === id) });
	},
});

const check = define({
	name: 'why_not_resumable',
	description:
		'Whether the client of a session would resume it, why not, and what is wrong with its file: each problem with its line and rule.',
	input: z.strictObject({ session: which }),
	run: ({ session }) => {
		const { path, id, agent } = sessionAt(session);
		const { refused, messages } = contextOf(path);
		const { issues } = checkFile(path, 'client');
		const told = issues.filter(({ severity }) => severity !== 'info');
		return json({
			session: id,
			agent,
			path,
			resumes: refused === undefined,
			...compact({ refused }),
			messages: messages.length,
			problems: told
				.slice(0, mostIssues)
				.map(({ rule, severity, line, message }) => ({ rule, severity, line, message })),
			moreProblems: Math.max(0, told.length - mostIssues),
			repair: told.length === 0 ? undefined : `reprise repair ${quoted(path)}`,
		});
	},
});

/** All of them. */
export const sessionTools: readonly SessionTool<z.ZodObject>[] = [list, search, read, cost, check];

/** A tool's own schema is known where it is written, and not where all are served: there each has checked its input by then. */
function define<S extends z.ZodObject>(tool: SessionTool<S>): SessionTool<z.ZodObject> {
	return tool as unknown as SessionTool<z.ZodObject>;
}

interface Query {
	readonly project?: string | undefined;
	readonly agent?: string | undefined;
	readonly since?: string | undefined;
	readonly until?: string | undefined;
}

function queryOf({ project, agent, since, until }: Query) {
	const date = (given: string | undefined): Date | undefined => (given === undefined ? undefined : new Date(given));
	return compact({ project, agent, since: date(since), until: date(until) });
}

/** A path means a session only where it is one of those that are found: no other file is opened for somebody else's model. */
function sessionAt(argument: string): FoundSession {
	const found = findSession(argument);
	if (!found.ok) throw new InputError('missing', found.message);
	const known = found.session ?? [...discoverSessions()].find(({ path }) => path === found.path);
	if (!known) throw new InputError('missing', `${argument} is not where an agent keeps its sessions`);
	return known;
}

/** Told piece by piece: of a session of gigabytes no more is read than up to the end of the part. */
async function part(
	path: string,
	offset: number,
	limit: number,
	told: { last?: number; thinking?: boolean },
): Promise<string> {
	using story = await openTitled(path, {});
	let at = 0;
	let shown = '';
	for (const piece of markdown(story, transcript(story, told), { fold: foldAfter, ids: true })) {
		if (at + piece.length > offset) shown += piece.slice(Math.max(0, offset - at));
		at += piece.length;
		if (shown.length > limit) return `${shown.slice(0, limit)}\n\n(nextOffset: ${offset + limit})`;
	}
	return shown === '' ? `(the session has ${at} characters)` : shown;
}

function json(document: object): string {
	return JSON.stringify(document);
}
