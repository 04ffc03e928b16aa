/** What Glob and Grep share: ripgrep's lines, without files that a rule hides; the limits of time and output, and what is wrong in words. */
import { failed } from '../agent/calls/outputs.ts';
import type { FileFacts, SearchEnd, SearchRequest, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { sha256Of } from '../log/sha256.ts';
import type { FileState } from '../model/index.ts';

/** Whoever searches longer does not search for what was meant. */
const longest = 60_000;
/** What is held of an output: more than a model can read by far. */
const mostHeld = 32 * 1024 * 1024;

/** Larger files are not read once more for their hash alone. */
const mostHashed = 8 * 1024 * 1024;

/** What was searched, as it was: a folder by its time, a file also by its content. */
export async function searchedState(path: string, facts: FileFacts, { host }: ToolContext): Promise<FileState> {
	const { mtimeNs, regular, size } = facts;
	if (!regular || size > mostHashed) return { path, mtimeNs };
	return { path, sha256: sha256Of(await host.files.read(path)), mtimeNs };
}

/** The flag for lists of names: a NUL ends each, because a line break may be a part of it. */
export const namesOnly = '-0';

export interface Searched {
	readonly lines: readonly string[];
	/** Why it found less than there is. */
	readonly note?: string;
}

/** A file's name as a model is told of it. One with a line break in it would be two names: it is quoted as in JSON. */
export function toldName(name: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: a name may have them.
	return /[\u0000-\u001f\u007f]/.test(name) ? JSON.stringify(name) : name;
}

/** Every line that ripgrep prints until `enough` says so, or every name that ends with a NUL; an output where it did not search at all. */
export async function searchLines(
	request: Omit<SearchRequest, 'timeoutMs'>,
	context: ToolContext,
	enough: (line: string) => boolean = () => false,
): Promise<Searched | { readonly fails: ToolOutput }> {
	const lines: string[] = [];
	const end = request.flags.includes(namesOnly) ? '\0' : '\n';
	let rest = '';
	let held = 0;
	let stopped = false;
	const take = (line: string): void => {
		if (stopped || line === '') return;
		lines.push(line);
		stopped = enough(line);
	};
	const heard = (text: string): boolean => {
		held += text.length;
		const parts = (rest + text).split(end);
		rest = parts.pop() ?? '';
		for (const line of parts) take(end === '\n' && line.endsWith('\r') ? line.slice(0, -1) : line);
		if (rest.length > mostHeld) rest = '';
		return !stopped && held <= mostHeld;
	};
	const ended = await context.host.search({ ...request, timeoutMs: longest }, heard, context.signal);
	take(rest);
	if (context.signal.aborted) return { fails: failed('The user interrupted the search.') };
	return judged(ended, lines, stopped, held > mostHeld);
}

function judged(
	{ code, complaint, timedOut }: SearchEnd,
	lines: readonly string[],
	stopped: boolean,
	tooMuch: boolean,
): Searched | { readonly fails: ToolOutput } {
	if (timedOut && lines.length === 0) {
		return { fails: failed(`Search timed out after ${longest / 1000} seconds. Use a more specific path or pattern.`) };
	}
	if (timedOut) return { lines, note: `(The search was stopped after ${longest / 1000} seconds: there may be more.)` };
	if (tooMuch)
		return {
			lines,
			note: '(The search was stopped: there is more than can be shown. Use a more specific path or pattern.)',
		};
	if (stopped || code === 0 || code === 1) return { lines };
	// Files that cannot be read are one thing, a request that it does not understand is another.
	const unread = complaint.split('\n').filter((line) => /\(os error \d+\)\s*$/.test(line)).length;
	if (unread > 0)
		return {
			lines,
			note: `(${unread === 1 ? 'One place' : `${unread} places`} could not be searched: ${firstLine(complaint)})`,
		};
	if (lines.length > 0) return { lines };
	const what = 'Search failed — ripgrep rejected the pattern, glob, or file type without searching:';
	return { fails: failed(`${what}\n${complaint.trim() || `it ended with code ${code}`}`) };
}

function firstLine(text: string): string {
	return text.trim().split('\n')[0] ?? '';
}
