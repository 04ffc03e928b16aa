/** `--debug`: the log of a command: its file name, the link `latest`, the form of a line, and that secrets are taken out. Nothing is written unless it was asked for. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { withoutSecrets } from '../providers/secrets.ts';
import { thisMachine } from '../store/find/folders.ts';
import { dataFolder } from '../store/own-data/data-folder.ts';
import { version } from './version.ts';

let log: number | undefined;

/**
 * Opens a new log in our own folder, with a link `latest` that points at it, or in the file that is named. Returns its path; throws
 * where none can be written.
 */
export function startDebug(args: readonly string[], to: string): string {
	const path = to === '' ? newLog() : to;
	log ??= openSync(path, 'a', 0o600);
	const { platform, version: node, cwd } = process;
	debug('start', { reprise: version(), node, platform, cwd: cwd(), args });
	return path;
}

function newLog(): string {
	const folder = join(dataFolder(thisMachine()), 'debug');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}.log`;
	const path = join(folder, name);
	log = openSync(path, 'a', 0o600);
	pointAt(folder, name);
	return path;
}

/** Made under another name first: two runs that start together must not find each other's half-made link. */
function pointAt(folder: string, name: string): void {
	const made = join(folder, `.latest-${process.pid}`);
	try {
		rmSync(made, { force: true });
		symlinkSync(name, made);
		renameSync(made, join(folder, 'latest'));
	} catch (error) {
		// Windows lets only some users make links, and a log without one is still a log.
		debug('no link', { why: error });
	}
}

export function debugging(): boolean {
	return log !== undefined;
}

/** One line: when, what, and the facts. */
export function debug(event: string, facts: { readonly [name: string]: unknown } = {}): void {
	if (log === undefined) return;
	const told = Object.entries(facts).map(([name, value]) => `${name}=${spelled(value)}`);
	writeSync(log, `${withoutSecrets([new Date().toISOString(), event, ...told].join(' '), process.env)}\n`);
}

function spelled(value: unknown): string {
	if (value instanceof Error) return inspect(value, { depth: 4 });
	return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
}

export function endDebug(): void {
	if (log === undefined) return;
	closeSync(log);
	log = undefined;
}
