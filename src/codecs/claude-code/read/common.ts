/** What the decoders of this format share: a line's id, parent, time and sub-agent, and its leftover fields. */
import type { Entry, EntryBase, JsonObject } from '../../../model/index.ts';
import { stringAt } from '../../../model/index.ts';
import { leftovers } from '../../shared/read/leftovers.ts';
import type { Line } from '../../shared/read/line.ts';

/** Fields that `base` gives a meaning to; every decoder adds its own to these. */
const baseFields = ['type', 'uuid', 'parentUuid', 'logicalParentUuid', 'timestamp', 'isSidechain', 'agentId'];

export function fields(...own: readonly string[]): ReadonlySet<string> {
	return new Set([...baseFields, ...own]);
}

const none = fields();

/** An entry for a line that the model has no names for: all its fields are left over. */
export function opaque(line: Line, value: JsonObject, type: string): Entry {
	return { ...base(line, value, none), kind: 'opaque', type };
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A time that every client can read; undefined for anything else. */
export function timeOf(text: string | undefined): string | undefined {
	return text !== undefined && isoTime.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The sub-agent that a line belongs to. Lines beside the graph state only `agentId`. */
function agentOf(value: JsonObject): string | undefined {
	if (value.isSidechain === true) return stringAt(value, 'agentId') ?? 'sidechain';
	return value.isSidechain === undefined && value.uuid === undefined ? stringAt(value, 'agentId') : undefined;
}

/**
 * Id, place in the graph, time, thread and leftovers of a line. `known` lists the fields that its entry has names for;
 * without it nothing is left over, because the entry holds the whole line.
 */
export function base(line: Line, value: JsonObject, known?: ReadonlySet<string>): EntryBase {
	const made: { -readonly [K in keyof EntryBase]: EntryBase[K] } = {
		id: entryId(line, value),
		records: [line.index],
	};
	if (typeof value.uuid === 'string') {
		made.parent = typeof value.parentUuid === 'string' ? value.parentUuid : null;
		if (typeof value.logicalParentUuid === 'string') made.logicalParent = value.logicalParentUuid;
	}
	const time = timeOf(stringAt(value, 'timestamp'));
	if (time !== undefined) made.time = time;
	const agent = agentOf(value);
	if (agent !== undefined) made.agent = agent;
	const extra = known && leftovers(value, known);
	if (extra !== undefined) made.extra = extra;
	return made;
}

function entryId(line: Line, value: JsonObject): string {
	return typeof value.uuid === 'string' ? value.uuid : `line:${line.line}`;
}
