/** Questions before something that is hard to take back. */
import { createInterface } from 'node:readline/promises';

/** True for yes. Asked on the terminal itself, so that stdout stays what it is. */
export async function askYesNo(question: string): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	try {
		return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
	} finally {
		terminal.close();
	}
}

export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
