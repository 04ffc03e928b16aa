/** What going on with a session would mean: what is sent, left out and changed, and what it costs; how long a provider's cache counts as warm. */
import { contextTokens, lastCounted } from '../agent/compaction/compact-when.ts';
import type { WireMessage } from '../codecs/index.ts';
import { compact, type MessageEntry, type Session, type Usage } from '../model/index.ts';
import { restoredIn } from '../store/checkpoints/restored.ts';
import { thisMachine } from '../store/find/folders.ts';
import { contextOf } from '../store/reader/context.ts';
import { type DroppedEntry, droppedEntries, type OpenCall, openCalls } from '../store/reader/dropped.ts';
import { openSession } from '../store/reader/session-reader.ts';
import { withSidecar } from '../store/reader/sidecar.ts';
import { type StaleFile, staleFiles } from '../store/reader/stale.ts';
import { providerOf } from '../wires/index.ts';
import { workFolder } from './folder-at.ts';
import { alongWith } from './moved-along.ts';
import type { ClientOptions } from './options.ts';

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
	/** Calls without a result: the run that made them was ended. */
	readonly openCalls: readonly OpenCall[];
	/** Files that have changed since the session last saw them. */
	readonly changedFiles: readonly StaleFile[];
	/**
	 * The first request, without the new prompt: as counted with the last reply, and estimated where that is not known, with system prompt
	 * and tools, but without those of MCP servers: nobody starts them to count.
	 */
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

/** How it would be gone on with. `model`: who is to answer; default: who answered last. */
export interface ResumeCheckOptions extends ClientOptions {
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
	const { known, tokens } =
		context.refused === undefined ? await firstRequest(path, session, options) : { known: 0, tokens: 0 };
	const isOther = known === 0 && last?.response?.usage !== undefined;
	const cache = isOther ? anew : cacheState(last, asked, before, options.now ?? Date.now());
	const price = await priceOf(asked);
	const cold = price({ cacheWrite5m: tokens });
	const movedAlong = alongWith(session.header.cwd, workFolder(options, process.cwd()));
	const isRestored = restoredIn(thisMachine(), { format: session.format, id: session.id });
	return {
		session: session.id,
		path,
		client: context.client,
		...compact({ refused: context.refused, ...asked }),
		messages: context.messages,
		dropped: droppedEntries(withSidecar(session, path, []), context),
		openCalls: openCalls(session),
		changedFiles: staleFiles(session).filter((file) => !isRestored(file.path) && !movedAlong(file)),
		tokens,
		cacheHit: cache.hit,
		cache: cache.why,
		costUsd: cache.hit ? price({ cacheRead: known, cacheWrite5m: tokens - known }) : cold,
		coldCostUsd: cold,
	};
}

const anew = { hit: false, why: 'cold: the conversation is not the one that the last reply was asked with' };

/** What the first request holds, counted as a run counts it, and how much of that the last reply has reported. */
async function firstRequest(
	path: string,
	{ format }: Session,
	options: ClientOptions,
): Promise<{ readonly known: number; readonly tokens: number }> {
	// Tools and instructions are large: only those who ask about a request load them.
	const [{ resumeConversation }, { requestHead }, { permissionsHere }] = await Promise.all([
		import('../agent/recording/resume.ts'),
		import('./config.ts'),
		import('./permissions.ts'),
	]);
	const cwd = workFolder(options, process.cwd());
	const resumed = resumeConversation(path);
	const { messages } = resumed.conversation;
	const head = await requestHead(options, { cwd, format, resumed }, permissionsHere(options, cwd), false);
	return { known: lastCounted(messages)?.usage.totalTokens ?? 0, tokens: contextTokens(messages, head) };
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
