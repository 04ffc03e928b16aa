/** What all providers share: one request, its events one after another, and an end that says how it went. */
import type { Failure, ModelEvent, ModelRequest, Stream } from '../agent/contracts.ts';
import { ReplyBuilder } from '../agent/reply-builder.ts';
import { aborted, cut, failureOf } from './failures.ts';
import type { Service } from './service.ts';

/** Turns what a server streams into the events of a reply. It has no I/O of its own. */
export interface Reader<E> {
	read(event: E): readonly ModelEvent[];
	/** After the last event: how the reply ended, or undefined when the server never said that it was over. */
	end(): readonly ModelEvent[] | undefined;
}

export interface Opened<E> {
	readonly events: AsyncIterable<E>;
	/** The server's name for the request. */
	readonly request?: string | null | undefined;
}

/** How one provider is talked to. */
export interface Talk<E> {
	readonly service: Service;
	/** Sends the request; resolves when the server begins to answer. */
	open(request: ModelRequest, signal: AbortSignal): Promise<Opened<E>>;
	reader(reply: ReplyBuilder, request: ModelRequest): Reader<E>;
}

/** `start` comes first, whatever happens next, and `done` or `error` last. */
export function converse<E>(talk: Talk<E>): Stream {
	const { service } = talk;
	return async function* stream(request, signal) {
		const { api, id: provider, now } = service;
		const reply = new ReplyBuilder({ api, provider, model: request.model, now: now() });
		yield reply.start();
		const patience = new Patience(signal);
		let events: AsyncIterator<E> | undefined;
		let failure: Failure;
		try {
			const opened = await patience.wait(() => talk.open(request, signal));
			if (opened.request) yield { type: 'response', request: opened.request };
			const reader = talk.reader(reply, request);
			const iterator = opened.events[Symbol.asyncIterator]();
			events = iterator;
			const next = () => iterator.next();
			for (let step = await patience.wait(next); !step.done; step = await patience.wait(next)) {
				for (const event of reader.read(step.value)) {
					yield event;
					if (event.type === 'error') return;
				}
			}
			events = undefined;
			const last = reader.end();
			if (last && !signal.aborted) return yield* last;
			failure = cut(service);
		} catch (error) {
			failure = failureOf(error, service, request.model, events !== undefined);
		} finally {
			patience.end();
			// Not awaited: a server that hangs would hold the end of this stream too.
			if (events) dismiss(events);
		}
		yield* reply.failed(signal.aborted ? aborted : failure);
	};
}

/** Tells an iterator that nobody listens any more. What it has to say about that is of no use to anybody. */
function dismiss(events: AsyncIterator<unknown>): void {
	events.return?.().catch(() => undefined);
}

/** Waits for promises, but not longer than until the signal. One listener serves all of them, so that long streams cost no memory. */
class Patience {
	readonly #signal: AbortSignal;
	#wake: (() => void) | undefined;
	readonly #abort = (): void => this.#wake?.();

	constructor(signal: AbortSignal) {
		this.#signal = signal;
		signal.addEventListener('abort', this.#abort);
	}

	wait<T>(start: () => Promise<T>): Promise<T> {
		return new Promise((resolve, reject) => {
			const stop = (): void => reject(new Error('aborted'));
			if (this.#signal.aborted) return stop();
			this.#wake = stop;
			start().then(resolve, reject);
		});
	}

	end(): void {
		this.#signal.removeEventListener('abort', this.#abort);
	}
}
