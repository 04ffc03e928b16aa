/** How Cline writes during a run: what sub-agents and their files are called, how the manifest says that a run has ended, where the hook log is. */
import { isObject, type JsonObject, numberAt, objectAt } from '../../model/index.ts';
import type { LivePart, Observed, RunEnd } from '../shared/live.ts';
import { fileName } from '../shared/places/file-name.ts';
import { pathsOf } from '../shared/places/paths.ts';
import { withValue } from '../shared/write/json-edit.ts';
import { childSession } from './lines.ts';
import { manifestIn } from './places/manage.ts';
import { tokensOf } from './write/beside.ts';
import { renamed } from './write/fork.ts';

export const live: LivePart = {
	turnUsage: 'published',
	abortedCalls: 'drop',
	emptyAborted: false,
	interrupted: () => undefined,
	// Of the permission modes Cline knows only whether it acts or plans.
	promptFields: ({ permissionMode }) => (permissionMode === 'plan' ? { mode: 'plan' } : {}),
	promptMode: ({ mode }) => (mode === 'plan' ? 'plan' : mode === 'act' ? 'default' : undefined),
	ended: { role: 'manifest', apply: endManifest },
	hookLog: { place: hookLogPlace, line: hookLine },
	subagents: {
		// Cline's own way to work in the background is a teammate, whose files are named after it and the task.
		newId: (random, time, _, { type, background }) => {
			const own = Buffer.from(random).toString('hex').slice(0, 6);
			return background ? `${type.replace(/[^a-zA-Z0-9.-]+/g, '_')}__${own}` : `agent_${time.getTime()}_${own}`;
		},
		// In its session's folder, with no manifest of its own; the id tells whose it is.
		place: ({ main, session, agent }) => ({
			path: pathsOf(main).join(pathsOf(main).dirname(main), `${fileName(agent)}.messages.json`),
			id: childSession(session, agent),
			session,
		}),
		copied: (bytes, { id, session }) => renamed(bytes, { sessionId: id }, { parentThreadId: session }),
	},
};

const statuses: { readonly [outcome: string]: readonly [status: string, exitCode: number] } = {
	success: ['completed', 0],
	interrupted: ['cancelled', 130],
};

/** Marks the session as ended in its manifest: Cline marks any other as failed when no process runs it. */
function endManifest(bytes: Uint8Array, end: RunEnd): Uint8Array | undefined {
	const manifest = manifestIn(bytes);
	if (!manifest) return undefined;
	const [status, exitCode] = statuses[end.outcome] ?? ['failed', 1];
	const metadata = objectAt(manifest, 'metadata') ?? {};
	const changes: readonly (readonly [readonly string[], JsonObject[string]])[] = [
		[['status'], status],
		[['exit_code'], exitCode],
		[['ended_at'], end.time],
		[['metadata'], { ...metadata, ...totals(metadata, end) }],
	];
	return changes.reduce((text, [path, value]) => withValue(text, path, value ?? null), bytes);
}

function totals(metadata: JsonObject, { usage, costUsd }: RunEnd): JsonObject {
	const run = { ...tokensOf(usage), totalCost: costUsd };
	const before = isObject(metadata.usage) ? metadata.usage : {};
	const sum = Object.fromEntries(
		Object.entries(run).map(([key, value]) => [key, value + (numberAt(before, key) ?? 0)]),
	);
	return { totalCost: sum.totalCost, aggregatedAgentsCost: sum.totalCost, usage: sum, aggregateUsage: sum };
}

/** The log's path: by the contract beside the session; the client has one for all sessions in its own folder. */
function hookLogPlace(path: string, profile: 'client' | 'published'): string {
	const { basename, dirname, join } = pathsOf(path);
	const inHome = basename(dirname(dirname(path))) === 'sessions';
	return profile === 'client' && inHome ? join('..', '..', 'logs', 'hooks.jsonl') : 'hooks.jsonl';
}

const hooks = { prompt: 'prompt_submit', call: 'tool_call_before', result: 'tool_call_after', end: 'run_end' } as const;

function hookLine(sessionId: string, ts: string, { what, ...more }: Observed): JsonObject {
	const hook = hooks[what];
	if (!('call' in more)) return { ts, sessionId, hook, ...more };
	const { call: toolCallId, ...rest } = more;
	return { ts, sessionId, hook, toolCallId, ...rest };
}
