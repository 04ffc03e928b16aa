/** The order of a stream's events, whatever its server, its reader or its listener does. */
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../agent/contracts.ts';
import { converse, type Talk } from './converse.ts';
import type { Service } from './service.ts';

const service: Service = { id: 'x', api: 'x', name: 'X', url: 'http://x', keyNames: [], now: () => 0 };
const request: ModelRequest = { model: 'm', system: '', messages: [], tools: [] };
const signal = new AbortController().signal;

/** A server that sends numbers, and a reader that records them. */
function counting(upTo: number, more: Partial<Talk<number>> = {}) {
	const state = { closed: false };
	async function* numbers(): AsyncGenerator<number> {
		try {
			for (let n = 0; n < upTo; n++) yield n;
		} finally {
			state.closed = true;
		}
	}
	const { stream } = converse<number>({
		service,
		open: async () => ({ events: numbers() }),
		reader: (reply) => ({
			read: (n) =>
				n === 0 ? [reply.textStart(), reply.textDelta(0, '0')] : n % 2 === 0 ? [] : [reply.textDelta(0, String(n))],
			end: () => [reply.textEnd(0), reply.done('stop')],
		}),
		...more,
	});
	return { stream, state };
}

const typesOf = async (events: AsyncIterable<ModelEvent>): Promise<readonly string[]> => {
	const types: string[] = [];
	for await (const event of events) types.push(event.type);
	return types;
};

describe('a stream', () => {
	it('begins with start and ends with done, past events that say nothing', async () => {
		expect(await typesOf(counting(4).stream(request, signal))).toEqual([
			'start',
			'text_start',
			'text_delta',
			'text_delta',
			'text_delta',
			'text_end',
			'done',
		]);
	});

	it('can be asked for again: each time is a request of its own', async () => {
		const { stream } = counting(1);
		const events = stream(request, signal);
		expect(await typesOf(events)).toEqual(await typesOf(events));
	});

	it('is closed when its listener leaves', async () => {
		const { stream, state } = counting(100);
		for await (const event of stream(request, signal)) if (event.type === 'text_delta') break;
		await new Promise((resolve) => setImmediate(resolve));
		expect(state.closed).toBe(true);
	});

	it('a reader that fails over what it reads fails the reply, and closes the connection', async () => {
		const { stream, state } = counting(100, {
			reader: () => ({
				read() {
					throw new TypeError('what is this');
				},
				end: () => undefined,
			}),
		});
		expect(await typesOf(stream(request, signal))).toEqual(['start', 'failure', 'error']);
		await new Promise((resolve) => setImmediate(resolve));
		expect(state.closed).toBe(true);
	});

	it('nothing comes after the end', async () => {
		const iterator = counting(0).stream(request, signal)[Symbol.asyncIterator]();
		for (let step = await iterator.next(); !step.done; step = await iterator.next());
		expect(await iterator.next()).toEqual({ done: true, value: undefined });
	});

	it('a hundred thousand events that say nothing do no harm', async () => {
		const { stream } = counting(100_000, { reader: (reply) => ({ read: () => [], end: () => [reply.done('stop')] }) });
		expect(await typesOf(stream(request, signal))).toEqual(['start', 'done']);
	});
});
