/** What all providers share: one request, its events in order, and an end that says how it went. */
import type { ModelEvent, ModelRequest, Provider } from '../agent/contracts.ts';
import { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import { aborted, cut, failureOf } from './failures.ts';
import { limitsOf } from './rate-limits.ts';
import type { Service } from './service.ts';

/** Turns what a server streams into the events of a reply, without I/O of its own. */
export interface Reader<E> {
	read(event: E): readonly ModelEvent[];
	/** Called after the last event: how the reply ended, or undefined when the server never said that it was over. */
	end(): readonly ModelEvent[] | undefined;
}

export interface Opened<E> {
	readonly events: AsyncIterable<E>;
	/** The server's id of the request. */
	readonly request?: string | null | undefined;
	/** What it said with the beginning of its answer. */
	readonly headers?: Headers | undefined;
}

/** How to talk to one provider. */
export interface Talk<E> {
	readonly service: Service;
	/** Sends the request; resolves when the server begins to answer. */
	open(request: ModelRequest, signal: AbortSignal): Promise<Opened<E>>;
	reader(reply: ReplyBuilder, request: ModelRequest): Reader<E>;
}

/** Makes a provider. The first event of its `stream` is always `start`, the last one `done` or `error`. */
export function converse<E>(talk: Talk<E>): Provider {
	const { id, api } = talk.service;
	return {
		id,
		api,
		stream: (request, signal) => ({ [Symbol.asyncIterator]: () => new Conversation(talk, request, signal) }),
	};
}

type Step = IteratorResult<ModelEvent, undefined>;
const over: Step = { done: true, value: undefined };

/**
 * An iterator and not a generator: a generator around the SDK's own costs a fifth of a whole stream. An interruption
 * ends it at once, because every SDK hands the signal to `fetch`.
 */
class Conversation<E> implements AsyncIterator<ModelEvent, undefined> {
	readonly #talk: Talk<E>;
	readonly #request: ModelRequest;
	readonly #signal: AbortSignal;
	readonly #reply: ReplyBuilder;
	#reader: Reader<E> | undefined;
	#events: AsyncIterator<E> | undefined;
	/** Events that wait to be taken, from `#at` on. */
	#told: readonly ModelEvent[];
	#at = 0;
	#ended = false;

	constructor(talk: Talk<E>, request: ModelRequest, signal: AbortSignal) {
		const { api, id: provider, now } = talk.service;
		this.#talk = talk;
		this.#request = request;
		this.#signal = signal;
		this.#reply = new ReplyBuilder({ api, provider, model: request.model, now: now() });
		this.#told = [this.#reply.start()];
	}

	next(): Promise<Step> {
		const event = this.#told[this.#at];
		if (event !== undefined) {
			this.#at++;
			return Promise.resolve({ done: false, value: event });
		}
		if (this.#ended) return Promise.resolve(over);
		if (this.#events === undefined) return this.#open();
		return this.#events.next().then(this.#heard, this.#broken);
	}

	/** Called when the consumer stops listening. */
	return(): Promise<Step> {
		this.#ended = true;
		this.#told = [];
		this.#dismiss();
		return Promise.resolve(over);
	}

	async #open(): Promise<Step> {
		try {
			this.#signal.throwIfAborted();
			const { events, request, headers } = await this.#talk.open(this.#request, this.#signal);
			this.#reader = this.#talk.reader(this.#reply, this.#request);
			this.#events = events[Symbol.asyncIterator]();
			const limits = limitsOf(headers, false, this.#talk.service.now());
			const named = { ...(request ? { request } : {}), ...(limits ? { limits } : {}) };
			return await this.#tell(request || limits ? [{ type: 'response', ...named }] : []);
		} catch (error) {
			return await this.#broken(error);
		}
	}

	readonly #heard = (step: IteratorResult<E>): Step | Promise<Step> => {
		try {
			if (step.done) return this.#finish();
			return this.#tell(this.#reader?.read(step.value) ?? []);
		} catch (error) {
			this.#dismiss();
			return this.#broken(error);
		}
	};

	#tell(told: readonly ModelEvent[]): Step | Promise<Step> {
		const [first] = told;
		if (first === undefined) return this.next();
		this.#told = told;
		this.#at = 1;
		if (told.at(-1)?.type === 'error' && !this.#ended) {
			this.#ended = true;
			this.#dismiss();
		}
		return { done: false, value: first };
	}

	#finish(): Step | Promise<Step> {
		this.#ended = true;
		const last = this.#signal.aborted ? undefined : this.#reader?.end();
		return this.#tell(last ?? this.#reply.failed(this.#signal.aborted ? aborted : cut(this.#talk.service)));
	}

	readonly #broken = (error: unknown): Step | Promise<Step> => {
		this.#ended = true;
		const { service } = this.#talk;
		const begun = this.#events !== undefined;
		return this.#tell(
			this.#reply.failed(this.#signal.aborted ? aborted : failureOf(error, service, this.#request.model, begun)),
		);
	};

	/** Ends the connection and ignores the error that this gives the SDK's iterator. */
	#dismiss(): void {
		this.#events?.return?.().catch(() => undefined);
	}
}
