/** What the catalog's commands share: how sessions are found and reached, and which project the user is in. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Access, SessionFile, Unread } from '../catalog/cost/collect.ts';
import { openFile } from '../log/file-source.ts';
import type { Source } from '../model/index.ts';
import { databasePath } from '../store/database.ts';
import { discoverSessions } from '../store/discover.ts';
import { diskFolders, thisMachine } from '../store/folders.ts';
import { identify } from '../store/identify.ts';

export const access: Access = { open, folders: diskFolders };

function open(path: string): Source & Disposable {
	if (databasePath(path).session === undefined) return openFile(path);
	const found = identify(path);
	if (found.ok) return found.source;
	throw Object.assign(new Error(found.message), { code: found.rule });
}

/** Every session of this machine, sub-agents' files included. */
export function allSessions(): Iterable<SessionFile> {
	return discoverSessions(thisMachine(), diskFolders, { subagents: true });
}

/** The folder of the repository that the user is in, else the current folder. */
export function currentProject(): string {
	const here = realpathSync(process.cwd());
	for (let folder = here; ; folder = dirname(folder)) {
		if (existsSync(join(folder, '.git'))) return folder;
		if (dirname(folder) === folder) return here;
	}
}

/** One line each for what is missing from the answer. */
export function reportUnread(unread: readonly Unread[]): void {
	for (const { path, message } of unread) process.stderr.write(`reprise: left out ${path}: ${message}\n`);
}

/** Counts up on one line of stderr while a person waits; silent for scripts. */
export function progressLine(what: string): { (done: number, of: number): void; end(): void } {
	if (!process.stderr.isTTY) return Object.assign(() => undefined, { end: () => undefined });
	let last = 0;
	const show = (done: number, of: number): void => {
		const now = Date.now();
		if (now - last < 100) return;
		last = now;
		const filled = Math.round((20 * done) / Math.max(1, of));
		process.stderr.write(`\r${what} ${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${done}/${of}\u001b[K`);
	};
	return Object.assign(show, { end: () => void (last > 0 && process.stderr.write('\r\u001b[K')) });
}

export function terminalWidth(): number {
	return Math.max(40, process.stdout.columns ?? (Number(process.env.COLUMNS) || 80));
}
