/** The lines of a Claude Code file as repair sees them: all of the graph, or those of the conversation. */
import { type JsonObject, stringAt } from '../../../model/index.ts';
import type { Edits } from '../../shared/check/repair.ts';
import { type Link, type LinkKeys, Links } from '../../shared/check/repair-links.ts';
import { positionOf } from '../../shared/read/line.ts';
import { valueIndex } from '../../shared/read/line-index.ts';
import type { Path } from '../../shared/write/json-edit.ts';
import { lastLeaf } from '../context/leaf.ts';
import { Lines } from '../context/lines.ts';
import { wayIn } from '../context/path-2-1-325.ts';

const keys: LinkKeys = { id: 'uuid', empty: true, parentKey: () => 'parentUuid' };

/** The path of a message's blocks in a line. */
export const inMessage: Path = ['message', 'content'];

export function isMessage(value: JsonObject): boolean {
	return value.type === 'user' || value.type === 'assistant';
}

/** Every line of the graph, in all threads. */
export function allLinks(edits: Edits): Links {
	return new Links(edits, keys, (value) => typeof value.uuid === 'string');
}

/** The lines of the conversation that is continued: the main one, or the agent's in a sub-agent's file. */
export function threadLinks(edits: Edits): Links {
	const main = edits.file.lines.some(({ index }) => {
		const value = edits.value(index);
		return value !== undefined && isMessage(value) && value.isSidechain !== true;
	});
	return new Links(edits, keys, (value) => typeof value.uuid === 'string' && (!main || value.isSidechain !== true));
}

/** A line's time in milliseconds; NaN where there is none. */
export function timeOf(value: JsonObject): number {
	const time = stringAt(value, 'timestamp');
	return time === undefined ? Number.NaN : Date.parse(time);
}

export function isoTime(ms: number): string {
	const time = new Date(ms);
	return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}

/** The fields that every line of a session repeats, taken from one of them. */
export function envelopeOf(value: JsonObject): JsonObject {
	const names = [
		'isSidechain',
		'userType',
		'entrypoint',
		'cwd',
		'sessionId',
		'version',
		'gitBranch',
		'slug',
		'agentId',
	];
	return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}

/** The last message that 2.1.325 continues from; in a sub-agent's file, which it does not continue, the last line. */
export function lastSaid(links: Links, edits: Edits): Link | undefined {
	return linked(links, edits, (lines) => {
		const { leaf } = wayIn(lines);
		return leaf === 'nothing' ? undefined : leaf?.message;
	});
}

/** The line that the client would go on from without a pointer. */
export function lastLink(links: Links, edits: Edits): Link | undefined {
	return linked(links, edits, (lines) => lastLeaf(lines, wayIn(lines).links)?.line);
}

function linked(links: Links, edits: Edits, choose: (lines: Lines) => number | undefined): Link | undefined {
	const records = edits.file.lines.flatMap((line) => {
		const value = edits.value(line.index);
		return value ? [{ value, at: positionOf(line) }] : [];
	});
	const chosen = choose(new Lines(valueIndex(records)));
	return links.at(records[chosen ?? -1]?.at.index ?? -1) ?? (isOfAgent(links) ? links.all.at(-1) : undefined);
}

function isOfAgent(links: Links): boolean {
	return links.all.every((link) => link.value.isSidechain === true);
}
