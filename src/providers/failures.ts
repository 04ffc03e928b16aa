/** Decides why a request failed and whether it is worth trying again, from a server's status and words or a connection's error, and words that for the user. */
import type { Failure, FailureCode } from '../agent/contracts.ts';
import {
	fetchTrouble,
	isObject,
	type JsonObject,
	numberAt,
	objectAt,
	parsedJson,
	shortened,
	stringAt,
	troubleText,
} from '../model/index.ts';
import { limitsOf } from './rate-limits.ts';
import { withoutSecrets } from './secrets.ts';
import { addressTrouble, type Service } from './service.ts';

export const aborted: Failure = { code: 'aborted', message: 'The request was interrupted.', retry: false };

/** The failure for a stream that ended before the server said that the reply was over. */
export function cut(service: Service): Failure {
	return { code: 'cut', message: `The reply of ${service.name} broke off before its end.`, retry: true };
}

/** The failure for a model that refused to answer; the same request would be refused again. */
export function refusedBy(service: Service, reason: string): Failure {
	const message = `${service.name} ended the reply (${reason}): rephrase the prompt, or use another model.`;
	return { code: 'bad-request', message, retry: false, refused: true };
}

/** An HTTP error with the server's whole answer, where an SDK would keep only a part. */
export class HttpError extends Error {
	readonly status: number;
	readonly headers: Headers;

	constructor(status: number, body: string, headers: Headers) {
		super(body);
		this.status = status;
		this.headers = headers;
	}
}

/** A web page came where an API's answer should. What it says is for a browser: nothing of it is kept. */
export class WebPage extends Error {}

/** A script has no turn left that fits the request. */
export class ScriptOver extends Error {}

/** The failure for an error. `begun`: the server had started to answer, so the stream broke off. Keys are hidden. */
export function failureOf(error: unknown, service: Service, model: string, begun: boolean): Failure {
	const failure = plainFailure(error, service, model, begun);
	const headers = headersOf(error);
	const isLimited = failure.code === 'rate-limit' || headers !== undefined;
	const limits = isLimited
		? limitsOf(headers, failure.code === 'rate-limit', service.now(), failure.retryAfterMs)
		: undefined;
	return { ...failure, message: withoutSecrets(failure.message, service.env ?? {}), ...(limits ? { limits } : {}) };
}

function plainFailure(error: unknown, service: Service, model: string, begun: boolean): Failure {
	if (causesOf(error).some((cause) => cause instanceof WebPage)) return notTheApi(service);
	if (error instanceof ScriptOver) {
		const message =
			'The script is over: it has no turn left for this request. A default turn answers all further ones.';
		return { code: 'script', message, retry: false };
	}
	const told = factsOf(error);
	const wrong = /invalid url/i.test(told.message) ? addressTrouble(service) : undefined;
	if (wrong !== undefined) return { code: 'bad-request', message: `${wrong}.`, retry: false };
	if (told.status !== undefined) return byStatus(told, told.status, service, model);
	if (told.kind !== undefined && begun) return byKind(told, told.kind, service, model);
	const trouble = connectionTrouble(error);
	if (trouble === undefined && !isParseError(error)) {
		// Ollama's SDK reports an error in a stream as a plain Error with a sentence.
		if (begun && error instanceof Error && error.constructor === Error) return brokeOff(told, service);
		return { code: 'bad-request', message: `${service.name}: ${oneLine(told.message)}`, retry: false };
	}
	if (begun) return cut(service);
	if (trouble === 'ECONNREFUSED' && isThisMachine(service.url)) {
		// Retrying is useless: no server will start to listen by itself.
		const start = service.start === undefined ? 'start the server' : `start it with ${service.start}`;
		const message = `${service.name} is not running at ${service.url} (${trouble}): ${start}, or check the address.`;
		return { code: 'network', message, retry: false };
	}
	const why = trouble === 'fetch failed' ? fetchTrouble(error) : trouble && troubleText(trouble);
	const message = `No server answers at ${service.url} (${why ?? oneLine(told.message)}): is the address right, and the network up?`;
	return { code: 'network', message, retry: true };
}

/** Asking again would bring the same page: somebody has to sign in, or to mend the address. */
function notTheApi({ name, url }: Service): Failure {
	const message = `${url} answers with a web page, which is not the API of ${name}: is the address right, and does the network want you to sign in first?`;
	return { code: 'network', message, retry: false };
}

function isThisMachine(url: string): boolean {
	return URL.canParse(url) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** What an error says, whichever SDK threw it. */
interface Told {
	readonly status?: number | undefined;
	/** The server's own name for the error, such as `overloaded_error`. */
	readonly kind?: string | undefined;
	/** The message for people. */
	readonly message: string;
	/** All that the error says, to search for known words. */
	readonly whole: string;
	readonly retryAfterMs?: number | undefined;
}

function factsOf(error: unknown): Told {
	if (!isObject(error)) return { message: String(error), whole: String(error) };
	const status = numberAt(error, 'status') ?? numberAt(error, 'status_code');
	const body = bodyOf(error);
	const inner = body && (objectAt(body, 'error') ?? body);
	const text = inner && (stringAt(inner, 'message') ?? stringAt(inner, 'error'));
	const kind = inner && (stringAt(inner, 'type') ?? stringAt(inner, 'status') ?? stringAt(inner, 'code'));
	const code = inner && stringAt(inner, 'code');
	const message = text ?? String((error as unknown as Error).message ?? error);
	return {
		status: status !== undefined && status >= 400 ? status : undefined,
		kind: kind === 'error' ? code : kind,
		message,
		whole: [message, kind, code].filter(Boolean).join(' '),
		retryAfterMs: retryAfter((error as unknown as { readonly headers?: unknown }).headers) ?? retryDelay(inner),
	};
}

/** The server's answer, which Google's SDK puts into the message of its error. */
function bodyOf(error: JsonObject): JsonObject | undefined {
	const given = (error as unknown as { readonly error?: unknown }).error;
	if (isObject(given)) return given;
	const message = (error as unknown as { readonly message?: unknown }).message;
	const from = typeof message === 'string' ? message.indexOf('{') : -1;
	const parsed = typeof message !== 'string' || from === -1 ? undefined : parsedJson(message.slice(from));
	return isObject(parsed) ? parsed : undefined;
}

function headersOf(error: unknown): Headers | undefined {
	const given = isObject(error) ? (error as unknown as { readonly headers?: unknown }).headers : undefined;
	return given instanceof Headers ? given : undefined;
}

function retryAfter(headers: unknown): number | undefined {
	if (!(headers instanceof Headers)) return undefined;
	const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
	if (ms >= 0) return ms;
	const value = headers.get('retry-after');
	if (value === null) return undefined;
	const seconds = Number(value);
	if (seconds >= 0) return seconds * 1000;
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The time that Google asks to wait, from the body: `{"@type": "…RetryInfo", "retryDelay": "7s"}`. */
function retryDelay(inner: JsonObject | undefined): number | undefined {
	const details = inner?.details;
	if (!Array.isArray(details)) return undefined;
	for (const detail of details as readonly unknown[]) {
		const delay = isObject(detail) ? /^([\d.]+)s$/.exec(stringAt(detail, 'retryDelay') ?? '') : null;
		if (delay) return Math.ceil(Number(delay[1]) * 1000);
	}
	return undefined;
}

/** The providers' words for a conversation that is too long. */
const overflow =
	/prompt is too long|exceeds? the context window|context[_ ]length|maximum context|context window|input token count .*exceeds|too many (input )?tokens|request_too_large|exceeds? the (available|maximum) context|input length and .?max_tokens.? exceed/i;

const unknownModel =
	/model.{0,80}(not[_ ]found|does not exist|not exist|unknown|not supported|no access)|(unknown|no such|invalid) model/i;

function byStatus(told: Told, status: number, service: Service, model: string): Failure {
	const says = oneLine(told.message);
	const failure = (code: FailureCode, message: string, retry: boolean): Failure => ({
		code,
		message,
		status,
		retry,
		...(retry && told.retryAfterMs !== undefined ? { retryAfterMs: told.retryAfterMs } : {}),
	});
	if (status === 413 || (status < 500 && status !== 429 && overflow.test(told.whole))) {
		return failure('context-overflow', tooLong(service, model, says), false);
	}
	if (status === 401 || status === 403 || /API key not valid|API_KEY_INVALID/.test(told.whole)) {
		return failure('auth', refusedKey(service, says), false);
	}
	if (status === 404 || (status === 400 && unknownModel.test(told.whole))) {
		return failure('unknown-model', `${service.name} at ${service.url} has no model "${model}" (${says}).`, false);
	}
	if (status === 429 && /insufficient_quota|credit balance|billing/i.test(told.whole)) {
		return failure('rate-limit', `The account at ${service.name} has no credit left (${says}).`, false);
	}
	if (status === 429) return failure('rate-limit', `${service.name} asks to wait: too many requests (${says}).`, true);
	if (status === 529) return failure('overloaded', `${service.name} is overloaded (${says}).`, true);
	if (status >= 500 || status === 408 || status === 409) {
		return failure('server', `${service.name} failed with status ${status} (${says}).`, true);
	}
	return failure('bad-request', `${service.name} refused the request with status ${status}: ${says}`, false);
}

/** The failure for an error in the middle of a stream, which has no status but only the server's name for it. */
function byKind(told: Told, kind: string, service: Service, model: string): Failure {
	const status = statusOf[kind.toLowerCase()];
	if (status !== undefined) {
		const { status: _, ...failure } = byStatus(told, status, service, model);
		return failure;
	}
	return brokeOff(told, service);
}

function brokeOff(told: Told, { name }: Service): Failure {
	const message = `${name} failed in the middle of the reply (${oneLine(told.message)}).`;
	return { code: 'server', message, retry: true };
}

const statusOf: { readonly [kind: string]: number } = {
	invalid_request_error: 400,
	invalid_argument: 400,
	invalid_prompt: 400,
	context_length_exceeded: 413,
	authentication_error: 401,
	unauthenticated: 401,
	permission_error: 403,
	permission_denied: 403,
	not_found_error: 404,
	not_found: 404,
	request_too_large: 413,
	rate_limit_error: 429,
	rate_limit_exceeded: 429,
	resource_exhausted: 429,
	insufficient_quota: 429,
	overloaded_error: 529,
	overloaded: 529,
	unavailable: 529,
};

function refusedKey({ name, keyName, keyNames }: Service, says: string): string {
	if (keyName) return `${name} refused the key in ${keyName} (${says}): set another one.`;
	return `${name} wants a key (${says})${keyNames.length > 0 ? `: set ${keyNames.join(' or ')}` : ''}.`;
}

function tooLong({ name }: Service, model: string, says: string): string {
	return `The conversation is longer than ${model} of ${name} can read (${says}): compact it, or begin a new session.`;
}

const connectionCodes = /^(E[A-Z]{3,}|UND_ERR_[A-Z_]+|ERR_(TLS|SSL|HTTP2|STREAM)_?[A-Z_]*|[A-Z_]*CERT[A-Z_]*)$/;

/** An error and what caused it. */
function causesOf(error: unknown): readonly Error[] {
	const causes: Error[] = [];
	for (let at = error; at instanceof Error && causes.length < 6; at = at.cause) causes.push(at);
	return causes;
}

/** The code of an error below HTTP, searched along its causes. */
function connectionTrouble(error: unknown): string | undefined {
	for (const at of causesOf(error)) {
		const { code } = at as { readonly code?: unknown };
		if (typeof code === 'string' && connectionCodes.test(code)) return code;
		if (at instanceof AggregateError) return connectionTrouble(at.errors[0]);
		if (/^(terminated|fetch failed|premature close|socket hang up)$/i.test(at.message)) {
			return connectionTrouble(at.cause) ?? at.message;
		}
		if (/timed? ?out/i.test(at.message)) return at.message;
	}
	return undefined;
}

/** True for a frame that is no JSON, because the connection broke in the middle of it. */
function isParseError(error: unknown): boolean {
	return (
		error instanceof SyntaxError ||
		(error instanceof Error && /incomplete json|unexpected end of json|did not receive done/i.test(error.message))
	);
}

const longestLine = 400;

/** One line for the user, also where a server answered with a page of HTML. */
function oneLine(text: string): string {
	const line = text
		.replaceAll(/<[^>]*>/g, ' ')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return shortened(line, longestLine) || 'no reason given';
}
