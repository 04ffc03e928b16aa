/** The data of the session picker: how many sessions are listed, when one counts as running, idle or unknown, the largest that is priced, previews. Its look: screens/sessions.ts. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionCosts } from '../../catalog/cost-of-session.ts';
import { listSessions, type SessionSummary } from '../../catalog/list-sessions.ts';
import { searchSessions } from '../../catalog/search-sessions.ts';
import { gitBranchOf } from '../../host/project/git-branch.ts';
import { LogError } from '../../log/errors.ts';
import { compact } from '../../model/index.ts';
import { copiedOf } from '../../store/checkpoints/inherit.ts';
import { InputError } from '../../store/errors.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { type Project, projectAt } from '../../store/find/project.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import { renameSession } from '../../store/manage/rename.ts';
import { carriedIn } from '../../store/own-data/carried-notes.ts';
import { isWritten } from '../../store/own-data/own-data.ts';
import { folderText } from '../../terminal/print.ts';
import type { Dialogs } from '../dialogs.ts';
import type { Want } from '../screens/screen.ts';
import { type PickedSession, type SaidHit, type SessionAnswer, SessionsScreen } from '../screens/sessions.ts';
import { storedBlocks } from '../stored.ts';
import { plainTheme } from '../theme.ts';
import { blockRows } from '../views/block.ts';

const mostListed = 5000;
const previewTurns = 3;
const previewWidth = 100;
/** Pricing a larger session would hold up the keys; one that nobody has asked about has to be smaller. */
const largestPriced = 1 << 24;
const largestPricedBeside = 1 << 20;
/** Keys come first: so long nothing is counted before the next row. */
const restMs = 15;
/** Clients of others lock nothing that we could ask: what they wrote this long ago they may be writing still. */
const unsureMs = 60_000;

export interface PickingAt {
	/** Where its user is. */
	readonly cwd: string;
	/** The session that is open here. */
	readonly open?: SessionHandle;
}

/** The file of the session that was chosen, `new`, or undefined. */
export async function pickSession(dialogs: Dialogs, at: PickingAt): Promise<string | 'new' | undefined> {
	const branch = gitBranchOf(at.cwd);
	const costs = new SessionCosts();
	let screen = new SessionsScreen({ sessions: sessionsFor(at), now: Date.now(), ...compact({ branch }) });
	for (;;) {
		const answer: SessionAnswer = await dialogs.open<SessionAnswer>(() => screen, {
			serve: async (want, now) => (now instanceof SessionsScreen ? await served(want, now, costs) : now),
		});
		if (answer === undefined) return undefined;
		if (answer.is === 'new') return 'new';
		if (answer.is === 'open') return answer.path;
		const own = answer.path === at.open?.path ? at.open : undefined;
		const problem = await problemOf(renameSession(answer.path, answer.title, thisMachine(), own));
		const then = answer.then.withSessions(sessionsFor(at));
		screen = problem === undefined ? then : then.withProblem(problem);
	}
}

/** Another program may write the session, or it may be gone: that is said in the list, which stays. */
async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
	try {
		await work;
		return undefined;
	} catch (error) {
		if (!(error instanceof InputError || error instanceof LogError)) throw error;
		return error.message;
	}
}

/** All sessions of this machine, as the picker shows them. */
export function sessionsFor(at: PickingAt): readonly PickedSession[] {
	const project = projectAt(at.cwd);
	const listed = listSessions({ limit: mostListed });
	const origin = originOf(listed);
	return listed.map((one) => ({ ...picked(one, project, at), ...compact({ copyOf: origin(one) }) }));
}

/** Only where titles alone do not tell sessions from each other: for all of them it would be a file each. */
function originOf(listed: readonly SessionSummary[]): (one: SessionSummary) => string | undefined {
	const machine = thisMachine();
	const titles = Map.groupBy(listed, ({ title }) => title);
	return ({ title, format, id }) => {
		if (title === null || (titles.get(title)?.length ?? 0) < 2) return undefined;
		const of = carriedIn(machine, { format, id }).at(0)?.of ?? copiedOf(machine, { format, id });
		if (of === undefined || (of.id === id && of.format === format)) return undefined;
		const original = listed.find((one) => one.id === of.id && one.format === of.format);
		return `${original?.agent ?? of.format} ${of.id.slice(0, 8)}`;
	};
}

function picked(one: SessionSummary, project: Project, { cwd: here, open }: PickingAt): PickedSession {
	const { id, path, agent, format, title, gitBranch, costUsd, cwd, updatedAt, turns } = one;
	const updated = Date.parse(updatedAt);
	return {
		...{ id, path, agent, format, title, gitBranch, updated },
		...(turns !== null && { costUsd }),
		folder: folderText(cwd ?? undefined),
		state: path === open?.path ? 'open' : stateOf(path, updated),
		here: project.has(cwd ?? undefined),
		elsewhere: cwd !== here,
	};
}

/** Of our own programs the lock tells; of others only that they have not written for a while. */
function stateOf(path: string, updated: number): PickedSession['state'] {
	if (isWritten(path, thisMachine())) return 'running';
	return Date.now() - updated < unsureMs ? 'unknown' : 'idle';
}

/** Words that are no question, and a session that has gone meanwhile, are shown as such, where they were asked about. */
async function served({ what, of }: Want, screen: SessionsScreen, costs: SessionCosts): Promise<SessionsScreen> {
	try {
		if (what === 'preview') return screen.withPreview(of, await preview(of));
		if (what === 'cost') return await priced(of, screen, costs);
		const { hits } = searchSessions(of, {});
		return screen.withHits(of, hitsBySession(hits));
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		if (what === 'preview') return screen.withPreview(of, error.message);
		return what === 'cost' ? screen.withCost(of, null) : screen.withHits(of, []);
	}
}

/** One row for a session, that of its newest hit, with the forks and copies in which the same was said. */
function hitsBySession(hits: ReturnType<typeof searchSessions>['hits']): readonly SaidHit[] {
	return [...Map.groupBy(hits, ({ agent, session }) => `${agent} ${session}`).values()].flatMap((group) => {
		const also = new Set(
			group.flatMap(({ copies = [] }) => copies.map((copy) => `${copy.agent} ${copy.session.slice(0, 8)}`)),
		);
		return group.slice(0, 1).map(({ path, entry, agent, title = null, snippet, time }) => ({
			path,
			entry,
			agent,
			title,
			snippet,
			time,
			also: [...also],
		}));
	});
}

/** `cost —`: it cannot be known, or would take too long. */
async function priced(path: string, screen: SessionsScreen, costs: SessionCosts): Promise<SessionsScreen> {
	await sleep(restMs);
	const session = screen.sessionAt(path);
	const size = statSync(path, { throwIfNoEntry: false })?.size;
	if (!session || size === undefined || size > largestPriced) return screen.withCost(path, null);
	if (size > largestPricedBeside && !screen.isSelected(path)) return screen.withLater(path);
	return screen.withCost(path, costs.of(session).totals.costUsd);
}

async function preview(path: string): Promise<string> {
	const blocks = await storedBlocks(path, previewTurns);
	return blocks
		.flatMap((block) => blockRows(block, previewWidth, plainTheme, { keyless: true }))
		.join('\n')
		.trimStart();
}
