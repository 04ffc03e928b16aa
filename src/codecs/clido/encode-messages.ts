/** Messages to lines: one assistant line per reply, its calls indexed after it, results as lines of their own. */
import {
	type Block,
	type CallEvent,
	type Entry,
	entryText,
	isPrompt,
	type MessageEntry,
	type Session,
	type ToolResultBlock,
} from '../../model/index.ts';

import { nativeBlock, resultText } from './encode-blocks.ts';
import { type Encoding, noteCommon, systemLine } from './encode-lines.ts';
import type { Losses } from './losses.ts';
import { lineText, wholeText } from './write-json.ts';

export interface MessageWriter {
	message(entry: MessageEntry): void;
	/** An index line; most are made anew from the messages they repeat. */
	call(entry: Entry, event: CallEvent): void;
	/** A line that no resume looks at. */
	beside(line: string): void;
	end(): void;
}

/** A block and what its calls are indexed with, as JSON. */
interface Written {
	readonly block: string;
	readonly call?: { readonly id: string; readonly line: string };
}

/** A reply that may go on: other clients write one as several lines, with the results of its calls in between. */
interface Reply {
	readonly response: string | undefined;
	readonly content: Written[];
	readonly results: string[];
	readonly beside: string[];
}

export function messageWriter(
	encoding: Encoding,
	after: Session | undefined,
	write: (line: string) => void,
): MessageWriter {
	const { json, losses } = encoding;
	const names = new Map<string, string>();
	const indexed = new Set<string>();
	let reply: Reply | undefined;
	for (const entry of after?.entries ?? []) {
		if (entry.kind === 'message') noteNames(entry.content, names);
		else if (entry.kind === 'event' && entry.event.type === 'call') indexed.add(entry.event.call);
	}

	function flush(): void {
		if (!reply) return;
		const { content, results, beside } = reply;
		reply = undefined;
		write(contentLine('assistant_message', content));
		for (const { call } of content) if (call && !indexed.has(call.id)) index(call.id, call.line, write);
		for (const line of results) write(line);
		for (const line of beside) write(line);
	}

	function index(id: string, line: string, to: (line: string) => void): void {
		indexed.add(id);
		to(line);
	}

	function beside(line: string): void {
		if (reply) reply.beside.push(line);
		else write(line);
	}

	function assistant(entry: MessageEntry, content: readonly Written[], results: readonly string[]): void {
		const response = entry.response?.id;
		if (reply && response !== undefined && reply.response === response) {
			reply.content.push(...content);
			reply.results.push(...results);
			return;
		}
		flush();
		if (content.length > 0 || entry.content.length === 0) {
			reply = { response, content: [...content], results: [...results], beside: [] };
		} else for (const line of results) write(line);
	}

	function user(entry: MessageEntry, content: readonly Written[], results: readonly string[]): void {
		for (const line of results) {
			if (reply) reply.results.push(line);
			else write(line);
		}
		if (content.length === 0 && entry.content.length > 0) return;
		flush();
		write(contentLine('user_message', content));
	}

	return {
		beside,
		end: flush,
		call(entry, event) {
			noteCommon(entry, losses);
			if (indexed.has(event.call) || reply?.content.some(({ call }) => call?.id === event.call)) return;
			index(event.call, callLine(event.call, event.name, event.input, encoding), beside);
		},
		message(entry) {
			noteMessage(entry, losses);
			if (isPrompt(entry)) encoding.prompts += 1;
			if (entry.role === 'system' || entry.audience === 'user') {
				const why = entry.role === 'system' ? 'Clido has no system messages' : 'Clido sends every message to the model';
				const path = entry.role === 'system' ? 'role' : 'audience';
				losses.approximated(entry.id, path, `${why}: it became a \`system\` line`);
				beside(systemLine('info', entryText(entry), json));
				return;
			}
			noteNames(entry.content, names);
			const { content, results } = contentOf(entry, names, encoding);
			if (entry.role === 'assistant') assistant(entry, content, results);
			else user(entry, content, results);
		},
	};
}

/** Results become lines of their own; the client has them before everything else that a message says. */
function contentOf(
	entry: MessageEntry,
	names: ReadonlyMap<string, string>,
	encoding: Encoding,
): { readonly content: readonly Written[]; readonly results: readonly string[] } {
	const { profile, json, losses } = encoding;
	const content: Written[] = [];
	const results: string[] = [];
	entry.content.forEach((block, index) => {
		const path = `content[${index}]`;
		if (block.type === 'tool_result') {
			if (content.length > 0) losses.approximated(entry.id, path, 'Clido has results before the rest of a message');
			results.push(resultLine(block, entry.id, path, names.get(block.call), encoding));
			return;
		}
		const native = nativeBlock(block, { entry: entry.id, path }, profile, losses);
		if (!native) return;
		const text = json.write(native, profile === 'client');
		if (native.type !== 'tool_use' || entry.role !== 'assistant') content.push({ block: text });
		else
			content.push({
				block: text,
				call: { id: native.id, line: callLine(native.id, native.name, native.input, encoding) },
			});
	});
	return { content, results };
}

function contentLine(type: 'user_message' | 'assistant_message', content: readonly Written[]): string {
	return lineText([
		['type', `"${type}"`],
		['role', type === 'user_message' ? '"user"' : undefined],
		['content', `[${content.map(({ block }) => block).join(',')}]`],
	]);
}

function callLine(id: string, name: string, input: unknown, { profile, json }: Encoding): string {
	return lineText([
		['type', '"tool_call"'],
		['tool_use_id', json.write(id)],
		['tool_name', json.write(name)],
		['input', json.write(input, profile === 'client')],
	]);
}

function noteNames(content: readonly Block[], names: Map<string, string>): void {
	for (const block of content) if (block.type === 'tool_call') names.set(block.id, block.name);
}

/** What a message knows and a line has no field for. */
function noteMessage(entry: MessageEntry, losses: Losses): void {
	noteCommon(entry, losses);
	for (const [key, value] of Object.entries(entry.response ?? {})) {
		if (value !== undefined) losses.dropped(entry.id, `response.${key}`, `Clido records no ${key} of a reply`);
	}
	if (entry.audience === 'model')
		losses.approximated(entry.id, 'audience', 'Clido shows every message that it sends to the model');
	if (entry.origin !== undefined)
		losses.dropped(entry.id, 'origin', `Clido does not record how a message came about (${entry.origin})`);
}

const largestU64 = 0xffff_ffff_ffff_ffffn;

function resultLine(
	block: ToolResultBlock,
	entry: string,
	path: string,
	callName: string | undefined,
	{ profile, json, losses }: Encoding,
): string {
	const { file } = block;
	if (block.details !== undefined) losses.dropped(entry, `${path}.details`, 'Clido keeps the text of a result only');
	if (block.name !== undefined && block.name !== callName)
		losses.dropped(entry, `${path}.name`, 'Clido names the tool in the call only');
	const duration = wholeText(block.durationMs);
	if (block.durationMs !== undefined && duration === undefined)
		losses.dropped(entry, `${path}.durationMs`, 'it is not a duration');
	const mtime = file?.mtimeNs !== undefined && /^\d{1,20}$/.test(file.mtimeNs) ? BigInt(file.mtimeNs) : undefined;
	const digits = mtime !== undefined && mtime <= largestU64 ? String(mtime) : undefined;
	if (file?.mtimeNs !== undefined && digits === undefined)
		losses.dropped(entry, `${path}.file.mtimeNs`, 'it is not a number of nanoseconds that Clido can read');
	const hash = file?.sha256 === undefined || profile === 'client' ? file?.sha256 : `sha256:${file.sha256}`;
	return lineText([
		['type', '"tool_result"'],
		['tool_use_id', json.write(block.call)],
		['content', json.write(resultText(block, entry, path, losses))],
		['is_error', String(block.isError)],
		['duration_ms', duration],
		['path', file && json.write(file.path)],
		['content_hash', hash === undefined ? undefined : json.write(hash)],
		['mtime_nanos', digits],
	]);
}
