/** How questions are asked in plain lines on a terminal: one at a time, what was typed too early set aside, pasted lines as one answer, and the time limits for both. */
import { createInterface, type Interface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine } from '../../terminal/print.ts';
import { complain, prose } from '../../terminal/prose.ts';
import { rendered, tellPart } from '../../terminal/writer.ts';

/**
 * What was typed; lines that were pasted are one answer. Asked on the terminal itself, so that stdout stays what it is. Undefined when
 * nothing was: a `signal` took the question back, or the user ended the input (Ctrl-D) or closed the terminal.
 */
export async function askLine(question: string, signal?: AbortSignal): Promise<string | undefined> {
	return (await typedAt(question, signal))?.lines.join('\n').trim();
}

/** Lines that were typed before they were asked for. */
const waiting: string[] = [];

/** A prompt. What was typed line by line while the last was answered is a prompt each, in its order. */
export async function askPrompt(question: string): Promise<string | undefined> {
	const next = waiting.shift();
	if (next !== undefined) {
		tellPart(`${question}${rendered(next)}\n`);
		return next.trim();
	}
	const typed = await typedAt(question);
	if (!typed?.wasThere) return typed?.lines.join('\n').trim();
	const [first = '', ...rest] = typed.lines;
	waiting.push(...rest);
	return first.trim();
}

interface Typed {
	readonly lines: readonly string[];
	/** They came as soon as the question did: nobody types that fast. */
	readonly wasThere: boolean;
}

/** Lines that follow each other so closely were pasted. */
const burstMs = 30;

async function typedAt(question: string, signal?: AbortSignal): Promise<Typed | undefined> {
	// The terminal would break a long question within a word: all lines but the last are ours.
	const lines = prose(question.trimEnd(), (process.stderr.columns || 80) - 1).split('\n');
	const last = `${lines.pop() ?? ''}${question.slice(question.trimEnd().length)}`;
	if (lines.length > 0) tellPart(`${lines.join('\n')}\n`);
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	// While a line is read, the terminal hands Ctrl-C to the reader: the program is who it was meant for.
	terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
	// A reader whose input ends closes without answering the question.
	let isClosed = false;
	const closed = new Promise<undefined>((done) =>
		terminal.once('close', () => {
			isClosed = true;
			done(undefined);
		}),
	);
	// The reader tells of all lines of a paste at once: only the first of them is the answer that it was asked for.
	const more: string[] = [];
	terminal.on('line', (line) => more.push(line));
	const asked = performance.now();
	try {
		const typed = await Promise.race([terminal.question(rendered(last), signal ? { signal } : {}), closed]);
		if (typed === undefined && !signal?.aborted) tellPart('\n');
		if (typed === undefined) return undefined;
		const wasThere = performance.now() - asked < burstMs;
		await burstOver(terminal, more, () => isClosed || signal?.aborted === true);
		return signal?.aborted ? undefined : { lines: [typed, ...more], wasThere };
	} catch (error) {
		if (!(error instanceof Error && error.name === 'AbortError')) throw error;
		if (!signal?.aborted) tellPart('\n');
		return undefined;
	} finally {
		terminal.close();
	}
}

/** A paste may end within a line, which its user ends with Enter. */
async function burstOver(terminal: Interface, lines: readonly string[], isLeft: () => boolean): Promise<void> {
	for (let count = -1; !isLeft() && (count !== lines.length || terminal.line !== ''); ) {
		count = lines.length;
		await sleep(burstMs);
	}
}

/** How long input that is there already may take to be read; where there was some, how long nothing more may come before a question is asked. */
const readMs = 50;
const quietMs = 400;

/**
 * Takes what was typed before a question is asked out of its way: it cannot have been meant for it. Whole lines are the next prompts. What
 * was begun and not sent is gone; it is shown, so that its user knows.
 */
async function setAside(): Promise<void> {
	const { stdin } = process;
	if (!canAsk() || stdin.readableEnded || stdin.destroyed) return;
	let typed = '';
	const take = (data: Buffer | string): void => {
		typed += String(data);
		// Without the terminal's own handling of lines, Ctrl-C is a sign like any other.
		if (typed.includes('\u0003')) process.kill(process.pid, 'SIGINT');
		typed = typed.replaceAll('\u0003', '');
	};
	// Also what was begun and not ended with Enter: it would stand in the line of the answer.
	stdin.setRawMode(true);
	stdin.on('data', take).resume();
	try {
		await sleep(readMs);
		for (let before = ''; typed !== before; await sleep(quietMs)) before = typed;
	} finally {
		stdin.off('data', take).pause();
		stdin.setRawMode(false);
	}
	const lines = typed.split(/\r\n?|\n/);
	const begun = lines.pop() ?? '';
	const whole = lines.filter((line) => line.trim() !== '');
	waiting.push(...whole);
	for (const line of whole) complain(`typed before this question, and kept for the next prompt: ${oneLine(line)}`);
	if (begun.trim() !== '') complain(`typed before this question, and not taken as its answer: ${oneLine(begun)}`);
}

let before: Promise<unknown> = Promise.resolve();
let isOpen = false;
const held: (() => void)[] = [];

/** One question at a time, with all that belongs to it: calls that run together may have to be asked about together. */
export async function oneQuestion<T>(ask: () => Promise<T>): Promise<T> {
	const asked = before.then(async () => {
		isOpen = true;
		try {
			await setAside();
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
export async function askYesNo(question: string): Promise<boolean> {
	return /^y(es)?$/i.test((await askLine(`${question} [y/N] `)) ?? '');
}

/** `what` is lost where somebody goes on with a session. */
export async function askGoesOn(what: string): Promise<boolean> {
	complain(what);
	return await askYesNo('A part of the conversation would be lost. Go on all the same?');
}

export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** An answer that somebody may choose: by its number, its word, or the first letter of that. */
export interface Choice<W extends string = string> {
	readonly word: W;
	readonly label: string;
}

export function numbered(choices: readonly Choice[]): string {
	return choices.map(({ word, label }, at) => `${at + 1} ${label} (${word.charAt(0)})`).join(', ');
}

/** Undefined: own words. `none`: a number or a letter that stands for nothing. */
export function chosenFrom<W extends string>(typed: string, choices: readonly Choice<W>[]): W | 'none' | undefined {
	const said = typed.toLowerCase();
	const found = choices.find(({ word }, at) => [String(at + 1), word, word.charAt(0)].includes(said));
	return found?.word ?? (/^([a-z]|\d+)$/.test(said) ? 'none' : undefined);
}
