/** What a tool call would do, as the person sees it who is asked: all of it, with nothing that could hide a part. */
import { resolve } from 'node:path';
import type { PendingCall } from '../agent/contracts.ts';
import { changeOf, textDiff } from '../export/tool-words.ts';
import { readRegular } from '../log/regular-file.ts';
import { isObject, type Json, type JsonObject, jsonText } from '../model/index.ts';
import { paint } from './writer.ts';

/** Larger files are not compared: what would be written is shown as a whole. */
const largestCompared = 1 << 20;

/** Lines that say what would happen. */
export function permissionText(call: PendingCall, cwd: string): string {
	const input = isObject(call.input) ? call.input : { input: call.input };
	const { body, told } = bodyOf(call, input, cwd);
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

function bodyOf({ id, tool }: PendingCall, input: JsonObject, cwd: string): Body {
	const { command, file_path: path, content } = input;
	if (typeof command === 'string') return { body: visible(command).split('\n'), told: new Set(['command']) };
	if (typeof path !== 'string') return { body: [], told: new Set() };
	const name = visible(path);
	if (typeof content === 'string') {
		const before = currentText(resolve(cwd, path));
		const what = before === undefined ? 'a new file' : 'replaces the file that is there';
		return {
			body: [`${name} (${what})`, ...diffLines(textDiff(before ?? '', content))],
			told: new Set(['file_path', 'content']),
		};
	}
	const change = changeOf({ type: 'tool_call', id, name: tool.name, input }, undefined);
	if (change === undefined) return { body: [name], told: new Set(['file_path']) };
	return { body: [name, ...diffLines(change)], told: new Set(['file_path', 'old_string', 'new_string', 'edits']) };
}

/** What the file says now; undefined when there is none that could be compared. */
function currentText(path: string): string | undefined {
	try {
		const bytes = readRegular(path, largestCompared + 1);
		return bytes.length > largestCompared ? undefined : bytes.toString('utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error) return undefined;
		throw error;
	}
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
