/** What 2.1.325 collects beside the path: blocks of the same replies and results of their calls on other branches. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../model/index.ts';
import type { Lines } from './context-lines.ts';
import type { Links } from './context-path.ts';

/** One reply on the path, with what belongs to it elsewhere. */
interface Reply {
	readonly onPath: number[];
	readonly beside: number[];
	readonly calls: Set<Json>;
}

/** The path with the collected lines at their places. Lines before `from` are not looked at. */
export function withParallel(lines: Lines, path: readonly number[], links: Links, from: number): readonly number[] {
	const onPath = new Set(path);
	const replies = repliesOn(lines, path);
	if (replies.size === 0) return path;
	addSiblings(lines, replies, links, onPath, from);
	for (const reply of replies.values()) {
		for (const line of [...reply.onPath, ...reply.beside])
			for (const call of idsIn(lines, line, 'tool_use', 'id')) reply.calls.add(call);
	}
	const answers = answersBeside(lines, replies, links, onPath, from);
	const placed = placeAll(lines, path, replies, answers);
	return withNotes(lines, placed, replies, links);
}

function repliesOn(lines: Lines, path: readonly number[]): Map<Json, Reply> {
	const replies = new Map<Json, Reply>();
	for (const line of path) {
		const id = lines.type(line) === 'assistant' ? lines.index.field(line, 'message.id') : undefined;
		if (id === undefined || id === null) continue;
		const reply = replies.get(id);
		if (reply) reply.onPath.push(line);
		else replies.set(id, { onPath: [line], beside: [], calls: new Set() });
	}
	return replies;
}

function addSiblings(
	lines: Lines,
	replies: ReadonlyMap<Json, Reply>,
	links: Links,
	onPath: ReadonlySet<number>,
	from: number,
): void {
	for (let line = from; line < lines.end; line += 1) {
		if (onPath.has(line) || lines.type(line) !== 'assistant' || links.isGone(line)) continue;
		const reply = replies.get(lines.index.field(line, 'message.id') ?? null);
		if (reply && lines.counts(line)) reply.beside.push(line);
	}
}

/** The ids that blocks of one type in a line name. */
function idsIn(lines: Lines, line: number, type: string, key: string): readonly string[] {
	const content = objectAt(lines.value(line), 'message')?.content;
	if (!Array.isArray(content)) return [];
	return (content as readonly Json[])
		.filter((block): block is JsonObject => isObject(block) && block.type === type)
		.flatMap((block) => stringAt(block, key) ?? []);
}

/**
 * Results on other branches, in file order. Those that hang on a reply are looked at first; all others only while a call
 * has no answer, because that means to parse them.
 */
function answersBeside(
	lines: Lines,
	replies: ReadonlyMap<Json, Reply>,
	links: Links,
	onPath: ReadonlySet<number>,
	from: number,
): ReadonlyMap<number, Reply> {
	const byCall = new Map<Json, Reply>();
	const byLine = new Map<Json, Reply>();
	for (const reply of replies.values()) {
		for (const call of reply.calls) byCall.set(call, reply);
		for (const line of [...reply.onPath, ...reply.beside]) byLine.set(lines.index.field(line, 'uuid') ?? null, reply);
	}
	const open = new Set(byCall.keys());
	for (const line of onPath) {
		if (lines.type(line) === 'user' && open.size > 0) for (const id of answered(lines, line)) open.delete(id);
	}
	const found = new Map<number, Reply>();
	const others: number[] = [];
	const take = (line: number): void => {
		const call = answered(lines, line).find((id) => byCall.has(id));
		if (call === undefined) return;
		open.delete(call);
		found.set(line, byCall.get(call) as Reply);
	};
	for (let line = from; line < lines.end; line += 1) {
		if (onPath.has(line) || lines.type(line) !== 'user' || links.isGone(line) || !lines.counts(line)) continue;
		if (hangsOn(lines, line, byLine)) take(line);
		else others.push(line);
	}
	for (const line of others) {
		if (open.size === 0) break;
		take(line);
	}
	return new Map([...found].sort(([a], [b]) => a - b));
}

function answered(lines: Lines, line: number): readonly string[] {
	return idsIn(lines, line, 'tool_result', 'tool_use_id');
}

function hangsOn(lines: Lines, line: number, replies: ReadonlyMap<Json, Reply>): boolean {
	return (
		replies.has(lines.index.field(line, 'sourceToolAssistantUUID') ?? null) ||
		replies.has(lines.index.field(line, 'parentUuid') ?? null)
	);
}

/** Collected lines by the line of the path that they stand before or behind. */
class Places {
	readonly #before = new Map<number, number[]>();
	readonly #behind = new Map<number, number[]>();

	/** Before the first of its fellows that the file has later, else behind the last one. */
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
	lines: Lines,
	path: readonly number[],
	replies: ReadonlyMap<Json, Reply>,
	answers: ReadonlyMap<number, Reply>,
): readonly number[] {
	const places = new Places();
	for (const reply of replies.values()) {
		for (const line of reply.beside) places.add(line, reply.onPath.slice(1), lastOf(reply));
	}
	if (answers.size > 0) {
		const given = givenAnswers(lines, path, replies);
		for (const [line, reply] of answers) {
			const fellows = given.get(reply) ?? [];
			places.add(line, fellows, fellows.at(-1) ?? lastOf(reply));
		}
	}
	return path.flatMap((line) => places.around(line));
}

function lastOf(reply: Reply): number {
	return reply.onPath.at(-1) as number;
}

/** The results on the path behind the last block of the reply that they answer. */
function givenAnswers(
	lines: Lines,
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
		if (lines.type(line) !== 'user') continue;
		const own = answered(lines, line)
			.map((call) => byCall.get(call))
			.find((one) => one !== undefined);
		if (!own || !ended.has(own)) continue;
		const list = given.get(own);
		if (list) list.push(line);
		else given.set(own, [line]);
	}
	return given;
}

/** What the client noted below calls and results goes with them, though the path goes on elsewhere. */
function withNotes(
	lines: Lines,
	placed: readonly number[],
	replies: ReadonlyMap<Json, Reply>,
	links: Links,
): readonly number[] {
	const calling = [...replies.values()].filter((reply) => reply.calls.size > 0);
	const blocks = new Set(calling.flatMap((reply) => [...reply.onPath, ...reply.beside]));
	const roots = placed.filter(
		(line) => blocks.has(line) || (lines.type(line) === 'user' && answered(lines, line).length > 0),
	);
	if (roots.length === 0) return placed;
	const notes = links.notesBelow(roots, new Set(placed));
	return placed.flatMap((line) => [line, ...(notes.get(line) ?? [])]);
}
