/** A server that is a program: started in a process group of its own, which ends with the connection and with this process. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as later } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { leaveGroup, watchGroup } from '../host/watchdog.ts';
import type { ServerReach } from './config-entry.ts';

export type Program = Extract<ServerReach, { kind: 'stdio' }>;

/** No message that somebody means is longer. A server that sends more is ended before it fills the memory. */
const longestLine = 16 * 1024 * 1024;
/** What is kept of the last that it said on stderr. */
const mostSaid = 2000;
/** How long a server whose input has ended may take to end, and again after it was asked to. */
const grace = 500;
/** How long what a server has said is waited for when it is gone. */
const lastWords = 100;

/** The library's own transport knows nothing of groups: what a server has started would outlive it. */
export class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport['onmessage'];
	/** By this and `pid` the library knows that a server is a program. */
	readonly stderr = null;
	/** Why the connection ended, in words for the user. */
	ended: string | undefined;
	readonly #program: Program;
	readonly #cwd: string;
	#child: ChildProcessWithoutNullStreams | undefined;
	#pieces: Buffer[] = [];
	#length = 0;
	#said = '';

	constructor(program: Program, cwd: string) {
		this.#program = program;
		this.#cwd = cwd;
	}

	get pid(): number | null {
		return this.#child?.pid ?? null;
	}

	async start(): Promise<void> {
		const { command, args, env } = this.#program;
		const child = spawn(command, args, {
			cwd: this.#cwd,
			env: { ...process.env, ...env },
			detached: process.platform !== 'win32',
			windowsHide: true,
		});
		this.#child = child;
		if (child.pid !== undefined) watchGroup(child.pid);
		child.stdout.on('data', (piece: Buffer) => this.#hear(piece));
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			this.#said = (this.#said + text).slice(-mostSaid);
		});
		// A server that is gone is told of by its exit.
		child.stdin.on('error', (error) => this.onerror?.(error));
		const drained = new Promise<void>((done) => child.stdout.once('end', () => done()));
		child.on('exit', async (code, signal) => {
			// Its last words may still be on their way; something that it has started may hold the pipe for ever.
			await Promise.race([drained, later(lastWords)]);
			this.#end(child, signal ? `it was ended by ${signal}` : `it exited with ${code}`);
		});
		await new Promise<void>((started, failed) => {
			child.once('spawn', started);
			child.once('error', (error) => failed(error));
		});
	}

	async send(message: JSONRPCMessage): Promise<void> {
		const child = this.#child;
		if (!child || child.exitCode !== null || !child.stdin.writable)
			throw new Error(this.ended ?? 'the server is not running');
		// Not waited for: a server that reads nothing would hold up the question as well as the answer.
		child.stdin.write(`${JSON.stringify(message)}\n`);
	}

	async close(): Promise<void> {
		const child = this.#child;
		if (!child) return;
		child.stdin.end();
		const gone = new Promise<void>((done) => child.once('exit', () => done()));
		for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
			if (child.exitCode !== null || child.signalCode !== null) break;
			await Promise.race([gone, later(grace)]);
			if (child.exitCode === null && child.signalCode === null) this.#kill(child, signal);
		}
		this.#end(child, 'it was closed');
	}

	#hear(piece: Buffer): void {
		let rest = piece;
		for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
			const line = Buffer.concat([...this.#pieces, rest.subarray(0, at)]).toString('utf8');
			this.#pieces = [];
			this.#length = 0;
			rest = rest.subarray(at + 1);
			this.#take(line);
		}
		if (rest.length === 0) return;
		this.#pieces.push(rest);
		this.#length += rest.length;
		if (this.#length > longestLine) this.#flooded();
	}

	#flooded(): void {
		const child = this.#child;
		if (!child) return;
		this.#pieces = [];
		child.stdout.removeAllListeners('data').resume();
		this.#kill(child, 'SIGKILL');
		this.#end(child, `it sent a message of more than ${longestLine / 1024 / 1024} MB and was ended`);
	}

	/** Many servers print to stdout what belongs on stderr: what is no message is passed over. */
	#take(line: string): void {
		const message = messageIn(line);
		if (!message) return;
		try {
			this.onmessage?.(message);
		} catch (error) {
			this.onerror?.(error instanceof Error ? error : new Error(String(error)));
		}
	}

	#end(child: ChildProcessWithoutNullStreams, why: string): void {
		if (this.#child !== child) return;
		this.#child = undefined;
		const [last] = this.#said.trim().split('\n').slice(-1);
		this.ended = last ? `${why}: ${last}` : why;
		// What it has started and left behind goes with it.
		this.#kill(child, 'SIGKILL');
		child.stdout.destroy();
		child.stderr.destroy();
		if (child.pid !== undefined) leaveGroup(child.pid);
		this.onclose?.();
	}

	#kill(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
		if (child.pid === undefined) return;
		try {
			if (process.platform === 'win32') child.kill(signal);
			else process.kill(-child.pid, signal);
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
		}
	}
}

function messageIn(line: string): JSONRPCMessage | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isMessage(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isMessage(value: unknown): value is JSONRPCMessage {
	return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}
