/** A file that was decided about is opened only where its name still leads there. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratchMachine } from '../../test/support/scratch.ts';
import { readDecided, replaceDecided } from './decided-file.ts';
import { realTarget } from './file-view.ts';

let scratch: Scratch;
let path: (name: string) => string;
beforeEach(() => {
	scratch = scratchMachine();
	path = (name) => join(scratch.root, name);
	for (const folder of ['in', 'out']) mkdirSync(path(folder));
	writeFileSync(path('in/f'), 'inside');
	writeFileSync(path('out/f'), 'outside');
});
afterEach(() => scratch[Symbol.dispose]());

it('a file is read and replaced, with its mode, and through a link that stayed', async () => {
	symlinkSync('in', path('link'));
	expect(Buffer.from(readDecided(path('link/f'), path('in/f'))).toString()).toBe('inside');
	await replaceDecided(path('link/new/deep'), path('in/new/deep'), Buffer.from('x'));
	expect(readFileSync(path('in/new/deep'), 'utf8')).toBe('x');
});

it('a file that became a link is neither read nor written through', async () => {
	rmSync(path('in/f'));
	symlinkSync('../out/f', path('in/f'));
	expect(() => readDecided(path('in/f'), path('in/f'))).toThrow('leads elsewhere');
	await expect(replaceDecided(path('in/f'), path('in/f'), Buffer.from('x'))).rejects.toThrow('leads elsewhere');
	expect(readFileSync(path('out/f'), 'utf8')).toBe('outside');
});

it('a folder that became a link leads nowhere else', async () => {
	renameSync(path('in'), path('gone'));
	symlinkSync('out', path('in'));
	expect(() => readDecided(path('in/f'), path('in/f'))).toThrow('leads elsewhere');
	await expect(replaceDecided(path('in/new'), path('in/new'), Buffer.from('x'))).rejects.toThrow('leads elsewhere');
	expect(existsSync(path('out/new'))).toBe(false);
});

it('where a name leads is known before the file is there, as the kernel would go', () => {
	symlinkSync('out/made', path('nowhere'));
	symlinkSync('../out', path('in/link'));
	symlinkSync('b', path('a'));
	symlinkSync('a', path('b'));
	expect(realTarget(path('nowhere'))).toBe(path('out/made'));
	expect(realTarget(`${scratch.root}/in/link/../x`)).toBe(path('x'));
	expect(realTarget(path('in/new/x'))).toBe(path('in/new/x'));
	expect(realTarget(path('a/x'))).toBe(undefined);
});
