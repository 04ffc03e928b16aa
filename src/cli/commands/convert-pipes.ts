/** `-` as the file of `reprise convert`: a session read from stdin or written to stdout through a temporary folder; one of several files is refused. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openFile } from '../../log/file-source.ts';
import { piecesOf } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { identify } from '../../store/reader/identify.ts';
import { printPieces } from '../../terminal/pager.ts';

export const pipe = '-';

/** A folder of our own for what has no name: files are read and written in more than one go. */
export class PipeFolder implements Disposable {
	#made: string | undefined;

	get #folder(): string {
		this.#made ??= mkdtempSync(join(tmpdir(), 'reprise-pipe-'));
		return this.#made;
	}

	/** The file that stdin was written to. */
	async input(): Promise<string> {
		if (process.stdin.isTTY) throw new InputError('usage', 'there is nothing on stdin: pipe a session file to it');
		const path = join(this.#folder, 'stdin.jsonl');
		await pipeline(process.stdin, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
		const found = identify(path);
		if (!found.ok) throw new InputError(found.rule, found.message.replace(path, 'what came on stdin'));
		found.source[Symbol.dispose]();
		return path;
	}

	get output(): string {
		return join(this.#folder, 'stdout.jsonl');
	}

	/** Prints the one file that was written. */
	async print(out: readonly string[], format: string): Promise<void> {
		const [main, ...beside] = out;
		if (main === undefined) return;
		if (beside.length > 0) {
			throw new InputError(
				'several-files',
				`this session is ${out.length} files in the format ${format}, and stdout takes one: name a file with -o FILE, or a folder with -o OUT/`,
			);
		}
		using source = openFile(main);
		await printPieces(piecesOf(source), { pager: false });
	}

	[Symbol.dispose](): void {
		if (this.#made !== undefined) rmSync(this.#made, { recursive: true, force: true });
	}
}
