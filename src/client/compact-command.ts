/** The commands `/compact [instructions]` and `/uncompact [entry]`, wherever a prompt comes from: this is the one place that knows them. */
import { textOf } from '../agent/blocks.ts';
import type { AgentConfig, Conversation, Prompt, RunResult } from '../agent/config.ts';
import { type Run, type RunOptions, startCompaction, startRun } from '../agent/run.ts';
import { compact, noUsage } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import { uncompactSession } from '../store/manage/uncompact.ts';
import type { ClientOptions } from './options.ts';
import { type ClientSession, openClientSession } from './session.ts';

/** The names, for those who list commands. */
export const compactCommands: readonly string[] = ['compact', 'uncompact'];

/** What stands behind the name of such a command; undefined where the prompt is something else. */
function argsOf(prompt: Prompt, name: string): string | undefined {
	const called = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(textOf(prompt).trim());
	return called?.[1] === name ? (called[2] ?? '').trim() : undefined;
}

/** Starts what the prompt wants: a compaction, or an answer of the model. */
export function startPrompt(
	handle: SessionHandle,
	conversation: Conversation,
	prompt: Prompt | undefined,
	config: AgentConfig,
	options: RunOptions,
): Run {
	const instructions = prompt === undefined ? undefined : argsOf(prompt, 'compact');
	if (instructions === undefined) return startRun(handle, conversation, prompt, config, options);
	return startCompaction(handle, conversation, instructions, config, options);
}

/** What came of a command that asked no model, and the session that prompts go to from now on, where that is another one. */
export interface Commanded {
	readonly result: RunResult;
	readonly session?: ClientSession;
}

/** Goes on from all that was said, where the prompt wants that: in a copy, because clients cannot undo a compaction in its own file. */
export async function uncompacted(
	prompt: Prompt,
	{ handle, cwd }: ClientSession,
	{ sessionProfile }: ClientOptions,
): Promise<Commanded | undefined> {
	const to = argsOf(prompt, 'uncompact');
	if (to === undefined) return undefined;
	if (handle.leaf === null) return { result: resultOf({ problem: 'there is nothing to undo: nothing was said yet' }) };
	try {
		await handle.sync();
		const { id, path, undone } = await uncompactSession(handle.path, to === '' ? undefined : to);
		const session = await openClientSession({ resume: path, cwd, ...compact({ sessionProfile }) }, cwd);
		const what = undone === 1 ? 'the compaction is' : `${undone} compactions are`;
		const text = `Undone: ${what} left out, and the whole conversation goes on as ${id}.`;
		return { session, result: resultOf({ text }) };
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		return { result: resultOf({ problem: error.message }) };
	}
}

function resultOf({ text = '', problem }: { readonly text?: string; readonly problem?: string }): RunResult {
	const nothing = { usage: noUsage, models: new Map(), costUsd: 0, turns: 0, durationMs: 0, apiMs: 0 };
	const how = problem === undefined ? ({ outcome: 'success' } as const) : ({ outcome: 'error', problem } as const);
	return { ...how, text, ...nothing, denials: [], messages: [] };
}
