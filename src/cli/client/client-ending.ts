/** Which signals end a prompt of the command line, and the exit code of each outcome. Exit codes of errors are decided in ../main.ts. */
import type { RunResult } from '../../agent/config.ts';
import { onClosedPipe } from '../../terminal/closed-pipe.ts';
import type { ExitCode } from '../main.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What shells and hosts call the end by each of them. */
const codes: { readonly [signal: string]: ExitCode } = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
let ended: NodeJS.Signals = 'SIGINT';

/** Calls `stop` for Ctrl-C, a request to terminate, a terminal that was closed, and an output that nobody reads any more. */
export function endingOn(stop: () => void): Disposable {
	const onSignal = (signal: NodeJS.Signals): void => {
		ended = signal;
		stop();
	};
	for (const signal of signals) process.on(signal, onSignal);
	let closed = false;
	const before = onClosedPipe(() => {
		closed = true;
		stop();
	});
	return {
		[Symbol.dispose]() {
			for (const signal of signals) process.off(signal, onSignal);
			// What is still said to a closed pipe must not end the program before the session is closed.
			if (!closed) onClosedPipe(before);
		},
	};
}

export function exitCodeOf({ outcome, failure }: RunResult): ExitCode {
	if (outcome === 'success') return 0;
	if (outcome === 'interrupted') return codes[ended] ?? 130;
	// A script is the user's own file.
	return failure && failure.code !== 'script' ? 3 : 1;
}
