/** What a command prints, however much: how much of it the model is shown, of a failed one too, and how much is kept in a file. */
import type { ToolContext } from '../agent/contracts.ts';
import type { JsonObject } from '../model/index.ts';
import { sizeOf } from './files.ts';
import { keptElsewhere, outputPath } from './long-output.ts';

/** What the model gets whole. */
const mostShown = 30_000;
/** What a failed command tells at its beginning and at its end. */
const failedPart = 5000;
/** What is held of its end. */
const mostTail = 8192;
/** Lines are counted up to here, for those who watch: of more nobody wants to know how many there are. */
const mostCounted = 10_000_000;
/** A command that prints without end must not fill the disk. */
const mostKept = 64 * 1024 * 1024;

export class CommandOutput {
	readonly #context: ToolContext;
	/** Where all of it is; empty as long as it is short and nobody asked for a file. */
	#path = '';
	#head = '';
	#tail = '';
	#length = 0;
	#bytes = 0;
	#lines = 0;
	#kept = 0;
	/** The file has no more than it may have, and more was printed. */
	#isCut = false;
	/** How much was told as progress. */
	#told = 0;
	#last: Promise<unknown> = Promise.resolve();

	constructor(context: ToolContext) {
		this.#context = context;
	}

	add(text: string): Promise<void> {
		return this.#next(() => this.#add(text));
	}

	/** From now on all of it is in a file, which begins with what came so far. Returns its path. */
	toFile(path: string): Promise<string> {
		return this.#next(() => this.#toFile(path));
	}

	/** One after the other: a command that goes to the background while its first long output is being kept has one file. */
	async #next<T>(work: () => Promise<T>): Promise<T> {
		const mine = this.#last.then(work);
		this.#last = mine.catch(() => undefined);
		return await mine;
	}

	async #add(text: string): Promise<void> {
		const before = this.#head;
		this.#length += text.length;
		this.#bytes += Buffer.byteLength(text);
		if (this.#length <= mostCounted) this.#lines += linesIn(text);
		if (before.length < mostShown) this.#head = before + text.slice(0, mostShown - before.length);
		this.#tail = (this.#tail + text).slice(-mostTail);
		if (this.#path !== '') await this.#keep(text);
		else if (this.#length > mostShown) {
			this.#path = await outputPath(this.#context);
			// What was held while it was short comes first.
			await this.#keep(before + text);
		}
	}

	async #toFile(path: string): Promise<string> {
		if (this.#path !== '') return this.#path;
		this.#path = path;
		await this.#keep(this.#head);
		return path;
	}

	async #keep(text: string): Promise<void> {
		if (this.#isCut) return;
		const room = mostKept - this.#kept;
		this.#isCut = text.length > room;
		this.#kept += Math.min(text.length, room);
		const cut = this.#isCut ? `${text.slice(0, room)}\n… (the rest was not kept)\n` : text;
		await this.#context.host.files.append(this.#path, cut);
	}

	/** The whole output without blank lines around it, or the beginning of it and where the rest is. */
	shown(): string {
		const start = trimmed(this.#head);
		if (this.#length <= mostShown) return start;
		return keptElsewhere(start, this.#length, this.#path, this.#part && `The ${this.#part} of it`);
	}

	/** How much of it the file has; undefined where that is all. */
	get #part(): string | undefined {
		return this.#isCut ? `first ${sizeOf(mostKept)}` : undefined;
	}

	/** The last of it, and how many bytes there are in all. */
	end(most: number): { readonly text: string; readonly bytes: number } {
		const whole = this.#length <= this.#head.length;
		return { text: (whole ? this.#head : this.#tail).slice(-most), bytes: this.#bytes };
	}

	/** Both ends: why a command failed is most often said last. */
	ofFailure(): string {
		const all = trimmed(this.#head);
		if (this.#length <= mostShown && all.length <= 2 * failedPart) return all;
		const left = this.#length - 2 * failedPart;
		const where =
			this.#path === '' ? '' : `, ${this.#part === undefined ? 'all' : `the ${this.#part}`} of it is in ${this.#path}`;
		return `${all.slice(0, failedPart)}\n\n... [${left} characters truncated${where}] ...\n\n${this.#tail.slice(-failedPart).trimEnd()}`;
	}

	progress(): JsonObject {
		const fresh = Math.min(this.#length - this.#told, failedPart);
		this.#told = this.#length;
		const full = this.#length <= mostShown ? this.#head : this.ofFailure();
		return { output: fresh === 0 ? '' : this.#tail.slice(-fresh), fullOutput: full, totalLines: this.#lines + 1 };
	}
}

function linesIn(text: string): number {
	let lines = 0;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
	return lines;
}

function trimmed(text: string): string {
	return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}
