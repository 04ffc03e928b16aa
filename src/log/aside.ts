/** Writing past the system's cache: what nobody will read soon need not push out of memory what others read. */
import { constants } from 'node:fs';
import type { FileCalls } from './calls.ts';
import { codeOf } from './errors.ts';

/** The system takes nothing else past its cache than whole blocks, from memory that begins with one. */
const blockSize = 1 << 12;
const roomSize = 1 << 20;

/** What disks say that have no other way than through the cache. */
const notHere = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Memory that can be written past the cache as it is: what could grow is made of whole pages; where other memory begins is not known. */
export function blockMemory(): Buffer<ArrayBuffer> {
	return Buffer.from(new ArrayBuffer(roomSize, { maxByteLength: roomSize }));
}

/** Gathers pieces and writes them past the cache, or through it where there is no such way. */
export class AsideWriter implements Disposable {
	readonly #calls: FileCalls;
	readonly #path: string;
	/** Open for appending. */
	readonly #file: number;
	/** The same file past the cache, while that goes well. */
	#past: number | undefined;
	readonly #room = blockMemory();
	#used = 0;

	constructor(calls: FileCalls, path: string, file: number) {
		this.#calls = calls;
		this.#path = path;
		this.#file = file;
		this.#past = this.#unlessRefused(() => this.#open());
	}

	take(piece: Uint8Array): void {
		const written = this.#used === 0 && beginsBlock(piece) ? this.#writePast(piece, wholeBlocks(piece.length)) : 0;
		for (let at = written; at < piece.length; ) {
			const part = piece.subarray(at, at + roomSize - this.#used);
			this.#room.set(part, this.#used);
			this.#used += part.length;
			at += part.length;
			if (this.#used === roomSize) this.#flush();
		}
	}

	/** Everything is written when this returns. */
	end(): void {
		this.#flush();
	}

	[Symbol.dispose](): void {
		if (this.#past !== undefined) this.#calls.close(this.#past);
	}

	/** Undefined on systems that have no word for it. */
	#open(): number | undefined {
		const { O_WRONLY, O_DIRECT, O_NOFOLLOW = 0 } = constants;
		return O_DIRECT === undefined ? undefined : this.#calls.open(this.#path, O_WRONLY | O_DIRECT | O_NOFOLLOW);
	}

	#flush(): void {
		let done = this.#writePast(this.#room, wholeBlocks(this.#used));
		while (done < this.#used) done += this.#calls.write(this.#file, this.#room, done, this.#used - done);
		this.#used = 0;
	}

	/** How much of the blocks was written. A part of a block is the last that goes this way: nothing after it begins with one. */
	#writePast(bytes: Uint8Array, length: number): number {
		let done = 0;
		while (this.#past !== undefined && done < length) {
			const file = this.#past;
			const wrote = this.#unlessRefused(() => this.#calls.write(file, bytes, done, length - done));
			done += wrote ?? 0;
			if (wrote !== undefined && wrote % blockSize === 0) continue;
			this.#calls.close(file);
			this.#past = undefined;
		}
		return done;
	}

	#unlessRefused<T>(call: () => T): T | undefined {
		try {
			return call();
		} catch (error) {
			if (notHere.has(codeOf(error) ?? '')) return undefined;
			throw error;
		}
	}
}

function wholeBlocks(length: number): number {
	return length - (length % blockSize);
}

function beginsBlock({ buffer, byteOffset }: Uint8Array): boolean {
	return buffer instanceof ArrayBuffer && buffer.resizable && byteOffset % blockSize === 0;
}
