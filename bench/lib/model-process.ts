/** A model server in a process of its own, so that what it costs is nobody's: `node model-process.js DELTAS CALLS FILE`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Plan {
	/** Pieces of text in each reply. */
	readonly deltas: number;
	/** How many replies after a prompt call the tool before one does not. */
	readonly calls: number;
	/** What the tool is asked to read. */
	readonly file: string;
}

export interface ModelProcess extends Disposable {
	readonly url: string;
}

export async function startModelProcess({ deltas, calls, file }: Plan): Promise<ModelProcess> {
	const args = [fileURLToPath(import.meta.url), String(deltas), String(calls), file];
	const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	if (!child.stdout) throw new Error('the model server has no output');
	const [port] = (await once(child.stdout, 'data')) as [Buffer];
	return { url: `http://127.0.0.1:${String(port).trim()}`, [Symbol.dispose]: () => child.kill() };
}

const frame = (data: { readonly type: string; readonly [key: string]: unknown }): string =>
	`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** One reply as the Messages API streams it: text, and a call where there is one. */
function replyOf({ deltas, file }: Plan, n: number, calls: boolean): string {
	const usage = { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
	const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'claude-bench', content: [], usage };
	const frames = [frame({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } })];
	frames.push(frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }));
	for (let i = 0; i < deltas; i += 1) {
		const delta = { type: 'text_delta', text: ` word${(n * 7 + i) % 1000} of a reply` };
		frames.push(frame({ type: 'content_block_delta', index: 0, delta }));
	}
	frames.push(frame({ type: 'content_block_stop', index: 0 }));
	if (calls) {
		const block = { type: 'tool_use', id: `toolu_${n}`, name: 'Look', input: {} };
		frames.push(frame({ type: 'content_block_start', index: 1, content_block: block }));
		for (const part of ['{"path":', JSON.stringify(file), `,"n":${n}}`]) {
			const delta = { type: 'input_json_delta', partial_json: part };
			frames.push(frame({ type: 'content_block_delta', index: 1, delta }));
		}
		frames.push(frame({ type: 'content_block_stop', index: 1 }));
	}
	const stop_reason = calls ? 'tool_use' : 'end_turn';
	frames.push(
		frame({
			type: 'message_delta',
			delta: { stop_reason, stop_sequence: null },
			usage: { output_tokens: deltas },
		}),
	);
	frames.push(frame({ type: 'message_stop' }));
	return frames.join('');
}

/** Pieces of about this size, as a network that is not the bottleneck delivers them: some events together, cut anywhere. */
const pieceSize = 1200;

function serve(plan: Plan): void {
	let asked = 0;
	const server = createServer((request, response) => {
		void text(request).then(() => {
			asked += 1;
			const reply = Buffer.from(replyOf(plan, asked, asked % (plan.calls + 1) !== 0));
			response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${asked}` });
			let at = 0;
			const next = (): void => {
				if (at >= reply.length) {
					response.end();
					return;
				}
				response.write(reply.subarray(at, at + pieceSize));
				at += pieceSize;
				setImmediate(next);
			};
			next();
		});
	});
	server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [deltas, calls, file = ''] = process.argv.slice(2);
	serve({ deltas: Number(deltas), calls: Number(calls), file });
}
