/** What ends a console from outside: signals and their exit codes, a terminal that is gone and how long the process may outlive it, our own mistakes. */
import { onClosedPipe } from '../terminal/closed-pipe.ts';
import { complain } from '../terminal/prose.ts';
import { isReplaced } from './failure-text.ts';
import { restoreTerminal } from './shell/restore.ts';

/** A terminal that is gone is the end of the process within two seconds, whatever still runs. */
const goneMs = 1700;

export interface Endings {
	readonly end: (code: number) => void;
	/** The program was updated meanwhile: a part of it that is loaded only now is not there. */
	readonly replaced: (error: unknown) => void;
}

export function endings({ end, replaced }: Endings): Disposable {
	// Nobody is there to end what does not end by itself; what was said is in the session's file.
	const gone = (): void => {
		setTimeout(() => process.exit(129), goneMs).unref();
		end(129);
	};
	const handlers: readonly (readonly [string, () => void])[] = [
		['SIGTERM', () => end(143)],
		['SIGHUP', gone],
		['SIGINT', () => end(130)],
	];
	for (const [signal, handler] of handlers) process.on(signal, handler);
	process.stdin.on('end', gone);
	process.stdin.on('error', gone);
	const before = onClosedPipe(gone);
	const failed = (error: unknown): void => (isReplaced(error) ? replaced(error) : die(error));
	process.on('uncaughtException', failed);
	process.on('unhandledRejection', failed);
	return {
		[Symbol.dispose]() {
			for (const [signal, handler] of handlers) process.off(signal, handler);
			process.off('uncaughtException', failed);
			process.off('unhandledRejection', failed);
			onClosedPipe(before);
		},
	};
}

function die(error: unknown): void {
	restoreTerminal();
	complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exit(1);
}
