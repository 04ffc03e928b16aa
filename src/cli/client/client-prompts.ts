/** The prompt of `reprise -p`: how the command line and stdin are put together, and how long a pipe that says nothing is waited for. */
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../store/errors.ts';

/** How long a pipe may say nothing when there is a prompt without it. */
const patience = 2000;

/** `note` hears what the user should know about how the prompt came together. Undefined where there is none. */
export async function promptOf(words: string, note: (text: string) => void): Promise<string | undefined> {
	const given = words.trim() === '-' ? '' : words.trim();
	const piped = given === '' ? await all() : await offered(note);
	const prompt = [given, piped.trim()].filter((part) => part !== '').join('\n\n');
	return prompt === '' ? undefined : prompt;
}

export function nothingToDo(): InputError {
	return new InputError('usage', 'there is nothing to do: give a prompt, or pipe one to stdin');
}

async function all(): Promise<string> {
	return process.stdin.isTTY ? '' : await text(process.stdin);
}

/** A file or a pipe that somebody writes to. A pipe that nobody closes must not hold up what can be done without it. */
async function offered(note: (text: string) => void): Promise<string> {
	if (process.stdin.isTTY || process.stdin.destroyed || process.stdin.readableEnded) return '';
	if (fstatSync(0).isCharacterDevice()) return '';
	const waiting = new AbortController();
	const { signal } = waiting;
	const silent = sleep(patience, true, { signal }).catch(() => false);
	if (await Promise.race([once(process.stdin, 'readable').then(() => false), silent])) {
		note(`stdin is open but nothing came for ${patience / 1000} s: going on without it`);
		process.stdin.destroy();
		return '';
	}
	waiting.abort();
	return await text(process.stdin);
}
