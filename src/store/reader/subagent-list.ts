/** The sub-agents of a session: what each was to do, how far it came, and whether it can be gone on with. */
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
	readonly startedAt?: string;
	readonly updatedAt?: string;
}

/** Those with files of their own, in the order in which they began. */
export function listSubagents(path: string): readonly SubagentSummary[] {
	using reader = openReader(path);
	const session = reader.whole();
	const all = [...session.subagents, ...ownSubagents(path, session)];
	const calls = new Map(callsIn([session, ...all.map((agent) => agent.session)]).map((call) => [call.id, call]));
	const found = all.map((agent) => summaryOf(agent, calls));
	return found.sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1));
}

/** Those that the session's client has no place for, and that are kept with our own data. */
function ownSubagents(path: string, session: Session): readonly Subagent[] {
	const known = new Set(session.subagents.map((agent) => agent.id));
	return subagentFiles({ path, format: session.format, machine: thisMachine() }).flatMap((file) => {
		if (known.has(file.id) || !existsSync(file.path)) return [];
		const found = identify(file.path);
		if (!found.ok) return [];
		using reader = new SessionReader(file.path, found);
		return [{ id: file.id, path: file.path, session: reader.whole({ subagents: false }) }];
	});
}

interface Call {
	readonly id: string;
	readonly input: JsonObject;
}

function callsIn(sessions: readonly Session[]): readonly Call[] {
	return sessions.flatMap(({ entries }) =>
		entries.flatMap((entry) =>
			entry.kind !== 'message'
				? []
				: entry.content.flatMap((block) =>
						block.type === 'tool_call' && isObject(block.input) ? [{ id: block.id, input: block.input }] : [],
					),
		),
	);
}

function summaryOf(
	{ id, path = '', call, meta, session }: Subagent,
	calls: ReadonlyMap<string, Call>,
): SubagentSummary {
	const said = session.entries.filter((entry): entry is MessageEntry => entry.kind === 'message');
	const prompt = textOf(said.find(({ role }) => role === 'user'));
	// Without any other trace the task itself tells which call it was.
	const started =
		calls.get(call ?? '') ?? [...calls.values()].find(({ input }) => stringAt(input, 'prompt') === prompt);
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
		tokens: sumOf(responses.at(-1) ?? noUsage),
		usage: responses.reduce(addUsage, noUsage),
		toolUses: said.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result')).length,
		...compact({
			call: started?.id ?? call,
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
