/** Mends lines that cannot be read: keeps whole records that are found in them, and removes the rest; how long and how often it looks for those. */
import type { FormatId, JsonObject } from '../../../model/index.ts';
import { skipSpace, valueEnd } from '../read/json-spans.ts';
import type { Flaw, Line } from '../read/line.ts';
import { parseRecord, textOf } from '../read/parse.ts';
import { flawRule } from './flaws.ts';
import { type Edits, eachRecord, lossNote, type Note, type Remedy } from './repair.ts';

export interface FlawRepair {
	readonly format: FormatId;
	/** The flaws that make the client lose something. */
	readonly flaws: readonly Flaw[];
	/** True for a whole record of this format, so that a fragment is not taken for one. */
	accepts(value: JsonObject): boolean;
}

/** The remedy for flaws in a format of lines. */
export function flawRemedy({ format, flaws, accepts }: FlawRepair): Remedy {
	return {
		rules: flaws.map((flaw) => flawRule(format, flaw)),
		does: 'An unfinished or unreadable line is taken out; a whole record found in it stays.',
		mend: eachRecord((edits, { index }) => {
			const line = edits.file.lines[index];
			if (line) mendLine(line, format, accepts, edits);
		}),
	};
}

function mendLine(line: Line, format: FormatId, accepts: FlawRepair['accepts'], edits: Edits): void {
	const readable = line.flaws.find((flaw) => flaw === 'bom' || flaw === 'not-utf8');
	if (line.value && readable) {
		mendBytes(line, flawRule(format, readable), readable, edits);
		return;
	}
	const flaw = line.flaws.find((one) => one !== 'bom' && one !== 'not-utf8') ?? 'not-json';
	const rule = flawRule(format, flaw);
	const found = flaw === 'not-json' || flaw === 'torn' ? salvage(line, accepts) : [];
	if (found.length === 0) {
		edits.remove(line.index, removal(rule, flaw, line));
		return;
	}
	const kept = found.length === 1 ? 'a whole record' : `${found.length} whole records`;
	const what = `kept ${kept} found in a line that is not JSON; what is around goes`;
	const note = lossNote(rule, what, 'dropped', 'bytes that belong to no record');
	edits.change(line.index, () => Buffer.concat(found.flatMap((record) => [record, lineEnd])), note);
}

const lineEnd = Buffer.from('\n');

const removed: { readonly [F in Flaw]: string } = {
	torn: 'the unfinished last line',
	'not-json': 'a line that is not JSON',
	'not-object': 'a line that is no object',
	'not-utf8': 'a line whose bytes are no text',
	bom: 'a line that cannot be read',
	'too-long': 'a line that is too long to be read by anybody',
};

function removal(rule: string, flaw: Flaw, line: Line): Note {
	const what = `took out ${removed[flaw]} (${line.length} bytes)`;
	return lossNote(rule, what, 'dropped', `${removed[flaw]}, ${line.length} bytes`);
}

function mendBytes(line: Line, rule: string, flaw: Flaw, edits: Edits): void {
	if (flaw === 'bom') {
		edits.change(line.index, (bytes) => bytes.subarray(3), { rule, what: 'took out the byte order mark' });
		return;
	}
	const what = 'put U+FFFD in place of bytes that are not UTF-8';
	const note = lossNote(rule, what, 'approximated', 'bytes that are not UTF-8');
	edits.change(line.index, (bytes) => Buffer.from(textOf(bytes) ?? '', 'utf8'), note);
}

/** How many positions of a line are tried: a line of garbage may have a brace in every byte. */
const attempts = 100;
/** Longer lines are not searched: each attempt costs time and memory by the line's length. */
const searched = 1 << 24;

/**
 * The records in a line that is not JSON: one with stray control characters, several on one line, or one that was
 * written onto the end of an unfinished line.
 */
function salvage(line: Line, accepts: FlawRepair['accepts']): readonly Uint8Array[] {
	const text = line.length > searched ? undefined : textOf(line.bytes)?.trim();
	if (text === undefined) return [];
	let rest: Uint8Array = Buffer.from(escaped(text), 'utf8');
	if (isRecord(rest, accepts)) return [rest];
	const found: Uint8Array[] = [];
	for (let count = 0; count < attempts; count += 1) {
		const end = rest[0] === 0x7b ? valueEnd(rest, 0) : undefined;
		if (end === undefined || !isRecord(rest.subarray(0, end), accepts)) break;
		found.push(rest.subarray(0, end));
		rest = rest.subarray(skipSpace(rest, end));
	}
	for (let at = rest.indexOf(0x7b, 1), count = 0; at !== -1 && count < attempts; at = rest.indexOf(0x7b, at + 1)) {
		if (rest[at + 1] !== 0x22) continue;
		count += 1;
		if (isRecord(rest.subarray(at), accepts)) return [...found, rest.subarray(at)];
	}
	return found;
}

/** Escapes control characters inside strings, which JSON forbids, and removes NULs, which a lost disk block leaves. */
export function escaped(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
	const control = /[\u0000-\u001f]/g;
	const inString = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
	// A string without an end is passed over as a whole: its escaped quotes begin no other, and each would be searched to the end.
	return text
		.replaceAll('\u0000', '')
		.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|(".*$)/gs, (string, open: string | undefined) =>
			open === undefined ? string.replace(control, inString) : string,
		)
		.trim();
}

function isRecord(bytes: Uint8Array, accepts: FlawRepair['accepts']): boolean {
	const { value } = parseRecord(bytes, false);
	return value !== undefined && accepts(value);
}
