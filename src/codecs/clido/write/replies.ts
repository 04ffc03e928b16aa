/** Holds a reply back until it is whole: other clients write it as several entries, with results between them. */

/** A block as JSON, and its index line if it is a call. */
export interface Written {
	readonly block: string;
	readonly call?: Indexed;
}

interface Indexed {
	readonly id: string;
	readonly line: string;
}

interface Reply {
	readonly response: string | undefined;
	readonly content: Written[];
	readonly results: string[];
	readonly beside: string[];
}

export class ReplyWriter {
	#reply: Reply | undefined;
	/** The calls that have their index line already. */
	readonly #indexed: Set<string>;
	readonly #write: (line: string) => void;

	constructor(indexed: Set<string>, write: (line: string) => void) {
		this.#indexed = indexed;
		this.#write = write;
	}

	/** Begins a reply, or goes on with it where the provider's id is the same. */
	assistant(response: string | undefined, content: readonly Written[]): void {
		if (this.#reply && response !== undefined && this.#reply.response === response) {
			this.#reply.content.push(...content);
			return;
		}
		this.end();
		this.#reply = { response, content: [...content], results: [], beside: [] };
	}

	user(content: readonly Written[]): void {
		this.end();
		this.#write(contentLine('"user_message","role":"user"', content));
	}

	results(lines: readonly string[]): void {
		for (const line of lines) {
			if (this.#reply) this.#reply.results.push(line);
			else this.#write(line);
		}
	}

	/** Takes an index line of the source, unless the message that it repeats makes its own. */
	call(one: Indexed): void {
		if (!this.#reply?.content.some(({ call }) => call?.id === one.id)) this.#index(one, (line) => this.beside(line));
	}

	beside(line: string): void {
		if (this.#reply) this.#reply.beside.push(line);
		else this.#write(line);
	}

	end(): void {
		if (!this.#reply) return;
		const { content, results, beside } = this.#reply;
		this.#reply = undefined;
		this.#write(contentLine('"assistant_message"', content));
		for (const { call } of content) if (call) this.#index(call, this.#write);
		for (const line of [...results, ...beside]) this.#write(line);
	}

	#index(call: Indexed, to: (line: string) => void): void {
		if (this.#indexed.has(call.id)) return;
		this.#indexed.add(call.id);
		to(call.line);
	}
}

function contentLine(type: string, content: readonly Written[]): string {
	return `{"type":${type},"content":[${content.map(({ block }) => block).join(',')}]}`;
}
