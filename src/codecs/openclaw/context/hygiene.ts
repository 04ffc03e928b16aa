/** Repairs, cleans and dates messages as OpenClaw does before it sends them: blank, failed and empty turns, stale thinking, the time of each prompt. */
// Modelled for the Anthropic API and a provider without rules of its own.
import { isObject, type Json, type JsonObject, numberAt, stringAt } from '../../../model/index.ts';
import { blocksOf, isBlank, plainMessage, type Target, type Turn } from '../../../wires/prepare.ts';
import { isoTime } from '../../shared/times.ts';
import type { Rules } from './clients.ts';
import { cleanCalls, mergeTurns, pairResults, plainIds, withOwnNames, withoutOpenCalls } from './hygiene-calls.ts';
import { withoutOldImages } from './hygiene-images.ts';

export function cleanHistory(turns: readonly Turn[], target: Target, rules: Rules): readonly Turn[] {
	const dropsThinking = rules.ownTools && losesThinking(target.model);
	let history: readonly Turn[] = turns.map((turn) => ({ ...turn, message: repaired(turn.message) }));
	history = withoutFailedEnd(history.flatMap(replayed)).flatMap(withoutBlanks);
	history = withoutInvalidThinking(withoutStaleSignatures(history));
	const last = lastReply(history);
	if (dropsThinking) history = history.map((turn, at) => (at === last ? turn : withoutThinking(turn)));
	let clean: readonly Turn[] = cleanCalls(history, { own: rules.ownTools, keepsThinkingTurns: !dropsThinking });
	if (rules.ownTools) {
		clean = plainIds(clean, { native: target.provider === 'anthropic', keepsThinkingTurns: !dropsThinking });
	}
	const turned = withoutOldImages(validTurns(pairResults(clean))).map(stamped);
	const named = rules.ownTools ? withOwnNames(turned, !dropsThinking) : turned;
	// OpenClaw checks the turns again only where names changed, and then all that is sent as a prompt.
	return named === turned ? turned : validTurns(pairResults(named.flatMap(plainTurn)));
}

function validTurns(turns: readonly Turn[]): readonly Turn[] {
	return mergeTurns(withoutOpenCalls(mergeTurns(turns, 'assistant')), 'user');
}

function plainTurn(turn: Turn): readonly Turn[] {
	const message = plainMessage(turn.message);
	return message === undefined ? [] : [{ ...turn, message }];
}

const failedText = '[assistant turn failed before producing content]';
const omittedThinking = '[assistant reasoning omitted]';

/** The message after OpenClaw's repair and loading. */
function repaired(message: JsonObject): JsonObject {
	const { role, content } = message;
	if (role === 'user') return { ...message, content: continued(content) };
	if (role !== 'assistant' && role !== 'toolResult') return message;
	if (typeof content === 'string') return { ...message, content: [text(content)] };
	if (role === 'toolResult' && isObject(content)) return { ...message, content: [content] };
	const failed =
		role === 'assistant' && Array.isArray(content) && content.length === 0 && message.stopReason === 'error';
	return failed ? { ...message, content: [text(failedText)] } : message;
}

/** The content of a prompt without blank texts; an empty prompt stays a turn and asks to continue. */
function continued(content: Json | undefined): Json | undefined {
	if (typeof content === 'string') return content.trim() === '' ? '(continue)' : content;
	if (!Array.isArray(content)) return content;
	const kept = (content as readonly Json[]).filter((block) => !isBlankText(block));
	return kept.length === 0 ? [text('(continue)')] : kept;
}

/** The turn, unless it is a reply that was never meant for a model, or says nothing. */
function replayed(turn: Turn): readonly Turn[] {
	const { message } = turn;
	if (message.role !== 'assistant') return [turn];
	if (message.provider === 'openclaw' && ['delivery-mirror', 'gateway-injected'].includes(String(message.model)))
		return [];
	const all = blocksOf(message);
	const blocks = all.filter((block) => block.type !== 'text' || stringAt(block, 'text')?.trim() !== 'NO_REPLY');
	if (blocks.length === 0 && all.length > 0) return [];
	if (message.stopReason === 'length' && isOnlyThinking(blocks)) return [];
	const empty = blocks.length === 0 && isFailed(message);
	return [{ ...turn, message: { ...message, content: empty ? [text(failedText)] : blocks } }];
}

function isOnlyThinking(blocks: readonly JsonObject[]): boolean {
	return blocks.some(isThinking) && blocks.every((block) => isThinking(block) || isBlankText(block));
}

function isFailed(message: JsonObject): boolean {
	if (message.stopReason === 'error') return true;
	const { usage } = message;
	if (message.stopReason !== 'stop' || !isObject(usage)) return false;
	const counts = ['input', 'output', 'cacheRead', 'cacheWrite'].map((key) => numberAt(usage, key));
	const known = counts.filter((count) => count !== undefined);
	return known.length > 0 && known.every((count) => count === 0);
}

function withoutFailedEnd(turns: readonly Turn[]): readonly Turn[] {
	let end = turns.length;
	for (; end > 0; end--) {
		const message = turns[end - 1]?.message;
		if (message?.role !== 'assistant' || !isFailed(message)) break;
		const blocks = blocksOf(message);
		if (blocks.length > 1 || (blocks[0] && blocks[0].text !== failedText)) break;
	}
	return turns.slice(0, end);
}

function withoutBlanks(turn: Turn): readonly Turn[] {
	const { message } = turn;
	if (!Array.isArray(message.content)) return [turn];
	const blocks = blocksOf(message).filter((block) => !isBlankText(block));
	if (blocks.length > 0) return [{ ...turn, message: { ...message, content: blocks } }];
	if (message.role === 'assistant') return [];
	if (message.role !== 'user' && message.role !== 'toolResult') return [turn];
	return [{ ...turn, message: { ...message, content: [text('[empty content omitted]')] } }];
}

/** The turns without signatures from before a compaction: a signature covers all that came before it. */
function withoutStaleSignatures(turns: readonly Turn[]): readonly Turn[] {
	const cuts = turns.filter((turn) => turn.message.role === 'compactionSummary');
	const cut = Math.max(...cuts.map((turn) => numberAt(turn.message, 'timestamp') ?? Number.NEGATIVE_INFINITY));
	return turns.map((turn) => {
		const time = numberAt(turn.message, 'timestamp');
		if (turn.message.role !== 'assistant' || time === undefined || time >= cut) return turn;
		const content = blocksOf(turn.message).map((block) => {
			if (!isThinking(block)) return block;
			const { thinkingSignature: _, ...rest } = block;
			return rest;
		});
		return { ...turn, message: { ...turn.message, content } };
	});
}

/** The turns without thinking that the API would refuse; the last reply is not touched. */
function withoutInvalidThinking(turns: readonly Turn[]): readonly Turn[] {
	const last = lastReply(turns);
	return turns.map((turn, at) => {
		if (turn.message.role !== 'assistant' || (at === last && at === turns.length - 1)) return turn;
		const isVoid = (block: JsonObject) => isThinking(block) && isBlank(block.thinkingSignature);
		return without(turn, isVoid);
	});
}

function withoutThinking(turn: Turn): Turn {
	return turn.message.role === 'assistant' ? without(turn, isThinking) : turn;
}

function without(turn: Turn, goes: (block: JsonObject) => boolean): Turn {
	const all = blocksOf(turn.message);
	const kept = all.filter((block) => !goes(block));
	if (kept.length === all.length) return turn;
	const content = kept.length === 0 ? [text(omittedThinking)] : kept;
	return { ...turn, message: { ...turn.message, content } };
}

function lastReply(turns: readonly Turn[]): number {
	return turns.findLastIndex((turn) => turn.message.role === 'assistant');
}

/** True for Claude models before the fourth generation, which take no thinking of earlier turns. */
function losesThinking(model: string): boolean {
	const id = model.toLowerCase();
	if (!id.includes('claude')) return false;
	return !/fable-5|opus-4|sonnet-4|haiku-4|claude-[5-9]|claude-\d{2,}/.test(id);
}

const hasTime = /^\[.*\d{4}-\d{2}-\d{2} \d{2}:\d{2}/;
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The prompt with its time first. The time zone is the user's setting, which no file states: UTC is used here. */
function stamped(turn: Turn): Turn {
	const { message } = turn;
	if (message.role !== 'user') return turn;
	const time = numberAt(message, 'timestamp');
	const stamp = (value: string): string => {
		if (value.trim() === '' || hasTime.test(value) || value.includes('Current time: ')) return value;
		const date = isoTime(time);
		if (value.startsWith('[Inter-session message]') || date === undefined) return value;
		return `[${days[new Date(date).getUTCDay()]} ${date.slice(0, 16).replace('T', ' ')} UTC] ${value}`;
	};
	if (typeof message.content === 'string') return { ...turn, message: { ...message, content: stamp(message.content) } };
	const blocks = blocksOf(message);
	const first = blocks.findIndex((block) => block.type === 'text' && typeof block.text === 'string');
	const spoken = stringAt(blocks[first] ?? {}, 'text');
	if (spoken === undefined) return turn;
	if (blocks.length === 1) return { ...turn, message: { ...message, content: stamp(spoken) } };
	const content = blocks.map((block, at) => (at === first ? { ...block, text: stamp(spoken) } : block));
	return { ...turn, message: { ...message, content } };
}

function isThinking(block: JsonObject): boolean {
	return block.type === 'thinking';
}

function isBlankText(block: Json): boolean {
	return isObject(block) && block.type === 'text' && typeof block.text === 'string' && block.text.trim() === '';
}

function text(value: string): JsonObject {
	return { type: 'text', text: value };
}
