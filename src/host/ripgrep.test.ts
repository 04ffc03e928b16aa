/** Searching: what is said where nothing could be searched is what is wrong. */
import { expect, it } from 'vitest';
import { searchFiles } from './ripgrep.ts';

it('a folder that is gone is no missing program', async () => {
	const request = { flags: ['--files'], folder: '/nowhere/at/all', timeoutMs: 10_000 };
	const searched = searchFiles(request, () => true, new AbortController().signal);
	await expect(searched).rejects.toThrow('/nowhere/at/all is not there any more');
});
