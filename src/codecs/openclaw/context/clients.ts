/** The versions of pi and OpenClaw whose resume rules are known, how these differ, and which apply to a version in between. */
import type { WireRules } from '../../../wires/index.ts';

/** Versions, oldest first: `0.…` are pi's, years are OpenClaw's. */
export const clients = ['0.73.1', '0.87.1', '2026.7.1', '2026.9.6'] as const;

export type ClientVersion = (typeof clients)[number];

/** OpenClaw (`openclaw`) has its own rule for the leaf and cleans the history; `modern` clients know context edits. */
export interface Rules extends WireRules {
	readonly client: ClientVersion;
	/** True where OpenClaw removes calls of tools that it does not have, and rewrites tool call ids. */
	readonly ownTools: boolean;
}

const rules: { readonly [C in ClientVersion]: Rules } = {
	'0.73.1': { client: '0.73.1', openclaw: false, modern: false, ownTools: false, namesCalls: true },
	'0.87.1': { client: '0.87.1', openclaw: false, modern: true, ownTools: false, namesCalls: true },
	'2026.7.1': { client: '2026.7.1', openclaw: true, modern: true, ownTools: true, namesCalls: false },
	'2026.9.6': { client: '2026.9.6', openclaw: true, modern: true, ownTools: false, namesCalls: true },
};

/** The rules of a version, or of the nearest known one: the newest that is not newer, else that program's oldest. */
export function rulesOf(version: string): Rules {
	if (!/\d/.test(version)) return rules['0.87.1'];
	const wanted = numbers(version);
	const openclaw = isYear(wanted);
	const same = clients.filter((client) => isYear(numbers(client)) === openclaw);
	const fits = same.filter((client) => !isNewer(numbers(client), wanted));
	return rules[fits.at(-1) ?? same[0] ?? '0.87.1'];
}

function numbers(version: string): readonly number[] {
	return version.split(/[.-]/, 3).map((part) => Number.parseInt(part, 10) || 0);
}

function isYear(version: readonly number[]): boolean {
	return (version[0] ?? 0) >= 2000;
}

function isNewer(a: readonly number[], b: readonly number[]): boolean {
	for (let i = 0; i < 3; i++) {
		const difference = (a[i] ?? 0) - (b[i] ?? 0);
		if (difference !== 0) return difference > 0;
	}
	return false;
}
