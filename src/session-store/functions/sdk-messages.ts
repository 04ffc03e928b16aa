/** A conversation of Claude Code as the SDK tells it: with what stands beside the path, and without what the client said in the user's name. */
import { arrayAt, compact, isObject, type Json, type JsonObject, objectAt, stringAt } from '../../model/index.ts';
import type { SessionMessage } from './messages.ts';

/** The lines of a conversation in the SDK's order. `path` names them from the first to the one that it goes on from. */
export function conversationLines(lines: readonly JsonObject[], path: readonly string[]): readonly JsonObject[] {
	const known = new Map(lines.flatMap((line) => (typeof line.uuid === 'string' ? [[line.uuid, line] as const] : [])));
	const chain = path.flatMap((id) => linesAt(id, known));
	// What the client noted after the last message is not told.
	const end = chain.findLastIndex(({ type }) => type === 'user' || type === 'assistant');
	return withParallel(withKept(chain.slice(0, end + 1), known), lines);
}

function linesAt(id: string, known: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
	const line = known.get(id);
	return line ? [line] : [];
}

/** What the last compaction kept follows its summary. */
function withKept(chain: readonly JsonObject[], known: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
	const boundary = chain.findLast(({ subtype }) => subtype === 'compact_boundary');
	const metadata = boundary && objectAt(boundary, 'compactMetadata');
	const messages = metadata && objectAt(metadata, 'preservedMessages');
	const segment = metadata && objectAt(metadata, 'preservedSegment');
	const anchor = (messages && stringAt(messages, 'anchorUuid')) ?? (segment && stringAt(segment, 'anchorUuid'));
	const at = chain.findIndex(({ uuid }) => uuid === anchor);
	if (anchor === undefined || at === -1) return chain;
	const ids = (messages && arrayAt(messages, 'uuids')) ?? segmentIds(segment, known);
	const kept = ids.flatMap((id) => linesAt(String(id), known));
	const there = new Set(kept);
	return [...chain.slice(0, at + 1), ...kept, ...chain.slice(at + 1).filter((line) => !there.has(line))];
}

function segmentIds(segment: JsonObject | undefined, known: ReadonlyMap<string, JsonObject>): readonly string[] {
	const ids: string[] = [];
	for (let id = segment?.tailUuid; typeof id === 'string' && !ids.includes(id); id = known.get(id)?.parentUuid) {
		ids.push(id);
		if (id === segment?.headUuid) return ids.reverse();
	}
	return [];
}

/** Calls that a model made at once are branches in the file: those beside the path, and their results, follow the reply's last line on it. */
function withParallel(chain: readonly JsonObject[], lines: readonly JsonObject[]): readonly JsonObject[] {
	const there = new Set(chain);
	const last = new Map(chain.flatMap((line) => (replyOf(line) === undefined ? [] : [[replyOf(line), line] as const])));
	const beside = lines.filter((line) => !there.has(line) && line.isSidechain !== true);
	const fellows = Map.groupBy(beside, (line) => (last.has(replyOf(line)) ? replyOf(line) : undefined));
	const replies = new Map([...chain, ...beside].map((line) => [line.uuid, replyOf(line)]));
	const answers = Map.groupBy(beside.filter(isResult), (line) => replies.get(line.parentUuid));
	return chain.flatMap((line) => {
		const reply = replyOf(line);
		if (reply === undefined || last.get(reply) !== line) return [line];
		return [line, ...inTime(fellows.get(reply)), ...inTime(answers.get(reply))];
	});
}

function replyOf(line: JsonObject): Json | undefined {
	return line.type === 'assistant' ? objectAt(line, 'message')?.id : undefined;
}

function isResult(line: JsonObject): boolean {
	const content = line.type === 'user' ? objectAt(line, 'message')?.content : undefined;
	return Array.isArray(content) && content.some((block: Json) => isObject(block) && block.type === 'tool_result');
}

function inTime(lines: readonly JsonObject[] = []): readonly JsonObject[] {
	return lines.toSorted((a, b) => (String(a.timestamp) < String(b.timestamp) ? -1 : 1));
}

/** The message of a line; undefined for one that the SDK does not tell. */
export function messageOfLine(line: JsonObject, withSystem: boolean): SessionMessage | undefined {
	const queued = queuedPrompt(line);
	if (queued) return { ...named(line, 'user', queued.id), message: queued.message, isQueuedCommand: true };
	const { type, isMeta, isCompactSummary, origin } = line;
	if (type === 'system') return withSystem ? named(line, type) : undefined;
	if ((type !== 'user' && type !== 'assistant') || (isMeta === true && isCompactSummary !== true)) return undefined;
	return {
		...named(line, type),
		message: line.message,
		...(isCompactSummary === true && { is_meta: true, isCompactSummary: true }),
		...(isLocalCommand(line) && { isCompletedLocalCommand: true }),
		...compact({ origin, tool_result_meta: unrun(line) }),
	};
}

/** A command of the client, or what it printed; one that stands for a prompt begins otherwise. */
function isLocalCommand(line: JsonObject): boolean {
	const content = objectAt(line, 'message')?.content;
	return typeof content === 'string' && /^<(command-name|local-command-std(out|err))>/.test(content);
}

function named(line: JsonObject, type: SessionMessage['type'], uuid = String(line.uuid)): SessionMessage {
	const where = { session_id: stringAt(line, 'sessionId'), timestamp: stringAt(line, 'timestamp') };
	return { type, uuid, parent_tool_use_id: null, parent_agent_id: null, ...compact(where) };
}

/** A prompt that came while the model worked is kept as an attachment. */
function queuedPrompt(line: JsonObject): { readonly id: string | undefined; readonly message: Json } | undefined {
	const attachment = line.type === 'attachment' ? objectAt(line, 'attachment') : undefined;
	if (attachment?.type !== 'queued_command' || attachment.commandMode !== 'prompt') return undefined;
	const { prompt: content = '' } = attachment;
	return { id: stringAt(attachment, 'source_uuid'), message: { role: 'user', content } };
}

/** Which calls were not run, and why. */
function unrun(line: JsonObject): readonly Json[] | undefined {
	const kind = stringAt(line, 'toolDenialKind');
	const content = objectAt(line, 'message')?.content;
	if (kind === undefined || !Array.isArray(content)) return undefined;
	return (content as readonly Json[]).flatMap((block) =>
		isObject(block) && block.type === 'tool_result'
			? [{ id: block.tool_use_id ?? null, non_execution_kind: kind }]
			: [],
	);
}
