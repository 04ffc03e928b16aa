/** What a conversation takes from a session that it goes on with: the messages that its own client would send, its settings, lists and open calls, and which token counts are believed. */
import type { Codec, Context } from '../../codecs/index.ts';
import {
	type AgentMessage,
	type AssistantMessage,
	type Block,
	compact,
	type Entry,
	type EntryId,
	type FileSnapshot,
	type Header,
	isObject,
	isPrompt,
	isSummary,
	type Json,
	type MessageEntry,
	type MessageUsage,
	type Settings,
	type ToolCall,
} from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { openState } from '../../store/handle/open-state.ts';
import { recorded } from '../../store/reader/compaction-view.ts';
import { contextOf } from '../../store/reader/context.ts';
import { agentMessages, type Replier } from '../../store/reader/context-shapes.ts';
import { openReader } from '../../store/reader/session-reader.ts';
import { providerOf } from '../../wires/index.ts';
import { leadsInside } from '../calls/checkpoints.ts';
import { messageTokens } from '../compaction/compact-when.ts';
import type { Conversation } from '../config.ts';
import type { EarlierCall } from '../contracts.ts';
import { callsOf } from '../replies/ask-model.ts';
import { zeroUsage } from '../replies/reply-builder.ts';
import { lateReports } from '../sub-agents/agent-report.ts';
import { reportedUsage } from './blocks.ts';
import { messagesOnPath } from './path-messages.ts';

export interface Resumed {
	readonly conversation: Conversation;
	readonly header: Header;
	/** The last of each, where the session records it. */
	readonly settings: Settings;
	/** The model that answered last, and whose it is. */
	readonly model?: string;
	readonly provider?: string;
	readonly api?: string;
	/** The list of the last TodoWrite call. */
	readonly todos?: Json;
	/** The tools that the conversation has used. */
	readonly tools: readonly string[];
	/** What the user should know about how it was resumed. */
	readonly note?: string;
}

/**
 * Reads the session at `path`. Where its own client would refuse it although it holds a conversation, as with files that only
 * follow the format's document, and where nobody knows what its client would send, that conversation is taken as it stands.
 */
export function resumeConversation(path: string, at?: EntryId): Resumed {
	const context = recorded(contextOf(path, at === undefined ? {} : { at }));
	const refused = context.refused !== undefined;
	const found = new Collector(context);
	const header = found.readFrom(path);
	const messages = refused
		? messagesOnPath(found.entries, at ?? openState(path).held.leaf)
		: agentMessages(context, (index) => found.replyOf(context.from[index] ?? [], header));
	if (refused && messages.length === 0) {
		throw new InputError('not-resumable', `${path} cannot be continued: ${context.refused}. Try reprise repair.`);
	}
	sign(messages, found);
	nameAsCalled(messages, found.called);
	forgetUnlikely(messages);
	const last = messages.findLast((message): message is AssistantMessage => message.role === 'assistant');
	const unanswered = openCalls(messages, found.answered);
	const by =
		refused && last
			? { model: last.model, provider: last.provider, api: last.api }
			: found.lastReplier(context, header);
	return {
		conversation: {
			messages: [...messages],
			seen: new Map(),
			kept: new Map(),
			earlier: [...found.lists.values()],
			notices: [],
			ran: [],
			tracked: found.tracked,
			source: 'resume',
			settings: { ...found.settings, ...settingsOf(by) },
			granted: [],
			unanswered: [...unanswered],
			answers: lateReports(path, unanswered),
		},
		header,
		settings: found.settings,
		...by,
		...(found.todos === undefined ? {} : { todos: found.todos }),
		tools: [...found.tools],
		// No client resumes a sub-agent's own file, and nobody expects it to.
		...(refused && !context.unknown && header.agent === undefined
			? { note: `its own client would refuse this session: ${context.refused}` }
			: {}),
	};
}

/** What is reported of a conversation is never so much shorter than the estimate. */
const likely = 0.5;

/**
 * A copy without its compactions is longer than what the replies behind them were asked with: what those reported says nothing about
 * it, and the next request would not fit.
 */
function forgetUnlikely(messages: readonly AgentMessage[]): void {
	let estimate = 0;
	for (const message of messages) {
		estimate += messageTokens([message]);
		if (message.role === 'assistant' && message.usage.totalTokens < estimate * likely) message.usage = zeroUsage();
	}
}

/** Calls without a result in the file, where nothing but their reply is at its end. */
function openCalls(messages: readonly AgentMessage[], answered: ReadonlySet<string>): readonly ToolCall[] {
	const last = messages.findLastIndex(({ role }) => role !== 'toolResult');
	const message = messages[last];
	return message?.role === 'assistant' ? callsOf(message).filter(({ id }) => !answered.has(id)) : [];
}

/** Who answered last is who was set to answer, whether the format has a word for that or not. */
function settingsOf({ model, provider }: Replier): Settings {
	return { ...(model === undefined ? {} : { model }), ...(provider === undefined ? {} : { provider }) };
}

/** What every API takes for the name of a tool. */
const isName = /^[\w-]{1,64}$/;

const makesList: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);

/** What a pass over the whole session brings together. */
class Collector {
	readonly answered = new Set<string>();
	readonly tools = new Set<string>();
	settings: Settings = {};
	readonly tracked = new Map<string, FileSnapshot['state']>();
	todos: Json | undefined;
	/** Calls that make lists, by their ids. */
	readonly lists = new Map<string, EarlierCall>();
	readonly signatures = new Map<string, string>();
	/** The tools that were called, by the calls' ids. */
	readonly called = new Map<string, string>();
	/** All of them, where there is no context that says which are needed. */
	readonly entries: Entry[] = [];
	readonly #wanted: ReadonlySet<EntryId>;
	readonly #all: boolean;
	readonly #compacted: EntryId | undefined;
	readonly #repliers = new Map<EntryId, Replier>();
	/** What replies reported since the last compaction. */
	readonly #usages = new Map<EntryId, MessageUsage>();

	constructor({ from, refused, compacted }: Context) {
		this.#wanted = new Set(from.flat());
		this.#all = refused !== undefined;
		this.#compacted = compacted;
	}

	/** Looks at every entry of the session at `path`; returns what is said about the session as a whole. */
	readFrom(path: string): Header {
		using reader = openReader(path);
		let header: Header = {};
		reader.take({
			record: () => undefined,
			entry: (entry) => this.#visit(entry, reader.codec, header.agent),
			header(patch) {
				header = { ...header, ...patch };
			},
		});
		return reader.headerWith(header);
	}

	/** `own`: the sub-agent whose own session this is. */
	#visit(entry: Entry, { live }: Codec, own: string | undefined): void {
		if (this.#all) this.entries.push(entry);
		if (entry.kind === 'checkpoint') {
			for (const { path, state } of entry.files) if (leadsInside(path)) this.tracked.set(path, state);
		}
		if (entry.kind === 'setting') this.settings = { ...this.settings, ...entry.set };
		this.#count(entry);
		// In some formats the file of a sub-agent says whose it is, and its entries do not.
		if (entry.kind !== 'message' || (entry.agent !== undefined && entry.agent !== own)) return;
		const permissionMode = isPrompt(entry) && entry.extra ? live.promptMode?.(entry.extra) : undefined;
		if (permissionMode !== undefined) this.settings = { ...this.settings, permissionMode };
		for (const block of entry.content) this.#note(block);
		if (!this.#wanted.has(entry.id) || entry.role !== 'assistant') return;
		this.#reply(entry);
	}

	/** A reply that a compaction kept has reported a conversation that is gone. */
	#count(entry: Entry): void {
		const { id } = entry;
		const wanted = this.#wanted.has(id);
		const usage = wanted && entry.kind === 'message' ? entry.response?.usage : undefined;
		if (usage) this.#usages.set(id, reportedUsage(usage));
		if (id === this.#compacted || (wanted && (entry.kind === 'compaction' || isSummary(entry)))) this.#usages.clear();
	}

	#note(block: Block): void {
		if (block.type === 'tool_result') {
			this.answered.add(block.call);
			if (block.isError) this.lists.delete(block.call);
		}
		if (block.type !== 'tool_call') return;
		this.tools.add(block.name);
		if (makesList.has(block.name)) this.lists.set(block.id, { name: block.name, input: block.input });
		if (block.name === 'TodoWrite' && isObject(block.input)) this.todos = block.input.todos;
	}

	#reply({ id, response, content }: MessageEntry): void {
		const { provider, api, model } = response ?? {};
		this.#repliers.set(id, {
			...(provider === undefined ? {} : { provider }),
			...(api === undefined ? {} : { api }),
			...(model === undefined ? {} : { model }),
		});
		for (const block of content) {
			if (block.type === 'text' && block.signature) this.signatures.set(`text\n${block.text}`, block.signature);
			if (block.type === 'tool_call' && isName.test(block.name)) this.called.set(block.id, block.name);
			if (block.type === 'tool_call' && block.signature) this.signatures.set(`call\n${block.id}`, block.signature);
		}
	}

	/** Who gave the reply that was made from these entries, and what it reported. */
	replyOf(from: readonly EntryId[], header: Header): Replier {
		const usage = from.flatMap((id) => this.#usages.get(id) ?? []).at(-1);
		return { ...this.replierOf(from, header), ...compact({ usage }) };
	}

	replierOf(from: readonly EntryId[], header: Header): Replier {
		const found = from.map((id) => this.#repliers.get(id)).find((one) => one !== undefined);
		const model = found?.model ?? header.model;
		const provider = found?.provider ?? providerOf(model) ?? header.provider;
		return { ...found, ...compact({ model, provider }) };
	}

	lastReplier(context: Context, header: Header): Replier {
		const at = context.messages.findLastIndex(({ role }, index) => {
			return (
				role === 'assistant' && (context.from[index] ?? []).some((id) => this.#repliers.get(id)?.model !== undefined)
			);
		});
		return this.replierOf(context.from[at] ?? [], header);
	}
}

/** Proofs that only the same model can use have no place in the shape in which contexts are kept. */
function sign(messages: readonly AgentMessage[], { signatures }: Collector): void {
	for (const message of messages) {
		if (message.role !== 'assistant') continue;
		for (const block of message.content) {
			if (block.type === 'text') {
				const signature = signatures.get(`text\n${block.text}`);
				if (signature) block.textSignature = signature;
			} else if (block.type === 'toolCall') signCall(block, signatures);
		}
	}
}

/** A client may send a call under a newer name of its tool. Here the tools are what they were when it was called, and so is its name. */
function nameAsCalled(messages: readonly AgentMessage[], called: ReadonlyMap<string, string>): void {
	for (const message of messages) {
		if (message.role === 'toolResult') message.toolName = called.get(message.toolCallId) ?? message.toolName;
		if (message.role !== 'assistant') continue;
		for (const block of message.content) if (block.type === 'toolCall') block.name = called.get(block.id) ?? block.name;
	}
}

function signCall(call: ToolCall, signatures: ReadonlyMap<string, string>): void {
	const signature = signatures.get(`call\n${call.id}`);
	if (signature) call.thoughtSignature = signature;
}
