/** The wire to the editor: one JSON message per line, read and written so that no single line can end the connection. */
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { isObject, type Json } from '../model/index.ts';

/** Pictures come in lines. One that is longer than this is answered with an error, and nothing of it is kept. */
export const longestLine = 64 * 1024 * 1024;

export function lineStream(input: Readable, output: Writable, longest = longestLine): Stream {
	const send = (text: string): Promise<void> =>
		new Promise((done, fail) => output.write(`${text}\n`, (error) => (error ? fail(error) : done())));
	const readable = new ReadableStream<AnyMessage>({
		async start(controller) {
			try {
				for await (const line of linesIn(input, longest)) {
					const read = line === undefined ? { problem: `a line has more than ${longest} bytes` } : parsed(line);
					// What is no message at all, the protocol's own library answers.
					if ('message' in read) controller.enqueue(read.message as AnyMessage);
					else if (read.problem !== '') await send(refusal(null, -32700, `Parse error: ${read.problem}`));
				}
				controller.close();
			} catch (error) {
				controller.error(error);
			}
		},
		cancel() {
			input.destroy();
		},
	});
	return { readable, writable: new WritableStream({ write: (message) => send(written(message)) }) };
}

/** The lines as they come; undefined stands for one that is too long. */
async function* linesIn(input: Readable, longest: number): AsyncGenerator<string | undefined, void> {
	let parts: Buffer[] = [];
	let length = 0;
	const taken = (): string | undefined => {
		const line = length > longest ? undefined : Buffer.concat(parts).toString('utf8');
		parts = [];
		length = 0;
		return line;
	};
	for await (const chunk of input) {
		let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
		for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
			add(rest.subarray(0, end));
			yield taken();
			rest = rest.subarray(end + 1);
		}
		add(rest);
	}
	if (length > 0) yield taken();

	function add(part: Buffer): void {
		length += part.length;
		if (length > longest) parts = [];
		else parts.push(part);
	}
}

/** An empty problem: a line with nothing in it. */
function parsed(line: string): { readonly message: unknown } | { readonly problem: string } {
	if (line.trim() === '') return { problem: '' };
	try {
		return { message: JSON.parse(line) };
	} catch {
		return { problem: 'a line is not JSON' };
	}
}

/** What is nested too deeply to be written is left out: an error that repeats it, or what a model has made up. */
function written(message: AnyMessage): string {
	try {
		return JSON.stringify(message);
	} catch {
		const id = 'id' in message && !('method' in message) ? message.id : undefined;
		return id === undefined
			? JSON.stringify({ jsonrpc: '2.0', method: '_reprise/left_out' })
			: refusal(id, codeIn(message), 'the answer cannot be written as JSON');
	}
}

function codeIn(message: AnyMessage): number {
	const { error } = message as { readonly error?: Json };
	return isObject(error) && typeof error.code === 'number' ? error.code : -32603;
}

function refusal(id: Json, code: number, message: string): string {
	return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
