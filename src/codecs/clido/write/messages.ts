/** Writes messages as lines: one per reply, followed by the index of its calls; results have lines of their own. */
import {
	type CallEvent,
	type Entry,
	entryText,
	type FileState,
	isPrompt,
	type MessageEntry,
	type ModelResponse,
	type Session,
	type ToolResultBlock,
} from '../../../model/index.ts';
import { isTold } from '../../shared/read/prompt-words.ts';
import type { Losses } from '../../shared/write/losses.ts';
import { noteTools } from '../../shared/write/said.ts';
import { nativeBlock, resultText } from './blocks.ts';
import { wholeText } from './json-bytes.ts';
import { type Encoding, noteCommon, systemLine } from './line-writer.ts';
import { ReplyWriter, type Written } from './replies.ts';

export class MessageWriter {
	/** Also takes lines that a resume ignores. */
	readonly reply: ReplyWriter;
	readonly #encoding: Encoding;
	readonly #indexed: Set<string>;
	#names = new Map<string, string>();

	constructor(encoding: Encoding, after: Session | undefined, write: (line: string) => void) {
		this.#encoding = encoding;
		this.#indexed = indexedIn(after);
		this.reply = new ReplyWriter(this.#indexed, write);
		noteTools(after?.entries ?? [], this.#names);
	}

	/** Forgets calls that nothing to come repeats or answers. */
	forget(): void {
		this.#names = new Map();
		this.#indexed.clear();
	}

	/** Writes an index line; most are made from the messages that they repeat. */
	call(entry: Entry, { call: id, name, input }: CallEvent): void {
		noteCommon(entry, this.#encoding.losses);
		this.reply.call({ id, line: callLine(id, name, input, this.#encoding) });
	}

	message(entry: MessageEntry): void {
		const { json, losses } = this.#encoding;
		noteMessage(entry, losses);
		if (isPrompt(entry)) this.#encoding.prompts += 1;
		if (entry.role === 'system' || entry.audience === 'user') {
			const why = entry.role === 'system' ? 'Clido has no system messages' : 'Clido sends every message to the model';
			const path = entry.role === 'system' ? 'role' : 'audience';
			losses.approximated(entry.id, path, `${why}: it became a \`system\` line`);
			this.reply.beside(systemLine('info', entryText(entry), json));
			return;
		}
		if (entry.content.length === 0 && entry.response?.error !== undefined) {
			losses.approximated(entry.id, '', 'Clido has no failed replies: the error became a `system` line');
			this.reply.beside(systemLine('error', entry.response.error, json));
			return;
		}
		noteTools([entry], this.#names);
		const { content, results } = contentOf(entry, this.#names, this.#encoding);
		const said = content.length > 0 || entry.content.length === 0;
		if (entry.role === 'assistant' && said) this.reply.assistant(entry.response?.id, content);
		this.reply.results(results);
		if (entry.role === 'user' && said) this.reply.user(content);
	}
}

function indexedIn(session: Session | undefined): Set<string> {
	const events = session?.entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : [])) ?? [];
	return new Set(events.flatMap((event) => (event.type === 'call' ? [event.call] : [])));
}

/** The content without results, which become lines of their own before everything else in the message. */
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
		else {
			const { id, name, input } = native;
			content.push({ block: text, call: { id, line: callLine(id, name, input, encoding) } });
		}
	});
	return { content, results };
}

function callLine(id: string, name: string, input: unknown, { profile, json }: Encoding): string {
	const made = json.write(input, profile === 'client');
	return `{"type":"tool_call","tool_use_id":${json.write(id)},"tool_name":${json.write(name)},"input":${made}}`;
}

/** Reports what a message has and a line has no field for. */
function noteMessage(entry: MessageEntry, losses: Losses): void {
	noteCommon(entry, losses);
	for (const key in entry.response) {
		if (entry.response[key as keyof ModelResponse] === undefined) continue;
		losses.dropped(entry.id, `response.${key}`, `Clido records no ${key} of a reply`);
	}
	if (entry.audience === 'model' && !isTold(entry.content))
		losses.approximated(entry.id, 'audience', 'Clido shows every message that it sends to the model');
	if (entry.origin !== undefined)
		losses.dropped(entry.id, 'origin', `Clido does not record how a message came about (${entry.origin})`);
}

const readers: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep']);

/**
 * The hash as a line has it. The client compares every hash of a session with the disk, so that of a file which was read and
 * then changed would keep the session from being resumed: what our own tools only read has none for the client, as there.
 */
function hashOf(
	file: FileState | undefined,
	tool: string | undefined,
	{ profile, live }: Encoding,
): string | undefined {
	if (file?.sha256 === undefined || profile === 'published') return file?.sha256 && `sha256:${file.sha256}`;
	return live && tool !== undefined && readers.has(tool) ? undefined : file.sha256;
}

const largestU64 = 0xffff_ffff_ffff_ffffn;

function resultLine(
	block: ToolResultBlock,
	entry: string,
	path: string,
	callName: string | undefined,
	encoding: Encoding,
): string {
	const { json, losses } = encoding;
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
	const hash = hashOf(file, callName ?? block.name, encoding);
	const text = json.write(resultText(block, entry, path, losses));
	let line = `{"type":"tool_result","tool_use_id":${json.write(block.call)},"content":${text},"is_error":${block.isError}`;
	if (duration !== undefined) line += `,"duration_ms":${duration}`;
	if (file) line += `,"path":${json.write(file.path)}`;
	if (hash !== undefined) line += `,"content_hash":${json.write(hash)}`;
	return digits === undefined ? `${line}}` : `${line},"mtime_nanos":${digits}}`;
}
