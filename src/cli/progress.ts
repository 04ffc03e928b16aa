/** The progress bar on stderr: its width and how often it is drawn; and what Ctrl-C in a conversion does and says. */
import type { Watched } from '../move/index.ts';
import { complain } from '../terminal/prose.ts';
import { showStatus } from '../terminal/writer.ts';
import type { ExitCode } from './main.ts';

/** Counts up on one line of stderr while a person waits; silent for scripts. */
export function progressLine(what: string, unit = ''): { (done: number, of: number): void; end(): void } {
	if (!process.stderr.isTTY) return Object.assign(() => undefined, { end: () => undefined });
	let last = 0;
	const show = (done: number, of: number): void => {
		const now = Date.now();
		if (now - last < 100) return;
		last = now;
		// A file that is written while it is read is longer than it was said to be.
		const filled = Math.min(20, Math.round((20 * done) / Math.max(1, of)));
		showStatus(`${what} ${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${done}/${of}${unit}`);
	};
	return Object.assign(show, { end: () => void (last > 0 && showStatus('')) });
}

/** Shows how far the catalog is with files that have to be read first. */
export function indexing<T>(work: (progress: (done: number, of: number) => void) => T): T {
	const line = progressLine('indexing', ' MB');
	const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
	try {
		return work((done, of) => line(megabytes(done), megabytes(of)));
	} finally {
		line.end();
	}
}

/**
 * Runs a conversion that can be watched and stopped. Undefined when it was stopped: whatever had been begun is taken back, and
 * the exit code says so.
 */
export async function watched<T>(
	outcome: { code: ExitCode },
	run: (watched: Watched) => Promise<T>,
): Promise<T | undefined> {
	const stop = new AbortController();
	const interrupt = (): void => stop.abort();
	process.on('SIGINT', interrupt);
	process.on('SIGTERM', interrupt);
	let doing = '';
	let line = progressLine(doing);
	try {
		return await run({
			signal: stop.signal,
			progress(what, share) {
				if (what !== doing) {
					line.end();
					doing = what;
					line = progressLine(what);
				}
				line(Math.round(share * 100), 100);
			},
		});
	} catch (error) {
		if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
		line.end();
		const left =
			doing === 'keeping the way back'
				? 'the session is written, but the way back was not stored'
				: 'nothing was written';
		complain(`interrupted: ${left}`);
		outcome.code = 130;
		return undefined;
	} finally {
		line.end();
		process.off('SIGINT', interrupt);
		process.off('SIGTERM', interrupt);
	}
}
