/** A host that drives the built client: what it says, what it answers, and every frame that it gets. */
import { join } from 'node:path';
import { type AnswerRequest, type Answers, type DrivenProcess, driveProcess } from '../../src/frames/drive-process.ts';
import type { ParsedFrame } from '../../src/frames/parse.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import type { ClientStage, Frame } from './client.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');

export interface HostSetting {
	/** Plays in place of the model that `args` name. */
	readonly script?: ScriptInput;
	readonly args?: readonly string[];
	readonly answers?: Answers;
	readonly env?: { readonly [name: string]: string };
}

export class Host implements AsyncDisposable {
	readonly agent: DrivenProcess;
	readonly parsed: ParsedFrame[] = [];
	err = '';
	#more: () => void = () => undefined;
	readonly #read: Promise<void>;

	constructor(stage: ClientStage, { script, args = [], answers = {}, env = {} }: HostSetting) {
		const own = { ...stage.env, CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1', ...env };
		const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
		this.agent = driveProcess({
			command: process.execPath,
			args: [bin, ...(script === undefined ? [] : ['--script', stage.script(script)]), ...args],
			cwd: stage.cwd,
			env: { ...none, ...own },
			answers,
			complaint: (text) => {
				this.err += text;
			},
		});
		this.#read = this.#listen();
	}

	/** All frames so far. */
	get frames(): readonly Frame[] {
		return this.parsed.flatMap((one) => (one.is === 'broken' ? [] : [one.frame as unknown as Frame]));
	}

	/** Type, or type and subtype, in order. */
	get kinds(): readonly string[] {
		return this.frames.map(({ type, subtype }) => (type === 'system' ? String(subtype) : type));
	}

	of(kind: string): readonly Frame[] {
		return this.frames.filter((_, index) => this.kinds[index] === kind);
	}

	/** Waits until so many frames of a kind have come. */
	async until(kind: string, count = 1): Promise<readonly Frame[]> {
		const over = Symbol('over');
		for (;;) {
			if (this.of(kind).length >= count) return this.of(kind);
			const next = new Promise<void>((resolve) => {
				this.#more = resolve;
			});
			if ((await Promise.race([next, this.#read.then(() => over)])) !== over) continue;
			if (this.of(kind).length >= count) return this.of(kind);
			throw new Error(`the client ended before ${kind}: ${this.kinds.join(' ')}\n${this.err}`);
		}
	}

	/** Says something, and waits until it is answered. */
	async turn(content: string): Promise<Frame> {
		const before = this.of('result').length;
		this.agent.say(content);
		const results = await this.until('result', before + 1);
		return results.at(-1) as Frame;
	}

	/** No more is said; how the client ended. */
	async end(): Promise<number | null> {
		this.agent.end();
		await this.#read;
		return await this.agent.exit;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.agent[Symbol.asyncDispose]();
		await this.#read;
	}

	async #listen(): Promise<void> {
		for await (const parsed of this.agent.frames) {
			this.parsed.push(parsed);
			this.#more();
		}
	}
}

export const allow: AnswerRequest = ({ input }) => ({ behavior: 'allow', updatedInput: input ?? {} });
