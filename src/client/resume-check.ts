/** What going on with a session would mean: what is sent, what is left out, what has changed, and what it costs. */
import { messageTokens } from '../agent/compact-when.ts';
import type { WireMessage } from '../codecs/index.ts';
import { compact, type MessageEntry, type Session, type Usage } from '../model/index.ts';
import { contextOf } from '../store/reader/context.ts';
import { agentMessages } from '../store/reader/context-shapes.ts';
import { type DroppedEntry, droppedEntries } from '../store/reader/dropped.ts';
import { openSession } from '../store/reader/session-reader.ts';
import { type StaleFile, staleFiles } from '../store/reader/stale.ts';
import { providerOf } from '../wires/index.ts';

export interface ResumeCheck {
	readonly session: string;
	readonly path: string;
	/** The version of its client whose rules say what is sent. */
	readonly client: string;
	/** Why that client would not resume it. */
	readonly refused?: string;
	/** Who would answer. */
	readonly model?: string;
	readonly provider?: string;
	readonly messages: readonly WireMessage[];
	/** What is in the file and would not be sent. */
	readonly dropped: readonly DroppedEntry[];
	/** Files that have changed since the session last saw them. */
	readonly changedFiles: readonly StaleFile[];
	/** The first request, without the new prompt: as counted with the last reply, and estimated where that is not known. */
	readonly tokens: number;
	/** The provider still has the beginning of the conversation, so that it costs a tenth or so. */
	readonly cacheHit: boolean;
	/** Why, in words for people. */
	readonly cache: string;
	/** The first request in dollars, without the new prompt and the reply; null where the price is not known. */
	readonly costUsd: number | null;
	/** The same where the cache has forgotten it, as it has for another program with another system prompt. */
	readonly coldCostUsd: number | null;
}

export interface ResumeCheckOptions {
	/** Who is to answer, as `provider/name` or a name. Default: who answered last. */
	readonly model?: string;
	/** Milliseconds. Default: now. */
	readonly now?: number;
}

/** Reads the session at `path` as its client would to go on with it. Nothing is changed, and nobody is asked. */
export async function checkResume(path: string, options: ResumeCheckOptions = {}): Promise<ResumeCheck> {
	const context = contextOf(path);
	const session = await openSession(path, { subagents: false });
	const last = lastReply(session, context.from.flat());
	const before = {
		model: last?.response?.model ?? context.model ?? session.header.model,
		...providerIn(last, session),
	};
	const asked = askedModel(options.model, before);
	const since = last ? context.from.findLastIndex((from) => from.includes(last.id)) + 1 : 0;
	const rest = messageTokens(agentMessages({ ...context, messages: context.messages.slice(since) }));
	const usage = last?.response?.usage;
	const known = usage ? counted(usage) : 0;
	const tokens = known + rest;
	const cache = cacheState(last, asked, before, options.now ?? Date.now());
	const price = await priceOf(asked);
	const cold = price({ cacheWrite5m: tokens });
	return {
		session: session.id,
		path,
		client: context.client,
		...compact({ refused: context.refused, ...asked }),
		messages: context.messages,
		dropped: droppedEntries(session, context),
		changedFiles: staleFiles(session),
		tokens,
		cacheHit: cache.hit,
		cache: cache.why,
		costUsd: cache.hit ? price({ cacheRead: known, cacheWrite5m: rest }) : cold,
		coldCostUsd: cold,
	};
}

function lastReply({ entries }: Session, sent: readonly string[]): MessageEntry | undefined {
	const wanted = new Set(sent);
	return entries.findLast(
		(entry): entry is MessageEntry =>
			entry.kind === 'message' && entry.role === 'assistant' && wanted.has(entry.id) && entry.response !== undefined,
	);
}

interface Answering {
	readonly model?: string | undefined;
	readonly provider?: string | undefined;
}

function providerIn(last: MessageEntry | undefined, { header }: Session): Pick<Answering, 'provider'> {
	return { provider: last?.response?.provider ?? providerOf(last?.response?.model ?? header.model) ?? header.provider };
}

function askedModel(given: string | undefined, before: Answering): Answering {
	if (given === undefined) return before;
	const [, provider, name = given] = /^([^/]+)\/(.+)$/.exec(given) ?? [];
	return { model: name, provider: provider ?? providerOf(name) ?? before.provider };
}

/** What the conversation had grown to with the last reply. */
function counted({ input, cacheRead, cacheWrite5m, cacheWrite1h, output }: Usage): number {
	return input + cacheRead + cacheWrite5m + cacheWrite1h + output;
}

const minute = 60_000;

/** How long providers keep what they were sent, where they say so; longer ones are asked for, and the usage tells of them. */
const kept: { readonly [provider: string]: number } = { anthropic: 5 * minute, openai: 5 * minute };

function cacheState(
	last: MessageEntry | undefined,
	asked: Answering,
	before: Answering,
	now: number,
): { readonly hit: boolean; readonly why: string } {
	const time = Date.parse(last?.time ?? '');
	if (Number.isNaN(time)) return { hit: false, why: 'cold: nothing says when the last reply came' };
	if (!sameModel(asked.model, before.model))
		return { hit: false, why: `cold: ${before.model ?? 'another model'} answered last` };
	const hour = (last?.response?.usage?.cacheWrite1h ?? 0) > 0;
	const ttl = hour ? 60 * minute : kept[asked.provider ?? ''];
	const age = Math.max(0, now - time);
	const old = `the last reply is ${ageText(age)} old`;
	if (ttl === undefined) return { hit: false, why: `not known: ${old}, and nothing is known of this provider’s cache` };
	const keeps = `the cache keeps ${hour ? 'this session an hour' : '5 minutes'}`;
	return { hit: age < ttl, why: `${age < ttl ? 'warm' : 'cold'}: ${old}, ${keeps}` };
}

/** A session has the exact name, with a date; people leave it out. */
function sameModel(asked: string | undefined, before: string | undefined): boolean {
	if (asked === undefined || before === undefined) return asked === before;
	return asked === before || before.startsWith(`${asked}-2`) || asked.startsWith(`${before}-2`);
}

function ageText(ms: number): string {
	const minutes = Math.floor(ms / minute);
	if (minutes < 2) return `${Math.floor(ms / 1000)} seconds`;
	if (minutes < 120) return `${minutes} minutes`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

const nothing: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

async function priceOf({ model, provider }: Answering): Promise<(of: Partial<Usage>) => number | null> {
	if (model === undefined) return () => null;
	const { loadPrices } = await import('../catalog/cost/prices.ts');
	const prices = loadPrices();
	return (of) => prices.cost({ ...nothing, ...of }, model, provider, undefined) ?? null;
}
