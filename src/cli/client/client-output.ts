/** What `reprise -p` prints as text or one JSON document: replies, calls, retries, compactions, and the wording of failures and denials. Frames: ../driven/frame-output.ts. */
import { randomUUID } from 'node:crypto';
import type { Denial, LoopEvent, RunResult } from '../../agent/config.ts';
import type { ToolOutput } from '../../agent/contracts.ts';
import type { AgentEvent } from '../../agent/events.ts';
import { answerEndText } from '../../client/answer-end.ts';
import type { Listener } from '../../client/listener.ts';
import { subjectOf } from '../../export/tool-words.ts';
import { type Frame, resultFrame } from '../../frames/frames.ts';
import { countOf, isObject, type Json } from '../../model/index.ts';
import { quoted } from '../../model/quoted.ts';
import type { MarkdownStream } from '../../terminal/markdown-stream.ts';
import { clip, complain, oneLine, print, printJson, printPart } from '../../terminal/print.ts';
import { harmless } from '../../terminal/terminal-text.ts';
import { terminalWidth, widestText } from '../../terminal/width.ts';
import { outsideQuestions } from '../ask/ask.ts';
import { debug, debugging } from '../debug.ts';
import type { FrameOutput } from '../driven/frame-output.ts';
import { endingOn } from './client-ending.ts';
import type { CommandOptions } from './client-flags.ts';

export interface Output extends Listener {
	/** `tag`: what kind of note it is, for hosts. */
	note(text: string, tag?: string): void;
	end(): void;
}

/** `frames`: the output of `stream-json`, which has more to say than the others. */
export async function outputFor(options: CommandOptions, frames?: FrameOutput): Promise<Output> {
	return logged(frames ?? (options.outputFormat === 'json' ? document(options) : await text(options)));
}

export async function frameOutput(options: CommandOptions): Promise<FrameOutput> {
	const { FrameOutput } = await import('../driven/frame-output.ts');
	return new FrameOutput(options, (event) => tell(event, options), say);
}

/** The same output; what happens also goes to the log of `--debug`, but for streamed pieces: they are in the session. */
function logged(output: Output): Output {
	if (!debugging()) return output;
	return {
		begin(facts) {
			debug('prompt', { session: facts.sessionId, cwd: facts.cwd, model: facts.model });
			output.begin?.(facts);
		},
		command: (result, sessionId, name) => output.command?.(result, sessionId, name),
		note: (words, tag) => output.note(words, tag),
		mode: (mode) => output.mode?.(mode),
		moved: (handle, isCleared) => output.moved?.(handle, isCleared),
		elicited: (server, id) => output.elicited?.(server, id),
		running: endingOn,
		end: () => output.end(),
		event(event) {
			if (event.type === 'tool_execution_start') debug('tool', { name: event.toolName, call: event.toolCallId });
			else if (event.type === 'tool_execution_end')
				debug('tool result', { call: event.toolCallId, error: event.isError });
			else if (!/update|start|message/.test(event.type)) debug(event.type);
			output.event?.(event);
		},
		observe(event) {
			if (event.type === 'entries') debug('written', { entries: event.entries.map(({ kind, id }) => `${kind} ${id}`) });
			else debug(event.type, { event });
			output.observe?.(event);
		},
		result(result, sessionId) {
			const { outcome, turns, usage, costUsd, durationMs, problem } = result;
			debug('result', { outcome, turns, usage, costUsd, durationMs, ...(problem === undefined ? {} : { problem }) });
			output.result?.(result, sessionId);
		},
	};
}

function say(text: string): void {
	debug('note', { text });
	outsideQuestions(() => complain(text));
}

/** A piece of a reply on a terminal. */
function showPart(text: string): void {
	if (text !== '') outsideQuestions(() => printPart(text));
}

/** What concerns the user in every format, on stderr. */
function tell(event: LoopEvent, { verbose }: CommandOptions): void {
	if (event.type === 'retry') {
		const seconds = (event.waitMs / 1000).toFixed(1);
		say(`${event.failure.message} Trying again in ${seconds} s (${event.attempt} of ${event.of}).`);
	} else if (event.type === 'hook') say(event.message);
	else if (event.type === 'hook-starts' && (verbose || process.stderr.isTTY)) say(event.status);
	// What somebody asked for is told by the command's own answer.
	else if (event.type === 'compacted' && event.trigger === 'auto') say(compactionText(event));
	else if (event.type === 'denied' && verbose) say(`${event.denial.tool} was denied: ${event.denial.reason}`);
}

function compactionText({ tokensBefore, tokensAfter, problem }: Extract<LoopEvent, { type: 'compacted' }>): string {
	if (problem !== undefined) return `the conversation was not compacted: ${problem}`;
	const [before, after] = [tokensBefore, tokensAfter ?? 0].map((count) => count.toLocaleString('en-US'));
	return `the conversation was compacted: about ${before} tokens became about ${after} (/uncompact undoes it)`;
}

/** What is the same for those who print no frames. */
const plain = { note: say, running: endingOn };

/** Loaded for a terminal alone: what reads Markdown is large, and hosts wait for their first frame. */
async function newReplies(): Promise<MarkdownStream> {
	const { MarkdownStream } = await import('../../terminal/markdown-stream.ts');
	return new MarkdownStream(Math.min(terminalWidth(), widestText));
}

/** Somebody who looks at a terminal sees Markdown, block by block as it comes; a pipe gets the last reply as it is. */
async function text(options: CommandOptions): Promise<Output> {
	const live = process.stdout.isTTY === true;
	const replies = live ? await newReplies() : undefined;
	/** Denied calls by their ids, those of sub-agents included. */
	const denied = new Map<string, Denial>();
	let plans = false;
	return {
		...plain,
		begin({ permissionMode }) {
			plans = permissionMode === 'plan';
		},
		mode(mode) {
			plans = mode === 'plan';
		},
		event(event) {
			if (event.type === 'tool_execution_start' && (options.verbose || live)) {
				showPart(replies?.end() ?? '');
				say(callText(event));
			}
			if (event.type === 'tool_execution_update' && (options.verbose || live)) {
				const line = agentText(event);
				if (line !== undefined) say(line);
			}
			if (event.type === 'tool_execution_end' && event.isError && options.verbose && !denied.has(event.toolCallId))
				say(failureOf(event));
			if (event.type === 'message_end') showPart(replies?.end() ?? '');
			if (event.type !== 'message_update') return;
			const streamed = event.assistantMessageEvent;
			if (streamed.type === 'text_delta') showPart(replies?.push(streamed.delta) ?? '');
		},
		observe(event) {
			if (event.type === 'denied') denied.set(event.denial.callId, event.denial);
			tell(event, options);
		},
		result(result) {
			showPart(replies?.end() ?? '');
			if (!live && result.text !== '') print(result.text.endsWith('\n') ? result.text.slice(0, -1) : result.text);
			const trouble = troubleIn(result, [...denied.values()], options.sessionFile ?? 'last', plans);
			denied.clear();
			if (trouble !== undefined) say(options.verbose ? trouble.what : [trouble.what, ...trouble.help].join('; '));
			if (result.deferred) say(waitingText(result.deferred, options.sessionFile ?? 'last'));
			if (result.problem !== undefined) say(result.problem);
			const ending = answerEndText(result);
			if (ending !== undefined) say(ending);
		},
		command({ text: said, problem }) {
			if (said !== '') print(said.endsWith('\n') ? said.slice(0, -1) : said);
			if (problem !== undefined) say(problem);
		},
		end() {
			// all was said as it came
		},
	};
}

function waitingText({ tool }: NonNullable<RunResult['deferred']>, session: string): string {
	return `a hook has put off a call of ${tool}: reprise -p -r ${quoted(session)} goes on with it`;
}

const longestCall = 160;

/** What a call is about, on one line. */
function callText({ toolName, args }: Extract<AgentEvent, { type: 'tool_execution_start' }>): string {
	const subject = subjectOf({ input: args as Json });
	return `${oneLine(toolName)} ${clip(oneLine(subject), longestCall)}`;
}

/** What a sub-agent does now, under the call that started it; undefined for progress of another kind. */
function agentText({ partialResult }: Extract<AgentEvent, { type: 'tool_execution_update' }>): string | undefined {
	if (!isObject(partialResult) || partialResult.type !== 'agent_progress') return undefined;
	const { agentId, message } = partialResult;
	const said = isObject(message) && isObject(message.message) ? message.message : {};
	const [block] = Array.isArray(said.content) ? said.content : [];
	if (!isObject(block) || block.type !== 'tool_use') return undefined;
	const call = { toolName: String(block.name), toolCallId: String(block.id), args: block.input };
	return `  ${String(agentId)} ${callText({ type: 'tool_execution_start', ...call })}`;
}

/** The first line that says something: a failed command may have said a lot before. */
function failureOf({ toolName, result }: Extract<AgentEvent, { type: 'tool_execution_end' }>): string {
	const { content } = result as ToolOutput;
	const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
	const [first = '', second = ''] = harmless(text)
		.replaceAll(/<\/?tool_use_error>/g, '')
		.split('\n')
		.filter(isSaid);
	return `${oneLine(toolName)} failed: ${clip(oneLine(/[:\d]$/.test(first) ? `${first} ${second}` : first), longestCall)}`;
}

function isSaid(line: string): boolean {
	return line.trim() !== '';
}

/** The answer may say "done" although what was to be done failed: who reads nothing else has to hear of it. */
function troubleIn(
	{ messages, denials }: RunResult,
	all: readonly Denial[],
	session: string,
	plans: boolean,
): Trouble | undefined {
	const denied = all.length;
	const failed = messages.filter((message) => message.role === 'toolResult' && message.isError).length - denials.length;
	if (failed + denied <= 0) return undefined;
	const them = (count: number): string => (count === 1 ? 'it' : 'them');
	const verb = denied === 1 ? 'was' : 'were';
	const what =
		failed > 0 && denied > 0
			? `${countOf(failed, 'tool call')} failed, ${denied} ${verb} denied`
			: failed > 0
				? `${countOf(failed, 'tool call')} failed`
				: `${countOf(denied, 'tool call')} ${verb} denied`;
	const allowable = all.filter(({ way }) => way === 'rule').length;
	// Behind the number of those that failed, "it" could be any of them.
	const ones = failed === 0 ? them(denied) : denied === 1 ? 'the denied one' : 'the denied ones';
	const some = allowable < denied ? `${allowable} of ${ones}` : ones;
	const allow = [
		...(allowable > 0 ? [`allow ${some} with --allowedTools or --permission-mode`] : []),
		...modeHelp(all, plans),
	];
	return {
		what,
		help: [...allow, `reprise show ${quoted(session)} shows ${them(failed + denied)}`],
	};
}

/** No rule allows a change in plan mode: to name one would lead nowhere. Nor does a mode, where the kind of agent has that mode for good. */
function modeHelp(all: readonly Denial[], plans: boolean): readonly string[] {
	const refused = all.filter(({ way }) => way === 'mode');
	const isKind = ({ agent }: Denial): boolean => agent !== undefined && !plans;
	const kinds = new Set(refused.filter(isKind).map(({ agent }) => oneLine(agent?.type ?? '')));
	return [
		...(refused.every(isKind) ? [] : ['plan mode changes no file; another --permission-mode does']),
		...[...kinds].map((kind) => `an agent of the kind ${kind} changes no file, in no mode`),
	];
}

interface Trouble {
	readonly what: string;
	/** What somebody can do who hears of it when the run is over. */
	readonly help: readonly string[];
}

function document(options: CommandOptions): Output {
	let last: Frame | undefined;
	const end = (result: RunResult, sessionId: string): void => {
		last = resultFrame(result, sessionId, randomUUID());
		if (result.problem !== undefined) say(result.problem);
	};
	return {
		...plain,
		observe: (event) => tell(event, options),
		result: end,
		command: end,
		end() {
			if (last) printJson(last);
		},
	};
}
