/** Which signals end a prompt of the command line, and the exit code of each outcome. Exit codes of errors are decided in ../main.ts. */
import type { RunResult } from '../../agent/config.ts';
import { onClosedPipe } from '../../terminal/closed-pipe.ts';
import type { ExitCode } from '../main.ts';

/** What shells and hosts call the end by each of them. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const satisfies { readonly [signal: string]: ExitCode };
let ended: ExitCode = codes.SIGINT;

/** Calls `stop`, with the exit code, for Ctrl-C, a request to terminate, and a terminal that was closed. */
export function onSignals(stop: (code: ExitCode) => void): Disposable {
	const heard = Object.entries(codes).map(([signal, code]) => [signal, () => stop(code)] as const);
	for (const [signal, listener] of heard) process.on(signal, listener);
	return {
		[Symbol.dispose]() {
			for (const [signal, listener] of heard) process.off(signal, listener);
		},
	};
}

/** Calls `stop` for these, and for an output that nobody reads any more. */
export function endingOn(stop: () => void): Disposable {
	const signals = onSignals((code) => {
		ended = code;
		stop();
	});
	let closed = false;
	const before = onClosedPipe(() => {
		closed = true;
		stop();
	});
	return {
		[Symbol.dispose]() {
			signals[Symbol.dispose]();
			// What is still said to a closed pipe must not end the program before the session is closed.
			if (!closed) onClosedPipe(before);
		},
	};
}

export function exitCodeOf({ outcome, failure }: RunResult): ExitCode {
	if (outcome === 'success') return 0;
	if (outcome === 'interrupted') return ended;
	// A script is the user's own file.
	return failure && failure.code !== 'script' ? 3 : 1;
}
