/** How tool calls change the console's state: in which order they are shown when they end, and how much output and how many steps of a running one are held. */
import type { ToolOutput } from '../agent/contracts.ts';
import type { AgentEvent } from '../agent/events.ts';
import { checklistOf, checklistSubject } from '../export/checklist.ts';
import { changeOf, subjectOf, withoutErrorTags } from '../export/tool-words.ts';
import {
	blockText,
	type Block as ContentBlock,
	compact,
	isObject,
	type Json,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';
import type { Block, RunningTool, ShownTool, State } from './state.ts';
import { toldTool } from './told-tool.ts';

type Begun = Extract<AgentEvent, { type: 'tool_execution_start' }>;
type News = Extract<AgentEvent, { type: 'tool_execution_update' }>;
type Ended = Extract<AgentEvent, { type: 'tool_execution_end' }>;

/** So much of what a command has written is held while it runs. */
const longestTail = 4000;
const mostSteps = 4;

export function toolBegun(state: State, { toolCallId: id, toolName: name, args }: Begun): State {
	return withTools(state, [...state.live.tools, running(id, name, args as Json, state.now)]);
}

function running(id: string, name: string, input: Json, since: number): RunningTool {
	return { id, name, input, since, tail: '', steps: [], stepCount: 0 };
}

function withTools(state: State, tools: readonly RunningTool[]): State {
	return { ...state, live: { ...state.live, tools } };
}

function changed(state: State, id: string, change: (tool: RunningTool) => RunningTool): State {
	return withTools(
		state,
		state.live.tools.map((tool) => (tool.id === id ? change(tool) : tool)),
	);
}

export function toolNews(state: State, { toolCallId: id, partialResult: news }: News): State {
	if (!isObject(news)) return state;
	const { fullOutput, output } = news;
	const written = typeof fullOutput === 'string' ? fullOutput : output;
	if (news.type === 'bash_progress' && typeof written === 'string')
		return changed(state, id, (tool) => ({ ...tool, tail: written.slice(-longestTail) }));
	const step = news.type === 'agent_progress' ? stepIn(news.message) : otherNews(news.type, news);
	if (step === undefined) return state;
	return changed(state, id, ({ steps, stepCount, ...tool }) => ({
		...tool,
		steps: [...steps, step].slice(-mostSteps),
		stepCount: stepCount + 1,
	}));
}

/** It is shown as what runs, whatever the model wanted. */
export function toolChanged(state: State, id: string, input: Json): State {
	return changed(state, id, (tool) => ({ ...tool, input }));
}

/** It is done; its result comes when the calls before it have theirs. */
export function toolOver(state: State, id: string): State {
	return changed(state, id, (tool) => ({ ...tool, until: state.now }));
}

/** What a sub-agent does, in words; undefined for what it says. */
function stepIn(message: Json | undefined): string | undefined {
	const said = isObject(message) && isObject(message.message) ? message.message : {};
	const [block] = Array.isArray(said.content) ? said.content : [];
	if (!isObject(block) || block.type !== 'tool_use') return undefined;
	return `${String(block.name)} ${subjectOf({ input: block.input ?? null })}`;
}

function otherNews(type: Json | undefined, news: { readonly [key: string]: Json | undefined }): string | undefined {
	if (type === 'query_update') return `searching: ${String(news.query)}`;
	return type === 'search_results_received' ? `${String(news.resultCount)} results` : undefined;
}

/** Blocks come in the order of the calls, whichever ends first: so they stand in the session, too. */
export function toolEnded(state: State, { toolCallId: id, toolName: name, result, isError }: Ended): State {
	const known = state.live.tools.some((tool) => tool.id === id);
	const begun = known ? state : withTools(state, [...state.live.tools, running(id, name, {}, state.now)]);
	const { content = [], details } = (isObject(result as Json) ? result : {}) as Partial<ToolOutput>;
	const answer: ToolResultBlock = {
		type: 'tool_result',
		call: id,
		content: content.map(contentBlock),
		isError,
		...compact({ details }),
	};
	const pictures = content.flatMap((part) =>
		part.type === 'image' ? [{ mime: part.mimeType, base64: part.data }] : [],
	);
	const shown = (tool: RunningTool): ShownTool => ({
		...toldTool(shownTool(callOf(tool), answer), tool.input),
		pictures,
	});
	return flushed(changed(begun, id, (tool) => ({ ...tool, done: shown(tool) })));
}

function contentBlock(part: ToolOutput['content'][number]): ContentBlock {
	return part.type === 'text'
		? { type: 'text', text: part.text }
		: { type: 'image', mime: part.mimeType, data: { base64: part.data } };
}

function callOf({ id, name, input }: RunningTool): ToolCallBlock {
	return { type: 'tool_call', id, name, input };
}

/** A call with its result as it is shown. */
function shownTool(call: ToolCallBlock, result: ToolResultBlock | undefined): ShownTool {
	const list = checklistOf(call, result);
	return {
		name: call.name,
		subject: list ? checklistSubject(list) : subjectOf(call),
		...compact({ change: changeOf(call, result), list, output: result && withoutErrorTags(blockText(result)) }),
		isError: result?.isError ?? false,
	};
}

/** What the user runs beside the turn waits for none of its calls, and none of them for that. */
function flushed(state: State): State {
	const { tools } = state.live;
	const firstOpen = tools.findIndex(({ done, own }) => done === undefined && !own);
	const isOver = ({ done, own }: RunningTool, index: number): boolean =>
		done !== undefined && (own === true || firstOpen === -1 || index < firstOpen);
	const over = tools.filter(isOver).flatMap(({ done }) => done ?? []);
	if (over.length === 0) return state;
	const todos = over.findLast(({ list }) => list !== undefined)?.list ?? state.todos;
	const blocks = over.flatMap(({ pictures = [], ...tool }): readonly Block[] => [
		{ kind: 'tool', ...tool },
		...pictures.map((picture): Block => ({ kind: 'picture', ...picture })),
	]);
	const next = withTools(
		state,
		tools.filter((tool, index) => !isOver(tool, index)),
	);
	return { ...next, todos, blocks: [...next.blocks, ...blocks] };
}

export function ownBegun(state: State, id: string, command: string): State {
	const tool: RunningTool = { ...running(id, '!', { command }, state.now), own: true };
	return withTools(state, [...state.live.tools, tool]);
}

export function ownOutput(state: State, id: string, text: string): State {
	return changed(state, id, (tool) => ({ ...tool, tail: (tool.tail + text).slice(-longestTail) }));
}

export function ownEnded(state: State, id: string, output: string, isError: boolean): State {
	return flushed(
		changed(state, id, (tool) => ({
			...tool,
			done: { ...shownTool(callOf(tool), undefined), output, isError, own: true },
		})),
	);
}
