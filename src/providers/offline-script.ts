/** Plays a script as the model, for demonstrations, tests and users without a key. It never touches the network. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelEvent, ModelRequest, Provider } from '../agent/contracts.ts';
import type { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { type JsonObject, parsedJson, stringAt } from '../model/index.ts';
import { converse } from './converse.ts';
import { HttpError, refusedBy, ScriptOver } from './failures.ts';
import { OpenCall } from './open-blocks.ts';
import {
	type Asked,
	CutWatch,
	Playback,
	type Played,
	parseScript,
	pieces,
	playedTurn,
	type ScriptBlock,
	type ScriptError,
	type ScriptTurn,
} from './script.ts';
import type { Service } from './service.ts';
import { endedBy } from './stops.ts';

export type MadeScript =
	| { readonly ok: true; readonly provider: Provider }
	| { readonly ok: false; readonly problem: string };

/** Explains scripts to a user who has none yet. */
export const scriptLooks = 'a script is a JSON file such as [{"text": "Hello"}], one item per reply';

/** A provider that plays a script: the text of a script file, or its value. Each turn is used once per provider. */
export function scriptProvider(script: unknown, now: () => number = Date.now): MadeScript {
	const value = typeof script === 'string' ? parsedJson(script) : script;
	// The parser's own message is not used: it quotes the file, over several lines.
	if (typeof script === 'string' && value === undefined)
		return { ok: false, problem: `this is not JSON; ${scriptLooks}` };
	const parsed = parseScript(value);
	if (!parsed.ok) return parsed;
	return { ok: true, provider: play(new Playback(parsed.script), now) };
}

/** The next events of a reply. */
type Step = (reply: ReplyBuilder) => readonly ModelEvent[];

function play(playback: Playback, now: () => number): Provider {
	// Scripts are written in the blocks of Anthropic's API, so their signatures count as its own.
	const api = 'anthropic-messages';
	const service: Service = { id: 'offline', api, name: 'The script', url: 'offline', keyNames: [], now };
	return converse<Step>({
		service,
		async open(request, signal) {
			const turn = playback.next(askedBy(request));
			if (!turn) throw new ScriptOver();
			if (turn.delayMs) await sleep(turn.delayMs, undefined, { signal });
			if (turn.error) throw errorOf(turn.error);
			return { events: steps(turn, request, service, signal), headers: new Headers(turn.headers) };
		},
		reader(reply) {
			let last: readonly ModelEvent[] = [];
			return {
				read(step) {
					last = step(reply);
					return last.some(isLast) ? [] : last;
				},
				end: () => (last.some(isLast) ? last : undefined),
			};
		},
	});
}

function isLast(event: ModelEvent): boolean {
	return event.type === 'done' || event.type === 'error';
}

function errorOf({ status = 500, type, message = 'scripted error', body, headers }: ScriptError): HttpError {
	const document = body ?? { error: { message, ...(type ? { type } : {}) } };
	return new HttpError(status, JSON.stringify(document), new Headers(headers));
}

function askedBy({ messages, system, model, tools, agent }: ModelRequest): Asked {
	const prompts = messages.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
	return {
		raw: JSON.stringify({ system, messages }),
		...{ prompts, system, model, path: '', tools: tools.length > 0 },
		...(agent === undefined ? {} : { agent }),
	};
}

function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	return (content as readonly JsonObject[]).flatMap((block) => stringAt(block, 'text') ?? []).join('\n');
}

/**
 * The steps of a reply. Calls get ids from the conversation's length: equal in every run. A sub-agent's conversation is another
 * one, which its task tells apart; one that a compaction has shortened comes by the same length again, so ids in use are passed over.
 */
async function* steps(
	turn: ScriptTurn,
	request: ModelRequest,
	service: Service,
	signal: AbortSignal,
): AsyncGenerator<Step> {
	let named = 0;
	const whose = request.agent === undefined ? '' : `${shortSum(firstPrompt(request))}_`;
	const taken = new Set(
		request.messages.flatMap((message) => (message.role === 'toolResult' ? [message.toolCallId] : [])),
	);
	const nextId = (): string => `call_${whose}${request.messages.length}_${++named}`;
	const played = playedTurn(turn, () => {
		let id = nextId();
		while (taken.has(id)) id = nextId();
		return id;
	});
	const watch = new CutWatch(turn);
	let due = performance.now();
	for (const piece of stepsOf(played)) {
		const how = watch.due();
		if (how === 'hang') await forever(signal);
		if (how === 'error') throw errorOf(watch.error);
		if (how) return;
		if (piece.step) yield piece.step;
		watch.count(piece);
		if (!piece.chunk || !turn.chunkDelayMs) continue;
		// Timers are late by a millisecond or more: what they are late by, the next chunks make up for.
		due += turn.chunkDelayMs;
		const wait = Math.ceil(due - performance.now());
		if (wait > 0) await sleep(wait, undefined, { signal });
	}
	yield (reply) => finished(reply, played, service);
}

function firstPrompt({ messages }: ModelRequest): string {
	const first = messages.find(({ role }) => role === 'user');
	return first?.role === 'user' ? textOf(first.content) : '';
}

function shortSum(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

function forever(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
	});
}

interface Piece {
	readonly step?: Step;
	readonly chunk?: boolean;
	readonly block?: boolean;
}

function* stepsOf({ content, chunk }: Played): Generator<Piece> {
	for (const [at, block] of content.entries()) {
		if (block.type === 'tool_use') yield* callSteps(block, chunk);
		else yield* speechSteps(block, at, chunk);
		yield { block: true };
	}
}

function* speechSteps(block: Exclude<ScriptBlock, { type: 'tool_use' }>, at: number, size: number): Generator<Piece> {
	switch (block.type) {
		case 'text':
			yield { step: (reply) => [reply.textStart()] };
			for (const text of pieces(block.text, size)) yield { step: (reply) => [reply.textDelta(at, text)], chunk: true };
			return yield { step: (reply) => [reply.textEnd(at, block.signature)] };
		case 'thinking':
			yield { step: (reply) => [reply.thinkingStart()] };
			for (const text of pieces(block.thinking, size))
				yield { step: (reply) => [reply.thinkingDelta(at, text)], chunk: true };
			return yield { step: (reply) => [reply.thinkingEnd(at, block.signature ?? undefined)] };
		case 'redacted_thinking':
			return yield { step: (reply) => [reply.thinkingStart(block.data), reply.thinkingEnd(at)] };
	}
}

function* callSteps(block: Extract<ScriptBlock, { type: 'tool_use' }>, size: number): Generator<Piece> {
	let call: OpenCall | undefined;
	yield {
		step: (reply) => {
			call = new OpenCall(reply, block.id ?? '');
			return [call.start(block.name)];
		},
	};
	const json = block.rawInput ?? JSON.stringify(block.input ?? {});
	for (const piece of pieces(json, size)) yield { step: () => (call ? [call.delta(piece)] : []), chunk: true };
	const signature = block.signature ? { thoughtSignature: block.signature } : {};
	yield { step: () => call?.end(undefined, signature) ?? [] };
}

function finished(reply: ReplyBuilder, { usage, stop }: Played, service: Service): readonly ModelEvent[] {
	const { reasoning: _, ...counted } = usage;
	reply.count(counted);
	if (stop === 'refusal') return reply.failed(refusedBy(service, stop));
	return [...endedBy(stop), reply.done(stop === 'tool_use' ? 'toolUse' : stop === 'max_tokens' ? 'length' : 'stop')];
}
