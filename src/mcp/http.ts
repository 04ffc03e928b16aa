/** An MCP server at an address: how long a message may be, because the library reads it whole before it looks at it, and which redirections are followed. */
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import { fetchTrouble } from '../model/index.ts';
import type { ServerReach } from './config-entry.ts';

export type Address = Extract<ServerReach, { kind: 'http' }>;

const longestMessage = 16 * 1024 * 1024;

/** A connection, and why it has ended where that is known. */
export type Reached = Transport & { ended?: string | undefined };

export async function httpTransport({ url, headers }: Address): Promise<Reached> {
	const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
	const flooded = (why: string): void => {
		// The library would ask again for a stream that breaks off, and whoever waits would wait on.
		reached.ended = why;
		void reached.close();
	};
	const reached: Reached = new StreamableHTTPClientTransport(new URL(url), {
		requestInit: { headers: { ...headers } },
		fetch: bounded(flooded),
	});
	return reached;
}

function bounded(flooded: (why: string) => void): FetchLike {
	return async (url, init) => {
		const response = await followed(new URL(url), init);
		if (!response.body) return response;
		const streams = response.headers.get('content-type')?.includes('text/event-stream') === true;
		const { status, statusText, headers } = response;
		return new Response(response.body.pipeThrough(limit(streams, flooded)), { status, statusText, headers });
	};
}

const mostRedirects = 5;

/** A server may move within its own address. Elsewhere it gets neither its keys nor the conversation: the user named another place. */
async function followed(url: URL, init: RequestInit | undefined): Promise<Response> {
	let at = url;
	for (let moves = 0; ; moves += 1) {
		const response = await fetch(at, { ...init, redirect: 'manual' }).catch((error: unknown) => {
			const why = fetchTrouble(error);
			throw why === undefined ? error : new Error(`${at.origin} cannot be reached: ${why}`);
		});
		const location = response.headers.get('location');
		if (response.status < 300 || response.status > 399 || location === null) return response;
		await response.body?.cancel();
		const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined;
		if (next?.origin !== url.origin)
			throw new Error(
				`it leads to ${next?.origin ?? 'no address'}, which is not followed: name the address that is meant`,
			);
		if (moves === mostRedirects) throw new Error('it leads from one address to the next without end');
		at = next;
	}
}

/** Of a stream of events each may be that long, of anything else the whole. */
function limit(streams: boolean, flooded: (why: string) => void): TransformStream<Uint8Array, Uint8Array> {
	let length = 0;
	let last = 0;
	return new TransformStream({
		transform(piece, controller) {
			for (const byte of streams ? piece : []) {
				// A blank line ends an event, however lines end.
				if (byte === 13) continue;
				length = byte === 10 && last === 10 ? 0 : length + 1;
				last = byte;
			}
			if (!streams) length += piece.length;
			if (length <= longestMessage) return controller.enqueue(piece);
			const why = `it sent a message of more than ${longestMessage / 1024 / 1024} MB`;
			controller.error(new Error(why));
			flooded(why);
		},
	});
}
