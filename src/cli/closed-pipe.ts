/** What happens when whoever reads our output has gone. */

let whenClosed = (): void => process.exit(0);

/** Says what happens when nobody reads stdout any more, and returns what would have happened. Usually the program ends. */
export function onClosedPipe(then: () => void): () => void {
	const before = whenClosed;
	whenClosed = then;
	return before;
}

/** `reprise … | head` closes the pipe when it has seen enough. */
export function endOnClosedPipe(error: NodeJS.ErrnoException): void {
	if (error.code !== 'EPIPE') throw error;
	whenClosed();
}
