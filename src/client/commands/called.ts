/** Which command a prompt calls, when `/tmp` is a path instead, and which names are near enough to be suggested where there is none of the name. */
import { existsSync } from 'node:fs';
import type { Prompt } from '../../agent/config.ts';
import type { CalledCommand } from '../../agent/contracts.ts';
import { textOf } from '../../agent/recording/blocks.ts';

const call = /^\/([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u;

/** Undefined where the prompt says something: `/etc/hosts is odd`, and `/tmp is full`, where there is such a folder. */
export function calledIn(prompt: Prompt): CalledCommand | undefined {
	const [, name, args = ''] = call.exec(textOf(prompt).trim()) ?? [];
	return name === undefined ? undefined : { name, args: args.trim() };
}

/** True for the name of something at the root of this machine: whoever types it means that, where no command has the name. */
export function isPlace({ name }: CalledCommand): boolean {
	return existsSync(`/${name}`);
}

/** The one of that name. The folder that a command is in need not be named where that leaves no doubt. */
export function named<T extends { readonly name: string }>(name: string, list: readonly T[]): T | undefined {
	const exact = list.find((one) => one.name === name);
	if (exact) return exact;
	const ending = list.filter((one) => one.name.endsWith(`:${name}`));
	return ending.length === 1 ? ending[0] : undefined;
}

const mostNear = 3;

/** Names that somebody may have meant, the nearest first. */
export function nearNames(name: string, names: readonly string[]): readonly string[] {
	const far = Math.max(1, Math.floor(name.length / 3));
	return names
		.map((one) => ({
			one,
			distance: one.startsWith(name) || (one.length > 2 && name.startsWith(one)) ? 0 : distance(name, one),
		}))
		.filter((near) => near.distance <= far)
		.sort((a, b) => a.distance - b.distance || (a.one < b.one ? -1 : 1))
		.slice(0, mostNear)
		.map(({ one }) => one);
}

/** How many letters have to be typed, left out, changed or swapped. */
function distance(from: string, to: string): number {
	let older: number[] = [];
	let last = Array.from({ length: to.length + 1 }, (_, at) => at);
	for (let i = 1; i <= from.length; i += 1) {
		const next = [i];
		for (let j = 1; j <= to.length; j += 1) {
			const same = from[i - 1] === to[j - 1] ? 0 : 1;
			const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			next[j] = Math.min(
				(last[j] ?? 0) + 1,
				(next[j - 1] ?? 0) + 1,
				(last[j - 1] ?? 0) + same,
				...(swapped ? [(older[j - 2] ?? 0) + 1] : []),
			);
		}
		older = last;
		last = next;
	}
	return last[to.length] ?? 0;
}
