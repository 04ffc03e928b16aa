/** Merges two ordered lists into one. */

/** Puts entries beside a path where they were written: before the first of the path that comes later. */
export function interleaved<T>(path: readonly T[], beside: readonly T[], order: (item: T) => number): readonly T[] {
	if (beside.length === 0) return path;
	const told: T[] = [];
	let next = 0;
	for (const item of path) {
		for (; next < beside.length && order(beside[next] as T) < order(item); next += 1) told.push(beside[next] as T);
		told.push(item);
	}
	return [...told, ...beside.slice(next)];
}
