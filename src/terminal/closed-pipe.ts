/** What happens when our output cannot be written: whoever reads it has gone (`| head`), or the disk is full; and the exit code of each. */
import { complain } from './prose.ts';

let whenClosed = (): void => process.exit(0);

/** Says what happens when nobody reads stdout any more, and returns what would have happened. Usually the program ends. */
export function onClosedPipe(then: () => void): () => void {
	const before = whenClosed;
	whenClosed = then;
	return before;
}

/** `reprise … | head` closes the pipe when it has seen enough. Everything else is the disk's fault. */
export function endOnLostOutput(error: NodeJS.ErrnoException): void {
	if (error.code === 'EPIPE') {
		whenClosed();
		return;
	}
	complain(`the output could not be written (${error.message}); it is not complete`);
	process.exit(3);
}
