/** Finds files that read_files and editor have shown, where call and result together hold their text. */
import { isObject, type Json, type JsonObject, type ToolResultBlock } from '../../../model/index.ts';
import {
	type HasEntries,
	plainText,
	replaced,
	type SeenFile,
	SeenFiles,
	seeOwnTool,
	type ToolRun,
	toolRuns,
} from '../../shared/read/seen-files.ts';

export function seenFiles(session: HasEntries): readonly SeenFile[] {
	const seen = new SeenFiles();
	for (const run of toolRuns(session)) {
		if (seeOwnTool(run, seen)) continue;
		if (run.call.name === 'read_files') for (const read of wholeReads(run)) seen.see(read.path, run.entry, read.text);
		else if (run.call.name === 'editor' && succeeded(run.result)) edit(run, seen);
	}
	return seen.list();
}

function edit({ input, entry }: ToolRun, seen: SeenFiles): void {
	const { path, old_text: before, new_text: now, insert_line: at } = input;
	if (at !== undefined && at !== null) seen.see(path, entry, undefined);
	else if (typeof before !== 'string' || before === '') seen.see(path, entry, now);
	else seen.see(path, entry, replaced(seen.textOf(path), before, now));
}

/** The files that were read whole: a result names each as asked for, and parts are asked for with line numbers. */
function wholeReads({ input, result }: ToolRun): readonly { readonly path: string; readonly text: string }[] {
	const asked = new Map(askedFor(input).map((one) => [one.path, one.part]));
	const [data] = result.content;
	const answers: readonly Json[] = data?.type === 'data' && Array.isArray(data.value) ? data.value : [];
	const found = answers.flatMap((answer) => {
		if (!isObject(answer) || answer.success !== true) return [];
		const { query, result: text } = answer;
		if (typeof query !== 'string' || typeof text !== 'string' || asked.get(query) !== false) return [];
		return [{ path: query, text: withoutNumbers(text) }];
	});
	const [only] = asked;
	const plain = answers.length === 0 ? plainText(result) : undefined;
	return plain !== undefined && asked.size === 1 && only?.[1] === false
		? [{ path: only[0], text: withoutNumbers(plain) }]
		: found;
}

function askedFor(input: JsonObject): readonly { readonly path: string; readonly part: boolean }[] {
	const { path, paths, files: list } = input;
	const all: readonly Json[] = Array.isArray(list) ? list : Array.isArray(paths) ? paths : [path ?? null];
	return all.flatMap((one) => {
		if (typeof one === 'string') return [{ path: one, part: false }];
		if (!isObject(one) || typeof one.path !== 'string') return [];
		const part = (one.start_line ?? null) !== null || (one.end_line ?? null) !== null;
		return [{ path: one.path, part }];
	});
}

const numbered = /^\s*\d+ \| ?/;

function withoutNumbers(text: string): string {
	const lines = text.split('\n');
	if (!lines.every((line) => numbered.test(line))) return text;
	return lines.map((line) => line.replace(numbered, '')).join('\n');
}

/** True for a success: an editor that failed says so in its text, not in the result's flag. */
function succeeded(result: ToolResultBlock): boolean {
	const text = plainText(result);
	return text === undefined || !text.includes('"success":false');
}
