/** What the client prints: the answer as text, one JSON document, or frames as they happen. */
import { randomUUID } from 'node:crypto';
import type { Denial, LoopEvent, RunResult } from '../agent/config.ts';
import type { ToolOutput } from '../agent/contracts.ts';
import type { AgentEvent } from '../agent/events.ts';
import { subjectOf } from '../export/tool-words.ts';
import {
	commandFrame,
	compactionFrames,
	entryFrames,
	type Frame,
	type InitFacts,
	initFrame,
	resultFrame,
} from '../frames/frames.ts';
import { StreamFrames } from '../frames/stream-events.ts';
import { isObject, type Json } from '../model/index.ts';
import { outsideQuestions } from './ask.ts';
import type { CommandOptions } from './client.ts';
import { debug, debugging } from './debug.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { clip, complain, oneLine, print, printJson, printJsonLine, printPart } from './print.ts';
import { version } from './version.ts';
import { terminalWidth } from './width.ts';

export interface Output {
	begin(facts: Omit<InitFacts, 'version'>): void;
	event(event: AgentEvent): void;
	observe(event: LoopEvent): void;
	result(result: RunResult, sessionId: string): void;
	/** What came of a command that no model was asked about. */
	command(result: RunResult, sessionId: string): void;
	/** Something the user should know, whatever the answer is. */
	note(text: string): void;
	end(): void;
}

export function outputFor(options: CommandOptions): Output {
	return logged(outputOf(options));
}

function outputOf(options: CommandOptions): Output {
	switch (options.outputFormat ?? 'text') {
		case 'stream-json':
			return frames(options);
		case 'json':
			return document(options);
		default:
			return text(options);
	}
}

/** The same, and what happens also goes to the log of `--debug`. Streamed pieces do not: they are in the session. */
function logged(output: Output): Output {
	if (!debugging()) return output;
	return {
		...output,
		event(event) {
			if (event.type === 'tool_execution_start') debug('tool', { name: event.toolName, call: event.toolCallId });
			else if (event.type === 'tool_execution_end')
				debug('tool result', { call: event.toolCallId, error: event.isError });
			else if (!/update|start|message/.test(event.type)) debug(event.type);
			output.event(event);
		},
		observe(event) {
			if (event.type === 'entries') debug('written', { entries: event.entries.map(({ kind, id }) => `${kind} ${id}`) });
			else debug(event.type, { event });
			output.observe(event);
		},
		result(result, sessionId) {
			const { outcome, turns, usage, costUsd, durationMs, problem } = result;
			debug('result', { outcome, turns, usage, costUsd, durationMs, ...(problem === undefined ? {} : { problem }) });
			output.result(result, sessionId);
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

/** One frame, one line. */
export function sendFrame(frame: Frame): void {
	printJsonLine(frame);
}

/** What concerns the user in every format, on stderr. */
function tell(event: LoopEvent, { verbose }: CommandOptions): void {
	if (event.type === 'retry') {
		const seconds = (event.waitMs / 1000).toFixed(1);
		say(`${event.failure.message} Trying again in ${seconds} s (${event.attempt} of ${event.of}).`);
	} else if (event.type === 'hook') say(event.message);
	else if (event.type === 'hook-starts' && (verbose || process.stderr.isTTY)) say(event.status);
	else if (event.type === 'compacted') say(compactionText(event));
	else if (event.type === 'denied' && verbose) say(`${event.denial.tool} was denied: ${event.denial.reason}`);
}

function compactionText({ tokensBefore, tokensAfter, problem }: Extract<LoopEvent, { type: 'compacted' }>): string {
	if (problem !== undefined) return `the conversation was not compacted: ${problem}`;
	const [before, after] = [tokensBefore, tokensAfter ?? 0].map((count) => count.toLocaleString('en-US'));
	return `the conversation was compacted: about ${before} tokens became about ${after} (/uncompact undoes it)`;
}

function nothing(): void {
	// this kind of output has nothing to say here
}

/** What an output does where it has nothing of its own to say. */
const quiet = { begin: nothing, event: nothing, note: say, end: nothing };

/** Somebody who looks at a terminal sees Markdown, block by block as it comes; a pipe gets the last reply as it is. */
function text(options: CommandOptions): Output {
	const live = process.stdout.isTTY === true;
	const replies = live ? new MarkdownStream(Math.min(terminalWidth(), widest)) : undefined;
	/** Those of sub-agents, too. */
	const denied = new Map<string, Denial>();
	return {
		...quiet,
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
			const trouble = troubleIn(result, [...denied.values()], options.sessionFile ?? 'last');
			denied.clear();
			if (trouble !== undefined) say(options.verbose ? trouble.what : [trouble.what, ...trouble.help].join('; '));
			if (result.deferred) say(waitingText(result.deferred, options.sessionFile ?? 'last'));
			if (result.problem !== undefined) say(result.problem);
		},
		command({ text: said, problem }) {
			if (said !== '') print(said.endsWith('\n') ? said.slice(0, -1) : said);
			if (problem !== undefined) say(problem);
		},
	};
}

function waitingText({ tool }: NonNullable<RunResult['deferred']>, session: string): string {
	return `a hook has put off a call of ${tool}: reprise -p -r ${session} goes on with it`;
}

/** Widest text that is good to read. */
const widest = 120;
const longestCall = 160;

/** What a call is about, on one line. */
function callText({ toolName, toolCallId, args }: Extract<AgentEvent, { type: 'tool_execution_start' }>): string {
	const subject = subjectOf({ type: 'tool_call', id: toolCallId, name: toolName, input: args as Json });
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
	const [first = '', second = ''] = text
		.replaceAll(/<\/?tool_use_error>/g, '')
		.split('\n')
		.filter(isSaid);
	return `${oneLine(toolName)} failed: ${clip(oneLine(/[:\d]$/.test(first) ? `${first} ${second}` : first), longestCall)}`;
}

function isSaid(line: string): boolean {
	return line.trim() !== '';
}

/** The answer may say "done" although what was to be done failed: who reads nothing else has to hear of it. */
function troubleIn({ messages, denials }: RunResult, all: readonly Denial[], session: string): Trouble | undefined {
	const denied = all.length;
	const failed = messages.filter((message) => message.role === 'toolResult' && message.isError).length - denials.length;
	if (failed + denied <= 0) return undefined;
	const calls = (count: number): string => (count === 1 ? '1 tool call' : `${count} tool calls`);
	const them = (count: number): string => (count === 1 ? 'it' : 'them');
	const verb = denied === 1 ? 'was' : 'were';
	const what =
		failed > 0 && denied > 0
			? `${calls(failed)} failed, ${denied} ${verb} denied`
			: failed > 0
				? `${calls(failed)} failed`
				: `${calls(denied)} ${verb} denied`;
	const allowable = all.filter(({ way }) => way === 'rule').length;
	const some = allowable < denied ? `${allowable} of them` : them(allowable);
	const allow = [
		...(allowable > 0 ? [`allow ${some} with --allowedTools or --permission-mode`] : []),
		// No rule allows a change in plan mode: to name one would lead nowhere.
		...(all.some(({ way }) => way === 'mode') ? ['plan mode changes no file; another --permission-mode does'] : []),
	];
	return {
		what,
		help: [...allow, `reprise show ${/\s/.test(session) ? `'${session}'` : session} shows ${them(failed + denied)}`],
	};
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
		...quiet,
		observe: (event) => tell(event, options),
		result: end,
		command: end,
		end() {
			if (last) printJson(last);
		},
	};
}

function frames(options: CommandOptions): Output {
	let session = '';
	const streamed = new StreamFrames(randomUUID);
	const end = (result: RunResult, sessionId: string): void => {
		sendFrame(resultFrame(result, sessionId, randomUUID()));
		if (result.problem !== undefined) say(result.problem);
	};
	return {
		...quiet,
		// Every turn begins with it, as consumers of these frames expect.
		begin(facts) {
			session = facts.sessionId;
			sendFrame(initFrame({ ...facts, version: version() }, randomUUID()));
		},
		event(event) {
			if (!options.includePartialMessages) return;
			for (const frame of streamed.of(event, session)) sendFrame(frame);
		},
		observe(event) {
			tell(event, options);
			if (event.type === 'reply') streamed.id = event.id;
			if (event.type === 'compacting' || event.type === 'compacted')
				for (const frame of compactionFrames(event, session, randomUUID)) sendFrame(frame);
			if (event.type !== 'entries') return;
			const { parentCall } = event;
			const facts = { sessionId: session, parentCall, reply: parentCall === undefined ? streamed.id : undefined };
			for (const entry of event.entries) for (const frame of entryFrames(entry, facts)) sendFrame(frame);
		},
		result: end,
		command(result, sessionId) {
			if (result.text !== '') sendFrame(commandFrame(result.text, sessionId, randomUUID()));
			end(result, sessionId);
		},
	};
}
