/** A session in one document, held as a whole: every write replaces all of it. */
import { type Codec, decodeBytes } from '../codecs/index.ts';
import { currentLeaf, type Entry, type EntryId, type Header, path, type Session } from '../model/index.ts';
import type { Held } from './held.ts';

export function holdDocument(codec: Codec, bytes: Uint8Array, side: Header, fallbackId: string): Held {
	return new HeldDocument(codec, bytes, side, fallbackId);
}

class HeldDocument implements Held {
	readonly codec: Codec;
	readonly #side: Header;
	readonly #fallbackId: string;
	#length = 0;
	#session: Session;
	#onPath: ReadonlySet<EntryId> = new Set();
	#ids: ReadonlySet<EntryId> = new Set();
	#leaf: EntryId | null = null;
	#lastTime = Number.NEGATIVE_INFINITY;

	constructor(codec: Codec, bytes: Uint8Array, side: Header, fallbackId: string) {
		this.codec = codec;
		this.#side = side;
		this.#fallbackId = fallbackId;
		this.#session = this.#decode(bytes);
	}

	get id(): string {
		return this.#session.id;
	}

	get dialect(): string {
		return this.#session.dialect;
	}

	get header(): Header {
		return this.#session.header;
	}

	get leaf(): EntryId | null {
		return this.#leaf;
	}

	get length(): number {
		return this.#length;
	}

	get lost(): boolean {
		return false;
	}

	get lastTime(): number {
		return this.#lastTime;
	}

	has(id: EntryId): boolean {
		return this.#onPath.has(id);
	}

	isTaken(id: EntryId): boolean {
		return this.#ids.has(id);
	}

	prepare(): void {
		// all of it is here
	}

	after(): Session {
		return this.#session;
	}

	state(): undefined {
		return undefined;
	}

	take(bytes: Uint8Array): readonly Entry[] {
		const before = this.#ids;
		this.#session = this.#decode(bytes);
		return this.#session.entries.filter((entry) => !before.has(entry.id));
	}

	#decode(bytes: Uint8Array): Session {
		const session = decodeBytes(this.codec, bytes, this.#fallbackId);
		this.#length = bytes.length;
		this.#leaf = currentLeaf(session);
		this.#onPath = new Set(path(session, this.#leaf).map((entry) => entry.id));
		this.#ids = new Set(session.entries.map((entry) => entry.id));
		for (const { time } of session.entries) {
			const at = time === undefined ? Number.NaN : Date.parse(time);
			if (at > this.#lastTime) this.#lastTime = at;
		}
		return { ...session, header: { ...this.#side, ...session.header } };
	}
}
