/** The handle state of a session in one JSON document: how many of its last messages are kept parsed for the next write, which replaces the file. */
import { type Codec, decodeBytes } from '../../codecs/index.ts';
import { type Entry, type EntryId, type Header, path, type Session } from '../../model/index.ts';
import { GrowingBytes } from './growing-bytes.ts';
import type { HandleState } from './handle-state.ts';
import { settledFrom } from './lines-state.ts';

/** How many messages are left in the window when it is made smaller, and how many it may hold before that. */
const fewest = 4;
const most = 12;

/**
 * Encoding looks at a window: the document with most of its messages left out, which are put back when it is written. So
 * a thousand appends parse each message a few times and not a thousand times.
 */
export class DocumentState implements HandleState {
	readonly codec: Codec;
	readonly isNew = false;
	readonly lost = false;
	readonly #side: Header;
	readonly #fallbackId: string;
	#window: Session;
	/** The bytes between the head and the window, which encoding does not see, and how many records they are. */
	#left = new GrowingBytes();
	#leftRecords = 0;
	#header: Header;
	leaf: EntryId | null;
	readonly #onPath: Set<EntryId>;
	readonly #ids: Set<EntryId>;
	lastTime = Number.NEGATIVE_INFINITY;
	/** What `complete` has parsed already, so that `take` need not parse the same bytes again. */
	#read: { readonly bytes: Uint8Array; readonly session: Session } | undefined;

	constructor(codec: Codec, bytes: Uint8Array, side: Header, fallbackId: string) {
		this.codec = codec;
		this.#side = side;
		this.#fallbackId = fallbackId;
		const session = decodeBytes(codec, bytes, fallbackId);
		this.#window = session;
		this.#header = session.header;
		this.leaf = session.leaf;
		this.#onPath = new Set(path(session).map((entry) => entry.id));
		this.#ids = new Set(session.entries.map((entry) => entry.id));
		for (const entry of session.entries) this.#noteTime(entry);
		this.#narrow();
	}

	get id(): string {
		return this.#window.id;
	}

	get dialect(): string {
		return this.#header.dialect ?? 'unknown';
	}

	get header(): Header {
		return { ...this.#side, ...this.#header };
	}

	get length(): number {
		return this.#window.source.size + this.#left.length;
	}

	has(id: EntryId): boolean {
		return this.#onPath.has(id);
	}

	isTaken(id: EntryId): boolean {
		return this.#ids.has(id);
	}

	prepare(): void {
		// the whole document is in memory already
	}

	after(all = false): Session {
		if (all && this.#left.length > 0) {
			this.#window = this.#whole();
			this.#left = new GrowingBytes();
			this.#leftRecords = 0;
		}
		return { ...this.#window, header: this.header };
	}

	session(): Session {
		return { ...this.#whole(), header: this.header };
	}

	state(): undefined {
		return undefined;
	}

	complete(bytes: Uint8Array): readonly Uint8Array[] {
		if (this.#left.length === 0) return [bytes];
		const session = decodeBytes(this.codec, bytes, this.#fallbackId);
		this.#read = { bytes, session };
		const head = headLength(session);
		return [bytes.subarray(0, head), this.#left.bytes(), bytes.subarray(head)];
	}

	take(bytes: Uint8Array): readonly Entry[] {
		const known = this.#window.entries.length;
		const read = this.#read?.bytes === bytes ? this.#read.session : decodeBytes(this.codec, bytes, this.#fallbackId);
		this.#read = undefined;
		this.#window = read;
		const whole = this.#left.length === 0;
		const added = whole
			? read.entries.filter((entry) => !this.#ids.has(entry.id))
			: read.entries.slice(known).map((entry, index) => this.#placed(entry, index === 0));
		this.#header = whole ? read.header : { ...this.#header, ...withoutStart(read.header) };
		for (const entry of added) {
			this.#ids.add(entry.id);
			this.#onPath.add(entry.id);
			this.leaf = entry.id;
			this.#noteTime(entry);
		}
		this.#narrow();
		return added;
	}

	/** The entry with the place that it has in the whole document, not in the window. */
	#placed(entry: Entry, first: boolean): Entry {
		const records = entry.records.map((index) => index + this.#leftRecords);
		return first ? { ...entry, records, parent: this.leaf } : { ...entry, records };
	}

	/** Leaves out of the window what encoding need not see. A document with flaws is rebuilt from all of it. */
	#narrow(): void {
		const { entries, records, issues, source } = this.#window;
		if (entries.length <= most || issues.length > 0 || source.read(0, 1)[0] !== 0x7b) return;
		const from = records[entries[settledFrom(entries, entries.length - fewest)]?.records[0] ?? -1];
		const head = headLength(this.#window);
		if (!from || from.at <= head) return;
		this.#left.add(source.read(head, from.at - head));
		this.#leftRecords += from.index - 1;
		const rest = [source.read(0, head), source.read(from.at, source.size - from.at)];
		this.#window = decodeBytes(this.codec, Buffer.concat(rest), this.#fallbackId);
	}

	#whole(): Session {
		const { source } = this.#window;
		const head = headLength(this.#window);
		const pieces = [source.read(0, head), this.#left.bytes(), source.read(head, source.size - head)];
		return decodeBytes(this.codec, Buffer.concat(pieces), this.#fallbackId);
	}

	#noteTime({ time }: Entry): void {
		const at = time === undefined ? Number.NaN : Date.parse(time);
		if (at > this.lastTime) this.lastTime = at;
	}
}

/** The header without its start: the first message of a window would give a time later than the session's. */
function withoutStart({ created: _, ...header }: Header): Header {
	return header;
}

/** How many bytes stand before the first message: the document's first record. */
function headLength(session: Session): number {
	return session.records[0]?.length ?? 0;
}
