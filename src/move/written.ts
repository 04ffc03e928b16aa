/** The session that is being written, read again from its lines as they go by: it will be recognised by what they say. */
import { type Codec, type DecodeSink, type LineDecoder, noFlaws } from '../codecs/index.ts';
import { type Entry, type EntryId, type Header, type JsonObject, type Session, wholeValue } from '../model/index.ts';
import type { Cuts } from '../store/cuts.ts';
import { diskFolders } from '../store/folders.ts';
import { sideHeaders, stemOf } from '../store/open.ts';
import { NotPossible } from '../store/open-cut.ts';
import { conversationOf, hashOfSealed, hashWhole, sealed } from './marks.ts';

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
	readonly #decoder: LineDecoder;
	readonly #sink: DecodeSink;
	readonly #marks: string[] = [];
	/** What was written since the last window. */
	#window: Entry[] = [];
	#tail: readonly EntryId[] = [];
	#entries = 0;
	/** The last entry of the conversation. */
	#last: EntryId | undefined;
	#several = false;
	#startsAnew = false;
	#header: Header = {};
	#line = 0;

	constructor(codec: Codec, cuts: Cuts) {
		this.#codec = codec;
		this.#cuts = cuts;
		this.#decoder = codec.decoder();
		const hashOf = hashWhole(cuts.whole);
		this.#sink = {
			entry: (entry) => {
				this.#entries += 1;
				this.#follow(entry);
				this.#window.push(sealed(entry, hashOf));
			},
			header: (patch) => {
				this.#header = { ...this.#header, ...patch };
			},
			issue: () => undefined,
		};
	}

	/** What a line says. */
	readonly tell = (value: JsonObject): void => {
		const index = this.#line;
		this.#line += 1;
		const cut = this.#codec.cuts?.suffices(value) !== true;
		const seen = cut ? (wholeValue(value, this.#cuts.whole) as JsonObject) : value;
		const line = index + 1;
		this.#decoder.visit(
			{ index, at: 0, line, length: 0, bytes: noBytes, part: 'item', value: seen, flaws: noFlaws },
			this.#sink,
		);
	};

	#follow(entry: Entry): void {
		const { parent, logicalParent } = entry;
		if (parent === undefined) return;
		const goesOn = parent !== null || (entry.kind === 'compaction' && logicalParent === this.#last);
		if (!goesOn && this.#last !== undefined) this.#refuse();
		this.#last = entry.id;
	}

	/** What is on the way to the end is known window by window only where all of the conversation hangs together. */
	#refuse(): void {
		this.#startsAnew = true;
		if (this.#several) throw new NotPossible('the conversation starts anew');
	}

	/** The same windows: when the next is asked for, what was written of those before is not named any more. */
	*between(windows: Iterable<readonly Entry[]>): Generator<readonly Entry[]> {
		for (const window of windows) {
			this.#mark();
			this.#several = true;
			if (this.#startsAnew) this.#refuse();
			yield window;
		}
	}

	/** Each window goes on where the one before ends: their conversations, one after the other, are that of the whole. */
	#mark(): void {
		const { entries, marks } = conversationOf({ entries: this.#window }, hashOfSealed);
		for (const { hash } of marks) this.#marks.push(hash);
		const since = entries.slice((marks.at(-1)?.entry ?? -1) + 1).map((entry) => entry.id);
		this.#tail = marks.length === 0 ? [...this.#tail, ...since] : since;
		this.#window = [];
	}

	/** What was said, when all lines have been taken. */
	recognised(): Recognised {
		this.#mark();
		return { marks: this.#marks, tail: this.#tail, entries: this.#entries };
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
