/** Makes a folder and those above it, for their owner only. Node's own `recursive` never ends below /proc. The folders of a log's place are made in `paths.ts`. */
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
