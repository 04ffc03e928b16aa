/** Tells files that moved with their project from those that were deleted. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isInside } from '../store/find/project.ts';
import type { StaleFile } from '../store/reader/stale.ts';

/** True for a file that is not deleted, but moved with its project: that is gone from where it was, and the file is at its place in the new one. */
export function alongWith(recorded: string | undefined, cwd: string): (file: StaleFile) => boolean {
	if (recorded === undefined || existsSync(recorded)) return () => false;
	return ({ path: file, change }) =>
		change === 'deleted' && isInside(recorded, file) && existsSync(join(cwd, relative(recorded, file)));
}
