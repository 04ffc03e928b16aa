/** Stores copies of file contents for checkpoints: named by their SHA-256, compressed, one for all sessions that need it, and never given back when damaged. */
import { randomBytes } from 'node:crypto';
import {
	closeSync,
	existsSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { codeOf } from '../../log/errors.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { sha256Of } from '../../log/sha256.ts';

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export class Copies {
	readonly #folder: string;
	readonly #made = new Set<string>();

	constructor(folder: string) {
		this.#folder = folder;
	}

	has(sha256: string): boolean {
		return this.#made.has(sha256) || existsSync(this.#pathOf(sha256));
	}

	/** `durable`: it survives a power failure, because what it is a copy of is about to be replaced by us. */
	keep(bytes: Uint8Array, sha256: string = sha256Of(bytes), durable = false): void {
		if (this.has(sha256)) return;
		const path = this.#pathOf(sha256);
		const folder = join(path, '..');
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
		const packed = zstdCompressSync(bytes, fast);
		const file = openSync(temporary, 'wx', 0o600);
		try {
			for (let at = 0; at < packed.length; ) at += writeSync(file, packed, at);
			if (durable) fsyncSync(file);
		} catch (error) {
			rmSync(temporary, { force: true });
			throw error;
		} finally {
			closeSync(file);
		}
		renameSync(temporary, path);
		this.#made.add(sha256);
	}

	/** Undefined where there is no copy, or where it is not what it says: damaged bytes are never restored. */
	read(sha256: string): Buffer | undefined {
		const packed = readIfThere(this.#pathOf(sha256));
		const bytes = packed && unpacked(packed);
		return bytes && sha256Of(bytes) === sha256 ? bytes : undefined;
	}

	/** Makes copies that are there already survive a power failure. */
	settle(sums: Iterable<string>): void {
		for (const sha256 of sums) {
			const file = openSync(this.#pathOf(sha256), 'r');
			try {
				fsyncSync(file);
			} finally {
				closeSync(file);
			}
		}
	}

	/** Every copy with its size on disk and its age. */
	*all(): Generator<{ readonly sha256: string; readonly size: number; readonly mtimeMs: number }> {
		for (const part of this.#list(this.#folder)) {
			for (const name of this.#list(join(this.#folder, part))) {
				const stat = statSync(join(this.#folder, part, name), { throwIfNoEntry: false });
				if (stat) yield { sha256: `${part}${name.replace(/\.zst$/, '')}`, size: stat.size, mtimeMs: stat.mtimeMs };
			}
		}
	}

	remove(sha256: string): void {
		this.#made.delete(sha256);
		rmSync(this.#pathOf(sha256), { force: true });
	}

	#list(folder: string): readonly string[] {
		return existsSync(folder) ? readdirSync(folder) : [];
	}

	#pathOf(sha256: string): string {
		return join(this.#folder, sha256.slice(0, 2), `${sha256.slice(2)}.zst`);
	}
}

function unpacked(packed: Buffer): Buffer | undefined {
	try {
		return zstdDecompressSync(packed);
	} catch (error) {
		if (codeOf(error) !== undefined) return undefined;
		throw error;
	}
}
