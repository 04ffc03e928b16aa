/** Laws of what a person sees while work takes long. */
import { afterEach, expect, it, vi } from 'vitest';
import { progressLine } from './progress.ts';

afterEach(() => void vi.restoreAllMocks());

it('more than was expected is a full bar', () => {
	const { isTTY } = process.stderr;
	const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
	process.stderr.isTTY = true;
	try {
		progressLine('reading')(5, 2);
		expect(String(written.mock.lastCall?.[0])).toContain(`${'█'.repeat(20)} 5/2`);
	} finally {
		process.stderr.isTTY = isTTY;
	}
});
