/** The names and links of this machine's file system, as permission decisions see them. Nothing is opened but what git keeps of a repository. */
import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import type { FileView } from '../agent/contracts.ts';
import { gitRuns } from './git-runs.ts';
import { trackedNames } from './tracked-names.ts';

/** As many as Linux follows before it calls it a loop. */
const mostLinks = 40;

export const fileView: FileView = { real: realTarget, kind, list, tracked: trackedNames, gitRuns };

/**
 * Where the kernel would end up: part by part, each link followed where it stands, `..` up from where the links have led.
 * Parts that do not exist keep their names, so that the target of a file that is yet to be made is known, also behind a link to nowhere.
 */
export function realTarget(path: string): string | undefined {
	const left = parts(path).reverse();
	let at: string[] = [];
	let links = 0;
	for (let part = left.pop(); part !== undefined; part = left.pop()) {
		if (part === '..') {
			at.pop();
			continue;
		}
		const to = linkAt(`/${[...at, part].join('/')}`);
		if (to === undefined) {
			at.push(part);
			continue;
		}
		if (++links > mostLinks) return undefined;
		if (to.startsWith('/')) at = [];
		left.push(...parts(to).reverse());
	}
	return `/${at.join('/')}`;
}

function parts(path: string): string[] {
	return path.split('/').filter((part) => part !== '' && part !== '.');
}

function linkAt(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
	} catch {
		// Missing, or not ours to look at: then nobody gets through it either.
		return undefined;
	}
}

function kind(path: string): 'file' | 'folder' | undefined {
	try {
		return statSync(path).isDirectory() ? 'folder' : 'file';
	} catch {
		// Missing, or behind a loop or a folder that is closed to us.
		return undefined;
	}
}

function list(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		// What cannot be listed matches no pattern.
		return [];
	}
}
