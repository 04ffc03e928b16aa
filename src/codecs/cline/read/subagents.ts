/** Finds which call started which sub-agent. No file states it, so the given tasks are compared. */
import { compact, type Entry, isObject, type Session, type Subagent, stringAt } from '../../../model/index.ts';
import { textIn } from '../../shared/write/said.ts';

/** Tools that start an agent, with the argument that is its task and the one that names it, if any. */
const starters: {
	readonly [tool: string]: { readonly task: string; readonly whom?: string; readonly either?: boolean };
} = {
	spawn_agent: { task: 'task' },
	team_run_task: { task: 'task', whom: 'agentId' },
	// Claude Code's, which Reprise calls in sessions of every format.
	Task: { task: 'prompt', either: true },
	Agent: { task: 'prompt', either: true },
};

interface Start {
	readonly call: string;
	readonly task: string;
	/** A teammate's name, with which the names of its files begin. */
	readonly agent?: string;
	/** True for a call of a tool that starts both sub-agents and teammates. */
	readonly either?: boolean;
}

/** The call of each sub-agent. Equal tasks are matched in the order in which they were given and begun. */
export function subagentCalls(session: Session): ReadonlyMap<string, string> {
	const open = startsOf(session.entries);
	const calls = new Map<string, string>();
	for (const { id, task, last } of begun(session.subagents)) {
		// A teammate's file begins with its earlier tasks.
		const at = open.findIndex((start) => start.task === (start.agent === undefined ? task : last) && isFor(start, id));
		const [start] = at === -1 ? [] : open.splice(at, 1);
		if (start) calls.set(id, start.call);
	}
	return calls;
}

function isFor(start: Start, id: string): boolean {
	const team = id.includes('__');
	if (start.either) return true;
	return start.agent === undefined ? !team : team && id.startsWith(`${start.agent}__`);
}

function startsOf(entries: readonly Entry[]): Start[] {
	const starts: Start[] = [];
	for (const entry of entries) {
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) {
			if (block.type !== 'tool_call' || !Object.hasOwn(starters, block.name) || !isObject(block.input)) continue;
			const { task: field = 'task', whom, either } = starters[block.name] ?? {};
			const task = stringAt(block.input, field);
			const agent = whom === undefined ? undefined : stringAt(block.input, whom);
			if (task === undefined) continue;
			starts.push({ call: block.id, task: task.trim(), ...compact({ agent, either }) });
		}
	}
	return starts;
}

/** The sub-agents with their tasks, the earliest first. */
function begun(subagents: readonly Subagent[]): readonly { id: string; task: string; last: string }[] {
	return subagents
		.map(({ id, session: { entries } }) => ({ id, ...tasksOf(entries), time: entries[0]?.time ?? '' }))
		.sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
}

/** The first task that was given, and the last. */
function tasksOf(entries: readonly Entry[]): { readonly task: string; readonly last: string } {
	const said = entries.flatMap((entry) =>
		entry.kind === 'message' && entry.role === 'user' ? [textIn(entry).trim()] : [],
	);
	const [task = ''] = said;
	return { task, last: said.findLast((text) => text !== '') ?? task };
}
