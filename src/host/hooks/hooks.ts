/** The hooks of the settings, as the loop calls them: what each point is told in Claude Code's names, what matchers are held against, how much of an output is kept. */
import { askedCall } from '../../agent/calls/circumstances.ts';
import type { BatchedCall, Hook, HookFacts, HookPoints, PendingCall, ThinkingLevel } from '../../agent/contracts.ts';
import { suggestedUpdates } from '../../agent/permissions/verdict.ts';
import type { BackgroundTask } from '../../agent/tasks.ts';
import { compact, type Json, type JsonObject } from '../../model/index.ts';
import { type Meant, meaningOf } from './hook-answers.ts';
import { type HookOutput, runHookProcess } from './hook-process.ts';
import { askHook } from './hook-request.ts';
import { type HookEventName, type HookHandler, type HookSetting, handlerText, matches } from './hook-settings.ts';

export interface HookPlace {
	/** The project's folder. */
	readonly cwd: string;
	/** Variables of the settings. */
	readonly env: { readonly [name: string]: string };
	/** Calls a function of the driving process. */
	readonly callback?: CallBack;
}

/** Never throws: what goes wrong is the output's problem. */
export type CallBack = (
	handler: HookHandler & { readonly type: 'callback' },
	input: JsonObject,
	signal: AbortSignal,
	/** The call that it is about. */
	call: string | undefined,
) => Promise<HookOutput>;

/** One hook for each handler of a point: a handler that several matchers name is called once. */
export function hooksOf(settings: readonly HookSetting[], place: HookPlace): readonly Hook[] {
	const groups = new Map<string, HookSetting[]>();
	for (const setting of settings) {
		const key = JSON.stringify([setting.event, setting.handler]);
		groups.set(key, [...(groups.get(key) ?? []), setting]);
	}
	return [...groups.values()].flatMap(([first, ...rest]) => (first ? [hookOf(first, [first, ...rest], place)] : []));
}

function hookOf({ event, handler }: HookSetting, settings: readonly HookSetting[], place: HookPlace): Hook {
	const command = handlerText(handler);
	const { only, once, background, status } = handler;
	const calledFor = (input: AnyInput): string | undefined => {
		const subjects = subjectsOf(event, input);
		if (subjects.length === 0) return event;
		// Claude Code has another point for what failed.
		if ('output' in input && input.output.isError === true) return undefined;
		const meant = subjects.find((subject) => settings.some(({ matcher }) => matches(matcher, subject)));
		return meant === undefined ? undefined : `${event}:${meant}`;
	};
	return {
		on: event,
		name: command,
		// The function of another process is nothing that a session could name to anybody.
		...(handler.type === 'callback' ? {} : { command }),
		...compact({ only, once, background, status }),
		calledFor,
		async run(input: AnyInput, signal: AbortSignal, facts: HookFacts) {
			const label = calledFor(input) ?? event;
			const own = { permission_mode: facts.permissionMode, ...ownInput(input, event) };
			const told: JsonObject = { ...commonInput(facts, event), ...own };
			const began = performance.now();
			const call = 'call' in input ? input.call.id : undefined;
			const answered = (output: HookOutput) => answerOf(output, { event, label, command, input, own, began });
			const { goesOn, ...output } = await callHandler(handler, told, place, signal, call);
			return goesOn ? { later: async (until: AbortSignal) => answered(await goesOn(until)) } : answered(output);
		},
	} as Hook;
}

interface Asked {
	readonly event: HookEventName;
	readonly label: string;
	readonly command: string;
	readonly input: AnyInput;
	/** The part of what it was told that the session does not say anyway. */
	readonly own: JsonObject;
	readonly began: number;
}

function answerOf(output: HookOutput, { event, label, command, input, own, began }: Asked) {
	const { answer, outcome, decision, hidesOutput } = asCalled(
		meaningOf({ point: event, label, command, output }),
		input,
	);
	const { stdout, stderr, exitCode, problem } = output;
	const ran = {
		outcome,
		// What was taken out of the conversation is not kept beside it.
		input: answer.output === undefined ? own : withoutResponse(own),
		stdout: hidesOutput ? '' : stdout.slice(0, longestKept),
		stderr: (problem === undefined ? stderr : `${stderr}${problem}`).slice(0, longestKept),
		exitCode,
		durationMs: Math.round(performance.now() - began),
		...(decision ? { decision } : {}),
	};
	return { ...answer, ran };
}

function withoutResponse({ tool_response: _, ...input }: JsonObject): JsonObject {
	return input;
}

/** Longest output that is written into the session. */
const longestKept = 30_000;

type AnyInput = HookPoints[HookEventName]['in'];

async function callHandler(
	handler: HookHandler,
	told: JsonObject,
	{ cwd, env, callback }: HookPlace,
	signal: AbortSignal,
	call: string | undefined,
): Promise<HookOutput> {
	if (handler.type === 'callback')
		return (
			(await callback?.(handler, told, signal, call)) ?? { stdout: '', stderr: '', exitCode: null, cancelled: true }
		);
	const input = JSON.stringify(told);
	if (handler.type === 'http') return await askHook(handler, input, { ...process.env, ...env }, signal);
	const { command, timeoutMs } = handler;
	const all = { ...env, CLAUDE_PROJECT_DIR: cwd };
	return await runHookProcess({ command, input: `${input}\n`, cwd, env: all, timeoutMs, mayGoOn: true }, signal);
}

/**
 * What matchers are held against; nothing for points that have no matcher. Whoever guards Bash guards the shell of a session that goes on
 * under another agent's names, too: a call has the name that rules know it by, and its own.
 */
function subjectsOf(event: HookEventName, input: AnyInput): readonly string[] {
	if ('call' in input) return [...new Set([knownCall(input.call).tool, input.call.tool.name])];
	if ('source' in input) return [input.source];
	if ('reason' in input) return [input.reason];
	if ('trigger' in input) return [input.trigger];
	if ('agentType' in input) return [input.agentType];
	return 'kind' in input && event === 'Notification' ? [input.kind] : [];
}

function knownCall({ tool, input }: PendingCall): ReturnType<typeof askedCall> {
	return askedCall(tool, input);
}

/** The input that a hook wants, as the tool takes it. One that the tool has no words for stops the call: it was not to run as it is. */
function asCalled(meant: Meant, input: AnyInput): Meant {
	const wanted = meant.answer.input;
	if (wanted === undefined || !('call' in input) || !input.call.tool.givenAs) return meant;
	const { tool, input: before } = input.call;
	const given = tool.givenAs?.(before, wanted);
	if (given !== undefined) return { ...meant, answer: { ...meant.answer, input: given } };
	const { input: _, decision, ...rest } = meant.answer;
	const reason = `a hook wants another input, which ${tool.name} has no words for`;
	return { ...meant, answer: { ...rest, decision: decision?.is === 'deny' ? decision : { is: 'deny', reason } } };
}

function commonInput(facts: HookFacts, event: HookEventName): JsonObject {
	const { sessionId, transcriptPath, cwd, agent, promptId, thinking } = facts;
	const level = thinking === undefined || betweenPrompts.has(event) ? undefined : effortLevels[thinking];
	return {
		session_id: sessionId,
		transcript_path: transcriptPath,
		cwd,
		...compact({ prompt_id: promptId, effort: level && { level } }),
		hook_event_name: event,
		...(agent && { agent_id: agent.id, agent_type: agent.type }),
	};
}

/** Points at which no model works: there is no effort to tell of. */
const betweenPrompts: ReadonlySet<HookEventName> = new Set<HookEventName>([
	...(['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreCompact', 'PostCompact', 'Notification'] as const),
]);

/** Levels of ours in the words of hosts, who know none below low. */
const effortLevels: { readonly [L in ThinkingLevel]: string | undefined } = {
	...{ off: undefined, minimal: 'low', low: 'low', medium: 'medium', high: 'high' },
};

/** What a hook is given, in the words of Claude Code. */
function ownInput(input: AnyInput, event: HookEventName): JsonObject {
	if ('call' in input) {
		const { tool, input: given } = knownCall(input.call);
		const call = { tool_name: tool, tool_input: given };
		if (event === 'PermissionRequest') return { ...call, ...suggestionsIn(input) };
		const made = { ...call, tool_use_id: input.call.id };
		if ('denied' in input) return { ...made, reason: input.denied };
		if ('error' in input)
			return { ...made, error: input.error, is_interrupt: input.interrupted, duration_ms: input.durationMs };
		if (!('output' in input)) return made;
		const { details, content } = input.output;
		return { ...made, tool_response: details ?? (content as unknown as Json), duration_ms: input.durationMs };
	}
	if ('batch' in input) return { tool_calls: input.batch.map(batchedCall) };
	if ('source' in input) return { source: input.source, model: input.model };
	if ('reason' in input) return { reason: input.reason };
	if ('trigger' in input) {
		const { trigger } = input;
		if ('summary' in input) return { trigger, compact_summary: input.summary };
		return { trigger, custom_instructions: input.instructions === '' ? null : input.instructions };
	}
	if ('prompt' in input) return { prompt: input.prompt };
	if ('kind' in input) return { message: input.message, notification_type: input.kind };
	const agent = 'agentId' in input ? { agent_id: input.agentId, agent_type: input.agentType } : {};
	if (!('again' in input)) return agent;
	const file = 'path' in input ? { agent_transcript_path: input.path } : {};
	const beside = { background_tasks: input.tasks.map(taskFields), session_crons: [] };
	return { stop_hook_active: input.again, ...agent, ...file, last_assistant_message: input.text, ...beside };
}

/** Its result as the model reads it. */
function batchedCall({ id, tool, input, content }: BatchedCall): JsonObject {
	const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
	const response = texts.length === content.length ? texts.join('\n') : (content as unknown as Json);
	return { tool_name: tool, tool_input: input, tool_use_id: id, tool_response: response };
}

function suggestionsIn(input: object): JsonObject {
	const { call, suggested } = input as HookPoints['PermissionRequest']['in'];
	const updates = suggestedUpdates(suggested, call.tool.effect === 'write' && call.subjects.length > 0);
	return updates.length === 0 ? {} : { permission_suggestions: updates };
}

function taskFields({ id, kind, description, command, agentType }: BackgroundTask): JsonObject {
	const type = kind === 'agent' ? 'subagent' : kind;
	const named = { id, type, status: 'running', description: clipped(description) };
	return { ...named, ...compact({ command: command && clipped(command), agent_type: agentType }) };
}

/** As long as Claude Code lets such a text be. */
function clipped(text: string): string {
	const most = 1000;
	return text.length <= most ? text : `${text.slice(0, most)}… [+${text.length - most} chars]`;
}
