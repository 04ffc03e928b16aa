/** The hooks of the settings, as the loop calls them. */
import type { Hook, HookFacts, HookPoints } from '../agent/contracts.ts';
import { compact, type Json, type JsonObject } from '../model/index.ts';
import { meaningOf } from './hook-answers.ts';
import { type HookOutput, runHookProcess } from './hook-process.ts';
import { askHook } from './hook-request.ts';
import { type HookEventName, type HookHandler, type HookSetting, handlerText, matches } from './hook-settings.ts';

export interface HookPlace {
	/** The project's folder. */
	readonly cwd: string;
	/** Variables of the settings. */
	readonly env: { readonly [name: string]: string };
}

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
		const subject = subjectOf(event, input);
		if (subject === undefined) return event;
		// Claude Code has another point for what failed.
		if ('output' in input && input.output.isError === true) return undefined;
		return settings.some(({ matcher }) => matches(matcher, subject)) ? `${event}:${subject}` : undefined;
	};
	return {
		on: event,
		name: command,
		command,
		...compact({ only, once, background, status }),
		calledFor,
		async run(input: AnyInput, signal: AbortSignal, facts: HookFacts) {
			const label = calledFor(input) ?? event;
			const own = { permission_mode: facts.permissionMode, ...ownInput(input) };
			const told: JsonObject = { ...commonInput(facts, event), ...own };
			const began = performance.now();
			const output = await callHandler(handler, JSON.stringify(told), place, signal);
			const { answer, outcome, decision } = meaningOf({ point: event, label, command, output });
			const { stdout, stderr, exitCode, problem } = output;
			const ran = {
				outcome,
				input: own,
				stdout: stdout.slice(0, longestKept),
				stderr: (problem === undefined ? stderr : `${stderr}${problem}`).slice(0, longestKept),
				exitCode,
				durationMs: Math.round(performance.now() - began),
				...(decision ? { decision } : {}),
			};
			return { ...answer, ran };
		},
	} as Hook;
}

/** Longest output that is written into the session. */
const longestKept = 30_000;

type AnyInput = HookPoints[HookEventName]['in'];

async function callHandler(
	handler: HookHandler,
	input: string,
	{ cwd, env }: HookPlace,
	signal: AbortSignal,
): Promise<HookOutput> {
	if (handler.type === 'http') return await askHook(handler, input, { ...process.env, ...env }, signal);
	const { command, timeoutMs } = handler;
	const all = { ...env, CLAUDE_PROJECT_DIR: cwd };
	return await runHookProcess({ command, input: `${input}\n`, cwd, env: all, timeoutMs }, signal);
}

/** What matchers are held against; undefined for points that have no matcher. */
function subjectOf(event: HookEventName, input: AnyInput): string | undefined {
	if ('call' in input) return input.call.tool.name;
	if ('source' in input) return input.source;
	if ('reason' in input) return input.reason;
	if ('trigger' in input) return input.trigger;
	if ('agentType' in input) return input.agentType;
	return 'kind' in input && event === 'Notification' ? input.kind : undefined;
}

function commonInput({ sessionId, transcriptPath, cwd }: HookFacts, event: HookEventName): JsonObject {
	return {
		session_id: sessionId,
		transcript_path: transcriptPath,
		cwd,
		hook_event_name: event,
	};
}

/** In Claude Code's names. */
function ownInput(input: AnyInput): JsonObject {
	if ('call' in input) {
		const { tool, id } = input.call;
		const call = { tool_name: tool.name, tool_input: input.call.input, tool_use_id: id };
		if (!('output' in input)) return call;
		const { details, content } = input.output;
		return { ...call, tool_response: details ?? (content as unknown as Json) };
	}
	if ('source' in input) return { source: input.source, model: input.model };
	if ('reason' in input) return { reason: input.reason };
	if ('trigger' in input) return { trigger: input.trigger, custom_instructions: input.instructions };
	if ('prompt' in input) return { prompt: input.prompt };
	if ('kind' in input) return { message: input.message, notification_type: input.kind };
	const agent = 'agentId' in input ? { agent_id: input.agentId, agent_type: input.agentType } : {};
	if (!('again' in input)) return agent;
	const file = 'path' in input ? { agent_transcript_path: input.path } : {};
	return { stop_hook_active: input.again, ...agent, ...file, last_assistant_message: input.text };
}
