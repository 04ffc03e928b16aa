/** Questions before something that is hard to take back. */
import { createInterface } from 'node:readline/promises';
import { rendered } from './writer.ts';

/** What was typed. Asked on the terminal itself, so that stdout stays what it is. Undefined when a `signal` takes the question back. */
export async function askLine(question: string, signal?: AbortSignal): Promise<string | undefined> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	// While a line is read, the terminal hands Ctrl-C to the reader: the program is who it was meant for.
	terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	try {
		return (await terminal.question(rendered(question), signal ? { signal } : {})).trim();
	} catch (error) {
		if (signal?.aborted) return undefined;
		throw error;
	} finally {
		terminal.close();
	}
}

/** True for yes. A question that is taken back is answered with no. */
export async function askYesNo(question: string, signal?: AbortSignal): Promise<boolean> {
	return /^y(es)?$/i.test((await askLine(`${question} [y/N] `, signal)) ?? '');
}

export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
