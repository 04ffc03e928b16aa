/** Reads a source in pieces, for every backend that can read synchronously. */
import { setImmediate as breathe } from 'node:timers/promises';
import { LogConflict } from './errors.ts';
import type { LogSource, ReadOptions } from './log.ts';

const pieceSize = 1 << 20;

/** Reads the source and closes it at the end. Between pieces other work can run. */
export async function* readSource(
	source: LogSource,
	options: ReadOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
	using open = source;
	const { key } = open.stat;
	const to = Math.min(options.to ?? open.size, open.size);
	for (let at = options.from ?? 0; at < to; ) {
		options.signal?.throwIfAborted();
		const length = Math.min(pieceSize, to - at);
		const piece = open.read(at, length);
		if (piece.length < length) throw new LogConflict(key, open.size, at + piece.length);
		yield piece;
		at += length;
		if (at < to) await breathe();
	}
}
