/** Finds the session a person means: by a file, an id (or `pi:ID`), a unique beginning of one, a title, or `last`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Folders, Machine } from '../../codecs/index.ts';
import { InputError } from '../errors.ts';
import { readAnnotations } from '../manage/annotations.ts';
import { databasePath } from '../reader/database.ts';
import { foldersOf, glance } from '../reader/glance.ts';
import { identify } from '../reader/identify.ts';
import { type DatedSession, discoverSessions, type FoundSession, newestFirst } from './discover.ts';
import { currentFolder, diskFolders, foldersOfDisk, thisMachine } from './folders.ts';
import { type Project, projectAt } from './project.ts';
import { sessionId } from './session-files.ts';
import { agentPrefixes, looksLikeFile, sessionWord } from './session-names.ts';

export interface FindOptions {
	readonly machine?: Machine;
	readonly folders?: Folders;
	/** The folder whose project `last` is of. Default: the current one. */
	readonly cwd?: string;
	/** The caller will write: a title then means a session of this project only; others need an id or a file. */
	readonly writes?: boolean;
	/** `last` is the session of the project that was archived last. */
	readonly archived?: boolean;
}

export type Found = { readonly ok: true; readonly path: string; readonly session?: FoundSession } | NotFound;

export interface NotFound {
	readonly ok: false;
	readonly rule: 'missing' | 'ambiguous';
	readonly message: string;
	readonly candidates: readonly FoundSession[];
}

/** The session that is meant. Names of files come first; sessions are read only for titles and `last`. */
export function findSession(argument: string, options: FindOptions = {}): Found {
	if (existsSync(databasePath(argument).file)) return { ok: true, path: argument };
	const refused = new Set<string>();
	const { machine = thisMachine(), folders = foldersOfDisk((path) => refused.add(path)) } = options;
	const cwd = options.cwd ?? currentFolder().path;
	if (argument === 'last' && options.archived) return findLastArchived(machine, folders, cwd);
	if (argument === 'last') return findLast(machine, folders, cwd, options.writes === true);
	if (looksLikeFile(argument)) return missing(`${argument} does not exist`);
	const all = [...discoverSessions(machine, folders, { subagents: true })];
	const found = findId(argument, argument, all) ?? findOfAgent(argument, all);
	if (found) return found;
	const unseen =
		refused.size === 0 ? '' : `; it may be in a folder you are not allowed to read: ${[...refused].join(', ')}`;
	return (
		findTitle(argument, all, options.writes ? projectAt(cwd) : undefined, readAnnotations(machine)) ??
		missing(`no session has the id or the title "${argument}", and there is no such file${unseen}`)
	);
}

function findId(argument: string, id: string, all: readonly FoundSession[]): Found | undefined {
	if (id === '') return undefined;
	const lower = id.toLowerCase();
	for (const group of [all.filter((session) => session.parent === undefined), all]) {
		for (const [what, fits] of [
			['id', (one: string) => one === id],
			['id', (one: string) => one.toLowerCase() === lower],
			['beginning of an id', (one: string) => one.startsWith(id)],
			['beginning of an id', (one: string) => one.toLowerCase().startsWith(lower)],
		] as const) {
			const chosen = choose(
				argument,
				what,
				group.filter((session) => fits(session.id)),
			);
			if (chosen) return chosen;
		}
	}
	return undefined;
}

/** A session named as `pi:ID`: after a hand-off several agents share an id. Undefined for a title with a colon. */
function findOfAgent(argument: string, all: readonly FoundSession[]): Found | undefined {
	const [agent, ...rest] = argument.split(':');
	const id = rest.join(':');
	const own = findId(
		argument,
		id,
		all.filter((session) => session.agent === agent),
	);
	// Agents that share a format are known by its name, too.
	return (
		own ??
		findId(
			argument,
			id,
			all.filter((session) => session.format === agent),
		)
	);
}

/** The path of the session meant; an InputError that lists the candidates when it is not clear which. */
export function sessionPath(argument: string, options: FindOptions = {}): string {
	const found = findSession(argument, options);
	if (!found.ok) throw new InputError(found.rule, found.message);
	return found.path;
}

/** The session meant, with the id and format by which annotations and the vault know it. */
export function namedSession(argument: string, options: FindOptions = {}): FoundSession {
	const found = findSession(argument, options);
	if (!found.ok) throw new InputError(found.rule, found.message);
	if (found.session) return found.session;
	const known = identify(found.path);
	if (!known.ok) throw new InputError(known.rule, known.message);
	using source = known.source;
	const path = databasePath(source.path).session === undefined ? resolve(source.path) : source.path;
	const id = databasePath(path).session ?? sessionId(known.codec, path);
	const here = [
		...discoverSessions(options.machine ?? thisMachine(), options.folders ?? diskFolders, { format: known.codec.id }),
	];
	return here.find((session) => session.path === path) ?? { path, id, agent: known.codec.id, format: known.codec.id };
}

function missing(message: string): NotFound {
	return { ok: false, rule: 'missing', message, candidates: [] };
}

/** The one candidate, or the question which is meant; undefined when there are no candidates. */
function choose(argument: string, what: string, candidates: readonly FoundSession[]): Found | undefined {
	const [first, second] = candidates;
	if (!first) return undefined;
	if (!second) return { ok: true, path: first.path, session: first };
	return { ok: false, rule: 'ambiguous', message: ambiguous(argument, what, candidates), candidates };
}

const mostListed = 10;

function ambiguous(argument: string, what: string, candidates: readonly FoundSession[]): string {
	const newest = newestFirst(candidates);
	const prefix = agentPrefixes(candidates);
	const lines = newest
		.slice(0, mostListed)
		.map((session) => `  ${prefix(session)}${session.id}  ${describe(session)}  ${session.path}`);
	const more = newest.length > mostListed ? [`  … and ${newest.length - mostListed} more`] : [];
	const head = `"${argument}" is the ${what} of ${candidates.length} sessions; name one of them by its id or file:`;
	return [head, ...lines, ...more].join('\n');
}

function describe(session: DatedSession): string {
	const title = glance(session)?.title ?? '';
	return `${session.agent} ${new Date(session.mtimeMs).toISOString().slice(0, 16)}${title ? ` "${title}"` : ''}`;
}

/** Finds a session by its title, in any case if need be. A session without one goes by its first prompt. */
function findTitle(
	argument: string,
	all: readonly FoundSession[],
	project: Project | undefined,
	annotationsOf: MarksOf,
): Found | undefined {
	const wanted = argument.trim().toLowerCase();
	if (wanted === '') return undefined;
	const titled = all
		.filter((session) => session.parent === undefined)
		.map((session) => ({ session, title: glance(session)?.title ?? '' }))
		.filter(({ title }) => title.toLowerCase() === wanted);
	const exact = titled.filter(({ title }) => title === argument.trim());
	const found = (exact.length > 0 ? exact : titled).map(({ session }) => session);
	const own = project ? found.filter((session) => project.has(folderOf(session, annotationsOf))) : found;
	const [other] = found;
	if (own.length > 0 || !other) return choose(argument, 'title', own);
	const { agent, id } = other;
	const where = folderOf(other, annotationsOf) ?? 'an unknown folder';
	return missing(
		`no session of this project has the title "${argument}"; ${agent}:${id} in ${where} has it: name it by its id`,
	);
}

/** The newest session of this project that is not archived. No other may stand in: the next write goes there. */
function findLast(machine: Machine, folders: Folders, cwd: string, writes: boolean): Found {
	const all = newestFirst(discoverSessions(machine, folders));
	const project = projectAt(cwd);
	const annotationsOf = readAnnotations(machine);
	const own = all.find(
		(session) => annotationsOf(session).archived === undefined && project.has(folderOf(session, annotationsOf)),
	);
	if (own) return { ok: true, path: own.path, session: own };
	const [newest] = all;
	if (!newest) return missing('no session of this project, and none of any known agent on this machine');
	const { agent, id } = newest;
	const where = folderOf(newest, annotationsOf) ?? 'an unknown folder';
	const name = sessionWord({ id: `${agentPrefixes(all)(newest)}${id}`, path: newest.path });
	const next = writes ? `reprise -r ${name} -p "…" goes on with it` : `reprise show ${name} shows it`;
	return missing(`no session of this project; the newest anywhere is ${agent}:${id} in ${where}: ${next}`);
}

function findLastArchived(machine: Machine, folders: Folders, cwd: string): Found {
	const project = projectAt(cwd);
	const annotationsOf = readAnnotations(machine);
	let last: { readonly session: FoundSession; readonly when: string } | undefined;
	for (const session of discoverSessions(machine, folders)) {
		const { archived: when = '' } = annotationsOf(session);
		if (when <= (last?.when ?? '') || !project.has(folderOf(session, annotationsOf))) continue;
		last = { session, when };
	}
	return last
		? { ok: true, path: last.session.path, session: last.session }
		: missing('no session of this project is archived');
}

type MarksOf = ReturnType<typeof readAnnotations>;

/** The folder whose project a session is of: where it was begun, unless somebody has said that it moved. */
function folderOf(session: FoundSession, annotationsOf: MarksOf): string | undefined {
	return annotationsOf(session).folder ?? foldersOf(session)[0];
}
