/** Holds a reply back until it is whole: other clients write one as several entries, with the results of its calls between. */

/** A block as JSON, and the index line of the call that it is. */
export interface Written {
	readonly block: string;
	readonly call?: Indexed;
}

export interface Indexed {
	readonly id: string;
	readonly line: string;
}

export interface ReplyWriter {
	/** Begins a reply, or goes on with it where the provider's id is the same. */
	assistant(response: string | undefined, content: readonly Written[]): void;
	user(content: readonly Written[]): void;
	results(lines: readonly string[]): void;
	/** An index line from the source, unless the message that it repeats brings its own. */
	call(indexed: Indexed): void;
	beside(line: string): void;
	end(): void;
}

interface Reply {
	readonly response: string | undefined;
	readonly content: Written[];
	readonly results: string[];
	readonly beside: string[];
}

/** `indexed`: the calls that have their index line already. */
export function replyWriter(indexed: Set<string>, write: (line: string) => void): ReplyWriter {
	let reply: Reply | undefined;

	function flush(): void {
		if (!reply) return;
		const { content, results, beside } = reply;
		reply = undefined;
		write(contentLine('assistant_message', content));
		for (const { call } of content) if (call) index(call, write);
		for (const line of results) write(line);
		for (const line of beside) write(line);
	}

	function index(call: Indexed, to: (line: string) => void): void {
		if (indexed.has(call.id)) return;
		indexed.add(call.id);
		to(call.line);
	}

	function beside(line: string): void {
		if (reply) reply.beside.push(line);
		else write(line);
	}

	return {
		beside,
		end: flush,
		assistant(response, content) {
			if (reply && response !== undefined && reply.response === response) {
				reply.content.push(...content);
				return;
			}
			flush();
			reply = { response, content: [...content], results: [], beside: [] };
		},
		user(content) {
			flush();
			write(contentLine('user_message', content));
		},
		results(lines) {
			for (const line of lines) {
				if (reply) reply.results.push(line);
				else write(line);
			}
		},
		call(one) {
			if (!reply?.content.some(({ call }) => call?.id === one.id)) index(one, beside);
		},
	};
}

function contentLine(type: 'user_message' | 'assistant_message', content: readonly Written[]): string {
	let text = '';
	for (const { block } of content) text += text === '' ? block : `,${block}`;
	return `{"type":"${type}"${type === 'user_message' ? ',"role":"user"' : ''},"content":[${text}]}`;
}
