/** Counts for hosts: the lines that tools have added and removed, and the sums of what models have used and cost. */
import type { RunResult } from '../../agent/config.ts';
import { addUsage, isObject, type Json, stringAt } from '../../model/index.ts';

export const noLines = { added: 0, removed: 0 };

/** The lines of a file that a tool has changed, as its result tells them. */
export function changedLines(details: Json | undefined): typeof noLines {
	// Of a file that is new there is no patch: all of it is added.
	const fresh = isObject(details) && details.type === 'create' ? stringAt(details, 'content') : undefined;
	if (fresh !== undefined) return { added: fresh === '' ? 0 : fresh.replace(/\n$/, '').split('\n').length, removed: 0 };
	const hunks = isObject(details) && Array.isArray(details.structuredPatch) ? details.structuredPatch : [];
	const lines = (hunks as readonly Json[])
		.filter(isObject)
		.flatMap(({ lines: all }) => (Array.isArray(all) ? all : []));
	const count = (sign: string): number =>
		lines.filter((line) => typeof line === 'string' && line.startsWith(sign)).length;
	return { added: count('+'), removed: count('-') };
}

/** What models have used before and since, added up by model. */
export function added(before: RunResult['models'], more: RunResult['models']): RunResult['models'] {
	const all = new Map(before);
	for (const [model, use] of more) {
		const known = all.get(model);
		const usage = known ? addUsage(known.usage, use.usage) : use.usage;
		all.set(model, { ...use, usage, costUsd: (known?.costUsd ?? 0) + use.costUsd });
	}
	return all;
}
