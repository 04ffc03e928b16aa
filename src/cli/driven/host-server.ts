/** An MCP server that lives in the host: each message travels as a control request, and no answer becomes an error of the server. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { ServerConfig } from '../../mcp/config.ts';
import { isObject, type Json } from '../../model/index.ts';
import type { Driver } from './driver.ts';

class HostTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport['onmessage'];
	readonly #server: string;
	readonly #driver: Driver;
	readonly #control = new AbortController();
	/** Requests that the host has not answered yet, by the id that they have for its server. */
	readonly #open = new Map<unknown, AbortController>();

	constructor(server: string, driver: Driver) {
		this.#server = server;
		this.#driver = driver;
	}

	async start(): Promise<void> {
		// the driving process is there already
	}

	/** Not waited for: an answer may take as long as the work of a tool does. */
	async send(message: JSONRPCMessage): Promise<void> {
		void this.#deliver(message);
		// Its server has heard that nobody waits any more; the host is not to wait for its own answer either.
		if (!('method' in message) || message.method !== 'notifications/cancelled') return;
		const { params } = message;
		this.#open.get(isObject(params as Json) ? params?.requestId : undefined)?.abort();
	}

	async close(): Promise<void> {
		this.#control.abort();
		this.onclose?.();
	}

	/** Something that the server says by itself. */
	hear(message: Json): void {
		if (isObject(message)) this.onmessage?.(message as unknown as JSONRPCMessage);
	}

	async #deliver(message: JSONRPCMessage): Promise<void> {
		const body = { server_name: this.#server, message: message as unknown as Json };
		const own = new AbortController();
		const id = 'id' in message && 'method' in message ? message.id : undefined;
		if (id !== undefined) this.#open.set(id, own);
		const answer = await this.#driver.request('mcp_message', body, AbortSignal.any([this.#control.signal, own.signal]));
		if (id === undefined) return;
		this.#open.delete(id);
		if (answer.ok && isObject(answer.body.mcp_response)) return this.hear(answer.body.mcp_response);
		const why = answer.ok ? 'the host gave no answer' : answer.problem;
		this.hear({ jsonrpc: '2.0', id, error: { code: -32_000, message: why } } as Json);
	}
}

/** All servers of the host, by name. */
export class HostServers {
	readonly #driver: Driver;
	readonly #open = new Map<string, HostTransport>();

	constructor(driver: Driver) {
		this.#driver = driver;
	}

	configOf(name: string): ServerConfig {
		const open = (): Transport => {
			const transport = new HostTransport(name, this.#driver);
			this.#open.set(name, transport);
			return transport;
		};
		return { name, from: 'sdk', reach: { kind: 'host', open } };
	}

	/** False where there is no such server. */
	hear(name: string, message: Json): boolean {
		const transport = this.#open.get(name);
		transport?.hear(message);
		return transport !== undefined;
	}
}
