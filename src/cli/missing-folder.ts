/** Refuses an output path whose folder is not there (`--parents` makes it): a slip of the hand in a path should not make folders. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '../store/errors.ts';

/** A folder that was asked for as such is made, but not those around it. */
export function refuseMissingFolder(out: string): void {
	const folder = dirname(resolve(out));
	if (existsSync(folder)) return;
	throw new InputError('missing-folder', `the folder ${folder} does not exist: make it, or add --parents`);
}
