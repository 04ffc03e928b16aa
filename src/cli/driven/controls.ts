/** The table of requests that a host may make, and which of them take effect at once instead of waiting for the prompts and requests before them. */

import { isAnswered } from '../../client/prompt-name.ts';
import type { ControlAnswer, ControlRequest } from '../../frames/control.ts';
import type { SentPrompt } from '../../frames/input.ts';
import { system } from '../../frames/news.ts';
import type { JsonObject } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import type { Reply, Served } from './driver.ts';
import { lookControls } from './look-controls.ts';
import { serverControls } from './server-controls.ts';
import type { Serving } from './serving.ts';
import { sessionControls } from './session-controls.ts';
import { steerControls } from './steer-controls.ts';

/** Answers one kind of request. `signal` says that its sender does not need the answer any more. */
export type Control = (body: JsonObject, serving: Serving, signal: AbortSignal) => Promise<Reply> | Reply;

export interface ControlTable {
	readonly [subtype: string]: Control;
}

const table: ControlTable = { ...steerControls, ...sessionControls, ...serverControls, ...lookControls };

/** All requests that are answered with more than a refusal. */
export const controlNames: readonly string[] = Object.keys(table);

/** Those that end something, and those that wait for a model or a server: nothing else waits for them. */
const atOnce: ReadonlySet<string> = new Set([
	...['interrupt', 'cancel_async_message', 'stop_task', 'mcp_message', 'end_session'],
	...['side_question', 'generate_session_title', 'mcp_call', 'mcp_read_resource'],
]);

export class Controls implements Served {
	readonly #serving: Serving;

	constructor(serving: Serving) {
		this.#serving = serving;
	}

	serve({ id, subtype, body }: ControlRequest, signal: AbortSignal): Promise<Reply> | Reply {
		const control = Object.hasOwn(table, subtype) ? table[subtype] : undefined;
		if (!control) throw new InputError('unsupported', `Unsupported control request subtype: ${subtype.slice(0, 100)}`);
		if (subtype === 'side_question')
			this.#serving.frames.send(system('control_request_progress', { request_id: id, status: 'started' }));
		return control(body, this.#serving, signal);
	}

	atOnce(subtype: string): boolean {
		return atOnce.has(subtype);
	}

	arrived({ prompt, uuid, asks, now }: SentPrompt, waits: boolean): void {
		const { client, frames } = this.#serving;
		if (uuid !== undefined) frames.lifecycle(uuid, 'queued');
		if (waits && asks) client.announce(prompt);
		if (now) client.interrupt();
	}

	rests(): void {
		this.#serving.frames.setState('idle');
	}

	works(): boolean {
		return this.#serving.frames.hasBackground;
	}

	async isAnswered(uuid: string): Promise<boolean> {
		const { client, frames } = this.#serving;
		const known = await isAnswered(uuid, client.station().session.handle);
		if (known) frames.lifecycle(uuid, 'completed');
		return known;
	}

	broken(problem: string): void {
		this.#serving.frames.note(problem, 'bad_input');
	}

	answered(answer: ControlAnswer): void {
		this.#serving.frames.echo(answer);
	}
}
