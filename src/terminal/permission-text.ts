/** What a permission question shows of a call: the verb, the order of its fields, the diff and the largest file that is compared; nothing can hide a part of it. */
import type { FileChange, PendingCall } from '../agent/contracts.ts';
import { patchText } from '../export/tool-words.ts';
import { compact, isObject, type JsonObject, jsonText } from '../model/index.ts';
import { patchOf } from '../tools/patch.ts';
import { fitting, framed, mark, questionWidth } from './question-frame.ts';
import { paint } from './writer.ts';

/** Larger files are not compared with what replaces them as a whole: that could take minutes, and everything new is shown anyway. */
const largestCompared = 1 << 20;

/** What would happen, before it is known how wide the screen is. */
export interface PermissionParts {
	readonly tool: string;
	/** Why somebody is asked. */
	readonly reason?: string;
	readonly parts: readonly PermissionPart[];
}

export interface PermissionPart {
	/** A field's name; absent: the command, the path or the diff itself. */
	readonly name?: string;
	readonly text: string;
	readonly isDiff?: true;
}

/** How parts are painted; every theme is such. */
export interface PartPainters {
	readonly bold: Painter;
	readonly added: Painter;
	readonly removed: Painter;
	readonly accent: Painter;
}
type Painter = (text: string) => string;

const usualPainters: PartPainters = {
	bold: (text) => paint('bold', text),
	added: (text) => paint('green', text),
	removed: (text) => paint('red', text),
	accent: (text) => paint('cyan', text),
};

/** Lines that say what would happen. */
export async function permissionText(call: PendingCall): Promise<string> {
	return permissionLines(await permissionParts(call), questionWidth(), usualPainters).join('\n');
}

export async function permissionParts(call: PendingCall): Promise<PermissionParts> {
	const input = isObject(call.input) ? call.input : { input: call.input };
	const { body, told } = await bodyOf(call, input);
	const others = Object.entries(input).filter(([name]) => !told.has(name));
	return {
		tool: call.tool.name,
		...compact({ reason: call.reason }),
		// What has a name comes last: its lines could not be told from those of a body behind it.
		parts: [
			...body,
			...others.map(([name, value]) => ({ name, text: typeof value === 'string' ? value : jsonText(value ?? null) })),
		],
	};
}

/** The first line says who wants something; each that follows is marked as foreign. */
export function permissionLines(shown: PermissionParts, width: number, painters: PartPainters): readonly string[] {
	const { line, below } = heading(shown, width, painters.bold);
	const body = shown.parts.filter(({ name }) => name === undefined);
	const named = shown.parts.filter(({ name }) => name !== undefined);
	return [line, ...[...body, ...below, ...named].flatMap((part) => partLines(part, width, painters))];
}

/** What goes on from the line above: words of a change that begin with a sign would pass for a line that comes or goes. */
const brokenMark = '  ┊ ';

function partLines({ name, text, isDiff }: PermissionPart, width: number, painters: PartPainters): readonly string[] {
	if (!isDiff) return framed(text, undefined, name, width);
	return text
		.split('\n')
		.map((line) => framed(tabbed(line), styleOf(line, painters), undefined, width))
		.flatMap(([first = '', ...more]) => [first, ...more.map((row) => brokenMark + row.slice(mark.length))]);
}

/** An indentation by tabs as one reads it; a tab stays another sign than a blank. */
function tabbed(line: string): string {
	return line.replace(/^([ +-])(\t+)/, (_, sign: string, tabs: string) => sign + '→   '.repeat(tabs.length));
}

interface Heading {
	readonly line: string;
	/** What does not fit into the line. */
	readonly below: readonly PermissionPart[];
}

/** What a tool does to what stands below the line. */
const verbs: { readonly [tool: string]: string } = {
	Edit: 'change',
	MultiEdit: 'change',
	NotebookEdit: 'change',
	Write: 'write',
	Read: 'read',
	Glob: 'look for files',
	Grep: 'search',
	WebFetch: 'fetch',
	WebSearch: 'search the web',
};

function heading({ tool, reason }: PermissionParts, width: number, bold: Painter): Heading {
	const wants = ` wants to ${(Object.hasOwn(verbs, tool) && verbs[tool]) || 'run'}`;
	const room = width - `${wants}:`.length;
	const name = fitting(tool, room);
	const because = reason === undefined ? undefined : fitting(reason, room - (name?.length ?? room) - ' ()'.length);
	return {
		line: `${bold(name ?? 'A tool')}${wants}${because === undefined ? '' : ` (${because})`}:`,
		below: [
			...(name === undefined ? [{ name: 'its name', text: tool }] : []),
			...(because === undefined && reason !== undefined ? [{ name: 'asked because', text: reason }] : []),
		],
	};
}

interface Body {
	readonly body: readonly PermissionPart[];
	/** The fields that it tells. */
	readonly told: ReadonlySet<string>;
}

async function bodyOf({ change }: PendingCall, input: JsonObject): Promise<Body> {
	const { command, file_path: path = input.notebook_path } = input;
	if (typeof command === 'string') return { body: [{ text: command }], told: new Set(['command']) };
	if (typeof path !== 'string') return { body: [], told: new Set() };
	if (change === undefined) return { body: [{ text: path }], told: new Set(['file_path', 'notebook_path']) };
	const whole = typeof input.content === 'string';
	const { before = '', after } = change;
	const compared = whole && before.length > largestCompared ? '' : before;
	const diff = patchText(await patchOf(compared, after));
	return {
		body: [
			{ text: `${path}${whatHappens(change, whole)}` },
			...(diff === undefined ? [] : [{ text: diff, isDiff: true as const }]),
		],
		told: new Set(['file_path', 'notebook_path', 'content', 'old_string', 'new_string', 'new_source']),
	};
}

function whatHappens({ before, after }: FileChange, whole: boolean): string {
	if (before === undefined) return after === '' ? ' (a new, empty file)' : ' (a new file)';
	if (before === after) return ' (the file stays as it is)';
	return whole ? ' (replaces the file that is there)' : '';
}

function styleOf(line: string, { added, removed, accent }: PartPainters): Painter | undefined {
	if (line.startsWith('+')) return added;
	if (line.startsWith('-')) return removed;
	return line.startsWith('@@') ? accent : undefined;
}
