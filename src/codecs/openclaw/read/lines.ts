/** Decodes one line: what each record type of the clients means. */
import {
	compact,
	type Entry,
	type EntryBase,
	isObject,
	type Json,
	type JsonObject,
	type MessageEntry,
	numberAt,
	type Settings,
	stringAt,
	stringsIn,
} from '../../../model/index.ts';
import { isDeep } from '../../shared/read/deep.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import { type Meaning, readContent, readCustom, readMessage } from './messages.ts';
import { costFrom, type Kept, keep, usageFrom } from './values.ts';

/** What depends on a line's place in the file. */
export interface LinePlace {
	readonly id: string;
	readonly parent: string | null;
	readonly time: string | undefined;
	readonly record: number;
	/** The entry that a version 1 compaction counts to. */
	keptFrom(index: number): string | undefined;
}

/** The entry of a line that wraps something, by its type. */
export function readLine(type: string, line: JsonObject, place: LinePlace): Entry {
	switch (type) {
		case 'message':
			return isObject(line.message)
				? messageEntry(line.message, place, leftovers(line, messageLineFields))
				: opaque(type, line, place);
		case 'custom_message':
			return entryOf(readCustom(line, withLine(leftovers(line, customMessageFields))), place);
		case 'model_change':
			return setting(line, place, modelFields, {
				model: stringAt(line, 'modelId'),
				provider: stringAt(line, 'provider'),
			});
		case 'thinking_level_change':
			return setting(line, place, thinkingFields, { thinking: stringAt(line, 'thinkingLevel') });
		case 'session_info':
			return setting(line, place, infoFields, { title: stringAt(line, 'name')?.trim() || null });
		case 'active_tools_change':
			return toolsChange(line, place);
		case 'compaction':
			return compaction(line, place);
		case 'reset':
			return { ...base(place, withLine(leftovers(line, lineFields))), kind: 'compaction', trigger: 'reset' };
		case 'branch_summary':
			return branchSummary(line, place);
		default:
			return readAside(type, line, place);
	}
}

/** The entry of a line about others, or one that says nothing to the model. */
function readAside(type: string, line: JsonObject, place: LinePlace): Entry {
	const target = stringAt(line, 'targetId');
	switch (type) {
		case 'label': {
			if (target === undefined) return opaque(type, line, place);
			const kept = withLine(leftovers(line, labelFields));
			return { ...base(place, kept), kind: 'label', target, text: stringAt(line, 'label') || null };
		}
		case 'leaf':
			if (target === undefined && line.targetId !== null) return opaque(type, line, place);
			return leaf(line, place, target ?? null);
		case 'context_edit':
			if (target === undefined) return opaque(type, line, place);
			return contextEdit(line, place, target);
		case 'custom': {
			const of = stringAt(line, 'customType') ?? '';
			const event = { type: 'custom', of, ...compact({ data: line.data }) } as const;
			return { ...base(place, withLine(leftovers(line, customFields))), kind: 'event', event };
		}
		case 'usage':
			return usageLine(line, place);
		default:
			return opaque(type, line, place);
	}
}

/** The entry of a message, on a line of its own or wrapped in one. */
export function messageEntry(message: JsonObject, place: LinePlace, line?: JsonObject): Entry {
	const meaning = readMessage(message);
	if (meaning) return entryOf(meaning, place, line);
	const kept = line === undefined ? { message } : { message, line };
	return {
		...base(place, kept),
		kind: 'event',
		event: { type: 'custom', of: stringAt(message, 'role') ?? '', data: message },
	};
}

/** All fields are written out for speed, because nearly every line of a session passes here. */
function entryOf(meaning: Meaning, place: LinePlace, line?: JsonObject): Entry {
	const { kept, response, audience, origin } = meaning;
	const entry: { -readonly [K in keyof MessageEntry]: MessageEntry[K] } = {
		id: place.id,
		parent: place.parent,
		records: [place.record],
		kind: 'message',
		role: meaning.role,
		content: meaning.content,
	};
	if (place.time !== undefined) entry.time = place.time;
	const extra = keep(line === undefined ? kept : { ...kept, line });
	if (extra) entry.extra = extra;
	if (response) entry.response = response;
	if (audience) entry.audience = audience;
	if (origin !== undefined) entry.origin = origin;
	return entry;
}

function base(place: LinePlace, kept: Kept): EntryBase {
	const entry: { -readonly [K in keyof EntryBase]: EntryBase[K] } = {
		id: place.id,
		parent: place.parent,
		records: [place.record],
	};
	if (place.time !== undefined) entry.time = place.time;
	const extra = keep(kept);
	if (extra) entry.extra = extra;
	return entry;
}

function withLine(line: JsonObject | undefined): Kept {
	return line === undefined ? {} : { line };
}

const common = ['type', 'id', 'parentId', 'timestamp'];
const lineFields = new Set(common);
const messageLineFields = new Set([...common, 'message']);
const customMessageFields = new Set([...common, 'customType', 'content', 'display']);
const customFields = new Set([...common, 'customType', 'data']);
const modelFields = new Set([...common, 'provider', 'modelId']);
const thinkingFields = new Set([...common, 'thinkingLevel']);
const infoFields = new Set([...common, 'name']);
const toolsFields = new Set([...common, 'activeToolNames']);
const labelFields = new Set([...common, 'targetId', 'label']);
const leafFields = new Set(['type', 'id', 'timestamp', 'targetId']);
const editFields = new Set([...common, 'targetId', 'replacement']);
const compactionFields = new Set([...common, 'summary', 'firstKeptEntryId', 'firstKeptEntryIndex', 'tokensBefore']);
const branchFields = new Set([...common, 'fromId', 'summary']);
const usageFields = new Set([...common, 'kind', 'provider', 'model']);

/** An opaque entry with everything of its line, so that it can be written again. */
export function opaque(type: string, line: JsonObject, place: LinePlace): Entry {
	const rest = leftovers(line, lineFields);
	return { ...base(place, withLine(rest && isDeep(rest) ? undefined : rest)), kind: 'opaque', type };
}

function setting(
	line: JsonObject,
	place: LinePlace,
	fields: ReadonlySet<string>,
	values: { readonly [K in keyof Settings]: Settings[K] | undefined },
): Entry {
	return { ...base(place, withLine(leftovers(line, fields))), kind: 'setting', set: compact(values) as Settings };
}

/** A change of tools, marked as our own: no other format has such a line, so only then is it written again. */
function toolsChange(line: JsonObject, place: LinePlace): Entry {
	const entry = base(place, { line: leftovers(line, toolsFields) ?? {} });
	return { ...entry, kind: 'setting', set: { tools: stringsIn(line.activeToolNames) } };
}

function compaction(line: JsonObject, place: LinePlace): Entry {
	const index = numberAt(line, 'firstKeptEntryIndex');
	const keptFrom = stringAt(line, 'firstKeptEntryId') ?? (index === undefined ? undefined : place.keptFrom(index));
	const said = { summary: stringAt(line, 'summary'), keptFrom, tokensBefore: numberAt(line, 'tokensBefore') };
	return { ...base(place, withLine(leftovers(line, compactionFields))), kind: 'compaction', ...compact(said) };
}

function branchSummary(line: JsonObject, place: LinePlace): Entry {
	const from = stringAt(line, 'fromId');
	const entry = {
		...base(place, withLine(leftovers(line, branchFields))),
		kind: 'summary' as const,
		of: 'branch' as const,
		text: stringAt(line, 'summary') ?? '',
	};
	return from === undefined || from === 'root' ? entry : { ...entry, leaf: from };
}

/** A leaf record. Its parent is its target, because what follows it follows the target; the line's own is kept. */
function leaf(line: JsonObject, place: LinePlace, target: string | null): Entry {
	return { ...base({ ...place, parent: target }, withLine(leftovers(line, leafFields))), kind: 'leaf', target };
}

function contextEdit(line: JsonObject, place: LinePlace, target: string): Entry {
	const replacement = isObject(line.replacement) ? readContent(line.replacement.content).content : null;
	return { ...base(place, withLine(leftovers(line, editFields))), kind: 'edit', target, replacement };
}

function usageLine(line: JsonObject, place: LinePlace): Entry {
	const event = usageEvent(stringAt(line, 'kind'), line.usage, stringAt(line, 'provider'), stringAt(line, 'model'));
	if (event === undefined) return opaque('usage', line, place);
	return { ...base(place, withLine(leftovers(line, usageFields))), kind: 'event', event };
}

function usageEvent(of: string | undefined, value: Json | undefined, provider?: string, model?: string) {
	const usage = usageFrom(value);
	if (usage === undefined) return undefined;
	return { type: 'usage' as const, usage, ...compact({ of, provider, model, costUsd: costFrom(value) }) };
}

/** The tokens that a line spent beside a reply, for a summary or inside a tool, as an entry of their own. */
export function spentBy(type: string, line: JsonObject, place: LinePlace): Entry | undefined {
	let value: Json | undefined;
	if (type === 'compaction' || type === 'branch_summary') value = line.usage;
	else if (isObject(line.message) && line.message.role === 'toolResult') value = line.message.usage;
	const event = usageEvent(type, value);
	if (event === undefined) return undefined;
	const { parent: _, ...rest } = base({ ...place, id: `${place.id}:usage` }, { part: true });
	return { ...rest, kind: 'event', event };
}
