/** How the console's state follows from events: replies, retries, compactions, results, and the wording of their notes. Pure: time comes in as `tick`. Calls: reduce-tools.ts. */
import type { LoopEvent, RunResult } from '../agent/config.ts';
import type { NamedFile } from '../agent/contracts.ts';
import type { AgentEvent, AssistantMessageEvent } from '../agent/events.ts';
import { answerEndText } from '../client/answer-end.ts';
import { permissionModes } from '../client/options.ts';
import { countText } from '../export/count-text.ts';
import type { AgentMessage, AssistantMessage } from '../model/index.ts';
import { compact } from '../model/index.ts';
import {
	ownBegun,
	ownEnded,
	ownOutput,
	toolBegun,
	toolChanged,
	toolEnded,
	toolNews,
	toolOver,
} from './reduce-tools.ts';
import { blocksOf, cutOf, mayCut } from './reply-blocks.ts';
import { type Action, type Block, nothingLive, type State } from './state.ts';

export function reduce(state: State, action: Action): State {
	switch (action.type) {
		case 'tick':
			return ticked(state, action.now);
		case 'toggle-todos':
			return toggledTodos(state);
		case 'toggle-thinking':
			return { ...state, showsThinking: !state.showsThinking };
		case 'prompt':
			return withBlocks(state, { kind: 'prompt', text: action.text });
		case 'busy':
			return {
				...settled(state),
				busySince: action.busy ? state.now : undefined,
				doing: undefined,
				outputTokens: 0,
				showsTodos: false,
			};
		case 'asking':
			return asked(state, action.asks);
		case 'event':
			return happened(state, action.event);
		case 'loop':
			return observed(state, action.event);
		case 'begin': {
			const { model, permissionMode, sessionId } = action.facts;
			const mode = permissionModes.find((one) => one === permissionMode);
			return withStatus(state, { model, sessionId, ...(mode && { mode }) });
		}
		case 'result':
			return ended(state, action.result);
		case 'said':
		case 'note':
		case 'error':
			return action.text.trim() === '' ? state : withBlocks(state, { kind: action.type, text: action.text });
		case 'blocks':
			return withBlocks({ ...state, todos: lastList(action.blocks) ?? state.todos }, ...action.blocks);
		case 'queue':
			return { ...state, queue: action.queue };
		case 'status':
			return withStatus(state, action.status);
		case 'hint':
			return withStatus(state, { hint: { text: action.text, until: state.now + action.forMs } });
		case 'own-command':
			return ownBegun(state, action.id, action.command);
		case 'own-output':
			return ownOutput(state, action.id, action.text);
		case 'own-ended':
			return ownEnded(state, action.id, action.output, action.isError);
		case 'taken':
			return { ...state, blocks: state.blocks.slice(action.count) };
	}
}

function withBlocks(state: State, ...blocks: readonly Block[]): State {
	return blocks.length === 0 ? state : { ...state, blocks: [...state.blocks, ...blocks] };
}

function withStatus(state: State, more: Partial<State['status']>): State {
	return { ...state, status: { ...state.status, ...compact(more) } };
}

function ticked(state: State, now: number): State {
	const { hint, retry, ...status } = state.status;
	const left = {
		...status,
		...(hint && hint.until > now && { hint }),
		...(retry && retry.until > now && { retry }),
	};
	return { ...state, now, status: hint || retry ? left : state.status };
}

function lastList(blocks: readonly Block[]): State['todos'] | undefined {
	return blocks.flatMap((block) => (block.kind === 'tool' && !block.isError && block.list ? [block.list] : [])).at(-1);
}

/** While something is answered the list stands there by itself; between turns it is there for whoever wants it. */
function toggledTodos(state: State): State {
	if (state.busySince !== undefined) return { ...state, hidesTodos: !state.hidesTodos };
	if (state.todos.length > 0) return { ...state, showsTodos: !state.showsTodos };
	return withStatus(state, { hint: { text: 'There is no task list.', until: state.now + 3000 } });
}

/** The time in which somebody was waited for is nobody's work: all that goes on has begun so much later. */
function asked({ asking, ...state }: State, asks: boolean): State {
	const { questions = 0, since = state.now } = asking ?? {};
	const left = Math.max(0, questions + (asks ? 1 : -1));
	if (left > 0) return { ...state, asking: { questions: left, since } };
	const lost = asks ? 0 : state.now - since;
	const { busySince, live } = state;
	return {
		...state,
		busySince: busySince === undefined ? undefined : busySince + lost,
		live: { ...live, tools: live.tools.map((tool) => ({ ...tool, since: tool.since + lost })) },
	};
}

function happened(state: State, event: AgentEvent): State {
	switch (event.type) {
		case 'message_start':
			return event.message.role === 'assistant' ? begun(state) : state;
		case 'message_update':
			return streamed(state, event.assistantMessageEvent);
		case 'message_end':
			return messageEnded(state, event.message);
		case 'tool_execution_start':
			return toolBegun(state, event);
		case 'tool_execution_update':
			return toolNews(state, event);
		case 'tool_execution_end':
			return toolEnded(state, event);
		case 'agent_end':
			return settled(state);
		default:
			return state;
	}
}

/** A new reply: what an earlier one left open, because it was tried again, is gone. */
function begun(state: State): State {
	const { retry: _, ...status } = state.status;
	return { ...state, status, live: { ...nothingLive, tools: state.live.tools } };
}

function streamed(state: State, event: AssistantMessageEvent): State {
	const { live } = state;
	switch (event.type) {
		case 'text_start':
			return withLive(state, { reply: '', replyBegun: false, streamed: event.contentIndex + 1 });
		case 'text_delta':
			return said(withLive(state, { streamed: event.contentIndex + 1 }), event.delta.replaceAll('\r\n', '\n'));
		case 'text_end':
			return textEnded(state);
		case 'thinking_start':
			return withLive(state, { thinking: '', thinkingSince: state.now, streamed: event.contentIndex + 1 });
		case 'thinking_delta':
			return withLive(state, { thinking: (live.thinking ?? '') + event.delta, streamed: event.contentIndex + 1 });
		case 'thinking_end':
			return thoughtEnded(state);
		case 'toolcall_start':
			return withLive(state, { streamed: event.contentIndex + 1 });
		default:
			return state;
	}
}

function withLive(state: State, more: Partial<State['live']>): State {
	return { ...state, live: { ...state.live, ...more } };
}

function said(state: State, delta: string): State {
	const reply = state.live.reply + delta;
	if (!mayCut(reply, delta)) return withLive(state, { reply });
	const { finished, rest } = cutOf(reply);
	if (finished.length === 0) return withLive(state, { reply });
	const blocks = replyBlocks(finished, !state.live.replyBegun);
	return withLive(withBlocks(state, ...blocks), { reply: rest, replyBegun: true });
}

export function replyBlocks(texts: readonly string[], first: boolean): readonly Block[] {
	return texts.map((text, index) => ({ kind: 'reply', text, first: first && index === 0 }));
}

function textEnded(state: State): State {
	const { reply, replyBegun } = state.live;
	const next = withBlocks(state, ...replyBlocks(blocksOf(reply), !replyBegun));
	return withLive(next, { reply: '', replyBegun: false });
}

function thoughtEnded(state: State): State {
	const { thinking = '' } = state.live;
	const next = withLive(state, { thinking: undefined });
	return thinking.trim() === '' ? next : withBlocks(next, { kind: 'thinking', text: thinking });
}

/** What is open of a reply is finished as it stands. */
function settled(state: State): State {
	const { thinking, reply } = state.live;
	const thought = thinking === undefined ? state : thoughtEnded(state);
	return reply === '' ? thought : textEnded(thought);
}

function messageEnded(state: State, message: AgentMessage): State {
	if (message.role !== 'assistant') return state;
	const after = state.live.streamed;
	const open = settled(state);
	const rest = message.content.slice(after).flatMap((part): readonly Block[] => {
		if (part.type === 'text') return replyBlocks(blocksOf(part.text), true);
		return part.type === 'thinking' && part.thinking.trim() !== '' ? [{ kind: 'thinking', text: part.thinking }] : [];
	});
	return used(withLive(withBlocks(open, ...rest), { streamed: message.content.length }), message);
}

function used(state: State, { usage }: AssistantMessage): State {
	const { totalTokens, output, cost } = usage;
	const next = withStatus(state, {
		...(totalTokens > 0 && { tokens: totalTokens }),
		costUsd: state.status.costUsd === null ? null : state.status.costUsd + cost.total,
	});
	return { ...next, outputTokens: state.outputTokens + output };
}

function observed(state: State, event: LoopEvent): State {
	switch (event.type) {
		case 'retry': {
			const { failure, waitMs, attempt, of } = event;
			const tries = `${attempt} of ${of}`;
			return withStatus(state, { retry: { text: failure.message, tries, until: state.now + waitMs } });
		}
		case 'changed':
			return toolChanged(state, event.call, event.input);
		case 'task':
			return event.task.is === 'ended' ? toolOver(state, event.task.call) : state;
		case 'named':
			return withBlocks(state, ...event.files.along.map(fileBlock));
		case 'hook':
			return withBlocks(state, { kind: 'note', text: event.message });
		case 'hook-starts':
			return withStatus(state, { hint: { text: event.status, until: state.now + 3000 } });
		case 'compacting':
			return { ...state, doing: 'Compacting the conversation' };
		case 'compacted':
			// Whoever has wished for it hears from the run why nothing came of it.
			if (event.problem !== undefined && event.trigger === 'manual') return { ...state, doing: undefined };
			return withBlocks({ ...state, doing: undefined }, compactedBlock(event));
		default:
			return state;
	}
}

function fileBlock({ name, size, picture }: NamedFile): Block {
	if (!picture) return { kind: 'file', name, size };
	return { kind: 'picture', name, mime: picture.mimeType, base64: picture.data };
}

function compactedBlock({ problem, tokensBefore, tokensAfter = 0 }: Extract<LoopEvent, { type: 'compacted' }>): Block {
	if (problem !== undefined) return { kind: 'error', text: `The conversation was not compacted: ${problem}` };
	const text = `about ${countText(tokensBefore)} tokens became about ${countText(tokensAfter)} (/uncompact undoes it)`;
	return { kind: 'compaction', text };
}

/** A picture that a model does not take is in the conversation, and would be refused with every prompt to come. */
const pictureStays =
	'The picture stays in the conversation, and is sent again with every prompt: /rewind goes back to before the prompt that brought it.';

function ended(state: State, result: RunResult): State {
	const { outcome, problem, deferred, failure } = result;
	const ending = answerEndText(result);
	const own = state.live.tools.filter((tool) => tool.own);
	const next = { ...settled(state), live: { ...nothingLive, tools: own }, busySince: undefined, doing: undefined };
	const blocks: Block[] = [];
	if (outcome === 'interrupted') blocks.push({ kind: 'note', text: 'interrupted by the user' });
	else if (problem !== undefined) blocks.push({ kind: 'error', text: problem });
	if (failure?.code === 'bad-request' && /\b(?:images?|pictures?|media|vision)\b/i.test(failure.message))
		blocks.push({ kind: 'note', text: pictureStays });
	if (ending !== undefined) blocks.push({ kind: 'note', text: ending });
	if (deferred) blocks.push({ kind: 'note', text: `a hook has put off a call of ${deferred.tool}` });
	const { retry: _, ...status } = next.status;
	return withBlocks({ ...next, status }, ...blocks);
}
