/** What the cut texts of a session stand for, read from its files when somebody asks. */
import { randomBytes } from 'node:crypto';
import { type FileSource, openFile } from '../log/file-source.ts';
import {
	type CutPlace,
	cutMark,
	cutPlace,
	cutSign,
	mostCutSources,
	nonceLength,
	placeLength,
	Spare,
} from '../model/index.ts';
import { InputError } from './errors.ts';

const windowSize = 1 << 17;
const windows = new Spare(windowSize);
const backslash = 0x5c;

/** Random, so that no file can hold a mark by chance or on purpose. One for all sessions: no mark is ever written. */
const nonce = randomBytes((nonceLength / 4) * 3).toString('base64url');

/** A whole file in memory. */
export interface HeldFile extends Disposable {
	readonly bytes: Buffer;
}

/** The files of one session whose texts were cut. They are opened when they are asked for, and must not shrink meanwhile. */
export class Cuts implements Disposable {
	readonly nonce = nonce;
	readonly #paths: string[] = [];
	readonly #open = new Map<number, FileSource>();
	/** Those that are in memory as long as the others are open. */
	readonly #inMemory = new Map<number, HeldFile>();
	#window: Buffer<ArrayBuffer> | undefined;
	#room = Buffer.alloc(0);
	#windowOf = -1;
	#windowAt = 0;
	#held = 0;

	/** What the marks of this file's texts begin with; undefined when there are too many files. `held` is disposed of with this. */
	add(path: string, held?: HeldFile): string | undefined {
		if (held) this.#inMemory.set(this.#paths.length, held);
		if (this.#paths.length >= mostCutSources) return undefined;
		this.#paths.push(path);
		return cutMark(this.nonce, this.#paths.length - 1);
	}

	/** How many files there are. */
	get count(): number {
		return this.#paths.length;
	}

	/** The text with what its marks stand for in their places. See `Whole`. */
	readonly whole = (text: string, most = Number.POSITIVE_INFINITY): string => {
		let made = '';
		let from = 0;
		for (let at = text.indexOf(this.nonce); at !== -1; at = text.indexOf(this.nonce, from)) {
			const digits = at + nonceLength;
			made += text.slice(from, at - cutSign.length) + this.#rest(cutPlace(text, digits), most);
			from = digits + placeLength;
		}
		return from === 0 ? text : made + text.slice(from);
	};

	#rest(place: CutPlace, most: number): string {
		// Few characters take more than one byte; where that is not enough, all are asked for.
		const length = Math.ceil(most * 1.25);
		if (length < place.length) {
			const bytes = this.bytes({ ...place, length });
			const text = textOf(bytes.subarray(0, lastBoundary(bytes)));
			if (text.length >= most) return text;
		}
		return textOf(this.bytes(place));
	}

	/** The rest of a text as its file has it. Holds until the next is asked for: memory for each would be given back late. */
	bytes(place: CutPlace): Buffer {
		const held = this.#inMemory.get(place.source);
		if (held) return held.bytes.subarray(place.at, place.at + place.length);
		if (this.#room.length < place.length) this.#room = Buffer.allocUnsafeSlow(2 * place.length);
		this.read(place, 0, this.#room, 0, place.length);
		return this.#room.subarray(0, place.length);
	}

	/** Copies `length` bytes of the rest of a text, from its byte `from` on, to the place `to` of `target`. */
	read({ source, at }: CutPlace, from: number, target: Buffer, to: number, length: number): void {
		const start = at + from;
		const held = this.#inMemory.get(source);
		if (held) {
			held.bytes.copy(target, to, start, start + length);
			return;
		}
		// Texts are asked for in the order of the file: most of the next ones come with this one.
		if (length <= windowSize / 4) {
			const end = start + length;
			let window = this.#window;
			if (!window || source !== this.#windowOf || start < this.#windowAt || end > this.#windowAt + this.#held)
				window = this.#fill(source, start);
			if (end <= this.#windowAt + this.#held) {
				window.copy(target, to, start - this.#windowAt, end - this.#windowAt);
				return;
			}
		} else if (this.#source(source).readInto?.(start, target.subarray(to, to + length)) === length) return;
		throw new InputError('changed', `${this.#paths[source] ?? ''} became shorter while it was read: try again`);
	}

	#fill(source: number, at: number): Buffer<ArrayBuffer> {
		this.#window ??= windows.take(windowSize);
		this.#windowOf = source;
		this.#windowAt = at;
		this.#held = this.#source(source).readInto?.(at, this.#window) ?? 0;
		return this.#window;
	}

	/** The main file stays open; of the others one at a time, for there may be hundreds. */
	#source(number: number): FileSource {
		const open = this.#open.get(number);
		if (open) return open;
		for (const [other, file] of this.#open) {
			if (other === 0) continue;
			file[Symbol.dispose]();
			this.#open.delete(other);
		}
		const file = openFile(this.#paths[number] ?? '');
		this.#open.set(number, file);
		return file;
	}

	[Symbol.dispose](): void {
		for (const file of this.#open.values()) file[Symbol.dispose]();
		this.#open.clear();
		for (const held of this.#inMemory.values()) held[Symbol.dispose]();
		this.#inMemory.clear();
		if (this.#window) windows.leave(this.#window);
		this.#window = undefined;
	}
}

/** What stands in JSON, between quotes. */
function textOf(bytes: Buffer): string {
	const text = bytes.toString('utf8');
	return bytes.includes(backslash) ? (JSON.parse(`"${text}"`) as string) : text;
}

const longestEscape = 6;

/** An end before which all characters are complete, bytes and escapes. */
function lastBoundary(bytes: Uint8Array): number {
	let end = bytes.length;
	while (end > 0 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end -= 1;
	if (end > 0 && (bytes[end - 1] as number) >= 0xc0) end -= 1;
	let slash = bytes.lastIndexOf(backslash, end - 1);
	if (slash === -1 || slash < end - longestEscape) return end;
	while (bytes[slash - 1] === backslash) slash -= 1;
	return slash;
}
