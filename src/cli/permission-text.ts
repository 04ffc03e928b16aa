/** What a tool call would do, as the person sees it who is asked: all of it, with nothing that could hide a part. */
import type { FileChange, PendingCall } from '../agent/contracts.ts';
import { patchText } from '../export/tool-words.ts';
import { isObject, type Json, type JsonObject, jsonText } from '../model/index.ts';
import { patchOf } from '../tools/patch.ts';
import { paint } from './writer.ts';

/** Larger files are not compared with what replaces them as a whole: that could take minutes, and everything new is shown anyway. */
const largestCompared = 1 << 20;

/** Lines that say what would happen. */
export async function permissionText(call: PendingCall): Promise<string> {
	const input = isObject(call.input) ? call.input : { input: call.input };
	const { body, told } = await bodyOf(call, input);
	const others = Object.entries(input).filter(([name]) => !told.has(name));
	return [
		`${paint('bold', visible(call.tool.name))} wants to run${call.reason === undefined ? '' : ` (${visible(call.reason)})`}:`,
		...body.map((line) => `  │ ${line}`),
		...others.flatMap(([name, value]) => fieldLines(name, value)),
	].join('\n');
}

interface Body {
	readonly body: readonly string[];
	/** The fields that it tells. */
	readonly told: ReadonlySet<string>;
}

async function bodyOf({ change }: PendingCall, input: JsonObject): Promise<Body> {
	const { command, file_path: path = input.notebook_path } = input;
	if (typeof command === 'string') return { body: visible(command).split('\n'), told: new Set(['command']) };
	if (typeof path !== 'string') return { body: [], told: new Set() };
	const name = visible(path);
	if (change === undefined) return { body: [name], told: new Set(['file_path', 'notebook_path']) };
	const whole = typeof input.content === 'string';
	const { before = '', after } = change;
	const compared = whole && before.length > largestCompared ? '' : before;
	const diff = patchText(await patchOf(compared, after));
	return {
		body: [`${name}${whatHappens(change, whole)}`, ...(diff === undefined ? [] : diffLines(diff))],
		told: new Set(['file_path', 'notebook_path', 'content', 'old_string', 'new_string', 'new_source']),
	};
}

function whatHappens({ before, after }: FileChange, whole: boolean): string {
	if (before === undefined) return after === '' ? ' (a new, empty file)' : ' (a new file)';
	if (before === after) return ' (the file stays as it is)';
	return whole ? ' (replaces the file that is there)' : '';
}

function diffLines(diff: string): readonly string[] {
	return diff.split('\n').map((line) => {
		const text = visible(line);
		if (line.startsWith('+')) return paint('green', text);
		if (line.startsWith('-')) return paint('red', text);
		return line.startsWith('@@') ? paint('cyan', text) : text;
	});
}

function fieldLines(name: string, value: Json | undefined): readonly string[] {
	const [first = '', ...rest] = visible(typeof value === 'string' ? value : jsonText(value ?? null)).split('\n');
	return [`  ${paint('dim', `${visible(name)}:`)} ${first}`, ...rest.map((line) => `  │ ${line}`)];
}

/**
 * Signs that a terminal obeys or shows as nothing, spelled out: a command must not look like another one. Newlines stay, because every
 * line has a mark before it.
 */
export function visible(text: string): string {
	return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
		if (sign === '\n' || sign === '\t') return sign === '\t' ? '\\t' : sign;
		if (sign === '\r') return '\\r';
		const code = sign.codePointAt(0) ?? 0;
		return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
	});
}
