/** Makes any conversation one that a strict server accepts, before a wire gives it the shape of an API. */
// Whatever a file holds: calls have one result right behind them, nothing is blank, the user speaks first and last.
import { type AgentMessage, type JsonObject, stringAt } from '../model/index.ts';
import { plainMessage, type Target } from '../wires/index.ts';
import { type ApiLimits, limitsOf } from './api-limits.ts';
import { type Block, cleanBlocks } from './prepare-blocks.ts';
import { Ids, settleCalls } from './prepare-calls.ts';

/** A message with valid content. */
export interface Clean extends JsonObject {
	readonly role: 'user' | 'assistant' | 'toolResult';
	readonly content: readonly Block[];
}

/** A conversation as far as it is prepared, with what preparing the rest depends on. */
export class Prepared {
	readonly #target: Target;
	readonly #limits: ApiLimits;
	readonly #ids: Ids;
	/** The session's ids of calls whose results did not come. */
	readonly #open = new Set<string>();
	#count = 0;
	#last: Clean | undefined;

	constructor(target: Target) {
		this.#target = target;
		this.#limits = limitsOf(target);
		this.#ids = new Ids(this.#limits);
	}

	/** How many messages were made so far. */
	get count(): number {
		return this.#count;
	}

	/** True for the result of a call that had none, which changes messages made before. */
	isChangedBy(message: JsonObject): boolean {
		return message.role === 'toolResult' && this.#open.has(stringAt(message, 'toolCallId') ?? '');
	}

	/** Prepares the next messages, to which more will be added. */
	add(messages: readonly AgentMessage[]): readonly Clean[] {
		const { settled, open } = this.#settle(messages, this.#ids);
		for (const id of open) this.#open.add(id);
		const made = this.#begun(settled);
		this.#count += made.length;
		this.#last = made.at(-1) ?? this.#last;
		return made;
	}

	/** Prepares the last messages without keeping them: other messages may be the last next time. */
	end(messages: readonly AgentMessage[]): readonly Clean[] {
		const { settled } = this.#settle(messages, new Ids(this.#limits, this.#ids));
		const begun = this.#last === undefined && settled.length === 0 ? [opening] : this.#begun(settled);
		const last = begun.at(-1) ?? this.#last;
		return last?.role === 'assistant' ? [...begun, closing] : begun;
	}

	#settle(messages: readonly AgentMessage[], ids: Ids): { settled: readonly Clean[]; open: readonly string[] } {
		const clean = messages.flatMap((message) => cleaned(message as unknown as JsonObject, this.#target, this.#limits));
		const { messages: settled, open } = settleCalls(clean, ids, this.#limits);
		return { settled: settled.filter((message) => message.role === 'toolResult' || hasContent(message)), open };
	}

	/** The messages with one of the user's first. */
	#begun(messages: readonly Clean[]): readonly Clean[] {
		const [first] = messages;
		return this.#last === undefined && first !== undefined && first.role !== 'user' ? [opening, ...messages] : messages;
	}
}

function cleaned(input: JsonObject, target: Target, limits: ApiLimits): readonly Clean[] {
	const message = plainMessage(input);
	if (message === undefined) return [];
	const role = message.role as Clean['role'];
	return [{ ...message, role, content: cleanBlocks(message, target, limits) }];
}

function hasContent(message: Clean): boolean {
	return message.content.length > 0;
}

/** Stands where the API wants a message of the user and there is none. */
const opening: Clean = { role: 'user', content: [{ type: 'text', text: '(The conversation begins here.)' }] };
const closing: Clean = { role: 'user', content: [{ type: 'text', text: '(Go on.)' }] };

/** Joins consecutive messages of one role, for APIs that want the roles to alternate. */
export function joined<
	K extends string,
	T extends { readonly role: string } & { readonly [P in K]: readonly unknown[] },
>(turns: readonly T[], key: K): readonly T[] {
	const result: T[] = [];
	for (const turn of turns) {
		const last = result.at(-1);
		if (last?.role === turn.role) result[result.length - 1] = { ...last, [key]: [...last[key], ...turn[key]] };
		else result.push(turn);
	}
	return result;
}
