/** Where prompts come from: the command line, stdin as text, or stdin as lines of JSON. */
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Prompt } from '../agent/config.ts';
import { InputError } from '../store/errors.ts';
import { readInputLine } from '../wire/input.ts';
import type { ClientOptions } from './client.ts';

export async function* promptsOf(words: string, options: ClientOptions): AsyncGenerator<Prompt, void> {
	if (options.inputFormat === 'stream-json') {
		yield* linesOf();
		return;
	}
	const given = words === '-' ? '' : words.trim();
	const piped = process.stdin.isTTY || (given !== '' && !hasInput()) ? '' : (await text(process.stdin)).trim();
	const prompt = [given, piped].filter((part) => part !== '').join('\n\n');
	if (prompt === '') throw new InputError('no-prompt', 'there is nothing to do: give a prompt, or pipe one to stdin');
	yield prompt;
}

/** A file or a pipe; without this a prompt would wait for a stdin that nobody closes. */
function hasInput(): boolean {
	return process.stdin.isTTY === undefined && process.env.REPRISE_NO_STDIN === undefined;
}

async function* linesOf(): AsyncGenerator<Prompt, void> {
	for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
		if (line.trim() === '') continue;
		const read = readInputLine(line);
		if (read.type === 'broken') throw new InputError('bad-input', read.problem);
		if (read.type === 'prompt') yield read.prompt;
	}
}
