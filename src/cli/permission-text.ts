/** What a tool call would do, as the person sees it who is asked: all of it, with nothing that could hide a part. */
import type { FileChange, PendingCall } from '../agent/contracts.ts';
import { patchText } from '../export/tool-words.ts';
import { isObject, type JsonObject, jsonText } from '../model/index.ts';
import { patchOf } from '../tools/patch.ts';
import { fitting, framed, questionWidth } from './frame.ts';
import { paint } from './writer.ts';

/** Larger files are not compared with what replaces them as a whole: that could take minutes, and everything new is shown anyway. */
const largestCompared = 1 << 20;

/** Lines that say what would happen. */
export async function permissionText(call: PendingCall): Promise<string> {
	const input = isObject(call.input) ? call.input : { input: call.input };
	const { body, told } = await bodyOf(call, input);
	const others = Object.entries(input).filter(([name]) => !told.has(name));
	const { line, below } = heading(call);
	// What has a name comes last: its lines could not be told from those of a body behind it.
	const named = [...below, ...others];
	return [
		line,
		...body,
		...named.flatMap(([name, value]) =>
			framed(typeof value === 'string' ? value : jsonText(value ?? null), undefined, name),
		),
	].join('\n');
}

interface Heading {
	readonly line: string;
	/** What does not fit into the line. */
	readonly below: readonly (readonly [name: string, text: string])[];
}

function heading({ tool, reason }: PendingCall): Heading {
	const room = questionWidth() - ' wants to run:'.length;
	const name = fitting(tool.name, room);
	const because = reason === undefined ? undefined : fitting(reason, room - (name?.length ?? room) - ' ()'.length);
	return {
		line: `${bold(name ?? 'A tool')} wants to run${because === undefined ? '' : ` (${because})`}:`,
		below: [
			...(name === undefined ? [['its name', tool.name] as const] : []),
			...(because === undefined && reason !== undefined ? [['asked because', reason] as const] : []),
		],
	};
}

function bold(line: string): string {
	return paint('bold', line);
}

interface Body {
	/** Framed lines. */
	readonly body: readonly string[];
	/** The fields that it tells. */
	readonly told: ReadonlySet<string>;
}

async function bodyOf({ change }: PendingCall, input: JsonObject): Promise<Body> {
	const { command, file_path: path = input.notebook_path } = input;
	if (typeof command === 'string') return { body: framed(command), told: new Set(['command']) };
	if (typeof path !== 'string') return { body: [], told: new Set() };
	if (change === undefined) return { body: framed(path), told: new Set(['file_path', 'notebook_path']) };
	const whole = typeof input.content === 'string';
	const { before = '', after } = change;
	const compared = whole && before.length > largestCompared ? '' : before;
	const diff = patchText(await patchOf(compared, after));
	return {
		body: [...framed(`${path}${whatHappens(change, whole)}`), ...(diff === undefined ? [] : diffLines(diff))],
		told: new Set(['file_path', 'notebook_path', 'content', 'old_string', 'new_string', 'new_source']),
	};
}

function whatHappens({ before, after }: FileChange, whole: boolean): string {
	if (before === undefined) return after === '' ? ' (a new, empty file)' : ' (a new file)';
	if (before === after) return ' (the file stays as it is)';
	return whole ? ' (replaces the file that is there)' : '';
}

function diffLines(diff: string): readonly string[] {
	return diff.split('\n').flatMap((line) => framed(line, styleOf(line)));
}

function styleOf(line: string): ((text: string) => string) | undefined {
	const style = line.startsWith('+')
		? 'green'
		: line.startsWith('-')
			? 'red'
			: line.startsWith('@@')
				? 'cyan'
				: undefined;
	return style && ((text) => paint(style, text));
}
