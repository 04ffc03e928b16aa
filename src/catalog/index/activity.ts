/** Counts what was done in a session while its entries are read: turns, calls of tools and active time. What the file only tells again, since another session did it, counts there. */
import { timeOf } from '../../codecs/index.ts';
import { compact, type Entry, entryText, isPrompt, type SessionRecord } from '../../model/index.ts';
import { type CopiedPart, partAt } from '../cost/standing.ts';

/** Without what is told again. */
export interface Activity {
	readonly turns: number;
	readonly tools: { readonly [name: string]: number };
	/** The time between entries that follow each other closely. */
	readonly activeMs: number;
	readonly first?: number;
	readonly last?: number;
}

/** What was counted of the beginning of a file; `turns` are all of its turns. */
interface Counted {
	readonly turns: number;
	readonly activity: string | null;
}

type Calls = readonly (readonly [string, string])[];

const keptCalls = 64;
const longestPauseMs = 5 * 60_000;
const noActivity: Activity = { turns: 0, tools: {}, activeMs: 0 };

/** Counts facts about a file while its entries are read. */
export class Notes {
	turns: number;
	/** The first prompt. */
	said: string | undefined;
	/** Without those that are told again. */
	#ownTurns: number;
	readonly #retold: readonly CopiedPart[];
	/** The latest record with an entry, and how many there were: the number of a message in a document, which is read at once. */
	#record = -1;
	#message = 0;
	readonly #calls: Map<string, string>;
	readonly #tools: Map<string, number>;
	#activeMs: number;
	#first: number | undefined;
	#last: number | undefined;

	constructor(calls: Calls, row: Counted | undefined, retold: readonly CopiedPart[]) {
		const activity = row?.activity ? (JSON.parse(row.activity) as Activity) : noActivity;
		this.turns = row?.turns ?? 0;
		this.#ownTurns = activity.turns;
		this.#retold = retold;
		this.#calls = new Map(calls);
		this.#tools = new Map(Object.entries(activity.tools));
		this.#activeMs = activity.activeMs;
		this.#first = activity.first;
		this.#last = activity.last;
	}

	see(entry: Entry, record: SessionRecord | undefined): void {
		const time = timeOf(entry.time);
		const isOwn = record === undefined || !this.#isRetold(record, time);
		if (isPrompt(entry) && entry.agent === undefined) {
			this.turns += 1;
			if (isOwn) this.#ownTurns += 1;
			this.said ??= entryText(entry);
		}
		if (entry.kind === 'message') {
			for (const block of entry.content) {
				if (block.type !== 'tool_call') continue;
				this.#call(block.id, block.name);
				if (isOwn) this.#tools.set(block.name, (this.#tools.get(block.name) ?? 0) + 1);
			}
		}
		if (time === undefined || !isOwn) return;
		if (this.#last !== undefined && time > this.#last) {
			const pause = time - this.#last;
			if (pause <= longestPauseMs) this.#activeMs += pause;
		}
		this.#first = Math.min(this.#first ?? time, time);
		this.#last = Math.max(this.#last ?? time, time);
	}

	#isRetold({ index, at }: SessionRecord, time: number | undefined): boolean {
		if (index > this.#record) {
			this.#record = index;
			this.#message += 1;
		}
		return partAt(this.#retold, { at, line: this.#message, time }) !== undefined;
	}

	/** Remembers a call. Only the latest are kept, even while a file is read at once: both ways must give one result. */
	#call(id: string, name: string): void {
		this.#calls.delete(id);
		this.#calls.set(id, name);
		const [oldest] = this.#calls.keys();
		if (this.#calls.size > keptCalls && oldest !== undefined) this.#calls.delete(oldest);
	}

	toolOf(call: string): string | undefined {
		return this.#calls.get(call);
	}

	calls(): Calls {
		return [...this.#calls];
	}

	activity(): Activity {
		return {
			turns: this.#ownTurns,
			tools: Object.fromEntries(this.#tools),
			activeMs: this.#activeMs,
			...compact({ first: this.#first, last: this.#last }),
		};
	}
}
