/** Sums the numbers of `reprise stats` per project or agent: what of sub-agents counts, and the order of rows. What counts as done in a session is in `activity.ts`. */
import type { DatabaseSync } from 'node:sqlite';
import type { FormatId } from '../../model/index.ts';
import type { Access } from '../cost/collect.ts';
import { exactDollars } from '../cost/report.ts';
import type { Activity } from './activity.ts';
import { seenIn } from './glance-cache.ts';

export interface StatsRow {
	/** The folder or the agent; `(unknown)` where a session does not name it. */
	readonly key: string;
	readonly sessions: number;
	readonly subagents: number;
	readonly turns: number;
	readonly responses: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadTokens: number;
	readonly cacheWriteTokens: number;
	readonly costUsd: number | null;
	readonly unpricedTokens: number;
	/** Time in which something happened at least every few minutes, without sub-agents. */
	readonly activeMs: number;
	/** Calls per tool, the most used first. */
	readonly tools: { readonly [name: string]: number };
	readonly first: number | null;
	readonly last: number | null;
}

interface FileRow {
	readonly path: string;
	readonly format: FormatId;
	readonly agent: string;
	readonly session: string;
	readonly parent: string | null;
	readonly seen: string | null;
	readonly activity: string | null;
	readonly responses: number;
	readonly input: number;
	readonly output: number;
	readonly cache_read: number;
	readonly cache_write: number;
	readonly cost: number;
	readonly unpriced: number;
}

export interface StatsFilters {
	readonly present: ReadonlySet<string>;
	project?(cwd: string | undefined): boolean;
	readonly agent?: string;
}

export function statsOf(
	database: DatabaseSync,
	access: Pick<Access, 'folderOf'>,
	by: 'project' | 'agent',
	filters: StatsFilters,
): readonly StatsRow[] {
	const files = database.prepare('SELECT * FROM files LEFT JOIN listing USING (path)').all() as unknown as FileRow[];
	const present = files.filter((file) => filters.present.has(file.path));
	const folders = new Map<string, string>();
	for (const file of present) {
		const cwd = access.folderOf?.({ format: file.format, id: file.session }) ?? seenIn(file).cwd;
		if (cwd !== undefined && file.parent === null) folders.set(`${file.format} ${file.session}`, cwd);
	}
	const sums = new Map<string, Sum>();
	for (const file of present) {
		const cwd = folders.get(`${file.format} ${file.session}`) ?? seenIn(file).cwd;
		if (filters.project?.(cwd) === false || (filters.agent !== undefined && file.agent !== filters.agent)) continue;
		const key = by === 'agent' ? file.agent : (cwd ?? '(unknown)');
		let sum = sums.get(key);
		if (sum === undefined) {
			sum = new Sum();
			sums.set(key, sum);
		}
		sum.add(file);
	}
	return [...sums]
		.map(([key, sum]) => sum.row(key))
		.sort((a, b) => b.sessions - a.sessions || (a.key < b.key ? -1 : 1));
}

const noNumbers = { responses: 0, input: 0, output: 0, cache_read: 0, cache_write: 0, cost: 0, unpriced: 0 };
const numberNames = Object.keys(noNumbers) as (keyof typeof noNumbers)[];

class Sum {
	#sessions = 0;
	#subagents = 0;
	#turns = 0;
	readonly #numbers = { ...noNumbers };
	readonly #tools = new Map<string, number>();
	#activeMs = 0;
	#first: number | null = null;
	#last: number | null = null;

	add(file: FileRow): void {
		const main = file.parent === null;
		if (main) this.#sessions += 1;
		else this.#subagents += 1;
		for (const name of numberNames) this.#numbers[name] += file[name];
		if (file.activity === null) return;
		const { turns, tools, activeMs, first, last } = JSON.parse(file.activity) as Activity;
		if (main) this.#turns += turns;
		for (const [name, count] of Object.entries(tools)) this.#tools.set(name, (this.#tools.get(name) ?? 0) + count);
		if (main) this.#activeMs += activeMs;
		if (first !== undefined) this.#first = Math.min(this.#first ?? first, first);
		if (last !== undefined) this.#last = Math.max(this.#last ?? last, last);
	}

	row(key: string): StatsRow {
		const { responses, input, output, cache_read, cache_write, cost, unpriced } = this.#numbers;
		const tokens = input + output + cache_read + cache_write;
		return {
			key,
			sessions: this.#sessions,
			subagents: this.#subagents,
			turns: this.#turns,
			responses,
			inputTokens: input,
			outputTokens: output,
			cacheReadTokens: cache_read,
			cacheWriteTokens: cache_write,
			costUsd: cost === 0 && (unpriced > 0 || (responses > 0 && tokens === 0)) ? null : exactDollars(cost),
			unpricedTokens: unpriced,
			activeMs: this.#activeMs,
			tools: Object.fromEntries([...this.#tools].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
			first: this.#first,
			last: this.#last,
		};
	}
}
