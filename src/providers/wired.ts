/** A conversation in the shape of an API. It is sent again with every step of a run, and only what is new of it is converted. */

import type { AgentMessage, JsonObject } from '../model/index.ts';
import { newestRules, type Target, type Wire } from '../wires/index.ts';
import { type Clean, Prepared } from './prepare.ts';

const rules = newestRules;

/** What a list of messages became when it was last sent. */
const lists = new WeakMap<readonly AgentMessage[], Settled<unknown>>();

/** The conversation in the shape of one API, fit for the strictest server that speaks it. Whoever changes it makes a copy. */
export function wired<M>(wire: Wire<M>, messages: readonly AgentMessage[], target: Target): readonly M[] {
	const before = lists.get(messages) as Settled<M> | undefined; // of the same wire, or it is not used
	lists.delete(messages); // what fails half way is not gone on from
	const known = before?.beginsWith(wire, messages, target) ? before : new Settled(wire, target);
	const settled = known.settle(messages) ? known : new Settled(wire, target);
	const sent = settled.whole(messages);
	lists.set(messages, settled);
	return sent;
}

/** A message as it was: one that got another content is looked at again. */
interface Sight {
	readonly message: AgentMessage;
	readonly content: unknown;
	readonly length: number;
}

/**
 * The beginning of a conversation, up to the last reply that was sent with it. What comes later can change it in one way only: by
 * answering a call that was left open in it. Then, and when a message is not the one that it was, all is converted anew.
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

	/** Whether these messages begin with those that are settled. */
	beginsWith(wire: Wire<M>, messages: readonly AgentMessage[], { provider, api, model, images }: Target): boolean {
		const mine = this.#target;
		if (wire !== this.#wire || model !== mine.model || api !== mine.api) return false;
		if (provider !== mine.provider || images !== mine.images) return false;
		let at = 0;
		for (const sight of this.#seen) if (!isStill(sight, messages[at++])) return false;
		return true;
	}

	/** Settles what comes before the last reply. False when a message changes what it follows: this is of no use then. */
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

	/** All messages as they are sent. */
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
