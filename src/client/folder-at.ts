/** Which folder a flag means: as an absolute path without links, because that is how sessions, histories and trust name folders; or the words that refuse it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from '../store/errors.ts';
import type { ClientOptions } from './options.ts';

export function folderAt(given: string, flag: string): string {
	const path = resolve(given);
	if (existsSync(path) && statSync(path).isDirectory()) return realpathSync(path);
	throw new InputError('usage', `${flag}: ${path} is ${existsSync(path) ? 'not a folder' : 'missing'}`);
}

/** The folder that tools work in; `here` is where the user is. */
export function workFolder({ cwd }: ClientOptions, here: string): string {
	return cwd === undefined ? here : folderAt(cwd, '--cwd');
}
