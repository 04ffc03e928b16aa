/** A server at an address. What it sends is bounded, because the library reads a message whole before it looks at it. */
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import type { ServerReach } from './config-entry.ts';

export type Address = Extract<ServerReach, { kind: 'http' }>;

const longestMessage = 16 * 1024 * 1024;

export async function httpTransport({ url, headers }: Address): Promise<Transport> {
	const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
	return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } }, fetch: bounded });
}

const bounded: FetchLike = async (url, init) => {
	const response = await fetch(url, init);
	if (!response.body) return response;
	const streams = response.headers.get('content-type')?.includes('text/event-stream') === true;
	const { status, statusText, headers } = response;
	return new Response(response.body.pipeThrough(limit(streams)), { status, statusText, headers });
};

/** Of a stream of events each may be that long, of anything else the whole. */
function limit(streams: boolean): TransformStream<Uint8Array, Uint8Array> {
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
			if (length > longestMessage)
				controller.error(new Error(`it sent a message of more than ${longestMessage / 1024 / 1024} MB`));
			else controller.enqueue(piece);
		},
	});
}
