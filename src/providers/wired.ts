/** Puts a conversation into the shape of an API. A run sends it at every step, and only what is new is converted. */

import type { AgentMessage, JsonObject } from '../model/index.ts';
import { newestRules, type Target, type Wire } from '../wires/index.ts';
import { type Clean, Prepared } from './prepare.ts';

const rules = newestRules;

/** What each list of messages was converted to when it was last sent. */
const lists = new WeakMap<readonly AgentMessage[], Settled<unknown>>();

/** The conversation in the shape of an API, fit for the strictest server. The result is shared: copy to change it. */
export function wired<M>(wire: Wire<M>, messages: readonly AgentMessage[], target: Target): readonly M[] {
	const before = lists.get(messages) as Settled<M> | undefined; // used only if it is of the same wire
	lists.delete(messages); // a conversion that fails must not be continued
	const known = before?.beginsWith(wire, messages, target) ? before : new Settled(wire, target);
	const settled = known.settle(messages) ? known : new Settled(wire, target);
	const sent = settled.whole(messages);
	lists.set(messages, settled);
	return sent;
}

/** A message as it was converted: one whose content was replaced has to be converted again. */
interface Sight {
	readonly message: AgentMessage;
	readonly content: unknown;
	readonly length: number;
}

/**
 * The converted beginning of a conversation, up to the last reply that was sent with it. Later messages change it in
 * one way only: by answering a call that was open in it. Then, or when a message is not the one it was, everything is
 * converted anew.
 */
class Settled<M> {
	readonly #wire: Wire<M>;
	readonly #target: Target;
	readonly #seen: Sight[] = [];
	readonly #prepared: Prepared;
	readonly #sent: M[] = [];

	constructor(wire: Wire<M>, target: Target) {
		this.#wire = wire;
		this.#target = target;
		this.#prepared = new Prepared(target);
	}

	/** True when these messages begin with the converted ones. */
	beginsWith(wire: Wire<M>, messages: readonly AgentMessage[], { provider, api, model, images }: Target): boolean {
		const mine = this.#target;
		if (wire !== this.#wire || model !== mine.model || api !== mine.api) return false;
		if (provider !== mine.provider || images !== mine.images) return false;
		let at = 0;
		for (const sight of this.#seen) if (!isStill(sight, messages[at++])) return false;
		return true;
	}

	/** Converts what precedes the last reply for good. False when a message changes earlier ones: all is then redone. */
	settle(messages: readonly AgentMessage[]): boolean {
		if (this.#isChangedByRest(messages)) return false;
		const last = messages.findLastIndex(({ role }) => role === 'assistant');
		if (last <= this.#seen.length) return true;
		const added = messages.slice(this.#seen.length, last);
		const { count } = this.#prepared;
		for (const message of this.#shaped(this.#prepared.add(added), count)) this.#sent.push(message);
		for (const message of added) this.#seen.push(sightOf(message));
		return !this.#isChangedByRest(messages);
	}

	/** All messages in the shape of the API. */
	whole(messages: readonly AgentMessage[]): readonly M[] {
		const rest = this.#prepared.end(messages.slice(this.#seen.length));
		return [...this.#sent, ...this.#shaped(rest, this.#prepared.count)];
	}

	#isChangedByRest(messages: readonly AgentMessage[]): boolean {
		const rest = messages.slice(this.#seen.length) as readonly unknown[] as readonly JsonObject[];
		return rest.some((message) => this.#prepared.isChangedBy(message));
	}

	#shaped(clean: readonly Clean[], before: number): readonly M[] {
		const { messages, refused } = this.#wire(clean, this.#target, rules, before);
		if (refused !== undefined) throw new Error(`a conversation could not be sent: ${refused}`);
		return messages;
	}
}

function sightOf(message: AgentMessage): Sight {
	const { content } = message as { readonly content?: unknown };
	return { message, content, length: lengthOf(content) };
}

function isStill(sight: Sight, message: AgentMessage | undefined): boolean {
	if (message !== sight.message) return false;
	const { content } = message as { readonly content?: unknown };
	return content === sight.content && lengthOf(content) === sight.length;
}

function lengthOf(content: unknown): number {
	return typeof content === 'string' || Array.isArray(content) ? content.length : 0;
}
