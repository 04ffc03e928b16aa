/** The wire to the editor: one JSON message per line, and what is answered to a line that is too long, no JSON, or cannot be written. */
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { linesIn, longestLine } from '../frames/lines-in.ts';
import { isObject, type Json } from '../model/index.ts';

export function lineStream(input: Readable, output: Writable): Stream {
	const send = (text: string): Promise<void> =>
		new Promise((done, fail) => output.write(`${text}\n`, (error) => (error ? fail(error) : done())));
	const readable = new ReadableStream<AnyMessage>({
		async start(controller) {
			try {
				for await (const line of linesIn(input)) {
					const read = line === undefined ? { problem: `a line has more than ${longestLine} bytes` } : parsed(line);
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
