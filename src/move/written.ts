/** The session that is being written, read again from its lines as they go by: it will be recognised by what they say. */
import { type Codec, noFlaws, readLines } from '../codecs/index.ts';
import {
	type Entry,
	type EntryId,
	type Header,
	isObject,
	type JsonObject,
	type Session,
	wholeValue,
} from '../model/index.ts';
import type { Cuts } from '../store/cuts.ts';
import { diskFolders } from '../store/folders.ts';
import { sideHeaders, stemOf } from '../store/open.ts';
import { conversationOf, hashOfSealed, hashWhole, sealed } from './marks.ts';
import { type WindowSizes, Windows } from './windows.ts';

const noBytes = new Uint8Array(0);

/** What a session is recognised by when it comes back. */
export interface Recognised {
	/** Its blocks, from first to last. */
	readonly marks: readonly string[];
	/** Entries after the last of them. */
	readonly tail: readonly EntryId[];
	/** How many entries there are. */
	readonly entries: number;
}

/** Takes the lines of a session in the order in which they are written, with cut texts. */
export class WrittenLines {
	readonly #codec: Codec;
	readonly #cuts: Cuts;
	readonly #windows: Windows;
	readonly #marks: string[] = [];
	#entries = 0;
	readonly #reading: ReturnType<typeof readLines>;
	#header: Header = {};
	#line = 0;

	constructor(codec: Codec, cuts: Cuts, sizes?: WindowSizes) {
		this.#windows = new Windows(sizes);
		this.#codec = codec;
		this.#cuts = cuts;
		const hashOf = hashWhole(cuts.whole);
		this.#reading = readLines(codec, {
			record: () => undefined,
			entry: (entry) => {
				this.#entries += 1;
				this.#windows.add(entry, sealed(entry, hashOf));
			},
			header: (patch) => {
				this.#header = { ...this.#header, ...patch };
			},
		});
	}

	/** The same pieces, which are whole lines. */
	*through(pieces: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
		for (const piece of pieces) {
			this.#look(typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'));
			yield piece;
		}
	}

	/** Most pieces are one line, which is parsed as it is. */
	#look(piece: string): void {
		if (piece === '') return;
		const lines = piece.indexOf('\n') === piece.length - 1 ? [piece] : piece.trimEnd().split('\n');
		for (const line of lines) {
			const value: unknown = JSON.parse(line);
			if (isObject(value)) this.#visit(value);
		}
		for (let window = this.#windows.next(); window; window = this.#windows.next()) this.#mark(window);
	}

	#visit(value: JsonObject): void {
		const index = this.#line;
		this.#line += 1;
		const cut = this.#codec.cuts?.suffices(value) !== true;
		const seen = cut ? (wholeValue(value, this.#cuts.whole) as JsonObject) : value;
		const line = index + 1;
		this.#reading.visit({ index, at: 0, line, length: 0, bytes: noBytes, part: 'item', value: seen, flaws: noFlaws });
	}

	/** Each window goes on where the one before ends: their conversations, one after the other, are that of the whole. */
	#mark(window: readonly Entry[]): readonly EntryId[] {
		const { entries, marks } = conversationOf({ entries: window }, hashOfSealed);
		for (const { hash } of marks) this.#marks.push(hash);
		return entries.slice((marks.at(-1)?.entry ?? -1) + 1).map((entry) => entry.id);
	}

	/** What was said, when all lines have been taken. */
	recognised(): Recognised {
		const tail = this.#mark(this.#windows.rest());
		return { marks: this.#marks, tail, entries: this.#entries };
	}

	/** As it is found later: a file beside it may tell its title, and without an id it goes by its name. */
	session(path: string, source: Session['source']): Session {
		const { locate } = this.#codec;
		const header = sideHeaders(this.#codec, locate.sideFiles(path, diskFolders), this.#header);
		return {
			id: this.#header.id ?? locate.idOf?.(path) ?? stemOf(path),
			format: this.#codec.id,
			dialect: header.dialect ?? 'unknown',
			header,
			source,
			records: [],
			entries: [],
			issues: [],
			subagents: [],
		};
	}
}
