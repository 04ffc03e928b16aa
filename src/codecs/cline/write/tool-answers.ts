/** What Cline's own tools return, of what ours have done: an answer for each file and each command, with whether it worked. */
import { compact, isObject, type Json, type JsonObject, stringAt } from '../../../model/index.ts';
import { bareProblem, changedLines, linesRead, type PartOutcome, type Recorded } from '../../shared/tool-calls.ts';
import type { ClineQueryResult } from '../lines.ts';
import { readPart } from '../read/patch.ts';

export function recorded(name: string, parts: readonly PartOutcome[]): Recorded | undefined {
	const isError = parts.every(({ rejected }) => rejected);
	const answer = answerOf[name];
	if (answer) {
		const answers = parts.map((part) => compact(answer(part)));
		return { text: JSON.stringify(answers), details: answers, isError };
	}
	if (name === 'apply_patch') return { text: JSON.stringify(patchAnswer(parts)), isError };
	const [only] = parts;
	return name === 'editor' && only ? { text: JSON.stringify(editorAnswer(only)), isError } : undefined;
}

const answerOf: { readonly [tool: string]: (part: PartOutcome) => ClineQueryResult } = {
	read_files: fileAnswer,
	run_commands: commandAnswer,
	search_codebase: searchAnswer,
};

/** True for what `recorded` gives several of: such a list is the content of a result, not something beside it. */
export function areAnswers(value: Json | undefined): value is readonly JsonObject[] {
	const all: readonly Json[] = Array.isArray(value) ? value : [];
	return all.length > 0 && all.every((one) => isObject(one) && typeof one.query === 'string' && 'success' in one);
}

function failure(query: string, error: string, result = ''): ClineQueryResult {
	return { query, result, error, success: false };
}

function fileAnswer({ input, text, failed, details }: PartOutcome): ClineQueryResult {
	const [file] = Array.isArray(input.files) ? (input.files as readonly Json[]).filter(isObject) : [];
	const path = stringAt(file ?? {}, 'path') ?? '';
	const { start_line: start, end_line: end } = file ?? {};
	const part = (start ?? end ?? null) === null ? '' : `:${start ?? 1}-${end ?? 'EOF'}`;
	const query = `${path}${part}`;
	if (failed) return failure(query, `Error reading file: ${bareProblem(text)}`);
	return { query, result: numbered(details) ?? text, success: true };
}

/** The lines that were read, as `9 | text`; the line end that a file ends with begins no line. */
function numbered(details: Json | undefined): string | undefined {
	const read = linesRead(details);
	if (!read) return undefined;
	const { first } = read;
	const lines = read.lines.at(-1) === '' ? read.lines.slice(0, -1) : read.lines;
	const width = String(first + lines.length - 1).length;
	return lines.map((line, index) => `${String(first + index).padStart(width)} | ${line}`).join('\n');
}

function commandAnswer({ input, text, failed, details }: PartOutcome): ClineQueryResult {
	const query = Array.isArray(input.commands) ? String(input.commands[0]) : '';
	if (!failed) {
		const printed = (isObject(details) ? stringAt(details, 'stdout') : undefined) ?? text;
		return { query, result: printed === '' ? '' : `${printed}\n`, success: true };
	}
	const [, code, printed = ''] = /^Exit code (\d+)(?:\n([\s\S]*))?$/.exec(text) ?? [];
	if (code === undefined) return failure(query, `Command failed: ${bareProblem(text)}`);
	const ended = `Command exited with code ${code}`;
	return failure(query, ended, printed === '' ? `[${ended}]` : `${printed}\n[${ended}]`);
}

function searchAnswer({ input, text, failed, details }: PartOutcome): ClineQueryResult {
	const query = Array.isArray(input.queries) ? String(input.queries[0]) : '';
	if (failed) return failure(query, `Search failed: ${bareProblem(text)}`);
	const found = (isObject(details) ? stringAt(details, 'content') : undefined) ?? '';
	if (found === '') return { query, result: `No results found for pattern: ${query}`, success: true };
	return { query, result: `Results for pattern: ${query}\n\n${text}\n`, success: true };
}

function editorAnswer({ input, text, failed, details }: PartOutcome): ClineQueryResult {
	const path = stringAt(input, 'path') ?? '';
	const query = `edit:${path}`;
	if (failed) return failure(query, `Editor operation failed: ${bareProblem(text)}`);
	if (isObject(details) && details.type === 'create')
		return { query, result: `File created successfully at: ${path}`, success: true };
	const lines = changedLines(details).filter(({ sign }) => sign !== ' ');
	const shown = lines.map(({ sign, number, text: line }) => `${sign}${number}: ${line}`);
	return { query, result: [`Edited ${path}`, '```diff', ...shown, '```'].join('\n'), success: true };
}

/** The files that were changed, and why others were not: each is asked about by itself. */
function patchAnswer(parts: readonly PartOutcome[]): ClineQueryResult {
	const query = 'apply_patch';
	const named = parts.map(({ input, text, failed }) => {
		const part = readPart(stringAt(input, 'input') ?? '');
		return {
			file: `${part?.path ?? ''}${part?.does === 'delete' ? ': [deleted]' : ''}`,
			path: part?.path,
			text,
			failed,
		};
	});
	const done = named.filter(({ failed }) => !failed).map(({ file }) => file);
	const result = done.length === 0 ? '' : ['Successfully applied patch to the following files:', ...done].join('\n');
	const problems = named.flatMap(({ path, text, failed }) =>
		failed ? [path === undefined ? bareProblem(text) : `${path}: ${bareProblem(text)}`] : [],
	);
	if (problems.length > 0) return failure(query, `apply_patch failed: ${problems.join('\n')}`, result);
	return { query, result, success: true };
}
