/** An MCP server that is a program: started in a process group of its own, which ends with the connection and with this process; how long it may take to end, and how much it may send. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as later } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { endGroup } from '../host/run-command.ts';
import { leaveGroup, watchGroup } from '../host/watchdog.ts';
import type { ServerReach } from './config-entry.ts';

export type Program = Extract<ServerReach, { kind: 'stdio' }>;

/** No message that somebody means is longer. A server that sends more is ended before it fills the memory. */
const longestLine = 16 * 1024 * 1024;
/** What may wait for a server that asks and does not read the answers. */
const mostUnread = 16 * 1024 * 1024;
/** Of news that nobody has asked for so many are heard in so many milliseconds. */
const mostNews = { count: 50, within: 100 } as const;
/** What is kept of the last that it said on stderr. */
const mostSaid = 2000;
/** How long a server whose input has ended may take to end, and again after it was asked to. */
const grace = 500;
/** How long what a server has said is waited for when it is gone. */
const lastWords = 100;

/** How a connection ended that nobody has a complaint about. */
export const closed = 'it was closed';
/** So many of the last lines that say something are told. */
const mostLines = 3;

/** What a program said last that helps: from its last error on, without stacks and what runtimes print below them. */
function lastSaid(text: string): string {
	const noise = /^(?:\s+at .*|Node\.js v\d.*|Bun v\d.*|[\s^~{}[\],]*)$/;
	const lines = text.split(/\r?\n/).filter((line) => !noise.test(line));
	const error = lines.findLastIndex((line) => /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b.*:/.test(line));
	const told = error === -1 ? lines.slice(-mostLines) : lines.slice(error, error + mostLines);
	return told.map((line) => line.trim()).join(' / ');
}

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
	/** We have ended it ourselves: how it went says nothing about why. */
	#closing = false;
	#news = { since: 0, count: 0 };

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
			this.#end(child, howItWent(code, signal));
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
		if (child.stdin.writableLength > mostUnread) this.#flooded('it asked for more than it reads');
	}

	async close(): Promise<void> {
		const child = this.#child;
		if (!child) return;
		// One that has ended by itself says how; of one that never started, whoever wanted to start it knows why.
		this.#closing = child.pid === undefined || (child.exitCode === null && child.signalCode === null);
		child.stdin.end();
		const gone = new Promise<void>((done) => child.once('exit', () => done()));
		for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
			if (child.exitCode !== null || child.signalCode !== null) break;
			await Promise.race([gone, later(grace)]);
			if (child.exitCode === null && child.signalCode === null) endGroup(child, signal);
		}
		this.#end(child, howItWent(child.exitCode, child.signalCode));
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
		if (this.#length > longestLine) this.#flooded(`it sent a message of more than ${longestLine / 1024 / 1024} MB`);
	}

	#flooded(how: string): void {
		const child = this.#child;
		if (!child) return;
		this.#pieces = [];
		child.stdout.removeAllListeners('data').resume();
		endGroup(child, 'SIGKILL');
		this.#end(child, `${how} and was ended`);
	}

	/** Many servers print to stdout what belongs on stderr: what is no message is passed over. */
	#take(line: string): void {
		const message = messageIn(line);
		if (!message || (!('id' in message) && this.#isTooMuch())) return;
		try {
			this.onmessage?.(message);
		} catch (error) {
			this.onerror?.(error instanceof Error ? error : new Error(String(error)));
		}
	}

	/** News that follow each other too fast say nothing new: how far a call is, that a list has changed. */
	#isTooMuch(): boolean {
		const now = Date.now();
		if (now - this.#news.since > mostNews.within) this.#news = { since: now, count: 0 };
		this.#news.count += 1;
		return this.#news.count > mostNews.count;
	}

	#end(child: ChildProcessWithoutNullStreams, why: string): void {
		if (this.#child !== child) return;
		this.#child = undefined;
		const said = lastSaid(this.#said);
		this.ended = this.#closing ? closed : said ? `${why}: ${said}` : why;
		// What it has started and left behind goes with it.
		endGroup(child, 'SIGKILL');
		child.stdout.destroy();
		child.stderr.destroy();
		if (child.pid !== undefined) leaveGroup(child.pid);
		this.onclose?.();
	}
}

function howItWent(code: number | null, signal: NodeJS.Signals | null): string {
	return signal ? `it was ended by ${signal}` : `it exited with ${code}`;
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
