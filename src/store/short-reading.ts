/** Lines that were made short, given to a taker as what they are: most without the decoder, which is shown the last of a row. */
import { type Codec, type Line, makeLine, noFlaws, readLines, type Shape } from '../codecs/index.ts';
import { type Entry, type Header, type Issue, type JsonObject, stringAt } from '../model/index.ts';
import type { ShortLine, TakeLike } from '../scan/index.ts';
import type { ShapeTaker } from './shape.ts';

const noBytes = new Uint8Array(0);

export class ShortReading {
	readonly #shape: Shape;
	readonly #taker: ShapeTaker;
	readonly #mark: string;
	readonly #reading: ReturnType<typeof readLines>;
	/** The number of the next line. */
	#index = 0;
	/** Something that was cut matters. */
	#missed = false;
	#told: Header = {};
	/** The entries of patterns by number, as long as the header stays as it is: what they are may depend on it. */
	#known: (Entry | undefined)[] = [];
	/** The taker has had what the decoder is shown. */
	#muted = false;
	/**
	 * The last line that was taken without the decoder. Its links are beside its value where that is a pattern's. Fields, not an
	 * object: there are too many to make one for each.
	 */
	#unseen: JsonObject | undefined;
	#unseenId: string | undefined;
	#unseenParent: string | null = null;
	#unseenAt = 0;
	#unseenLength = 0;

	constructor(codec: Codec, shape: Shape, taker: ShapeTaker, mark: string) {
		this.#shape = shape;
		this.#taker = taker;
		this.#mark = mark;
		this.#reading = readLines(codec, {
			record: (record) => {
				if (!this.#muted) taker.record(record);
			},
			entry: (entry) => {
				if (!this.#muted) this.#entry(entry);
			},
			header: (patch) => this.#header(patch),
		});
	}

	/** For a line that is like one whose message is known. */
	readonly take: TakeLike = (pattern, id, parent, at, length) => {
		const like = this.#known[pattern.number];
		if (!like || !id || parent === '') return false;
		const type = stringAt(pattern.value, 'type') ?? '';
		if (this.#taker.again) {
			this.#missed ||= id === this.#mark || parent === this.#mark;
			this.#taker.again(like, id, parent, type);
		} else {
			this.#entry({ ...like, id, parent, records: [this.#index] });
			this.#record(at, length, type);
		}
		this.#unseen = pattern.value;
		this.#unseenId = id;
		this.#unseenParent = parent;
		this.#unseenAt = at;
		this.#unseenLength = length;
		this.#index += 1;
		return true;
	};

	readonly visit = (short: ShortLine): void => {
		const { value, pattern, at, length } = short;
		const isEnough = value !== undefined && this.#shape.suffices(value);
		const message = isEnough ? this.#shape.message?.(value, this.#index, this.#told) : undefined;
		if (isEnough && message) {
			if (pattern) this.#known[pattern.number] = message;
			this.#entry(message);
			this.#record(at, length, stringAt(value, 'type') ?? '');
			this.#unseen = value;
			this.#unseenId = undefined;
			this.#unseenAt = at;
			this.#unseenLength = length;
		} else {
			this.#catchUp();
			const { bytes, unended } = short;
			this.#reading.visit(
				isEnough
					? this.#line(this.#index, at, value, bytes)
					: makeLine(bytes, at, this.#index + 1, this.#index, unended),
			);
		}
		this.#index += 1;
	};

	/** The issues; undefined when the lines have to be read whole. */
	end(): readonly Issue[] | undefined {
		this.#catchUp();
		return this.#missed ? undefined : this.#reading.issues();
	}

	#entry(entry: Entry): void {
		const { id, parent, logicalParent, agent } = entry;
		const mark = this.#mark;
		this.#missed ||= id === mark || parent === mark || logicalParent === mark || agent === mark;
		this.#taker.entry(entry);
	}

	#record(at: number, length: number, type: string): void {
		this.#taker.record({ index: this.#index, at, line: this.#index + 1, length, type });
	}

	#header(patch: Header): void {
		this.#missed ||= Object.values(patch).includes(this.#mark);
		this.#taker.header(patch);
		const told: { readonly [key: string]: unknown } = { ...this.#told };
		// Some lines say again what is known.
		if (Object.entries(patch).every(([key, value]) => told[key] === value)) return;
		this.#told = { ...this.#told, ...patch };
		this.#known = [];
	}

	/** Before another line is counted. */
	#catchUp(): void {
		const { links } = this.#shape;
		const pattern = this.#unseen;
		if (!pattern) return;
		const value =
			links && this.#unseenId !== undefined
				? { ...pattern, [links.id]: this.#unseenId, [links.parent]: this.#unseenParent }
				: pattern;
		this.#unseen = undefined;
		this.#muted = true;
		this.#reading.visit(this.#line(this.#index - 1, this.#unseenAt, value, noBytes, this.#unseenLength));
		this.#muted = false;
	}

	/** What was made short had no flaw. */
	#line(index: number, at: number, value: JsonObject, bytes: Uint8Array, length = bytes.length): Line {
		return { index, at, line: index + 1, length, bytes, part: 'item', value, flaws: noFlaws };
	}
}
