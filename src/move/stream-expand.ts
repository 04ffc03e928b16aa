/** Texts with marks to bytes: what the marks stand for is copied from the files where it is. */
import { type CutPlace, cutPlace, cutSign, nonceLength, placeLength, Spare } from '../model/index.ts';
import type { Cuts } from '../store/cuts.ts';

const roomSize = 1 << 18;
const rooms = new Spare(roomSize);
const escapedAtOnce = 1 << 13;
/** A mark as JSON has it: the sign's control character is an escape there. */
const escaped = 'u0001';
/** Bytes that a character takes at most. */
const most = 3;
const tilde = 0x7e;
const backslash = 0x5c;

/** The bytes of the pieces. Each part holds until the next is asked for. */
export function* expanded(pieces: Iterable<string | Uint8Array>, cuts: Cuts): Generator<Uint8Array> {
	using room = new Room(cuts);
	for (const piece of pieces) {
		const text =
			typeof piece === 'string' ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString();
		// Nearly all fit: what does not is done step by step.
		for (let from = room.take(text, 0); from < text.length; from = room.take(text, from)) {
			const at = text.indexOf(cuts.nonce, from);
			const depth = at === -1 ? 0 : depthAt(text, at);
			const plain = text.slice(from, at === -1 ? text.length : at - signLength(depth));
			if (!room.write(plain)) yield* room.writeLong(plain);
			if (at === -1) break;
			const place = cutPlace(text, at + nonceLength);
			yield* room.copyAt(place, depth);
			from = at + nonceLength + placeLength;
		}
	}
	yield* room.flush();
}

class Room implements Disposable {
	readonly #cuts: Cuts;
	readonly #bytes = rooms.take(roomSize);
	#used = 0;

	constructor(cuts: Cuts) {
		this.#cuts = cuts;
	}

	[Symbol.dispose](): void {
		rooms.leave(this.#bytes);
	}

	/** Takes of the text what fits and is in JSON once; returns where the rest begins. */
	take(text: string, start: number): number {
		const { nonce } = this.#cuts;
		let from = start;
		for (let at = text.indexOf(nonce, from); at !== -1; at = text.indexOf(nonce, from)) {
			if (depthAt(text, at) !== 1) return from;
			const place = cutPlace(text, at + nonceLength);
			const plain = text.slice(from, at - signLength(1));
			if (this.#used + plain.length * most + place.length > roomSize) return from;
			this.write(plain);
			this.copy(place);
			from = at + nonceLength + placeLength;
		}
		return this.write(from === 0 ? text : text.slice(from)) ? text.length : from;
	}

	*flush(): Generator<Uint8Array> {
		if (this.#used > 0) yield this.#bytes.subarray(0, this.#used);
		this.#used = 0;
	}

	/** False where it may not fit. */
	write(text: string): boolean {
		if (text.length * most > roomSize - this.#used) return false;
		this.#used += this.#bytes.write(text, this.#used, 'utf8');
		return true;
	}

	*writeLong(text: string): Generator<Uint8Array> {
		yield* this.flush();
		if (!this.write(text)) yield Buffer.from(text, 'utf8');
	}

	/** What the mark stands for, as it has to be where it was put into JSON so often. */
	*copyAt(place: CutPlace, depth: number): Generator<Uint8Array> {
		if (depth === 0) yield* this.writeLong(outside(this.#cuts, place));
		else if (depth > 1) yield* this.#copyEscaped(place, depth);
		else if (!this.copy(place)) yield* this.#copyLong(place);
	}

	/** Straight from the file: the bytes are those that JSON wants. False where they do not fit. */
	copy(place: CutPlace): boolean {
		if (this.#used + place.length > roomSize) return false;
		this.#cuts.read(place, 0, this.#bytes, this.#used, place.length);
		this.#used += place.length;
		return true;
	}

	*#copyLong(place: CutPlace): Generator<Uint8Array> {
		for (let done = 0; done < place.length; ) {
			yield* this.flush();
			const length = Math.min(place.length - done, roomSize);
			this.#cuts.read(place, done, this.#bytes, 0, length);
			this.#used = length;
			done += length;
		}
	}

	/**
	 * With every backslash and quote escaped once more for each level. Nothing else in the bytes needs it, so they may be taken for
	 * Latin-1, which leaves those of other characters as they are, and in parts: memory for long texts would be asked of the system.
	 */
	*#copyEscaped(place: CutPlace, depth: number): Generator<Uint8Array> {
		const bytes = this.#cuts.bytes(place);
		for (let at = 0; at < bytes.length; at += escapedAtOnce) {
			let text = bytes.toString('latin1', at, at + escapedAtOnce);
			for (let level = 1; level < depth; level += 1) text = JSON.stringify(text).slice(1, -1);
			if (text.length > roomSize - this.#used) yield* this.flush();
			if (text.length > roomSize) yield Buffer.from(text, 'latin1');
			else this.#used += this.#bytes.write(text, this.#used, 'latin1');
		}
	}
}

/** Outside of JSON the text itself. */
function outside(cuts: Cuts, place: CutPlace): string {
	return JSON.parse(`"${cuts.bytes(place).toString('utf8')}"`) as string;
}

/** How often the text with the mark whose random characters are at `at` has been put into JSON. */
function depthAt(text: string, at: number): number {
	if (text.startsWith(cutSign, at - cutSign.length)) return 0;
	let slashes = 0;
	let before = at - escaped.length - 1;
	while (text.charCodeAt(before) === backslash) {
		slashes += 1;
		before -= 1;
	}
	// One backslash in JSON, and each further level doubles them.
	const depth = Math.log2(slashes) + 1;
	if (!text.startsWith(escaped, at - escaped.length) || text.charCodeAt(before) !== tilde || !Number.isInteger(depth)) {
		throw new Error(`a mark was damaged: ${text.slice(Math.max(0, at - 20), at + nonceLength)}`);
	}
	return depth;
}

function signLength(depth: number): number {
	return depth === 0 ? cutSign.length : 1 + 2 ** (depth - 1) + escaped.length;
}
