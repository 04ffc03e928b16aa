/** Which ids a file of lines holds, without reading it again: sixteen bytes for each entry in a file beside it. */

import { createHash } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from '../../log/make-folders.ts';
import { readIfThere } from '../../log/regular-file.ts';
import { piecesOf, type Source } from '../../model/index.ts';
import { contentId, lineFrom } from '../exact-store.ts';

/** The hash of an id, then the offset behind its line. */
const hashLength = 16;
const recordLength = hashLength + 8;
const newline = 10;

export class SeenIds {
	readonly #file: string;
	readonly #hashes = new Set<string>();
	/** How much of the transcript is known. */
	#end = 0;

	constructor(file: string) {
		this.#file = file;
		const bytes = readIfThere(file) ?? Buffer.alloc(0);
		for (let at = 0; at + recordLength <= bytes.length; at += recordLength) {
			this.#hashes.add(bytes.toString('latin1', at, at + hashLength));
			this.#end = Number(bytes.readBigUInt64LE(at + hashLength));
		}
		// Half a record is what a killed process leaves; the next one would be read out of step.
		if (bytes.length % recordLength !== 0) this.#forget();
	}

	get end(): number {
		return this.#end;
	}

	has(id: string): boolean {
		return this.#hashes.has(hashOf(id));
	}

	/** The id of a line as it stands in a file: its uuid, or what it says and the number of those before it. */
	idOf(text: string, more: (id: string) => boolean = () => false): string {
		const own = lineFrom(text)?.id;
		if (own !== undefined) return own;
		for (let before = 0; ; before += 1) {
			const id = contentId(text, before);
			if (!this.has(id) && !more(id)) return id;
		}
	}

	/** Reads what the transcript holds beyond what is known: all of it, where the file beside it was lost. */
	catchUp(source: Source): void {
		if (source.size < this.#end) this.#forget();
		if (source.size === this.#end) return;
		let rest = Buffer.alloc(0);
		let at = this.#end;
		const take = (line: Buffer, end: number): void => {
			const text = line.toString('utf8');
			if (lineFrom(text) === undefined) return;
			this.#note(this.idOf(text), end);
		};
		for (const piece of piecesOf(source, this.#end)) {
			const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece);
			let from = 0;
			for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
				take(bytes.subarray(from, end), at + end + 1);
				from = end + 1;
			}
			at += from;
			rest = Buffer.from(bytes.subarray(from));
		}
		// Without its newline a whole entry counts as well: it is what a reader finds.
		take(rest, source.size);
		this.#write();
	}

	/** Notes what was appended, each with the offset behind it. */
	add(lines: readonly { readonly id: string; readonly end: number }[]): void {
		for (const { id, end } of lines) this.#note(id, end);
		this.#write();
	}

	#pending: Buffer[] = [];

	#note(id: string, end: number): void {
		const hash = hashOf(id);
		this.#hashes.add(hash);
		this.#end = end;
		const record = Buffer.alloc(recordLength);
		record.write(hash, 'latin1');
		record.writeBigUInt64LE(BigInt(end), hashLength);
		this.#pending.push(record);
	}

	#write(): void {
		if (this.#pending.length === 0) return;
		makeFolders(dirname(this.#file));
		appendFileSync(this.#file, Buffer.concat(this.#pending), { mode: 0o600 });
		this.#pending = [];
	}

	#forget(): void {
		rmSync(this.#file, { force: true });
		this.#hashes.clear();
		this.#end = 0;
	}
}

function hashOf(id: string): string {
	return createHash('sha256').update(id).digest().toString('latin1', 0, hashLength);
}
