/** The lines of a Claude Code file as repair follows them: all of them, or those of the conversation. */
import { type JsonObject, stringAt } from '../../model/index.ts';
import type { Edits } from '../repair.ts';
import { type Link, type LinkKeys, Links } from '../repair-links.ts';

const keys: LinkKeys = { id: 'uuid', empty: true, parentKey: () => 'parentUuid' };

export function isMessage(value: JsonObject): boolean {
	return value.type === 'user' || value.type === 'assistant';
}

/** Every line of the graph, whoever's. */
export function allLinks(edits: Edits): Links {
	return new Links(edits, keys, (value) => typeof value.uuid === 'string');
}

/** The conversation that is continued: the main one, or in a sub-agent's file the agent's. */
export function threadLinks(edits: Edits): Links {
	const main = edits.file.lines.some(({ index }) => {
		const value = edits.value(index);
		return value !== undefined && isMessage(value) && value.isSidechain !== true;
	});
	return new Links(edits, keys, (value) => typeof value.uuid === 'string' && (!main || value.isSidechain !== true));
}

/** Milliseconds; NaN where there is no time. */
export function timeOf(value: JsonObject): number {
	const time = stringAt(value, 'timestamp');
	return time === undefined ? Number.NaN : Date.parse(time);
}

export function isoTime(ms: number): string {
	const time = new Date(ms);
	return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}

/** What every line of a session says about itself, taken from one of them. */
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

/** The line that 2.1.325 continues after: the last leaf, or the last one below the line that the last pointer names. */
export function leafOf(links: Links, edits: Edits): Link | undefined {
	const parents = new Set(links.all.map((link) => link.parent));
	const leaves = links.all.filter((link) => !parents.has(link.id ?? null));
	const pointer = edits.file.lines.findLast(({ value }) => value?.type === 'last-prompt');
	const target = pointer?.value && links.get(stringAt(pointer.value, 'leafUuid'));
	if (!target) return leaves.at(-1) ?? links.all.at(-1);
	const from = pointer?.value?.explicit === true ? pointer.index : -1;
	return leaves.findLast((leaf) => leaf.index > from && links.isBelow(leaf, target)) ?? target;
}
