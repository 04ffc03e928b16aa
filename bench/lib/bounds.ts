/** What every reader has to pay: reading alone, and reading with JSON.parse for each line; and what every writer has to. */
import { closeSync, fsyncSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Variant } from './bench.ts';
import { benchFolder } from './dataset.ts';

const pieceSize = 1 << 20;
const newline = 0x0a;

/** Read and JSON.parse each line, with a reused buffer. Answers with the number of lines. */
export const parseBound: Variant = {
	name: 'parse bound: read + JSON.parse per line',
	run: ({ files }) => parseLines(files, () => undefined),
};

/** The same for whoever needs everything at once. */
export const keepBound: Variant = {
	name: 'parse bound: read + JSON.parse per line, all kept',
	run({ files }) {
		const kept: unknown[] = [];
		const lines = parseLines(files, (value) => kept.push(value));
		return kept.length === lines ? lines : undefined;
	},
};

function parseLines(files: readonly string[], take: (value: object) => void): number | undefined {
	let buffer = Buffer.allocUnsafe(pieceSize);
	let lines = 0;
	let keys = 0;
	for (const path of files) {
		const file = openSync(path, 'r');
		let held = 0;
		for (;;) {
			if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
			const read = readSync(file, buffer, held, buffer.length - held, null);
			if (read === 0) break;
			const end = held + read;
			let start = 0;
			for (let at = buffer.indexOf(newline, held); at !== -1 && at < end; at = buffer.indexOf(newline, start)) {
				const value = JSON.parse(buffer.toString('utf8', start, at)) as object;
				keys += value ? 1 : 0;
				take(value);
				lines += 1;
				start = at + 1;
			}
			buffer.copyWithin(0, start, end);
			held = end - start;
		}
		closeSync(file);
	}
	return keys === lines ? lines : undefined;
}

/** Read, JSON.parse, JSON.stringify and write each line: what a converter pays that changes nothing. */
export const copyBound: Variant = {
	name: 'parsed, written as JSON again, line by line',
	run({ files }) {
		const folder = mkdtempSync(join(benchFolder(), 'copy-'));
		process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
		const out = openSync(join(folder, 'copy'), 'w');
		let ready: string[] = [];
		let length = 0;
		const flush = (): void => {
			writeSync(out, ready.join(''));
			ready = [];
			length = 0;
		};
		const lines = parseLines(files, (value) => {
			const line = `${JSON.stringify(value)}\n`;
			ready.push(line);
			length += line.length;
			if (length > pieceSize) flush();
		});
		flush();
		fsyncSync(out);
		closeSync(out);
		return lines;
	},
};

/** Read and JSON.parse each file, for formats of one document. */
export const documentBound: Variant = {
	name: 'parse bound: read + JSON.parse per file',
	run({ files }) {
		let buffer = Buffer.allocUnsafe(pieceSize);
		let documents = 0;
		for (const path of files) {
			const file = openSync(path, 'r');
			let held = 0;
			for (let read = -1; read !== 0; held += read) {
				if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
				read = readSync(file, buffer, held, buffer.length - held, null);
			}
			closeSync(file);
			if (JSON.parse(buffer.toString('utf8', 0, held)) !== null) documents += 1;
		}
		return documents;
	},
};

/** Read into a reused buffer, and look at nothing. */
export const readBound: Variant = {
	name: 'read alone',
	run({ files }) {
		const buffer = Buffer.allocUnsafe(1 << 18);
		for (const path of files) {
			const file = openSync(path, 'r');
			while (readSync(file, buffer, 0, buffer.length, null) > 0);
			closeSync(file);
		}
		return undefined;
	},
};
