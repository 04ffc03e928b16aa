/** Another process drives the client: prompts, requests and answers on stdin, one JSON object per line; frames on stdout. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Prompt } from '../agent/config.ts';
import type { Ask } from '../agent/contracts.ts';
import {
	type ControlAnswer,
	type ControlRequest,
	elicitationFrame,
	hooksWanted,
	questionFrame,
	refusalFrame,
	successFrame,
	verdictOf,
	withdrawalFrame,
} from '../frames/control.ts';
import type { Frame } from '../frames/frames.ts';
import { readInputLine } from '../frames/input.ts';
import type { ElicitAnswer, Elicitation } from '../mcp/elicitation.ts';
import { isObject, type JsonObject } from '../model/index.ts';
import { InputError } from '../store/errors.ts';

/** What the driver may do to the client. Each returns what it is told, or throws an InputError that says why not. */
export interface Steering {
	initialize(): JsonObject;
	interrupt(): void;
	setMode(mode: string): JsonObject;
	mcpStatus(): JsonObject;
	setModel(model: string | undefined): Promise<JsonObject>;
	/** A prompt has come that has to wait, because another one is being answered. */
	announce(prompt: Prompt): void;
}

export interface Arrived {
	readonly prompt: Prompt;
	readonly waited: boolean;
}

export class Driver {
	readonly #send: (frame: Frame) => void;
	readonly #steering: Steering;
	readonly #asked = new Map<string, (answer: ControlAnswer) => void>();
	#prompts: Arrived[] = [];
	#busy = false;
	#over = false;
	#problem: Error | undefined;
	#wake: (() => void) | undefined;

	constructor(send: (frame: Frame) => void, steering: Steering) {
		this.#send = send;
		this.#steering = steering;
	}

	/** The prompts in order. Everything else is dealt with as it comes, whether a prompt is being answered or not. */
	async *prompts(): AsyncGenerator<Arrived, void> {
		void this.#read();
		for (;;) {
			const next = this.#prompts.shift();
			this.#busy = next !== undefined;
			if (next !== undefined) yield next;
			else if (this.#problem) throw this.#problem;
			else if (this.#over) return;
			else {
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
			}
		}
	}

	/** The driver decides; when the run is interrupted first, the question is taken back. */
	readonly ask: Ask = async (call, signal) => {
		if (signal.aborted || this.#over) return { allow: false, reason: 'there is nobody left to ask' };
		return verdictOf(await this.#question((id) => questionFrame(id, call), signal));
	};

	/** What a server asks its user, the driver is asked. */
	async elicit(asked: Elicitation, signal: AbortSignal): Promise<ElicitAnswer> {
		if (signal.aborted || this.#over) return { action: 'cancel' };
		const answer = await this.#question((id) => elicitationFrame(id, elicitationFields(asked)), signal);
		if (!answer.ok || (answer.body.action !== 'accept' && answer.body.action !== 'decline'))
			return { action: 'cancel' };
		const { action, content } = answer.body;
		return { action, ...(isObject(content) ? { content: content as ElicitAnswer['content'] & object } : {}) };
	}

	#question(frame: (id: string) => Frame, signal: AbortSignal): Promise<ControlAnswer> {
		const id = randomUUID();
		return new Promise<ControlAnswer>((resolve) => {
			const withdraw = (): void => {
				this.#send(withdrawalFrame(id));
				settle({ ok: false, id, problem: 'interrupted' });
			};
			const settle = (answered: ControlAnswer): void => {
				this.#asked.delete(id);
				signal.removeEventListener('abort', withdraw);
				resolve(answered);
			};
			signal.addEventListener('abort', withdraw);
			this.#asked.set(id, settle);
			this.#send(frame(id));
		});
	}

	async #read(): Promise<void> {
		try {
			for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
				if (line.trim() !== '') await this.#take(line);
			}
		} catch (error) {
			this.#problem = error instanceof Error ? error : new Error(String(error));
		}
		this.#over = true;
		for (const [id, settle] of this.#asked) settle({ ok: false, id, problem: 'the input ended' });
		this.#wake?.();
	}

	async #take(line: string): Promise<void> {
		const read = readInputLine(line);
		switch (read.type) {
			case 'broken':
				throw new InputError('bad-input', read.problem);
			case 'prompt':
				this.#arrive(read.prompt);
				break;
			case 'answer':
				this.#asked.get(read.answer.id)?.(read.answer);
				break;
			case 'request':
				await this.#serve(read.request);
				if (this.#problem) this.#wake?.();
		}
	}

	#arrive(prompt: Prompt): void {
		if (this.#problem) return;
		const waited = this.#busy || this.#prompts.length > 0;
		if (waited) this.#steering.announce(prompt);
		this.#prompts.push({ prompt, waited });
		this.#wake?.();
	}

	/** A hook that is accepted and never called would let a tool run that the driver means to stop: then nothing runs at all. */
	#initialize(id: string, body: JsonObject): void {
		const hooks = hooksWanted(body);
		if (hooks.length === 0) {
			this.#send(successFrame(id, this.#steering.initialize()));
			return;
		}
		const problem = new InputError(
			'unsupported',
			`initialize asks for hooks (${hooks.join(', ')}), and Reprise cannot call hooks of its driver: nothing was run. ` +
				'Leave the hooks out; --disallowedTools and --permission-prompt-tool stdio decide what tools may do',
		);
		this.#send(refusalFrame(id, problem.message, 'unsupported_request'));
		this.#prompts = [];
		this.#problem = problem;
		this.#steering.interrupt();
	}

	async #serve({ id, subtype, body }: ControlRequest): Promise<void> {
		const steering = this.#steering;
		try {
			if (subtype === 'initialize') this.#initialize(id, body);
			else if (subtype === 'set_permission_mode') this.#send(successFrame(id, steering.setMode(String(body.mode))));
			else if (subtype === 'mcp_status') this.#send(successFrame(id, steering.mcpStatus()));
			else if (subtype === 'set_model') {
				const model = typeof body.model === 'string' && body.model !== 'default' ? body.model : undefined;
				this.#send(successFrame(id, await steering.setModel(model)));
			} else if (subtype === 'interrupt') {
				steering.interrupt();
				this.#send(successFrame(id, { still_queued: [] }));
			} else this.#send(refusalFrame(id, `Reprise does not know the request ${subtype}`, 'unsupported_request'));
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			this.#send(refusalFrame(id, error.message));
		}
	}
}

function elicitationFields(asked: Elicitation): JsonObject {
	const { server, message, mode } = asked;
	const common = { mcp_server_name: server, message, mode };
	if (asked.mode === 'url')
		return { ...common, url: asked.url, ...(asked.id === undefined ? {} : { elicitation_id: asked.id }) };
	const { properties } = asked.schema;
	return {
		...common,
		requested_schema: asked.schema,
		...(isObject(properties) ? { property_order: Object.keys(properties) } : {}),
	};
}
