/** Questions before something that is hard to take back. */
import { createInterface } from 'node:readline/promises';
import { prose } from '../../terminal/prose.ts';
import { rendered, tellPart } from '../../terminal/writer.ts';

/**
 * What was typed. Asked on the terminal itself, so that stdout stays what it is. Undefined when nothing was: a `signal` took the question
 * back, or the user ended the input (Ctrl-D) or closed the terminal.
 */
export async function askLine(question: string, signal?: AbortSignal): Promise<string | undefined> {
	// The terminal would break a long question within a word: all lines but the last are ours.
	const lines = prose(question.trimEnd(), (process.stderr.columns || 80) - 1).split('\n');
	const last = `${lines.pop() ?? ''}${question.slice(question.trimEnd().length)}`;
	if (lines.length > 0) tellPart(`${lines.join('\n')}\n`);
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	// While a line is read, the terminal hands Ctrl-C to the reader: the program is who it was meant for.
	terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	// A reader whose input ends closes without answering the question.
	const closed = new Promise<undefined>((done) => terminal.once('close', () => done(undefined)));
	try {
		const typed = await Promise.race([terminal.question(rendered(last), signal ? { signal } : {}), closed]);
		if (typed === undefined && !signal?.aborted) tellPart('\n');
		return typed?.trim();
	} catch (error) {
		if (!(error instanceof Error && error.name === 'AbortError')) throw error;
		if (!signal?.aborted) tellPart('\n');
		return undefined;
	} finally {
		terminal.close();
	}
}

let before: Promise<unknown> = Promise.resolve();
let isOpen = false;
const held: (() => void)[] = [];

/** One question at a time, with all that belongs to it: calls that run together may have to be asked about together. */
export async function oneQuestion<T>(ask: () => Promise<T>): Promise<T> {
	const asked = before.then(async () => {
		isOpen = true;
		try {
			return await ask();
		} finally {
			isOpen = false;
			for (const show of held.splice(0)) show();
		}
	});
	before = asked.catch(() => undefined);
	return await asked;
}

/** Shows something that is no part of a question: an open one is answered first, because its line would be torn apart. */
export function outsideQuestions(show: () => void): void {
	if (isOpen) held.push(show);
	else show();
}

/** True for yes. A question that is taken back or left with Ctrl-D is answered with no. */
export async function askYesNo(question: string, signal?: AbortSignal): Promise<boolean> {
	return /^y(es)?$/i.test((await askLine(`${question} [y/N] `, signal)) ?? '');
}

export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
