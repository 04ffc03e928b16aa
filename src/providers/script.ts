/** Scripts that are played in place of a model: which keys a turn may have, their defaults, and which turn answers a request. */
import { z } from 'zod';
import { compact } from '../model/index.ts';

const text = z.strictObject({ type: z.literal('text'), text: z.string(), signature: z.string().optional() });
const thinking = z.strictObject({
	type: z.literal('thinking'),
	thinking: z.string(),
	/** `null` leaves the thinking unsigned. */
	signature: z.string().nullable().optional(),
});
const hidden = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() });
const call = z.strictObject({
	type: z.literal('tool_use'),
	name: z.string().min(1),
	input: z.record(z.string(), z.json()).optional(),
	id: z.string().optional(),
	/** Sent instead of `input`; it may be broken JSON. */
	rawInput: z.string().optional(),
	signature: z.string().optional(),
});

const pattern = z.string().refine(isPattern, 'is not a regular expression');
const when = z.strictObject({
	first: pattern.optional(),
	last: pattern.optional(),
	any: pattern.optional(),
	not: pattern.optional(),
	system: pattern.optional(),
	model: pattern.optional(),
	path: pattern.optional(),
	/** The kind of sub-agent that asks; the session's own requests are of none. */
	agent: pattern.optional(),
	tools: z.boolean().optional(),
});

const count = z.int().nonnegative();
const usage = z.strictObject({
	input: count.optional(),
	output: count.optional(),
	cacheRead: count.optional(),
	cacheWrite: count.optional(),
	reasoning: count.optional(),
});
const error = z.strictObject({
	status: z.int().min(400).max(599).default(500),
	type: z.string().optional(),
	code: z.string().optional(),
	message: z.string().optional(),
	headers: z.record(z.string(), z.string()).optional(),
	body: z.json().optional(),
});
const cut = z.strictObject({
	chunks: count.optional(),
	blocks: count.optional(),
	/** How the stream ends: the connection closes or hangs, an error comes, or it ends as if complete. */
	how: z.enum(['close', 'hang', 'error', 'end']).default('close'),
	error: error.partial().optional(),
});

const turn = z.strictObject({
	/** A string that the request contains, or patterns. Absent: any request. */
	when: z.union([z.string(), when]).optional(),
	/** True for a turn that can be played again and again. */
	repeat: z.boolean().optional(),
	text: z.string().optional(),
	content: z.array(z.discriminatedUnion('type', [text, thinking, hidden, call])).optional(),
	stop: z.string().optional(),
	usage: usage.optional(),
	error: error.optional(),
	delayMs: count.optional(),
	/** How many characters a piece has. */
	chunk: z.int().positive().optional(),
	chunkDelayMs: count.optional(),
	cut: cut.optional(),
	headers: z.record(z.string(), z.string()).optional(),
});

const script = z.strictObject({
	turns: z.array(turn),
	/** The turn for requests after all others are used up. */
	default: turn.optional(),
});

/** The keys that a turn may have: documents list them. */
export const turnKeys: readonly string[] = Object.keys(turn.shape);

export type ScriptTurn = z.infer<typeof turn>;
/** A turn as people write it: fields with a default may be missing. */
export type ScriptTurnInput = z.input<typeof turn>;
export type ScriptBlock = NonNullable<ScriptTurn['content']>[number];
/** An error, any field of which may be missing. */
export type ScriptError = { readonly [K in keyof z.infer<typeof error>]?: z.infer<typeof error>[K] | undefined };
export type ScriptUsage = { readonly [K in keyof z.infer<typeof usage>]-?: number };
export type Script = z.output<typeof script>;
/** A script as people write it; a list of turns is one too. */
export type ScriptInput = z.input<typeof script> | z.input<typeof turn>[];

export type ParsedScript =
	| { readonly ok: true; readonly script: Script }
	| { readonly ok: false; readonly problem: string };

export function parseScript(value: unknown): ParsedScript {
	const parsed = script.safeParse(Array.isArray(value) ? { turns: value } : value);
	if (parsed.success) return { ok: true, script: parsed.data };
	const [first] = parsed.error.issues;
	return { ok: false, problem: first ? problemOf(first, []) : parsed.error.message };
}

/** The first problem and where it is: of several alternatives, what is wrong with the last. */
function problemOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string {
	const path = [...above, ...issue.path];
	const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined;
	if (inner) return problemOf(inner, path);
	const where = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
	// A key of a turn, not of a part of it: whoever guessed one should see which there are.
	const isOfTurn = issue.code === 'unrecognized_keys' && /^\.(turns\[\d+\]|default)$/.test(where);
	const known = isOfTurn ? ` (a turn has ${turnKeys.join(', ')})` : '';
	return `${where.replace(/^\./, '') || 'the script'}: ${issue.message}${known}`;
}

function isPattern(source: string): boolean {
	try {
		return new RegExp(source) instanceof RegExp;
	} catch {
		return false;
	}
}

/** What the conditions of a script look at. */
export interface Asked {
	/** The whole request as text. */
	readonly raw: string;
	/** The user's texts, in order. */
	readonly prompts: readonly string[];
	readonly system: string;
	readonly model: string;
	readonly path: string;
	readonly agent?: string;
	readonly tools: boolean;
}

/** Gives each request the first turn that fits and is not used up; undefined where there is none. */
export class Playback {
	readonly #script: Script;
	/** The turns that were used, by index: a script may hold the same turn twice. */
	readonly #used = new Set<number>();

	constructor(script: Script) {
		this.#script = script;
	}

	next(asked: Asked): ScriptTurn | undefined {
		const at = this.#script.turns.findIndex((one, index) => !this.#used.has(index) && fits(one.when, asked));
		const found = this.#script.turns[at];
		if (found && !found.repeat) this.#used.add(at);
		return found ?? this.#script.default;
	}
}

function fits(when: ScriptTurn['when'], asked: Asked): boolean {
	if (when === undefined) return true;
	if (typeof when === 'string') return asked.raw.includes(when);
	const matches = (source: string | undefined, value = ''): boolean =>
		source === undefined || new RegExp(source).test(value);
	return (
		(when.tools === undefined || when.tools === asked.tools) &&
		matches(when.first, asked.prompts[0]) &&
		matches(when.last, asked.prompts.at(-1)) &&
		matches(when.any, asked.raw) &&
		matches(when.system, asked.system) &&
		matches(when.model, asked.model) &&
		matches(when.path, asked.path) &&
		matches(when.agent, asked.agent) &&
		(when.not === undefined || !new RegExp(when.not).test(asked.raw))
	);
}

const defaultUsage: ScriptUsage = { input: 120, output: 45, cacheRead: 10, cacheWrite: 5, reasoning: 7 };
const noUsage: ScriptUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const defaultChunk = 24;

/** A turn with its defaults filled in. */
export interface Played {
	readonly content: readonly ScriptBlock[];
	readonly stop: string;
	readonly usage: ScriptUsage;
	readonly chunk: number;
}

/** Fills in the defaults of a turn. `nextId` names calls that the script does not name. */
export function playedTurn(turn: ScriptTurn, nextId: () => string): Played {
	const content = (turn.content ?? [{ type: 'text', text: turn.text ?? 'ok' } as const]).map((block) => {
		if (block.type === 'tool_use') return { ...block, id: block.id ?? nextId() };
		if (block.type !== 'thinking' || block.signature !== undefined) return block;
		return { ...block, signature: Buffer.from(`signature:${block.thinking}`).toString('base64') };
	});
	const stop = turn.stop ?? (content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');
	// Numbers are invented where a turn gives none at all; whoever gives some means all of them.
	const usage = turn.usage ? { ...noUsage, ...compact(turn.usage) } : defaultUsage;
	return { content, stop, usage, chunk: turn.chunk ?? defaultChunk };
}

/** Counts what was streamed, and tells when the script wants the stream to break off. */
export class CutWatch {
	readonly #cut: ScriptTurn['cut'];
	#chunks = 0;
	#blocks = 0;

	constructor({ cut }: ScriptTurn) {
		this.#cut = cut;
	}

	/** How the stream ends here; undefined while it goes on. */
	due(): NonNullable<ScriptTurn['cut']>['how'] | undefined {
		const { chunks = Number.POSITIVE_INFINITY, blocks = Number.POSITIVE_INFINITY, how } = this.#cut ?? {};
		return this.#chunks >= chunks || this.#blocks >= blocks ? how : undefined;
	}

	count({ chunk, block }: { readonly chunk?: boolean; readonly block?: boolean }): void {
		if (chunk) this.#chunks++;
		if (block) this.#blocks++;
	}

	get error(): ScriptError {
		return { status: 529, message: 'Overloaded', ...compact(this.#cut?.error ?? {}) };
	}
}

/** Splits a text into pieces of whole characters. An empty text gives one empty piece. */
export function pieces(text: string, size: number): readonly string[] {
	const characters = Array.from(text);
	const result: string[] = [];
	for (let i = 0; i < characters.length; i += size) result.push(characters.slice(i, i + size).join(''));
	return result.length > 0 ? result : [''];
}
