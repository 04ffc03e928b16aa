/** A model server for tests: plays a script on loopback, in the five protocols that providers speak, and is as strict as asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/model/index.ts';
import {
	type Asked,
	CutWatch,
	type ParsedScript,
	Playback,
	parseScript,
	playedTurn,
	type ScriptInput,
	type ScriptTurn,
	type ScriptTurnInput,
} from '../../src/providers/script.ts';
import { framesOf } from './model-server-frames.ts';
import { brokenRule, type Rejection } from './model-server-rules.ts';
import { modelOf, type Protocol, protocolOf, protocols, type Speaking } from './model-server-wires.ts';

export interface ModelServerOptions {
	readonly turns?: readonly ScriptTurnInput[];
	/** What answers when the turns are used up. */
	readonly fallback?: ScriptTurnInput;
	/** Refuse with 400 what the real server of that protocol refuses. */
	readonly strict?: boolean;
	/** A turn as it is played, by the request that it answers: models repeat what they were told. */
	readonly fill?: (turn: ScriptTurn, raw: string) => ScriptTurn;
	/** The tokens that the model can take: it counts each request, says so in its reply, and refuses what is longer. */
	readonly window?: number;
	/** What Ollama's server says of a model. */
	readonly show?: object;
}

export interface ModelRequestSeen {
	readonly protocol: Protocol;
	readonly path: string;
	/** Names in lower case. */
	readonly headers: { readonly [name: string]: string };
	readonly body: JsonObject;
	/** The rule that it broke. */
	readonly rejected?: string;
	/** What it was counted as, where the model counts. */
	readonly tokens?: number;
}

export interface ModelServer {
	/** `http://127.0.0.1:PORT`. */
	readonly url: string;
	/** Every request so far, in order. */
	readonly requests: readonly ModelRequestSeen[];
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
	const playback = new Playback(scriptOf(options));
	const requests: ModelRequestSeen[] = [];
	let ids = 0;
	const newId = (prefix: string): string => `${prefix}_${String(++ids).padStart(6, '0')}`;
	const server = createServer((request, response) => {
		const { strict = false, window, show, fill = (turn) => turn } = options;
		answer(request, response, { playback, requests, newId, strict, window, show, fill }).catch((error: unknown) => {
			response.destroy(error instanceof Error ? error : new Error(String(error)));
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	const { port } = server.address() as AddressInfo;
	const close = async (): Promise<void> => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close };
}

function scriptOf({ turns = [], fallback }: ModelServerOptions): Extract<ParsedScript, { ok: true }>['script'] {
	const input: ScriptInput = { turns: [...turns], ...(fallback ? { default: fallback } : {}) };
	const parsed = parseScript(input);
	if (!parsed.ok) throw new Error(`the script of the model server is wrong: ${parsed.problem}`);
	return parsed.script;
}

const spent: ScriptTurn = { text: '(The script is over.)' };

interface Serving {
	readonly playback: Playback;
	readonly requests: ModelRequestSeen[];
	readonly newId: (prefix: string) => string;
	readonly strict: boolean;
	readonly window: number | undefined;
	readonly show: object | undefined;
	readonly fill: (turn: ScriptTurn, raw: string) => ScriptTurn;
}

/** Tokens of the whole request as models roughly count them: short words, groups of digits, runs of one sign, blanks. */
function tokensIn(raw: string): number {
	return raw.match(/ ?[A-Za-z]{1,5}|\d{1,3}|([^A-Za-z0-9\s])\1*|\s{2,}/gu)?.length ?? 0;
}

function tooLong(tokens: number, window: number): Rejection {
	return { status: 400, message: `prompt is too long: ${tokens} tokens > ${window} maximum` };
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
	const path = request.url ?? '/';
	const raw = await text(request);
	const protocol = protocolOf(path);
	const requestId = serving.newId('req');
	const named = { 'request-id': requestId, 'x-request-id': requestId };
	const say = (status: number, document: unknown, headers = {}): void => {
		response.writeHead(status, { 'content-type': 'application/json', ...named, ...headers });
		response.end(JSON.stringify(document));
	};
	if (path === '/api/show' && serving.show) return say(200, serving.show);
	if (protocol === undefined) return say(404, { error: { message: `there is nothing at ${path}` } });
	const speaks = protocols[protocol];
	const body = JSON.parse(raw) as JsonObject;
	const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
	const { window } = serving;
	const tokens = window === undefined ? undefined : tokensIn(raw);
	const isLong = tokens !== undefined && window !== undefined && tokens > window;
	const broken = serving.strict ? brokenRule(protocol, body, headers) : undefined;
	const rejected = isLong ? tooLong(tokens, window) : broken;
	const seen = { protocol, path, headers, body, ...(tokens === undefined ? {} : { tokens }) };
	serving.requests.push(rejected === undefined ? seen : { ...seen, rejected: rejected.message });
	if (rejected) return say(rejected.status, speaks.error(rejected));

	const asked: Asked = { ...speaks.asked(body), raw, path, model: modelOf(body, path) };
	const turn = serving.fill(serving.playback.next(asked) ?? spent, raw);
	if (turn.delayMs) await sleep(turn.delayMs);
	if (turn.error) {
		const { status, body: document, headers: more } = turn.error;
		return say(status, document ?? speaks.error(turn.error), more);
	}
	response.writeHead(200, { 'content-type': speaks.contentType, ...named, ...turn.headers });
	response.flushHeaders();
	await play({ ...turn, ...countedAs(tokens) }, protocol, asked.model, response, serving);
}

function countedAs(tokens: number | undefined): Pick<ScriptTurn, 'usage'> {
	return tokens === undefined
		? {}
		: { usage: { input: tokens, output: 50, cacheRead: 0, cacheWrite: 0, reasoning: 0 } };
}

/** Streams a turn, up to where the script cuts it. */
async function play(
	turn: ScriptTurn,
	protocol: Protocol,
	model: string,
	out: ServerResponse,
	serving: Serving,
): Promise<void> {
	const speaks = protocols[protocol];
	const { newId } = serving;
	const speaking: Speaking = { ...playedTurn(turn, () => newId('call')), model, newId };
	const watch = new CutWatch(turn);
	for (const frame of framesOf(speaks.voice(speaking), speaking)) {
		if (out.destroyed) return;
		const how = watch.due();
		if (how === 'hang') return;
		if (how === 'error') out.write(speaks.frame(speaks.streamError(watch.error)));
		if (how === 'close') {
			// What was written has to leave first: the client should see it, then the end.
			await sleep(20);
			out.destroy();
		}
		if (how) break;
		if (frame.data !== undefined) out.write(speaks.frame(frame.data));
		watch.count(frame);
		if (frame.chunk && turn.chunkDelayMs) await sleep(turn.chunkDelayMs);
	}
	out.end();
}
