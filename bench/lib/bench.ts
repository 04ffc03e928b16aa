/** What a benchmark is. */
import type { Dataset, DatasetOptions } from './dataset.ts';

export interface Benchmark {
	/** The heading of its section in docs/performance.md. */
	readonly title: string;
	/** What is measured and what counts, in a sentence or two. */
	readonly about: string;
	readonly groups: readonly Group[];
}

/** Variants that are compared with each other on the same data. */
export interface Group {
	readonly title: string;
	/** `mb` may be replaced by `--mb`. Absent where no sessions are read. */
	readonly data?: DatasetOptions;
	/** The first one is the bound: the others are told as multiples of it. */
	readonly variants: readonly [Variant, ...Variant[]];
}

export interface Variant {
	readonly name: string;
	readonly goal?: Goal;
	/**
	 * The work is done by processes that it starts: theirs is the CPU time that counts, where the system tells it; `too`: theirs and
	 * its own.
	 */
	readonly inChildren?: boolean | 'too';
	/**
	 * Runs in a process of its own; only this is measured. What it returns must be equal for all variants of a group that
	 * return something: a variant that is fast because it is wrong fails the run.
	 */
	run(data: Dataset): Answer | Promise<Answer>;
	/** Where the work is done by a process that it starts: that one's peak, in millions of bytes. Asked for after `run`. */
	peak?(): number;
	/** Something else that counts, such as the size of what was made: asked for after `run`, in the same process. */
	amount?(data: Dataset): number;
}

export type Answer = number | string | undefined;

export interface Goal {
	/** At most this multiple of the bound's CPU time. */
	readonly ratio?: number;
	/** At most this multiple of the time that the bound takes by the clock: for work that waits for a disk. */
	readonly wallRatio?: number;
	readonly rssMb?: number;
	/** At most this multiple of the bound's amount. */
	readonly amount?: { readonly ratio: number; readonly unit: string };
	/** At most this amount, whatever the bound's is. */
	readonly atMost?: { readonly amount: number; readonly unit: string };
}

/** What one process measured. */
export interface Sample {
	/** Milliseconds, user and system, all threads. */
	readonly cpu: number;
	readonly wall: number;
	/** Peak of the whole process, in millions of bytes. */
	readonly rss: number;
	readonly answer: Answer | null;
	readonly amount: number | null;
}
