/** A new file that begins like another: with the same blocks where the file system can share them, else copied. */
import { constants } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { type FileCalls, newFile, noFollow } from './calls.ts';
import { codeOf, LogError } from './errors.ts';

/** The first `size` bytes of a file, which may grow meanwhile. */
export interface Beginning {
	readonly path: string;
	readonly size: number;
}

const { O_WRONLY, O_RDONLY, O_APPEND } = constants;

/** The new file, open for what comes after that. */
export async function openCopy(calls: FileCalls, from: Beginning, to: string): Promise<number> {
	const isShared = await calls.clone(from.path, to);
	if (isShared) calls.chmod(to, 0o600);
	const file = isShared ? calls.open(to, O_WRONLY | O_APPEND | noFollow) : calls.open(to, newFile, 0o600);
	try {
		if (!isShared) await copy(calls, from, to, file);
		const made = calls.fstat(file).size;
		if (made < from.size)
			throw new LogError('io', from.path, `${from.path} became shorter while it was copied: try again`);
		if (made > from.size) calls.truncate(file, from.size);
		return file;
	} catch (error) {
		calls.close(file);
		throw error;
	}
}

const roomSize = 1 << 20;
const pace = 1 << 23;

/**
 * Past the system's cache where there is such a way: a copy that nobody will read soon need not push out of memory what others
 * read, and memory for all of it costs more than the copy.
 */
async function copy(calls: FileCalls, { path, size }: Beginning, to: string, file: number): Promise<void> {
	// What could grow is made of whole pages; where other memory begins is not known.
	const room = Buffer.from(new ArrayBuffer(roomSize, { maxByteLength: roomSize }));
	const source = calls.open(path, O_RDONLY);
	try {
		using past = new PastCache(calls, to);
		for (let at = 0, next = pace; at < size; ) {
			const read = calls.read(source, room, 0, Math.min(roomSize, size - at), at);
			if (read === 0) return;
			for (let done = past.write(room, read); done < read; ) done += calls.write(file, room, done, read - done);
			at += read;
			if (at < next) continue;
			next = at + pace;
			await breathe();
		}
	} finally {
		calls.close(source);
	}
}

/** The system takes nothing else past its cache than whole blocks, at the place of one, from memory that begins with one. */
const blockSize = 1 << 12;
/** What disks say that have no other way than through the cache. */
const notHere = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** A file that is written past the cache, while that goes well. */
class PastCache implements Disposable {
	readonly #calls: FileCalls;
	#file: number | undefined;

	constructor(calls: FileCalls, path: string) {
		this.#calls = calls;
		const { O_DIRECT } = constants; // not every system has a word for it
		if (O_DIRECT !== undefined) this.#file = unlessRefused(() => calls.open(path, O_WRONLY | O_DIRECT | noFollow));
	}

	/** How much of it was written. After a part of a block nothing goes this way any more. */
	write(bytes: Uint8Array, length: number): number {
		const blocks = length - (length % blockSize);
		let done = 0;
		while (this.#file !== undefined && done < blocks) {
			const file = this.#file;
			const wrote = unlessRefused(() => this.#calls.write(file, bytes, done, blocks - done)) ?? 0;
			done += wrote;
			if (wrote === 0 || wrote % blockSize !== 0) this.#end();
		}
		if (blocks < length) this.#end();
		return done;
	}

	#end(): void {
		if (this.#file !== undefined) this.#calls.close(this.#file);
		this.#file = undefined;
	}

	[Symbol.dispose](): void {
		this.#end();
	}
}

function unlessRefused(call: () => number): number | undefined {
	try {
		return call();
	} catch (error) {
		if (notHere.has(codeOf(error) ?? '')) return undefined;
		throw error;
	}
}
