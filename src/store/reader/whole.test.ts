/** What a session says about its bytes stays true, whatever happens to its file. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFile } from '../../log/file-source.ts';
import { reusedPieces } from '../../model/index.ts';
import { reopened } from './whole.ts';

it('a file that grows is read up to where it ended when it was opened', () => {
	const folder = mkdtempSync(join(tmpdir(), 'reprise-open-'));
	try {
		const path = join(folder, 'a.jsonl');
		writeFileSync(path, 'first\n');
		using file = openFile(path);
		const source = reopened(file);
		appendFileSync(path, 'second\n');
		expect(Buffer.concat([...reusedPieces(source)].map((piece) => Buffer.from(piece))).toString()).toBe('first\n');
		expect(Buffer.from(source.read(0, 100)).toString()).toBe('first\n');
		expect(source.read(50, 100).length).toBe(0);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
