/** Texts with marks to bytes: what the marks stand for is copied from the files where it is. */
import { type CutPlace, cutPlace, cutSign, nonceLength, placeLength } from '../model/index.ts';
import type { Cuts } from '../store/cuts.ts';

const roomSize = 1 << 18;
/** A mark as JSON has it: the sign's control character is an escape there. */
const escaped = 'u0001';
const tilde = 0x7e;
const backslash = 0x5c;

/** The bytes of the pieces. Each part holds until the next is asked for. */
export function* expanded(pieces: Iterable<string | Uint8Array>, cuts: Cuts): Generator<Uint8Array> {
	const room = new Room(cuts);
	for (const piece of pieces) {
		if (typeof piece === 'string') yield* room.text(piece);
		else {
			yield* room.flush();
			yield* room.text(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('utf8'));
		}
	}
	yield* room.flush();
}

class Room {
	readonly #cuts: Cuts;
	#bytes = Buffer.allocUnsafeSlow(roomSize);
	#used = 0;

	constructor(cuts: Cuts) {
		this.#cuts = cuts;
	}

	*flush(): Generator<Uint8Array> {
		if (this.#used > 0) yield this.#bytes.subarray(0, this.#used);
		this.#used = 0;
	}

	*text(text: string): Generator<Uint8Array> {
		const { nonce } = this.#cuts;
		let from = 0;
		for (let at = text.indexOf(nonce); at !== -1; at = text.indexOf(nonce, from)) {
			const depth = depthAt(text, at);
			yield* this.#plain(text.slice(from, at - signLength(depth)));
			const place = cutPlace(text, at + nonceLength);
			if (depth === 1) yield* this.#copy(place);
			else yield* this.#plain(this.#rest(place, depth));
			from = at + nonceLength + placeLength;
		}
		yield* this.#plain(from === 0 ? text : text.slice(from));
	}

	*#plain(text: string): Generator<Uint8Array> {
		// Three bytes are the most that a character takes.
		if (text.length * 3 > roomSize - this.#used) yield* this.flush();
		if (text.length * 3 > roomSize) yield Buffer.from(text, 'utf8');
		else this.#used += this.#bytes.write(text, this.#used, 'utf8');
	}

	/** Straight from the file: the bytes are those that JSON wants. */
	*#copy(place: CutPlace): Generator<Uint8Array> {
		for (let done = 0; done < place.length; ) {
			if (this.#used === roomSize) yield* this.flush();
			const length = Math.min(place.length - done, roomSize - this.#used);
			this.#cuts.read(place, done, this.#bytes.subarray(this.#used, this.#used + length));
			this.#used += length;
			done += length;
		}
	}

	/** Outside of JSON the text itself, deeper inside with every backslash and quote escaped once more for each level. */
	#rest(place: CutPlace, depth: number): string {
		const bytes = Buffer.allocUnsafe(place.length);
		this.#cuts.read(place, 0, bytes);
		let text = bytes.toString('utf8');
		if (depth === 0) return JSON.parse(`"${text}"`) as string;
		for (let level = 1; level < depth; level += 1) text = text.replace(/["\\]/g, '\\$&');
		return text;
	}
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
