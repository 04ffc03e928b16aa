/** What a command prints, however much: some of it is held, all that is kept goes to a file. */
import type { ToolContext } from '../agent/contracts.ts';
import type { JsonObject } from '../model/index.ts';
import { keptElsewhere, outputPath } from './long-output.ts';

/** What the model gets whole. */
const mostShown = 30_000;
/** What a failed command tells at its beginning and at its end. */
const failedPart = 5000;
/** Lines are counted up to here, for those who watch: of more nobody wants to know how many there are. */
const mostCounted = 10_000_000;
/** A command that prints without end must not fill the disk. */
const mostKept = 64 * 1024 * 1024;

export class CommandOutput {
	#path = '';
	readonly #context: ToolContext;
	/** All of it as long as it is short, its beginning afterwards. */
	#head = '';
	#tail = '';
	#length = 0;
	#lines = 0;
	#kept = 0;
	/** How much was told as progress. */
	#told = 0;

	constructor(context: ToolContext) {
		this.#context = context;
	}

	async add(text: string): Promise<void> {
		this.#length += text.length;
		if (this.#length <= mostCounted) this.#lines += linesIn(text);
		if (this.#kept === 0 && this.#length <= mostShown) this.#head += text;
		else await this.#keep(text);
		this.#tail = (this.#tail + text).slice(-failedPart);
	}

	async #keep(text: string): Promise<void> {
		// What was held while it was short comes first.
		const fresh = this.#kept === 0 ? this.#head + text : text;
		if (this.#kept === 0) {
			this.#head = fresh.slice(0, mostShown);
			this.#path = await outputPath(this.#context);
		}
		const room = mostKept - this.#kept;
		if (room <= 0) return;
		this.#kept += fresh.length;
		const cut = fresh.length > room ? `${fresh.slice(0, room)}\n… (the rest was not kept)\n` : fresh;
		await this.#context.host.files.append(this.#path, cut);
	}

	/** The whole output without blank lines around it, or the beginning of it and where the rest is. */
	shown(): string {
		if (this.#kept === 0) return trimmed(this.#head);
		return keptElsewhere(trimmed(this.#head), this.#length, this.#path);
	}

	/** Both ends: why a command failed is most often said last. */
	ofFailure(): string {
		const all = trimmed(this.#head);
		if (this.#kept === 0 && all.length <= 2 * failedPart) return all;
		const left = this.#length - 2 * failedPart;
		const where = this.#kept === 0 ? '' : `, all of it is in ${this.#path}`;
		return `${all.slice(0, failedPart)}\n\n... [${left} characters truncated${where}] ...\n\n${this.#tail.trimEnd()}`;
	}

	progress(): JsonObject {
		const fresh = Math.min(this.#length - this.#told, failedPart);
		this.#told = this.#length;
		const full = this.#kept === 0 ? this.#head : this.ofFailure();
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
