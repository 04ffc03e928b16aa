/** Makes a folder and those around it. Node's own `recursive` never ends below /proc, where a folder is refused as if its parent were missing. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './errors.ts';

/** Throws what the system says where it cannot be made. Only its owner may look into what is made. */
export function makeFolders(folder: string): void {
	const missing: string[] = [];
	for (let at = folder; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.push(at);
	for (const one of missing.reverse()) {
		try {
			mkdirSync(one, { mode: 0o700 });
		} catch (error) {
			// Somebody else was faster.
			if (codeOf(error) !== 'EEXIST') throw error;
		}
	}
}
