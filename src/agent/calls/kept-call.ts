/** When the files of a call are kept for a rewind: before a command that may change any of them, before a file that it names; and the note on one that goes on in the background. */
import { isObject } from '../../model/index.ts';
import type { AgentConfig, Conversation } from '../config.ts';
import type { PendingCall, ToolOutput } from '../contracts.ts';
import { askedCall, onlyLooks } from './circumstances.ts';

const wentOn = 'it went on in the background: what it has changed since then is not kept';

export class KeptCall {
	readonly #call: PendingCall;
	readonly #config: AgentConfig;
	readonly #ends: ((note?: string) => Promise<void>)[] = [];

	constructor(call: PendingCall, config: AgentConfig) {
		this.#call = call;
		this.#config = config;
	}

	/** Before it runs: a command may change any file, unless the permission rules know that it only looks. */
	async begin(conversation: Conversation): Promise<void> {
		const { tool, input } = this.#call;
		if (tool.effect !== 'exec' || !this.#config.changes) return;
		if (!(await onlyLooks(askedCall(tool, input), this.#config, conversation)))
			await this.#keep(this.#call.subjects.join(' '));
	}

	/** Before it changes a file that it names. Tools write through links, so the file is the one behind them. */
	async file(path: string): Promise<void> {
		if (this.#config.changes) await this.#keep(path, await this.#config.host.files.real(path));
	}

	async end({ details }: ToolOutput): Promise<void> {
		const isRunning = isObject(details) && typeof details.backgroundTaskId === 'string';
		for (const end of this.#ends.splice(0)) await end(isRunning ? wentOn : undefined);
	}

	async #keep(what: string, path?: string): Promise<void> {
		const { id, tool } = this.#call;
		const within = this.#config.agent?.parent?.awaitedBy;
		const call = { id, tool: tool.name, what, ...(within === undefined ? {} : { within }) };
		const end = await this.#config.changes?.before(call, path);
		if (end) this.#ends.push(end);
	}
}
