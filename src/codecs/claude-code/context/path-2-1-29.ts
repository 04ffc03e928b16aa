/** The lines that Claude Code 2.1.29 continues: from the latest time along the parents, as far as they exist. */
import type { Json } from '../../../model/index.ts';
import type { Lines } from './lines.ts';
import type { Path } from './path-2-1-325.ts';

export function oldPath(lines: Lines, at?: number): Path | 'more' {
	if (at === undefined && lines.index.partial) return 'more'; // any earlier line could have the latest time
	const leaf = at ?? latest(lines);
	if (leaf === undefined) return { lines: [], refused: 'No conversation found' };
	const path: number[] = [];
	const seen = new Set<number>();
	for (let line: number | undefined = leaf; line !== undefined; ) {
		if (seen.has(line))
			return { lines: [], refused: 'the parents of its lines go round in a circle: the client hangs' };
		seen.add(line);
		path.push(line);
		const parent = lines.parentId(line);
		line = parent === undefined ? undefined : lines.find(parent);
	}
	return { lines: path.reverse() };
}

/** The first line with the latest time, of any type. */
function latest(lines: Lines): number | undefined {
	const replaced = new Set<number>();
	for (;;) {
		let best: number | undefined;
		let bestTime = Number.NaN;
		for (let line = 0; line < lines.end; line += 1) {
			if (!isCandidate(lines, line) || replaced.has(line)) continue;
			const time = timeOf(lines.index.field(line, 'timestamp'));
			if (Number.isNaN(time)) return sortedFirst(lines);
			if (best !== undefined && time <= bestTime) continue;
			best = line;
			bestTime = time;
		}
		if (best === undefined || lines.counts(best)) return best;
		replaced.add(best);
	}
}

function isCandidate(lines: Lines, line: number): boolean {
	return (lines.isGraph(line) || lines.type(line) === 'progress') && !lines.isSidechain(line);
}

/** The line that the client's sort puts first: unreadable times compare as equal to all, so its order decides. */
function sortedFirst(lines: Lines): number | undefined {
	const byId = new Map<Json | undefined, number>();
	for (let line = 0; line < lines.end; line += 1) {
		if (lines.isGraph(line) || lines.type(line) === 'progress') byId.set(lines.index.field(line, 'uuid'), line);
	}
	const timed = [...byId.values()]
		.filter((line) => !lines.isSidechain(line))
		.map((line) => ({ line, time: timeOf(lines.index.field(line, 'timestamp')) }));
	return timed.sort((a, b) => b.time - a.time)[0]?.line;
}

function timeOf(value: Json | undefined): number {
	if (typeof value === 'string' || typeof value === 'number') return new Date(value).getTime();
	return value === null || typeof value === 'boolean' ? Number(value) : Number.NaN;
}
