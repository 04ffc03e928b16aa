/** Cleans tool calls and results as OpenClaw does (names, ids, pairs), and joins turns of one role that follow each other. */
import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import { blocksOf, failedResult, type Turn } from '../../../wires/prepare.ts';

/** The tools of 2026.7.1 without plugins. It drops calls of any other tool from its history. */
const ownTools: ReadonlySet<string> = new Set(
	(
		'agents_list apply_patch browser canvas create_goal cron dir_fetch dir_list edit exec file_fetch file_write gateway ' +
		'get_goal image memory_get memory_search message node_inference nodes process read session_status sessions_history ' +
		'sessions_list sessions_send sessions_spawn sessions_yield skill_workshop subagents tts update_goal web_fetch ' +
		'web_search write'
	).split(' '),
);

interface CallOptions {
	/** True to keep only calls of its own tools. */
	readonly own: boolean;
	/** True to send turns with thinking unchanged or not at all: the API would refuse a changed one. */
	readonly keepsThinkingTurns: boolean;
}

const namePattern = /^[A-Za-z0-9_:.-]{1,64}$/;

function isKnown(block: JsonObject, own: boolean): boolean {
	const name = (stringAt(block, 'name') ?? '').trim();
	return namePattern.test(name) && (!own || ownTools.has(name.toLowerCase()));
}

/** Drops calls without arguments, id or a known name, and replies of which nothing is left. */
export function cleanCalls(turns: readonly Turn[], options: CallOptions): readonly Turn[] {
	const kept: Turn[] = [];
	const preserved = new Set<string>();
	for (const turn of turns) {
		const blocks = blocksOf(turn.message);
		if (turn.message.role !== 'assistant' || !blocks.some(isCall)) {
			kept.push(turn);
			continue;
		}
		if (options.keepsThinkingTurns && blocks.some(isThinking)) {
			const calls = blocks.filter(isCall);
			if (!isSafe(calls, options.own) || calls.some((call) => preserved.has(String(call.id)))) continue;
			for (const call of calls) preserved.add(String(call.id));
			kept.push(turn);
			continue;
		}
		const content = blocks
			.filter((block) => !isCall(block) || (isComplete(block) && isKnown(block, options.own)))
			.map(trimmed);
		if (content.length > 0) kept.push({ ...turn, message: { ...turn.message, content } });
	}
	return kept;
}

function isSafe(calls: readonly JsonObject[], own: boolean): boolean {
	const ids = new Set(calls.map((call) => (stringAt(call, 'id') ?? '').trim()));
	const whole = calls.every((call) => isComplete(call) && isKnown(call, own) && call.name === String(call.name).trim());
	return whole && ids.size === calls.length && !ids.has('');
}

function isComplete(call: JsonObject): boolean {
	const given = [call.arguments, call.input].some((value) => value !== undefined && value !== null);
	return given && (stringAt(call, 'id') ?? '').trim() !== '';
}

function trimmed(block: JsonObject): JsonObject {
	return isCall(block) ? { ...block, name: (stringAt(block, 'name') ?? '').trim() } : block;
}

/** Corrects the case of tool names; a turn with thinking, which may not be changed, is dropped. */
export function withOwnNames(turns: readonly Turn[], keepsThinkingTurns: boolean): readonly Turn[] {
	const isForeign = (block: JsonObject) => isCall(block) && !ownTools.has(String(block.name));
	if (!turns.some((turn) => turn.message.role === 'assistant' && blocksOf(turn.message).some(isForeign))) return turns;
	return turns.flatMap((turn) => {
		const blocks = blocksOf(turn.message);
		if (turn.message.role !== 'assistant' || !blocks.some(isForeign)) return [turn];
		if (keepsThinkingTurns && blocks.some(isThinking)) return [];
		const content = blocks.map((block) =>
			isForeign(block) ? { ...block, name: String(block.name).toLowerCase() } : block,
		);
		return [{ ...turn, message: { ...turn.message, content } }];
	});
}

interface IdOptions {
	/** True to keep ids that Anthropic made. */
	readonly native: boolean;
	readonly keepsThinkingTurns: boolean;
}

const longestId = 40;

/** Makes ids of letters and digits only, each unique; results follow the calls of their old id in order. */
export function plainIds(turns: readonly Turn[], options: IdOptions): readonly Turn[] {
	const fixed = options.keepsThinkingTurns ? turnsWithFixedIds(turns) : new Set<Turn>();
	const used = new Set<string>();
	for (const turn of fixed) for (const call of callsOf(turn)) used.add(String(call.id));
	const times = new Map<string, number>();
	const waiting = new Map<string, string[]>();
	const next = (seed: string, id: string): string => {
		const count = (times.get(seed) ?? 0) + 1;
		times.set(seed, count);
		const keeps = options.native && count === 1 && /^toolu_[A-Za-z0-9_]+$/.test(id) && !used.has(id);
		const chosen = keeps
			? id
			: uniqueId(seed === id ? (count === 1 ? id : `${id}:${count}`) : `${seed}:${count}`, used);
		used.add(chosen);
		return chosen;
	};
	return turns.map((turn) => {
		const { message } = turn;
		if (message.role === 'assistant') {
			const content = blocksOf(message).map((block) => {
				const id = isCall(block) ? stringAt(block, 'id') : undefined;
				if (!id) return block;
				const chosen = fixed.has(turn) ? id : next(id, id);
				waiting.set(id, [...(waiting.get(id) ?? []), chosen]);
				return { ...block, id: chosen };
			});
			return { ...turn, message: { ...message, content } };
		}
		const id = message.role === 'toolResult' ? stringAt(message, 'toolCallId') : undefined;
		if (!id) return turn;
		const chosen = waiting.get(id)?.shift() ?? next(`${id}:tool_result`, id);
		return { ...turn, message: { ...message, toolCallId: chosen } };
	});
}

function turnsWithFixedIds(turns: readonly Turn[]): ReadonlySet<Turn> {
	const fixed = new Set<Turn>();
	const reserved = new Set<string>();
	for (const turn of turns) {
		const calls = callsOf(turn).map((call) => String(call.id));
		if (calls.length === 0 || !blocksOf(turn.message).some(isThinking) || calls.some((id) => reserved.has(id)))
			continue;
		fixed.add(turn);
		for (const id of calls) reserved.add(id);
	}
	return fixed;
}

function uniqueId(seed: string, used: ReadonlySet<string>): string {
	const letters = /^functions\.[A-Za-z0-9_-]+:\d+$/.test(seed) ? seed : seed.replaceAll(/[^a-zA-Z0-9]/g, '');
	const base = (letters || 'sanitizedtoolid').slice(0, longestId);
	if (!used.has(base)) return base;
	const hash = createHash('sha256').update(seed).digest('hex').slice(0, 8);
	const hashed = `${base.slice(0, longestId - hash.length)}${hash}`;
	let chosen = hashed;
	for (let i = 2; used.has(chosen); i++) chosen = `${hashed.slice(0, longestId - `x${i}`.length)}x${i}`;
	return chosen;
}

const missing =
	'[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.';

/**
 * Puts each result behind its call, wherever it was, and makes one up where there is none. Results without a call,
 * second results of a call, and failed replies with calls are dropped.
 */
export function pairResults(turns: readonly Turn[]): readonly Turn[] {
	const out: Turn[] = [];
	const taken = new Set<string>();
	const results = resultsById(turns);
	for (let i = 0; i < turns.length; i++) {
		const turn = turns[i];
		if (turn === undefined) break;
		if (turn.message.role === 'toolResult') continue;
		const calls = callsOf(turn);
		if (calls.length === 0) {
			out.push(turn);
			continue;
		}
		let end = i + 1;
		while (end < turns.length && callsOf(turns[end]).length === 0) end++;
		const between = turns.slice(i + 1, end).filter((one) => one.message.role !== 'toolResult');
		const failed = turn.message.stopReason === 'error' || turn.message.stopReason === 'aborted';
		if (!failed) {
			out.push(turn);
			for (const call of calls) {
				const id = String(call.id);
				if (taken.has(id)) continue;
				const at = results.get(id)?.find((place) => place > i) ?? -1;
				out.push(turns[at] ?? { message: failedResult(call, missing), from: [] });
				taken.add(id);
			}
		}
		out.push(...between);
		i = end - 1;
	}
	return out;
}

function resultsById(turns: readonly Turn[]): ReadonlyMap<string, readonly number[]> {
	const places = new Map<string, number[]>();
	for (const [at, turn] of turns.entries()) {
		const id = resultId(turn);
		if (id === undefined) continue;
		const known = places.get(id);
		if (known) known.push(at);
		else places.set(id, [at]);
	}
	return places;
}

function resultId(turn: Turn | undefined): string | undefined {
	return turn?.message.role === 'toolResult' ? stringAt(turn.message, 'toolCallId')?.trim() : undefined;
}

/** Drops calls without an answer before the next reply; a turn with thinking then loses all of its content. */
export function withoutOpenCalls(turns: readonly Turn[]): readonly Turn[] {
	return turns.map((turn, at) => {
		const calls = callsOf(turn);
		if (calls.length === 0) return turn;
		const answered = new Set<string | undefined>();
		for (let next = at + 1; next < turns.length && turns[next]?.message.role !== 'assistant'; next++) {
			answered.add(resultId(turns[next]));
		}
		if (calls.every((call) => answered.has(String(call.id).trim()))) return turn;
		const blocks = blocksOf(turn.message);
		const kept = blocks.some(isThinking)
			? []
			: blocks.filter((block) => !isCall(block) || answered.has(String(block.id).trim()));
		const content = kept.length > 0 ? kept : [{ type: 'text', text: '[tool calls omitted]' }];
		return { ...turn, message: { ...turn.message, content } };
	});
}

/** Merges consecutive turns of one role. Fields come from the first of replies, from the last of prompts. */
export function mergeTurns(turns: readonly Turn[], role: 'assistant' | 'user'): readonly Turn[] {
	const merged: Turn[] = [];
	for (const turn of turns) {
		const last = merged.at(-1);
		if (turn.message.role !== role || last?.message.role !== role) {
			merged.push(turn);
			continue;
		}
		const content: Json = [...blocksOf(last.message), ...blocksOf(turn.message)];
		const from = [...last.from, ...turn.from];
		const { usage, stopReason } = turn.message;
		const message =
			role === 'user'
				? { ...turn.message, content, timestamp: turn.message.timestamp ?? last.message.timestamp }
				: { ...last.message, content, ...(isObject(usage) ? { usage } : {}), ...(stopReason ? { stopReason } : {}) };
		merged[merged.length - 1] = { message, from };
	}
	return merged;
}

function callsOf(turn: Turn | undefined): readonly JsonObject[] {
	if (turn?.message.role !== 'assistant') return [];
	return blocksOf(turn.message).filter((block) => isCall(block) && typeof block.id === 'string' && block.id !== '');
}

function isCall(block: JsonObject): boolean {
	return block.type === 'toolCall';
}

function isThinking(block: JsonObject): boolean {
	return block.type === 'thinking';
}
