/** What 2.1.325 collects beside the path: blocks of the same replies, and results of their calls on other branches. */
import { isObject, type Json, objectAt } from '../../../model/index.ts';
import type { Lines } from './lines.ts';
import type { Links } from './path-2-1-325.ts';

/** A reply on the path, with its parts elsewhere. */
interface Reply {
	readonly onPath: number[];
	readonly beside: number[];
	readonly calls: Set<Json>;
}

/** The path with the collected lines in place. Lines before `from` are not read. */
export function withParallel(lines: Lines, path: readonly number[], links: Links, from: number): readonly number[] {
	const replies = repliesOn(lines, path);
	const ids = new CallIds(lines);
	const beside: Beside = { lines, ids, links, onPath: new Set(path), from };
	addSiblings(beside, replies);
	for (const reply of replies.values()) {
		for (const line of blocksOf(reply)) for (const call of ids.calls(line)) reply.calls.add(call);
	}
	const placed = placeAll(ids, path, replies, answersBeside(beside, replies));
	return withNotes(ids, placed, replies, links, path.at(-1));
}

/** The lines that are not on the path, to search. */
interface Beside {
	readonly lines: Lines;
	readonly ids: CallIds;
	readonly links: Links;
	readonly onPath: ReadonlySet<number>;
	readonly from: number;
}

function* linesBeside({ lines, links, onPath, from }: Beside, type: string): Generator<number> {
	for (let line = from; line < lines.end; line += 1) {
		if (lines.type(line) === type && !onPath.has(line) && !links.isGone(line) && lines.counts(line)) yield line;
	}
}

function blocksOf(reply: Reply): readonly number[] {
	return [...reply.onPath, ...reply.beside];
}

function repliesOn(lines: Lines, path: readonly number[]): Map<Json, Reply> {
	const replies = new Map<Json, Reply>();
	for (const line of path) {
		const id = lines.type(line) === 'assistant' ? lines.index.field(line, 'message.id') : undefined;
		if (!id) continue;
		const reply = replies.get(id);
		if (reply) reply.onPath.push(line);
		else replies.set(id, { onPath: [line], beside: [], calls: new Set() });
	}
	return replies;
}

function addSiblings(beside: Beside, replies: ReadonlyMap<Json, Reply>): void {
	if (replies.size === 0) return;
	for (const line of linesBeside(beside, 'assistant')) {
		replies.get(beside.lines.index.field(line, 'message.id') ?? null)?.beside.push(line);
	}
}

/** The calls and results of lines, each line read once. */
class CallIds {
	readonly #lines: Lines;
	readonly #answered = new Map<number, readonly string[]>();

	constructor(lines: Lines) {
		this.#lines = lines;
	}

	calls(line: number): readonly string[] {
		return this.#named(line, 'tool_use', 'id');
	}

	/** The ids of the calls that a user line answers. */
	answered(line: number): readonly string[] {
		let ids = this.#answered.get(line);
		if (!ids) {
			ids = this.#lines.type(line) === 'user' ? this.#named(line, 'tool_result', 'tool_use_id') : none;
			this.#answered.set(line, ids);
		}
		return ids;
	}

	#named(line: number, type: string, key: string): readonly string[] {
		const content = objectAt(this.#lines.value(line), 'message')?.content;
		if (!Array.isArray(content)) return none;
		const ids: string[] = [];
		for (const block of content as readonly Json[]) {
			if (!isObject(block) || block.type !== type) continue;
			const id = block[key];
			if (typeof id === 'string') ids.push(id);
		}
		return ids.length === 0 ? none : ids;
	}
}

const none: readonly string[] = [];

/**
 * Results on other branches, in file order. Those that hang on a reply are read first, and all others only while a call
 * has no answer, because they have to be parsed.
 */
function answersBeside(beside: Beside, replies: ReadonlyMap<Json, Reply>): ReadonlyMap<number, Reply> {
	const { lines, ids } = beside;
	const byCall = new Map<Json, Reply>();
	const byLine = new Map<Json, Reply>();
	for (const reply of replies.values()) {
		for (const call of reply.calls) if (!byCall.has(call)) byCall.set(call, reply);
		for (const line of blocksOf(reply)) byLine.set(lines.index.field(line, 'uuid') ?? null, reply);
	}
	const open = new Set(byCall.keys());
	for (const line of beside.onPath) {
		for (const id of ids.answered(line)) open.delete(id);
	}
	const found = new Map<number, Reply>();
	const take = (line: number, own?: Reply): void => {
		const call = ids.answered(line).find((id) => byCall.has(id));
		const reply = call === undefined ? undefined : own?.calls.has(call) ? own : byCall.get(call);
		if (call === undefined || !reply) return;
		open.delete(call);
		found.set(line, reply);
	};
	const others: number[] = [];
	for (const line of byCall.size > 0 ? linesBeside(beside, 'user') : []) {
		const own = hangsOn(lines, line, byLine);
		if (own) take(line, own);
		else others.push(line);
	}
	for (const line of others) {
		if (open.size === 0) break;
		take(line);
	}
	return new Map([...found].sort(([a], [b]) => a - b));
}

function hangsOn(lines: Lines, line: number, replies: ReadonlyMap<Json, Reply>): Reply | undefined {
	const source = replies.get(lines.index.field(line, 'sourceToolAssistantUUID') ?? null);
	return source ?? replies.get(lines.index.field(line, 'parentUuid') ?? null);
}

/** Collected lines, by the line of the path that they precede or follow. */
class Places {
	readonly #before = new Map<number, number[]>();
	readonly #behind = new Map<number, number[]>();

	/** Puts a line before the first of its fellows that is later in the file, else behind the last one. */
	add(line: number, fellows: readonly number[], last: number): void {
		const next = fellows.find((fellow) => fellow > line);
		if (next === undefined) append(this.#behind, last, line);
		else append(this.#before, next, line);
	}

	around(line: number): readonly number[] {
		return [...(this.#before.get(line) ?? []), line, ...(this.#behind.get(line) ?? [])];
	}
}

function append(lists: Map<number, number[]>, key: number, line: number): void {
	const list = lists.get(key);
	if (list) list.push(line);
	else lists.set(key, [line]);
}

function placeAll(
	ids: CallIds,
	path: readonly number[],
	replies: ReadonlyMap<Json, Reply>,
	answers: ReadonlyMap<number, Reply>,
): readonly number[] {
	const places = new Places();
	const given = givenAnswers(ids, path, replies);
	for (const reply of replies.values()) {
		if (reply.beside.length === 0) continue;
		const fellows = [...reply.onPath.slice(1), ...(given.get(reply) ?? [])];
		for (const line of reply.beside) places.add(line, fellows, fellows.at(-1) ?? lastOf(reply));
	}
	for (const [line, reply] of answers) {
		const fellows = given.get(reply) ?? [];
		places.add(line, fellows, fellows.at(-1) ?? lastOf(reply));
	}
	return path.flatMap((line) => places.around(line));
}

function lastOf(reply: Reply): number {
	return reply.onPath.at(-1) as number;
}

/** The results on the path behind the last block of the reply that they answer. */
function givenAnswers(
	ids: CallIds,
	path: readonly number[],
	replies: ReadonlyMap<Json, Reply>,
): ReadonlyMap<Reply, readonly number[]> {
	const byCall = new Map(
		[...replies.values()].flatMap((reply) => [...reply.calls].map((call) => [call, reply] as const)),
	);
	const ended = new Set<Reply>();
	const endings = new Map([...replies.values()].map((reply) => [lastOf(reply), reply]));
	const given = new Map<Reply, number[]>();
	for (const line of path) {
		const reply = endings.get(line);
		if (reply) ended.add(reply);
		const own = ids
			.answered(line)
			.map((call) => byCall.get(call))
			.find((one) => one !== undefined);
		if (!own || !ended.has(own)) continue;
		const list = given.get(own);
		if (list) list.push(line);
		else given.set(own, [line]);
	}
	return given;
}

/**
 * Adds notes below calls and results, even if the path goes on elsewhere: behind the whole reply, or behind the result.
 * Notes below the last line end the path.
 */
function withNotes(
	ids: CallIds,
	placed: readonly number[],
	replies: ReadonlyMap<Json, Reply>,
	links: Links,
	leaf: number | undefined,
): readonly number[] {
	const there = new Set(placed);
	const lastBlocks = lastBlocksIn(placed, replies);
	const roots = placed.filter((line) => line !== leaf && (lastBlocks.has(line) || ids.answered(line).length > 0));
	const notes = new Map<number, number[]>();
	const add = (below: ReadonlyMap<number, readonly number[]>): void => {
		for (const [root, found] of below) for (const note of found) append(notes, lastBlocks.get(root) ?? root, note);
	};
	add(links.notesBelow(roots, there, true));
	if (leaf !== undefined) add(links.notesBelow([leaf], there, false));
	return placed.flatMap((line) => [line, ...(notes.get(line) ?? [])]);
}

/** For each block of a reply with calls, the last block of that reply. */
function lastBlocksIn(placed: readonly number[], replies: ReadonlyMap<Json, Reply>): ReadonlyMap<number, number> {
	const owners = new Map<number, Reply>();
	for (const reply of replies.values()) {
		if (reply.calls.size > 0) for (const line of blocksOf(reply)) owners.set(line, reply);
	}
	const last = new Map<Reply, number>();
	for (const line of placed) {
		const reply = owners.get(line);
		if (reply) last.set(reply, line);
	}
	return new Map([...owners].map(([line, reply]) => [line, last.get(reply) ?? line]));
}
