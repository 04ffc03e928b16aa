/** When a text goes through the pager instead of stdout, which pager and options of less are used, and how much is read ahead of it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { exactly, printRendered, rendered } from './writer.ts';

/** Text for people, or the exact bytes of a file. */
type Piece = string | Uint8Array;
export type Pieces = Iterable<Piece> | AsyncIterable<Piece>;

/** So much a pager's pipe may hold unread; a pager that did not start has read nothing of it. */
const unread = 1 << 18;
/** So much is printed at once. */
const turn = 1 << 15;
/** What a shell says when it does not find a command. */
const notFound = 127;

/** Prints the pieces; through the pager when a person is looking and they are more than a screen. */
export async function printPieces(pieces: Pieces, { pager }: { readonly pager: boolean }): Promise<void> {
	const source = sent(pieces);
	try {
		const held: Uint8Array[] = [];
		if (pager && process.stdout.isTTY && (await takeScreen(source, held, process.stdout.rows))) {
			if (await page(held, source)) return;
		}
		const out = new Printer();
		for (const piece of held) await out.write(piece);
		for (let next = await source.next(); !next.done; next = await source.next()) await out.write(next.value);
		out.end();
	} finally {
		await source.return();
	}
}

/** The file descriptor of stderr, which a pager that we start is given as its stdout. */
const stderr = 2;

/** Its user's options of less, or those for a page that may stay on the screen. */
function usualOptions(): string {
	return process.env.LESS ?? 'FRX';
}

/** As less is without options, so that the screen is as it was afterwards, and from the end of the text on. A `$` ends the user's last option. */
function optionsAtEnd(): string {
	return `${process.env.LESS ?? 'R'}$ +G`;
}

/** Shows a text in the pager on the terminal, wherever stdout goes; false when there is no pager. `atEnd`: as a look aside at what came last. */
export async function pageOnTerminal(text: string, { atEnd = false } = {}): Promise<boolean> {
	const source = sent([text]);
	const options = atEnd ? optionsAtEnd() : usualOptions();
	return await page([], source, process.stdout.isTTY ? 'inherit' : stderr, options);
}

/** The pieces as they may leave us, whether a terminal, a pager or a pipe gets them. */
async function* sent(pieces: Pieces): AsyncGenerator<Uint8Array, void, undefined> {
	for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(rendered(piece)) : exactly(piece);
}

/** Many small pieces are one large one, and between two of those others get their turn: that a reader has left is told then. */
class Printer {
	#held: Uint8Array[] = [];
	#size = 0;

	async write(bytes: Uint8Array): Promise<void> {
		this.#held.push(bytes);
		this.#size += bytes.length;
		if (this.#size < turn) return;
		this.end();
		await setImmediate();
	}

	end(): void {
		printRendered(Buffer.concat(this.#held));
		this.#held = [];
		this.#size = 0;
	}
}

/** Takes as many pieces as fill the screen; false when there are not so many. */
async function takeScreen(source: AsyncIterator<Uint8Array>, held: Uint8Array[], rows: number): Promise<boolean> {
	let lines = 0;
	for (let next = await source.next(); !next.done; next = await source.next()) {
		held.push(next.value);
		lines += next.value.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
		if (lines >= rows) return true;
	}
	return false;
}

/** False when there is no pager: then `held` has what was taken from the source, and nobody has seen it. */
async function page(
	held: Uint8Array[],
	source: AsyncIterator<Uint8Array>,
	to: 'inherit' | typeof stderr = 'inherit',
	less = usualOptions(),
): Promise<boolean> {
	const child = spawn(process.env.PAGER || 'less', {
		shell: true,
		stdio: ['pipe', to, 'inherit'],
		env: { ...process.env, LESS: less },
	}) as ChildProcessByStdio<Writable, null, null>;
	const ended = new Promise<number | null>((done) => child.on('close', done));
	// An interrupt is the pager's business.
	const ignore = (): void => undefined;
	process.on('SIGINT', ignore);
	try {
		const pipe = new Pipe(child.stdin);
		for (const piece of held) await pipe.write(piece);
		while (pipe.open) {
			const next = await source.next();
			if (next.done) break;
			if (pipe.size <= unread) held.push(next.value);
			await pipe.write(next.value);
		}
		child.stdin.end();
		return (await ended) !== notFound;
	} finally {
		process.off('SIGINT', ignore);
	}
}

/** Writes wait for room, and end without an error when the reader has left. */
class Pipe {
	readonly #stream: Writable;
	size = 0;
	#wake: () => void = () => undefined;

	constructor(stream: Writable) {
		this.#stream = stream;
		stream.on('error', () => stream.destroy());
		for (const event of ['drain', 'close']) stream.on(event, () => this.#wake());
	}

	get open(): boolean {
		return !this.#stream.destroyed;
	}

	async write(piece: Uint8Array): Promise<void> {
		if (!this.open) return;
		this.size += piece.length;
		const room = new Promise<void>((done) => {
			this.#wake = done;
		});
		if (!this.#stream.write(piece)) await room;
	}
}
