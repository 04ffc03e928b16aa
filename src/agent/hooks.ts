/** Runs the hooks of one point, all at the same time, and records what they were given and what they said. */
import { compact, type HookEvent, type JsonObject } from '../model/index.ts';
import type { AgentConfig } from './config.ts';
import type { HookAnswer, HookFacts, HookPoints, HookRan } from './hook-points.ts';
import type { Journal } from './journal.ts';

type Answer<P extends keyof HookPoints> = HookPoints[P]['out'] & HookAnswer;

/** A hook that is meant by this call of its point. */
interface Called<P extends keyof HookPoints> {
	readonly name: string;
	readonly label: string;
	readonly command?: string | undefined;
	run(input: HookPoints[P]['in'], signal: AbortSignal, facts: HookFacts): Promise<Answer<P> | undefined>;
}

/** What they answered, in the order of the hooks. A hook that throws stops nothing: that it failed is recorded. */
export async function runHooks<P extends keyof HookPoints>(
	config: AgentConfig,
	journal: Journal,
	point: P,
	input: HookPoints[P]['in'],
	signal: AbortSignal,
): Promise<readonly Answer<P>[]> {
	const called = calledAt(config, point, input);
	if (called.length === 0) return [];
	const call = callOf(input) ?? config.host.randomHex(32);
	for (const { label, command } of called) {
		if (command === undefined) continue;
		const data = { hookEvent: point, hookName: label, command };
		await journal.hook({ type: 'progress', of: 'hook_progress', call, parentCall: call, data });
	}
	const { cwd, mode } = config;
	// Hooks of a sub-agent are told of the session that it works for.
	const { id = journal.sessionId, path = journal.path } = config.agent?.root ?? {};
	const facts = { sessionId: id, transcriptPath: path, cwd, permissionMode: mode };
	const tried = await Promise.all(called.map((hook) => tryHook(hook, input, signal, facts)));
	for (const [index, { label, name, command }] of called.entries()) {
		const { answer, problem } = tried[index] ?? {};
		await journal.hook(recordOf({ point, label, command: command ?? name, call, ran: answer?.ran, problem }));
		const message = answer?.notice ?? problem;
		if (message !== undefined) config.observe?.({ type: 'hook', name: label, message });
	}
	return tried.flatMap(({ answer }) => answer ?? []);
}

function calledAt<P extends keyof HookPoints>(
	{ hooks = [] }: AgentConfig,
	point: P,
	input: HookPoints[P]['in'],
): readonly Called<P>[] {
	return hooks.flatMap((hook) => {
		if (hook.on !== point) return [];
		// The point and the input fit each other, which the union of all hooks cannot say.
		const { name, command, calledFor, run } = hook as unknown as Called<P> & {
			calledFor?(input: HookPoints[P]['in']): string | undefined;
		};
		const label = calledFor ? calledFor.call(hook, input) : `${point}:${name}`;
		return label === undefined ? [] : [{ name, label, command, run: run.bind(hook) }];
	});
}

interface Tried<P extends keyof HookPoints> {
	readonly answer?: Answer<P> | undefined;
	readonly problem?: string;
}

async function tryHook<P extends keyof HookPoints>(
	hook: Called<P>,
	input: HookPoints[P]['in'],
	signal: AbortSignal,
	facts: HookFacts,
): Promise<Tried<P>> {
	try {
		return { answer: await hook.run(input, signal, facts) };
	} catch (error) {
		return { problem: error instanceof Error ? error.message : String(error) };
	}
}

function callOf(input: object): string | undefined {
	return 'call' in input ? (input as HookPoints['PreToolUse']['in']).call.id : undefined;
}

interface Recorded {
	readonly point: string;
	readonly label: string;
	readonly command: string;
	readonly call: string;
	readonly ran: HookRan | undefined;
	readonly problem: string | undefined;
}

/** In the words of Claude Code's own records. `content` is what it would tell the model again: that is a message of its own here. */
function recordOf({ point, label, command, call, ran, problem }: Recorded): HookEvent {
	const told = compact({ output: problem ?? (ran ? ran.stdout || ran.stderr || undefined : undefined) });
	if (!ran) return { type: 'hook', event: point, name: label, ...told, data: { command } };
	const { outcome, input, stdout, stderr, exitCode, durationMs, decision } = ran;
	const facts: JsonObject = { hookName: label, toolUseID: call, hookEvent: point };
	const said = { command, exitCode, durationMs, stdout, stderr };
	return {
		type: 'hook',
		event: point,
		name: label,
		...told,
		data: {
			type: recordTypes[outcome],
			...facts,
			content: '',
			...said,
			...(decision ? { decision } : {}),
			input: shortened(input),
		},
	};
}

/** A hook that blocks has done its work, and its decision says so: the client's own record of it would be told to the model once more. */
const recordTypes: { readonly [K in HookRan['outcome']]: string } = {
	success: 'hook_success',
	blocked: 'hook_success',
	failed: 'hook_non_blocking_error',
	cancelled: 'hook_cancelled',
};

/** Longest text of an input that is written down with each hook; the call and its result hold it anyway. */
const longestKept = 2000;

function shortened(input: JsonObject): JsonObject {
	const entries = Object.entries(input).map(([name, value]) => {
		const text = JSON.stringify(value ?? null);
		return [name, text.length > longestKept ? `${text.slice(0, longestKept)}… (${text.length} characters)` : value];
	});
	return Object.fromEntries(entries) as JsonObject;
}
