/** Laws of paged output. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printPieces } from './pager.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-pager-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const { stdout } = process;
let printed: Buffer[] = [];
let isTTY = true;

beforeEach(() => {
	printed = [];
	isTTY = true;
	vi.spyOn(stdout, 'write').mockImplementation((piece) => printed.push(Buffer.from(piece as Uint8Array)) > 0);
	vi.spyOn(process, 'stdout', 'get').mockReturnValue(
		new Proxy(stdout, {
			get: (target, name) => (name === 'isTTY' ? isTTY : name === 'rows' ? 5 : Reflect.get(target, name, target)),
		}),
	);
});
afterEach(() => {
	vi.restoreAllMocks();
	vi.unstubAllEnvs();
});

const screen = () => Buffer.concat(printed).toString();

/** Counts the pieces that somebody has asked for, and notes that the rest is not wanted. */
class Pieces {
	made = 0;
	ended = false;

	async *of(count: number, text = 'line\n') {
		try {
			for (; this.made < count; this.made += 1) yield `${this.made} ${text}`;
		} finally {
			this.ended = true;
		}
	}
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index} line\n`).join('');

describe('a text', () => {
	it('that is longer than the screen goes through the pager, whole and in order', async () => {
		const file = join(scratch, 'paged');
		vi.stubEnv('PAGER', `cat > ${file}`);
		await printPieces(new Pieces().of(5000), { pager: true });
		expect(readFileSync(file, 'utf8')).toBe(lines(5000));
		expect(screen()).toBe('');
	});

	it('that fits on the screen, is not looked at by a person, or shall not be paged, is printed', async () => {
		vi.stubEnv('PAGER', 'false');
		await printPieces(new Pieces().of(4), { pager: true });
		expect(screen()).toBe(lines(4));
		printed = [];
		await printPieces(new Pieces().of(20), { pager: false });
		expect(screen()).toBe(lines(20));
		printed = [];
		isTTY = false;
		await printPieces(new Pieces().of(20), { pager: true });
		expect(screen()).toBe(lines(20));
	});

	it('is made only as far as somebody reads it', async () => {
		vi.stubEnv('PAGER', 'head -c 100 > /dev/null');
		const pieces = new Pieces();
		await printPieces(pieces.of(1e6, `${'x'.repeat(1000)}\n`), { pager: true });
		expect(pieces.made).toBeLessThan(5000);
		expect(pieces.ended).toBe(true);
		expect(screen()).toBe('');
	});

	it('is printed without the pager when there is none', async () => {
		vi.stubEnv('PAGER', 'reprise-has-no-such-pager 2> /dev/null');
		await printPieces(new Pieces().of(3000), { pager: true });
		expect(screen()).toBe(lines(3000));
	});
});
