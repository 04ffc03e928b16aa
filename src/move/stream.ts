/** Writes a converted session into its files, all or none, and how often that reports its progress and looks for an abort. */
import { existsSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Codec } from '../codecs/index.ts';
import { bytesOf } from '../codecs/shared/write/pieces.ts';
import { createFiles } from '../log/index.ts';
import type { Entry, Loss, Session } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { besidePath } from '../store/find/place.ts';
import { type ConvertOptions, convertInPieces } from './convert.ts';
import { loadSums, type Sum } from './sum.ts';

/** How a long work is watched, and stopped. */
export interface Watched {
	/** Reports from time to time what is being done, and the share that is done, from 0 to 1. */
	readonly progress?: (doing: 'writing' | 'keeping the way back', share: number) => void;
	/** Stops the work when aborted; nothing of it is left. */
	readonly signal?: AbortSignal;
}

export interface WrittenSession {
	readonly id: string;
	/** Every file that was written, the main one first. */
	readonly out: readonly string[];
	readonly losses: readonly Loss[];
	/** The sum of the new main file; only where clients append to it and its way back is kept. */
	readonly beginning?: Sum;
}

/** The session without its entries: its identity, and where its bytes are. */
export function withoutEntries(session: Session): Session {
	return { ...session, entries: [], subagents: [] };
}

interface Target extends ConvertOptions {
	/** The new main file. */
	readonly path: string;
	/** The path of a side file, from the one that the codec gives it. */
	name(beside: string, id: string): string;
	/** The rest of the entries, where the session is not held as a whole. */
	readonly more?: Iterable<readonly Entry[]>;
}

/** Writes the session in another format, all files or none. */
export async function writeConverted(
	session: Session,
	codec: Codec,
	target: Target,
	watched: Watched,
): Promise<WrittenSession> {
	if (existsSync(target.path)) throw exists(target.path);
	const made = convertInPieces(session, codec, target);
	const out = [target.path];
	const grows = codec.capabilities.container === 'lines';
	const summing = target.reference && grows ? (await loadSums()).start() : undefined;
	function* files() {
		const plain = bytesOf(made.pieces);
		const pieces = paced(summing?.through(plain) ?? plain, session.source.size, 'writing', watched);
		yield { to: target.path, pieces, ...(made.amended ? { amended: made.amended } : {}) };
		for (const file of made.beside) {
			const to = besidePath(codec, target.path, target.name(file.path, made.id));
			if (existsSync(to)) throw exists(to);
			out.push(to);
			yield { to, pieces: file.bytes };
		}
	}
	await createFiles(files());
	const beginning = summing && { beginning: summing.sum() };
	return { id: made.id, out, losses: made.losses(), ...beginning };
}

function exists(path: string): InputError {
	return new InputError('exists', `${path} exists already: nothing was written`);
}

const pace = 1 << 23;

/** Passes pieces on, and from time to time lets other work run, reports progress and checks for an abort. */
export async function* paced(
	pieces: Iterable<Uint8Array>,
	expected: number,
	doing: Parameters<NonNullable<Watched['progress']>>[0],
	{ progress, signal }: Watched,
): AsyncGenerator<Uint8Array> {
	let done = 0;
	let next = pace;
	for (const piece of pieces) {
		yield piece;
		done += piece.length;
		if (done < next) continue;
		next = done + pace;
		progress?.(doing, Math.min(1, done / Math.max(1, expected)));
		await breathe();
		signal?.throwIfAborted();
	}
}
