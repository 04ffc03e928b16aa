/** What a compaction keeps and what it replaces: how much of the last exchange stays, what is written into the session, and when it is refused because nothing would become shorter. */
import {
	type AgentMessage,
	type AssistantMessage,
	compact,
	type Entry,
	type EntryId,
	history,
	isPrompt,
	type MessageEntry,
	type ModelResponse,
	responseKey,
	titleFrom,
} from '../../model/index.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import type { CompactionRules, CompactionTrigger } from '../config.ts';
import type { Failure } from '../contracts.ts';
import { type HookScene, runHooks } from '../hooks/run-hooks.ts';
import { neutralUsage, textOf } from '../recording/blocks.ts';
import type { Replaced } from '../recording/journal.ts';
import { calledCommand } from '../recording/local-command.ts';
import { zeroUsage } from '../replies/reply-builder.ts';
import { summarise } from './compact-summary.ts';
import { contextTokens, estimatedTokens, messageTokens, requestRoom } from './compact-when.ts';
import { continuation, type Summary, summaryRequest } from './compact-words.ts';

export interface Compacting extends HookScene {
	readonly rules: CompactionRules;
	/** Hears what the summary used. */
	used(reply: AssistantMessage): void;
}

export interface CompactionWish {
	readonly trigger: CompactionTrigger;
	/** What the user wants of the summary. */
	readonly instructions?: string;
	/** A turn is not over: the model goes on by itself. */
	readonly goesOn: boolean;
}

export type Compacted =
	| {
			readonly ok: true;
			readonly tokensBefore: number;
			readonly tokensAfter: number;
			/** What hooks have for the model, to be told behind the summary. */
			readonly asides: readonly string[];
	  }
	/** `stopped`: a hook did not want it; `failure`: the provider failed. */
	| { readonly ok: false; readonly problem: string; readonly stopped?: boolean; readonly failure?: Failure };

/** The one way to compact, whoever wants it. Nothing is written and nothing changes where it fails. */
export async function compactNow(input: Compacting, wish: CompactionWish): Promise<Compacted> {
	const { config, conversation } = input;
	const { trigger } = wish;
	const { messages } = conversation;
	// What it becomes was never sent and can only be estimated: a model that reports less than that would have it grow by being compacted.
	const tokensBefore = Math.max(contextTokens(messages, config), estimatedTokens(messages, config));
	config.observe?.({ type: 'compacting', trigger });
	const done = await compacted(input, wish, tokensBefore);
	const outcome = done.ok ? { tokensAfter: done.tokensAfter } : { problem: done.problem };
	config.observe?.({ type: 'compacted', trigger, tokensBefore, ...outcome });
	return done;
}

async function compacted(input: Compacting, wish: CompactionWish, tokensBefore: number): Promise<Compacted> {
	const { config, rules, journal, conversation } = input;
	const { trigger, instructions = '', goesOn } = wish;
	if (!conversation.messages.some(({ role }) => role === 'assistant')) {
		return { ok: false, problem: 'there is nothing to compact: nobody has answered yet' };
	}
	const hooked = await runHooks(input, 'PreCompact', { trigger, instructions });
	const stop = hooked.map(({ block, halt }) => block ?? halt).find((why) => why !== undefined);
	if (stop !== undefined) return { ok: false, problem: `a hook stopped the compaction: ${stop}`, stopped: true };
	const wanted = [instructions, ...hooked.map(({ context = '' }) => context)];
	const { messages } = conversation;
	await journal.settle();
	const session = await openSession(journal.path, { subagents: false });
	const told = history(session, journal.leaf);
	const kept = lastExchange(messages, told, rules);
	const words = told
		.filter(isPrompt)
		.map(({ content }) => textOf(content))
		.filter((said) => said.trim() !== '');
	const becoming = (summary: Summary) => {
		const text = continuation({ summary, words, mostWords: rules.words, transcript: journal.path, goesOn });
		const now: AgentMessage[] = [{ role: 'user', content: text, timestamp: config.host.now() }, ...kept.messages];
		return { text, now, tokensAfter: estimatedTokens(now, config) };
	};
	const least = longer(becoming({ title: undefined, text: '' }).now, messages);
	if (trigger === 'manual' && least !== undefined) return { ok: false, problem: least };
	const asked = await summarise(summaryRequest(wanted), { ...input, messages, sessionId: journal.sessionId });
	if ('problem' in asked) return { ok: false, ...asked };
	const made = becoming(asked.summary);
	const more = longer(made.now, messages);
	if (trigger === 'manual' && more !== undefined) return { ok: false, problem: more };
	const { text, now, tokensAfter } = made;
	const counted = { trigger, tokensBefore, tokensAfter, response: responseOf(asked.reply) };
	if (trigger === 'manual') await journal.add(calledCommand('compact', instructions));
	const named = config.agent ? {} : compact({ title: session.header.title || titleFrom(words[0] ?? '') });
	await journal.compaction({ text, keptFrom: kept.from, ...named, ...counted }, replacedIn(told, kept.from));
	messages.splice(0, messages.length, ...now);
	await runHooks(input, 'PostCompact', { trigger, summary: asked.summary.text });
	const started = await runHooks(input, 'SessionStart', { source: 'compact', model: config.model });
	return { ok: true, tokensBefore, tokensAfter, asides: started.flatMap(({ context }) => context ?? []) };
}

/**
 * Somebody who wants a compaction is not served by a longer conversation; no model is asked where even an empty summary makes one. Both
 * sides are estimates: what a server reports of the one says nothing about the other.
 */
function longer(now: readonly AgentMessage[], before: readonly AgentMessage[]): string | undefined {
	const [has, had] = [messageTokens(now), messageTokens(before)];
	if (has < had) return undefined;
	const [will, was] = [has, had].map((count) => count.toLocaleString('en-US'));
	return `the conversation would not become shorter (about ${was} tokens would become about ${will}): nothing was changed`;
}

function responseOf({ provider, api, model, usage }: AssistantMessage): ModelResponse {
	return { provider, api, model, usage: neutralUsage(usage), costUsd: usage.cost.total };
}

interface Exchange {
	readonly messages: readonly AgentMessage[];
	readonly from: EntryId | undefined;
}

/** The part of the room that the last exchange may take: one that fills the context is why it is compacted. */
const mostKept = 0.25;

/**
 * The last reply and everything since, so that no call is without its result. What it used is forgotten: the context that it was
 * counted for is gone.
 */
function lastExchange(messages: readonly AgentMessage[], told: readonly Entry[], rules: CompactionRules): Exchange {
	const start = messages.findLastIndex(({ role }) => role === 'assistant');
	const kept = messages
		.slice(start)
		.map((message) => (message.role === 'assistant' ? { ...message, usage: zeroUsage() } : message));
	const from = firstOfLastReply(told);
	const fits = messageTokens(kept) <= requestRoom(rules) * mostKept;
	return from !== undefined && fits ? { messages: kept, from } : { messages: [], from: undefined };
}

/** The entry that the last reply begins with: some formats have one for each of its blocks. */
function firstOfLastReply(told: readonly Entry[]): EntryId | undefined {
	let first: MessageEntry | undefined;
	for (const entry of told.toReversed()) {
		if (entry.kind !== 'message') continue;
		if (first !== undefined && (entry.role !== 'assistant' || !isSameReply(entry, first))) break;
		if (entry.role === 'assistant' && entry.content.length > 0 && entry.response?.error === undefined) first = entry;
	}
	return first?.id;
}

function isSameReply({ response: one }: MessageEntry, { response: other }: MessageEntry): boolean {
	const key = one && responseKey(one);
	return key !== undefined && key === (other && responseKey(other));
}

/** The entries that the summary stands for: those behind the compaction before, up to what is kept. */
function replacedIn(told: readonly Entry[], keptFrom: EntryId | undefined): Replaced | undefined {
	const before = told.findLastIndex(({ kind }) => kind === 'compaction');
	const end = keptFrom === undefined ? told.length : told.findIndex(({ id }) => id === keptFrom);
	const messages = told.slice(before + 1, end).filter(({ kind }) => kind === 'message');
	const [first, last] = [messages[0], messages.at(-1)];
	return first && last && { first: first.id, last: last.id, messages: messages.length };
}
