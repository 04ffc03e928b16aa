/** Lists a session's sub-agents with task, tokens and depth: when one counts as running, completed, failed or interrupted, and which call started it. */
import { existsSync } from 'node:fs';
import {
	addUsage,
	blockText,
	compact,
	type Entry,
	isObject,
	type JsonObject,
	type MessageEntry,
	noUsage,
	numberAt,
	type Session,
	type Subagent,
	stringAt,
	type Usage,
} from '../../model/index.ts';
import { thisMachine } from '../find/folders.ts';
import { subagentFiles } from '../handle/subagents.ts';
import { isWritten } from '../own-data/own-data.ts';
import { identify } from './identify.ts';
import { openReader, SessionReader } from './session-reader.ts';

/** `interrupted`: it ended in the middle of its work, and can be gone on with. */
export type SubagentState = 'running' | 'completed' | 'failed' | 'interrupted';

export interface SubagentSummary {
	readonly id: string;
	readonly path: string;
	/** The tool call that started it. */
	readonly call?: string;
	/** The kind of agent, and what it was to do in a few words, as the call said it. */
	readonly type?: string;
	readonly description?: string;
	readonly prompt: string;
	readonly state: SubagentState;
	/** Its last words, where it has completed; why it failed. */
	readonly report: string;
	/** Of its last request and reply, and of all of them. */
	readonly tokens: number;
	readonly usage: Usage;
	readonly toolUses: number;
	/** 1 for one that the session itself has started, 2 for one that such a one has. */
	readonly depth: number;
	readonly startedAt?: string;
	readonly updatedAt?: string;
}

/** Those with files of their own, in the order of the calls that started them: the session's, then those of its agents. */
export function listSubagents(path: string): readonly SubagentSummary[] {
	using reader = openReader(path);
	const session = reader.whole();
	const all = [...session.subagents, ...ownSubagents(path, session)];
	const calls = new Map([...callsIn(session), ...all.flatMap((agent) => callsIn(agent.session, agent.id))]);
	const made = all.map((agent) => summaryOf(agent, calls));
	const notes = new Map(all.flatMap(({ id, meta }) => (meta ? [[id, meta] as const] : [])));
	const found = made.map((agent) => ({ ...agent, depth: depthOf(agent, { made, calls, notes }) }));
	const place = new Map([...calls.keys()].map((call, index) => [call, index]));
	const placeOf = ({ call = '' }: SubagentSummary): number => place.get(call) ?? calls.size;
	return found.sort((a, b) => placeOf(a) - placeOf(b) || (a.startedAt ?? '').localeCompare(b.startedAt ?? ''));
}

/** Those that the session's client has no place for, and that are kept with our own data. */
function ownSubagents(path: string, session: Session): readonly Subagent[] {
	const known = new Set(session.subagents.map((agent) => agent.id));
	return subagentFiles({ path, format: session.format, machine: thisMachine() }).flatMap((file) => {
		if (known.has(file.id) || !existsSync(file.path)) return [];
		const found = identify(file.path);
		if (!found.ok) return [];
		using reader = new SessionReader(file.path, found);
		const { meta } = file;
		return [{ id: file.id, path: file.path, ...compact({ meta }), session: reader.whole({ subagents: false }) }];
	});
}

interface Call {
	readonly id: string;
	readonly input: JsonObject;
	/** The sub-agent that made it; absent for the session itself. */
	readonly by?: string;
}

type Calls = ReadonlyMap<string, Call>;

type Made = Omit<SubagentSummary, 'depth'>;

/** As its client has noted it, else one more than whoever has started it. One that nobody is known to have started counts as the session's. */
function depthOf(
	{ id, call }: Made,
	known: {
		readonly made: readonly Made[];
		readonly calls: Calls;
		readonly notes: ReadonlyMap<string, JsonObject>;
	},
	below: ReadonlySet<string> = new Set(),
): number {
	const noted = numberAt(known.notes.get(id) ?? {}, 'spawnDepth');
	if (noted !== undefined && noted >= 1) return noted;
	const by = known.calls.get(call ?? '')?.by;
	const parent = known.made.find((agent) => agent.id === by);
	return parent && !below.has(parent.id) ? 1 + depthOf(parent, known, new Set([...below, id])) : 1;
}

function callsIn({ entries }: Session, by?: string): readonly (readonly [string, Call])[] {
	return entries.flatMap((entry) =>
		entry.kind !== 'message'
			? []
			: entry.content.flatMap((block) =>
					block.type === 'tool_call' && isObject(block.input)
						? [[block.id, { id: block.id, input: block.input, ...compact({ by }) }] as const]
						: [],
				),
	);
}

function summaryOf({ id, path = '', call, meta, session }: Subagent, calls: Calls): Made {
	const said = session.entries.filter((entry): entry is MessageEntry => entry.kind === 'message');
	const prompt = textOf(said.find(({ role }) => role === 'user'));
	// Without any other trace the task itself tells which call it was.
	const named = calls.get(call ?? (meta && stringAt(meta, 'toolUseId')) ?? '');
	// A call that has gone on with it did not start it.
	const isStart = ({ input }: Call): boolean => stringAt(input, 'resume') === undefined;
	const started =
		named && isStart(named)
			? named
			: [...calls.values()].find((one) => isStart(one) && stringAt(one.input, 'prompt') === prompt);
	const input = started?.input ?? {};
	const running = path !== '' && isWritten(path, thisMachine());
	const { state, report } = endOf(said);
	const responses = lastOfEach(said);
	return {
		id,
		path,
		prompt,
		state: running ? 'running' : state,
		report,
		tokens: sumOf(responses.at(-1) ?? noUsage) || ((meta && numberAt(meta, 'totalTokens')) ?? 0),
		usage: responses.reduce(addUsage, noUsage),
		toolUses: said.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result')).length,
		...compact({
			call: (started ?? named)?.id ?? call,
			type: (meta && stringAt(meta, 'agentType')) ?? stringAt(input, 'subagent_type'),
			description: (meta && stringAt(meta, 'description')) ?? stringAt(input, 'description'),
			startedAt: timeIn(session.entries) ?? session.header.created,
			updatedAt: timeIn(session.entries.toReversed()),
		}),
	};
}

function endOf(said: readonly MessageEntry[]): Pick<SubagentSummary, 'state' | 'report'> {
	const last = said.at(-1);
	if (last?.role !== 'assistant') return { state: 'interrupted', report: '' };
	const { error, stop } = last.response ?? {};
	if (error !== undefined) return { state: 'failed', report: error };
	const isOpen = last.content.some(({ type }) => type === 'tool_call');
	const text = textOf(last);
	if (isOpen || stop === 'aborted' || text === '') return { state: 'interrupted', report: '' };
	return { state: 'completed', report: text };
}

function textOf(entry: MessageEntry | undefined): string {
	return (entry?.content ?? []).flatMap((block) => (block.type === 'text' ? [blockText(block)] : [])).join('\n');
}

/** What each response used: one that is written as several records states it in each, and the last is right. */
function lastOfEach(said: readonly MessageEntry[]): readonly Usage[] {
	const found = new Map<string, Usage>();
	for (const { id, response } of said) if (response?.usage) found.set(response.id ?? id, response.usage);
	return [...found.values()];
}

function sumOf({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
	return input + output + cacheRead + cacheWrite5m + cacheWrite1h;
}

function timeIn(entries: readonly Entry[]): string | undefined {
	return entries.find(({ time }) => time !== undefined)?.time;
}
