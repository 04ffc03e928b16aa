/** What Cline sends when it resumes a session, step by step: whether a compaction sidecar is used, what is only shown, and when it refuses. */
import { compact, type EntryId, isObject, type JsonObject, stringAt } from '../../../model/index.ts';
import type { Context, ContextOptions } from '../../shared/context/context.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import { compactionFits, parseCompaction } from '../read/compaction.ts';
import { entryNames } from '../read/entry-ids.ts';
import { answeredBy, looksLegacy } from '../read/vscode.ts';
import { type ClientRules, rulesOf } from './clients.ts';
import { legacyMessages } from './legacy.ts';
import { prepareTurns } from './prepare.ts';
import { notAnObject, refusalOf, unreadable } from './refusals.ts';
import { type Held, heldMessages } from './runtime-messages.ts';
import { staleReads } from './stale-reads.ts';
import { isResult, type Named, type Part, type Turn } from './turns.ts';
import { wireMessages } from './wire.ts';

export const envelope: readonly string[] = ['id', 'metadata.displayOnly'];

export function build(index: LineIndex, options: ContextOptions): Context {
	const rules = rulesOf(options.client ?? writtenBy(index));
	try {
		return buildBy(index, options, rules);
	} catch (error) {
		// The client walks through such values in the same way, and its stack overflows too.
		if (!(error instanceof RangeError) || !error.message.includes('call stack')) throw error;
		return refused(rules, 'something in it is nested too deeply');
	}
}

function refused(rules: ClientRules, reason: string): Context {
	return { client: rules.version, messages: [], from: [], refused: reason };
}

function writtenBy(index: LineIndex): string | undefined {
	const origin = index.document?.header?.origin;
	return isObject(origin) ? stringAt(origin, 'version') : undefined;
}

function buildBy(index: LineIndex, options: ContextOptions, rules: ClientRules): Context {
	const broken = unreadable(index);
	if (broken !== undefined) return refused(rules, broken);
	const read = readMessages(index, options.at);
	if (!read) return refused(rules, `there is no message ${options.at} in it`);
	const legacy = index.document?.header === undefined && read.some(({ message }) => looksLegacy(message));
	const named = legacy ? legacyMessages(read, options.side?.index) : read;
	const messages = named.map(({ message }) => message);
	const sidecar = legacy ? undefined : sidecarFor(messages, options);
	const reason =
		(legacy ? undefined : notAnObject(index)) ?? refusalOf([...messages, ...(sidecar?.messages ?? [])], rules);
	if (reason !== undefined) return refused(rules, reason);
	const idOf = namer(named, read);
	const turns = sentTurns(messages, sidecar, idOf);
	const last = sidecar && heldMessages(messages)[sidecar.count - 1]?.of;
	const compacted = compact({ compacted: last && idOf(last) });
	return { client: rules.version, ...wireMessages(turns, rules), ...told(index, read, sidecar), ...compacted };
}

function sentTurns(messages: readonly JsonObject[], sidecar: Sidecar | undefined, idOf: IdOf): readonly Turn[] {
	const held = heldMessages(messages);
	const whole = turnsOf(held, idOf);
	const stale = staleReads(whole);
	if (!sidecar) return prepareTurns(whole, stale);
	const turns = turnsOf([...heldMessages(sidecar.messages), ...held.slice(sidecar.count)], idOf);
	return prepareTurns(turns, staleReads(turns, stale));
}

type IdOf = (message: JsonObject) => EntryId | undefined;

/** Finds the entry of a message. For one of a sidecar it is known only if the session has a message with its id. */
function namer(named: readonly Named[], read: readonly Named[]): IdOf {
	const ids = new Map(named.map(({ message, id }) => [message, id]));
	const known = new Set(read.map(({ id }) => id));
	return (message) => {
		const own = stringAt(message, 'id');
		return ids.get(message) ?? (own !== undefined && known.has(own) ? own : undefined);
	};
}

/** The messages up to `at`, without those that are only shown; undefined when `at` does not exist. */
function readMessages(index: LineIndex, at: EntryId | undefined): readonly Named[] | undefined {
	const name = entryNames();
	const found: Named[] = [];
	const place = placesOf(index);
	for (let line = 0; line < index.length; line += 1) {
		const id = name(index.field(line, 'id'), place(line));
		if (index.field(line, 'metadata.displayOnly') !== true) found.push({ message: index.value(line), id });
		if (id === at) return found;
	}
	return at === undefined ? found : undefined;
}

/** The place of a line's message among all elements, including those that are no objects. */
function placesOf(index: LineIndex): (line: number) => number {
	const places = new Map<number, number>();
	index.records?.((record) => Boolean(places.set(record.index, places.size)));
	return (line) => places.get(index.position(line).index) ?? line;
}

interface Sidecar {
	readonly count: number;
	readonly messages: readonly JsonObject[];
	readonly system: string | undefined;
}

function sidecarFor(messages: readonly JsonObject[], options: ContextOptions): Sidecar | undefined {
	const value = options.side?.compaction && parseCompaction(options.side.compaction);
	if (!value || !compactionFits(value, messages)) return undefined;
	return {
		count: value.source_message_count,
		messages: value.messages as readonly unknown[] as readonly JsonObject[],
		system: value.system_prompt,
	};
}

/** Turns of messages: consecutive results are one turn, every other message is one. */
function turnsOf(messages: readonly Held[], idOf: IdOf): readonly Turn[] {
	const turns: (Turn & { readonly parts: Part[] })[] = [];
	/** The user's last turn while results can be added to it, even if it is empty. */
	let answer: Part[] | undefined;
	for (const held of messages) {
		const from = compact({ from: idOf(held.of) });
		const parts = held.content.map((block) => ({ block, ...from }));
		const results = parts.every(isResult);
		if (answer && results && parts.length > 0) {
			for (const part of parts) answer.push(part);
			continue;
		}
		const role = held.role === 'assistant' ? 'assistant' : 'user';
		turns.push({ role, parts, ...from });
		answer = results && role === 'user' ? parts : undefined;
	}
	return turns;
}

/** What the file and its sidecar add to the request beside messages. */
function told(
	index: LineIndex,
	read: readonly Named[],
	sidecar: Sidecar | undefined,
): Pick<Context, 'model' | 'provider' | 'system'> {
	const header = index.document?.header;
	const system = sidecar?.system ?? (header && stringAt(header, 'system_prompt'));
	const last = read.findLast(({ message }) => answeredBy(message).model !== undefined);
	return compact({ ...(last && answeredBy(last.message)), system });
}
