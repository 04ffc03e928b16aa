/** Drives a coding agent that speaks frames: Reprise, Claude Code, or any other. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { errorText, isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';
import { linesIn, longestLine } from './lines-in.ts';
import { type ParsedFrame, parseFrame } from './parse.ts';
import type { RequestAnswer, RequestBody, RequestName } from './requests.ts';
import type { Asked, Question } from './schemas.ts';

export interface DriveOptions {
	/** The program: `reprise`, `claude`, or the path of one. */
	readonly command: string;
	/** What stands before our own flags, such as the script of an interpreter; and more flags. */
	readonly args?: readonly string[];
	readonly cwd?: string;
	readonly env?: { readonly [name: string]: string | undefined };
	/** Answers what the agent asks. Whatever is not here is refused. */
	readonly answers?: Answers;
	/** Told what the program says on stderr. */
	readonly complaint?: (text: string) => void;
}

/** Who answers which question. */
export type Answers = { readonly [Q in Question]?: AnswerRequest<Q> };

/** `signal`: the agent does not need the answer any more. A throw becomes an error that the agent is told. */
export type AnswerRequest<Q extends Question = Question> = (
	request: Asked<Q>,
	signal: AbortSignal,
) => Promise<JsonObject> | JsonObject;

/** The body may be left out where nothing has to stand in it. */
type Body<N extends RequestName> =
	Record<never, never> extends RequestBody<N> ? [body?: RequestBody<N>] : [body: RequestBody<N>];

export interface DrivenProcess extends AsyncDisposable {
	/**
	 * All frames but the answers to `request` and questions that `answers` deals with, until the program ends. For one reader at a time,
	 * which may stop and begin again: what nobody has read yet waits. Throws where the program could not be started.
	 */
	readonly frames: AsyncIterable<ParsedFrame>;
	/** Says something; returns the name by which frames speak of it. Throws where nobody hears it any more: the program has ended, or `end` was called. */
	say(content: Json): string;
	/**
	 * Asks the agent for something, whether frames are read meanwhile or not. Rejects with what it says where it refuses, or why nobody
	 * hears it. What the answer holds is not checked. A request that has no type here is one to `send`: its answer comes among the frames.
	 */
	request<N extends RequestName>(subtype: N, ...body: Body<N>): Promise<RequestAnswer<N>>;
	/** Writes a frame as it is, and throws as `say` does. */
	send(frame: JsonObject): void;
	/** No more is said: the agent ends when it is done. */
	end(): void;
	/** The code that it ended with; null after a signal, and where it could not be started. */
	readonly exit: Promise<number | null>;
}

const flags = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

/** Starts the program. Give `can_use_tool` as an answer to be asked before tools run. */
export function driveProcess({ command, args = [], cwd, env, answers = {}, complaint }: DriveOptions): DrivenProcess {
	const asking = Object.hasOwn(answers, 'can_use_tool') ? ['--permission-prompt-tool', 'stdio'] : [];
	const child = spawn(command, [...args, ...flags, ...asking], {
		stdio: 'pipe',
		...(cwd === undefined ? {} : { cwd }),
		env: { ...process.env, ...env },
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => complaint?.(text));
	return new Wire(child, answers);
}

class Wire implements DrivenProcess {
	readonly exit: Promise<number | null>;
	readonly #child: ChildProcessWithoutNullStreams;
	readonly #answers: { readonly [subtype: string]: AnswerRequest<never> };
	readonly #asked = new Map<string, (answer: JsonObject) => void>();
	readonly #answering = new Map<string, AbortController>();
	readonly #unread: ParsedFrame[] = [];
	#more: () => void = () => undefined;
	/** Why the program was not started. */
	#failed: Error | undefined;
	#over = false;

	constructor(child: ChildProcessWithoutNullStreams, answers: Answers) {
		this.#child = child;
		this.#answers = answers;
		// A program that is gone is told of by its exit.
		child.stdin.on('error', () => child.stdin.destroy());
		child.on('error', (error) => {
			if (child.pid === undefined) this.#failed = error;
		});
		this.exit = this.#ends();
	}

	get frames(): AsyncIterable<ParsedFrame> {
		return { [Symbol.asyncIterator]: () => this.#next() };
	}

	say(content: Json): string {
		const uuid = randomUUID();
		this.send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '', uuid });
		return uuid;
	}

	async request<N extends RequestName>(subtype: N, ...[body]: Body<N>): Promise<RequestAnswer<N>> {
		const id = randomUUID();
		this.send({ type: 'control_request', request_id: id, request: { ...body, subtype } });
		const answered = new Promise<JsonObject>((resolve) => this.#asked.set(id, resolve));
		const answer = await answered;
		this.#asked.delete(id);
		if (answer.subtype !== 'success') throw new Error(stringAt(answer, 'error') ?? 'the request was refused');
		return (isObject(answer.response) ? answer.response : {}) as RequestAnswer<N>;
	}

	send(frame: JsonObject): void {
		if (this.#over || !this.#child.stdin.writable) throw new Error(this.#why);
		this.#child.stdin.write(`${JSON.stringify(frame)}\n`);
	}

	end(): void {
		this.#child.stdin.end();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.end();
		if (this.#child.exitCode === null) this.#child.kill();
		await this.exit;
	}

	get #why(): string {
		// What was wrong is known a little later than that something was.
		const what = this.#failed ? `: ${this.#failed.message}` : '';
		if (this.#child.pid === undefined) return `the program could not be started${what}`;
		return this.#over ? 'the program has ended' : 'the program hears nothing any more: its input was ended';
	}

	/** Answers to requests come among the frames, so all is read as it comes. */
	async #ends(): Promise<number | null> {
		const closed = new Promise<number | null>((resolve) => this.#child.once('close', resolve));
		try {
			for await (const line of linesIn(this.#child.stdout)) this.#hear(line);
		} catch (error) {
			// A stream that breaks off is one that ends: the program is gone.
			this.#failed ??= this.#child.pid === undefined && error instanceof Error ? error : undefined;
		}
		const code = await closed;
		this.#over = true;
		for (const settle of this.#asked.values()) settle({ subtype: 'error', error: this.#why });
		this.#more();
		return this.#failed ? null : code;
	}

	#hear(line: string | undefined): void {
		if (line?.trim() === '') return;
		const tooLong = { is: 'broken', problem: `this line has more than ${longestLine} bytes` } as const;
		const parsed = line === undefined ? tooLong : parseFrame(line);
		if (this.#take(parsed)) return;
		this.#unread.push(parsed);
		this.#more();
	}

	async *#next(): AsyncGenerator<ParsedFrame, void> {
		for (;;) {
			const next = this.#unread.shift();
			if (next) yield next;
			else if (this.#failed) throw new Error(this.#why, { cause: this.#failed });
			else if (this.#over) return;
			else {
				await new Promise<void>((resolve) => {
					this.#more = resolve;
				});
			}
		}
	}

	/** True for what is dealt with here. */
	#take(parsed: ParsedFrame): boolean {
		if (parsed.is === 'broken') return false;
		const frame: JsonObject = parsed.frame;
		if (frame.type === 'control_response' && isObject(frame.response)) {
			const settle = this.#asked.get(String(frame.response.request_id));
			settle?.(frame.response);
			return settle !== undefined;
		}
		if (frame.type === 'control_cancel_request') this.#answering.get(String(frame.request_id))?.abort();
		if (frame.type !== 'control_request' || !isObject(frame.request)) return false;
		void this.#answer(String(frame.request_id), frame.request);
		return true;
	}

	async #answer(id: string, request: JsonObject): Promise<void> {
		const subtype = String(request.subtype);
		const answer = Object.hasOwn(this.#answers, subtype) ? this.#answers[subtype] : undefined;
		const control = new AbortController();
		this.#answering.set(id, control);
		const reply = (response: JsonObject): void => {
			// Whoever has asked may be gone by now.
			if (this.#child.stdin.writable) this.send({ type: 'control_response', response });
		};
		try {
			if (!answer) throw new Error(`nobody here answers ${subtype}`);
			const response = await answer(request as never, control.signal);
			if (!control.signal.aborted) reply({ subtype: 'success', request_id: id, response });
		} catch (error) {
			reply({ subtype: 'error', request_id: id, error: errorText(error) });
		} finally {
			this.#answering.delete(id);
		}
	}
}
