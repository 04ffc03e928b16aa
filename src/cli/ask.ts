/** Questions before something that is hard to take back. */
import { createInterface } from 'node:readline/promises';
import { rendered } from './writer.ts';

/** True for yes. Asked on the terminal itself, so that stdout stays what it is. A `signal` takes the question back: no. */
export async function askYesNo(question: string, signal?: AbortSignal): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	// While a line is read, the terminal hands Ctrl-C to the reader: the program is who it was meant for.
	terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	try {
		const answer = await terminal.question(rendered(`${question} [y/N] `), signal ? { signal } : {});
		return /^y(es)?$/i.test(answer.trim());
	} catch (error) {
		if (signal?.aborted) return false;
		throw error;
	} finally {
		terminal.close();
	}
}

export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
