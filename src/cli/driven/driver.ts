/** The wire to a host: what comes on stdin in which order it is dealt with, how many names of prompts are remembered so that none is answered twice, and error codes. */
import { randomUUID } from 'node:crypto';
import {
	type ControlAnswer,
	type ControlRequest,
	refusalFrame,
	requestFrame,
	successFrame,
	withdrawalFrame,
} from '../../frames/control.ts';
import type { Frame } from '../../frames/frames.ts';
import { readInputLine, type SentPrompt } from '../../frames/input.ts';
import { linesIn, longestLine } from '../../frames/lines-in.ts';
import { errorText, type JsonObject } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';

/** Who deals with what comes over the wire. */
export interface Served {
	/** Answers a request, or throws an `InputError` that says why not. */
	serve(request: ControlRequest, signal: AbortSignal): Promise<Reply> | Reply;
	/** True for a request that takes effect at once, or takes its time: prompts and other requests do not wait for it. */
	atOnce(subtype: string): boolean;
	/** A prompt has come; it waits where another one is being answered. */
	arrived(sent: SentPrompt, waits: boolean): void;
	/** True for a prompt that the session has an answer to, from before this process: it is not answered again. */
	isAnswered(uuid: string): Promise<boolean>;
	/** All that has come is answered. */
	rests(): void;
	/** Something runs that nobody waits for: the model is told when it has ended, also of a host that says no more. */
	works(): boolean;
	/** A line that is no frame. */
	broken(problem: string): void;
	/** An answer of the host has been taken. */
	answered(frame: ControlAnswer): void;
}

/** What a request is answered with: nothing, a payload, or a payload and what stands beside it. */
export type Reply = JsonObject | undefined | Beside;

export class Beside {
	readonly response: JsonObject;
	readonly more: JsonObject;
	/** What is told once the answer is out. */
	readonly after: () => void;

	constructor(response: JsonObject, more: JsonObject, after: () => void = () => undefined) {
		this.after = after;
		this.response = response;
		this.more = more;
	}
}

export interface Arrived {
	/** Undefined: nobody has said anything, but something has ended that the model is told of. */
	readonly sent: SentPrompt | undefined;
	readonly waited: boolean;
}

/** So many names of prompts are remembered: one that comes twice is answered once. */
const mostRemembered = 10_000;

export class Driver {
	readonly #send: (frame: Frame) => void;
	readonly #served: Served;
	readonly #asked = new Map<string, (answer: ControlAnswer) => void>();
	readonly #serving = new Map<string, AbortController>();
	readonly #seen = new Set<string>();
	#queue: Arrived[] = [];
	#busy = false;
	#over = false;
	#ended = false;
	#nudged = false;
	#wake: (() => void) | undefined;
	/** Prompts and the requests that change how they are answered, in the order in which they came. */
	#inOrder: Promise<void> = Promise.resolve();

	constructor(send: (frame: Frame) => void, served: Served) {
		this.#send = send;
		this.#served = served;
	}

	/** True once nobody can answer a question any more. */
	get isOver(): boolean {
		return this.#over;
	}

	/** The prompts in order. Everything else is dealt with as it comes, whether a prompt is being answered or not. */
	async *prompts(): AsyncGenerator<Arrived, void> {
		void this.#read();
		while (!this.#ended) {
			const next = this.#queue.shift() ?? this.#told();
			this.#busy = next !== undefined;
			if (next) {
				yield next;
				continue;
			}
			this.#served.rests();
			if (this.#over && !this.#served.works()) return;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		}
	}

	/** Something has ended, which the model should hear of, although nobody says anything. */
	nudge(tells: boolean): void {
		this.#nudged ||= tells;
		this.#wake?.();
	}

	/** No more prompts are answered. */
	end(): void {
		this.#ended = true;
		this.#wake?.();
	}

	/** Nothing is read any more: a host that keeps its end open would keep the process alive. */
	close(): void {
		this.end();
		this.#left();
		process.stdin.destroy();
	}

	/** True where prompts wait, or the model is about to be told of something. */
	get hasMore(): boolean {
		return this.#queue.length > 0 || this.#nudged;
	}

	/** Takes back prompts that nobody has begun to answer; all that have a name where none is given. Returns their names. */
	takeBack(uuid?: string): readonly string[] {
		const taken = this.#queue.filter(({ sent }) => sent?.uuid !== undefined && (uuid ?? sent.uuid) === sent.uuid);
		this.#queue = this.#queue.filter((one) => !taken.includes(one));
		return taken.flatMap(({ sent }) => sent?.uuid ?? []);
	}

	/** The same for a prompt that has been sent, and may stand behind requests that are not answered yet. */
	async takeBackSent(uuid: string): Promise<readonly string[]> {
		const taken = this.takeBack(uuid);
		if (taken.length > 0) return taken;
		await this.#inOrder;
		return this.takeBack(uuid);
	}

	/** How many prompts wait for an answer. */
	get unanswered(): number {
		return this.#queue.filter(({ sent }) => sent?.asks === true).length;
	}

	/** The names of the prompts that wait. */
	get waiting(): readonly string[] {
		return this.#queue.flatMap(({ sent }) => sent?.uuid ?? []);
	}

	/** Asks the host for something. When nobody needs the answer any more, the question is taken back. */
	async request(subtype: string, body: JsonObject, signal?: AbortSignal): Promise<ControlAnswer> {
		const id = randomUUID();
		if (signal?.aborted || this.#over) return { ok: false, id, problem: 'there is nobody left to ask' };
		return await new Promise<ControlAnswer>((resolve) => {
			const withdraw = (): void => {
				this.#send(withdrawalFrame(id));
				settle({ ok: false, id, problem: 'interrupted' });
			};
			const settle = (answered: ControlAnswer): void => {
				this.#asked.delete(id);
				signal?.removeEventListener('abort', withdraw);
				resolve(answered);
			};
			signal?.addEventListener('abort', withdraw);
			this.#asked.set(id, settle);
			this.#send(requestFrame(id, subtype, body));
		});
	}

	#told(): Arrived | undefined {
		if (!this.#nudged) return undefined;
		this.#nudged = false;
		return { sent: undefined, waited: false };
	}

	async #read(): Promise<void> {
		try {
			for await (const line of linesIn(process.stdin)) {
				if (line === undefined) this.#served.broken(`a line of the input has more than ${longestLine} bytes`);
				else if (line.trim() !== '') this.#take(line);
			}
		} catch (error) {
			// An input that we have closed ourselves tells nothing.
			if (!this.#ended) this.#served.broken(errorText(error));
		}
		await this.#inOrder;
		this.#left();
		this.#wake?.();
	}

	/** Nobody can answer any more. */
	#left(): void {
		this.#over = true;
		for (const [id, settle] of this.#asked) settle({ ok: false, id, problem: 'the input ended' });
	}

	#take(line: string): void {
		const read = readInputLine(line);
		switch (read.type) {
			case 'broken':
				this.#served.broken(read.problem);
				break;
			case 'odd':
				this.#send(refusalFrame(read.id, read.problem));
				break;
			case 'prompt':
				this.#after(() => this.#arrive(read.sent));
				break;
			case 'answer':
				this.#heard(read.answer);
				break;
			case 'cancel':
				this.#serving.get(read.id)?.abort();
				break;
			case 'request':
				if (this.#served.atOnce(read.request.subtype)) void this.#serve(read.request);
				else this.#after(() => this.#serve(read.request));
		}
	}

	/** One that answers nothing we have asked is nobody's. */
	#heard(answer: ControlAnswer): void {
		const settle = this.#asked.get(answer.id);
		if (!settle) return;
		settle(answer);
		this.#served.answered(answer);
	}

	#after(work: () => Promise<void> | void): void {
		this.#inOrder = this.#inOrder.then(work);
	}

	async #arrive(sent: SentPrompt): Promise<void> {
		if (this.#ended) return;
		const { uuid } = sent;
		if (uuid !== undefined) {
			if (this.#seen.has(uuid)) return;
			if (this.#seen.size >= mostRemembered) this.#seen.delete(this.#seen.values().next().value ?? '');
			this.#seen.add(uuid);
			if (await this.#served.isAnswered(uuid)) return;
		}
		const waited = !sent.now && (this.#busy || this.#queue.length > 0);
		const before = sent.now ? this.#queue.findIndex((one) => one.sent?.now !== true) : -1;
		this.#queue.splice(before === -1 ? this.#queue.length : before, 0, { sent, waited });
		this.#served.arrived(sent, waited);
		this.#wake?.();
	}

	/** Every request is answered once, whatever goes wrong with it. */
	async #serve(request: ControlRequest): Promise<void> {
		const { id } = request;
		const control = new AbortController();
		this.#serving.set(id, control);
		try {
			const reply = await this.#served.serve(request, control.signal);
			this.#send(reply instanceof Beside ? successFrame(id, reply.response, reply.more) : successFrame(id, reply));
			if (reply instanceof Beside) reply.after();
		} catch (error) {
			const code = error instanceof InputError ? codes[error.rule] : undefined;
			this.#send(refusalFrame(id, errorText(error), code));
		} finally {
			if (this.#serving.get(id) === control) this.#serving.delete(id);
		}
	}
}

/** What of our own codes hosts know, by their names for them. */
const codes: { readonly [code: string]: string } = {
	unsupported: 'unsupported_request',
	'bad-mode': 'invalid_mode',
	'no-bypass': 'bypass_not_launched',
};
