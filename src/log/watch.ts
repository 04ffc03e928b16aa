/** Follows a log as it grows: each backend says how to look, how often and, if it can, when. */
import type { LogChange, LogStat } from './log.ts';

export interface Watched {
	look(): Promise<LogStat | undefined>;
	/** Calls `ring` when a look may be worthwhile. Backends without notifications leave it out and are polled. */
	listen?(ring: () => void): Disposable;
	/** The longest time between two looks. */
	readonly pollMs: number;
}

export async function* watchLog(
	watched: Watched,
	from: number | LogStat,
	signal: AbortSignal,
): AsyncGenerator<LogChange, void, undefined> {
	using bell = new Bell(signal);
	using _listening = watched.listen?.(bell.ring);
	let seen: Seen = typeof from === 'number' ? { length: from } : from;
	while (!signal.aborted) {
		const now = await watched.look();
		const change = difference(seen, now);
		seen = now ?? { length: 0 };
		if (change && !signal.aborted) yield change;
		await bell.rung(watched.pollMs);
	}
}

/** What was seen before; its identity may be unknown. */
interface Seen {
	readonly length: number;
	readonly id?: string;
	readonly version?: string;
}

function difference(seen: Seen, now: LogStat | undefined): LogChange | undefined {
	const before = seen.length;
	if (!now) return before === 0 && seen.id === undefined ? undefined : { kind: 'removed', length: 0, before };
	const { length } = now;
	const change = { length, before, stat: now };
	if (seen.id !== undefined && seen.id !== now.id) return { kind: 'replaced', ...change };
	if (length > before) return { kind: 'grown', ...change };
	if (length < before) return { kind: 'shrunk', ...change };
	return seen.version !== undefined && seen.version !== now.version ? { kind: 'replaced', ...change } : undefined;
}

/** Remembers rings: one that comes while nobody waits ends the next wait at once. */
class Bell implements Disposable {
	readonly #signal: AbortSignal;
	#rung = false;
	#wake: (() => void) | undefined;
	readonly ring = (): void => {
		this.#rung = true;
		this.#wake?.();
	};

	constructor(signal: AbortSignal) {
		this.#signal = signal;
		signal.addEventListener('abort', this.ring);
	}

	[Symbol.dispose](): void {
		this.#signal.removeEventListener('abort', this.ring);
	}

	async rung(atMostMs: number): Promise<void> {
		if (!this.#rung && !this.#signal.aborted) {
			const { promise, resolve } = Promise.withResolvers<void>();
			const timer = setTimeout(resolve, atMostMs);
			this.#wake = resolve;
			await promise;
			clearTimeout(timer);
			this.#wake = undefined;
		}
		this.#rung = false;
	}
}
