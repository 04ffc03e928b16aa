/** How `reprise show` and `tail` draw a transcript: signs, colours, after how many lines each kind of part is folded, and after how long a pause the time is told. */
import { prompted } from '../../codecs/shared/read/prompt-words.ts';
import type { ChecklistItem } from '../../export/checklist.ts';
import { countText, earlierText } from '../../export/count-text.ts';
import type { ToolPart, TranscriptPart } from '../../export/transcript.ts';
import type { Highlighter } from '../../terminal/highlight.ts';
import { clip, oneLine, paint, timeText } from '../../terminal/print.ts';
import { markdownText } from '../../terminal/terminal-markdown.ts';
import { folded, harmless, paintLines, spoken } from '../../terminal/terminal-text.ts';
import { indent, wrap } from '../../terminal/wrap.ts';

export interface TerminalOptions {
	readonly width: number;
	/** Lines of a tool's output that are shown. */
	readonly fold: number;
	/** The id of each entry stands before what it tells. */
	readonly ids?: boolean;
	/** Colours code; absent: code stays plain. */
	readonly highlighter?: Highlighter;
}

type SubagentPart = Extract<TranscriptPart, { kind: 'subagent' }>;
type PlainPart = Exclude<TranscriptPart, SubagentPart>;

/** Pieces of text, each of whole lines: a session may be longer than memory. */
export async function* terminalPieces(
	parts: Iterable<TranscriptPart>,
	options: TerminalOptions,
): AsyncGenerator<string, void, undefined> {
	const clock = new Clock();
	let before: TranscriptPart['kind'] | undefined;
	let named: string | undefined;
	for (const part of parts) {
		if (before !== undefined && !(before === 'note' && part.kind === 'note')) yield '\n';
		before = part.kind;
		const time = clock.at(part);
		if (time !== undefined) yield `${paint('dim', `── ${time} ──`)}\n\n`;
		if (options.ids && part.kind !== 'omitted') {
			if (part.from.id !== named) yield `${paint('dim', part.from.id)}\n`;
			named = part.from.id;
		}
		if (part.kind === 'subagent') yield* subagentPieces(part, options);
		else yield await partPiece(part, options);
	}
}

/** One part by itself, with the newline that ends it. */
export async function partPiece(part: PlainPart, options: TerminalOptions): Promise<string> {
	if (part.kind === 'reply') await options.highlighter?.prepare(part.text);
	return `${partText(part, options)}\n`;
}

async function* subagentPieces(part: SubagentPart, options: TerminalOptions): AsyncGenerator<string, void, undefined> {
	yield `${paint('magenta', `▸ sub-agent ${part.agent}`)}\n`;
	const bar = paint('magenta', '│');
	for await (const piece of terminalPieces(part.parts, { ...options, width: options.width - 2 })) {
		yield `${indent(piece.slice(0, -1), `${bar} `, `${bar} `)}\n`;
	}
}

/** Tells the time where a conversation begins and where it goes on after a pause. */
export class Clock {
	#last = Number.NEGATIVE_INFINITY;

	at({ kind, from }: TranscriptPart): string | undefined {
		const time = from.time === undefined ? Number.NaN : Date.parse(from.time);
		if (Number.isNaN(time)) return undefined;
		const paused = time - this.#last > longPause;
		this.#last = time;
		return kind === 'prompt' && paused ? timeText(time) : undefined;
	}
}

const longPause = 30 * 60_000;

function partText(part: PlainPart, options: TerminalOptions): string {
	const { width, fold } = options;
	const foldedTo = (text: string, room: number, times = 1) => folded(text, room, fold * times);
	const output = (text: string): string => folded(text, width - 2, fold, harmless);
	switch (part.kind) {
		case 'prompt': {
			const { text, isOutput } = prompted(part.text);
			if (isOutput) return indent(paintLines('dim', output(text)), '  ', '  ');
			return indent(foldedTo(text, width - 2, 5), paint('cyan', '❯ '), '  ');
		}
		case 'reply':
			return markdownText(spoken(part.text), { width, highlight: options.highlighter?.colour });
		case 'error':
			return indent(paintLines('red', foldedTo(errorText(part.text), width - 2)), paint('red', '✗ '), '  ');
		case 'thinking':
			return indent(paintLines('dim', foldedTo(part.text, width - 2, 2)), paint('dim', '∴ '), '  ');
		case 'injected':
			return indent(paintLines('dim', output(part.text)), paint('dim', '+ '), '  ');
		case 'note':
			return indent(paintLines('dim', output(part.text)), paint('dim', '· '), '  ');
		case 'compaction': {
			const head = paintLines('yellow', wrap('── the conversation was compacted here ──', width));
			return part.text === ''
				? head
				: `${head}\n${indent(paintLines('dim', foldedTo(part.text, width - 2)), '  ', '  ')}`;
		}
		case 'branch':
			return paintLines('yellow', wrap(`⑂ another branch begins here: --at ${part.leaf}`, width, false));
		case 'omitted':
			return paint('dim', `… ${earlierText(part.entries)}`);
		case 'tool':
			return toolText(part, options);
	}
}

/** Without colour, too, it has to be told from a call that failed. */
function errorText(text: string): string {
	return /^(API )?error\b/i.test(text) ? text : `error: ${text}`;
}

function toolText(part: ToolPart, options: TerminalOptions): string {
	const name = oneLine(part.name);
	const room = Math.max(8, options.width - name.length - 4);
	const head = `${markOf(part)} ${paint('bold', name)} ${clip(oneLine(part.subject), room)}`.trimEnd();
	const body = toolBody(part, options);
	return body === '' ? head : `${head}\n${indent(body, '  ', '  ')}`;
}

function markOf({ output, isError, open }: ToolPart): string {
	if (output === undefined) return open ? paint('cyan', '…') : paint('yellow', '?');
	return isError ? paint('red', '✗') : paint('green', '✓');
}

function toolBody(part: ToolPart, options: TerminalOptions): string {
	const { change, list, output, isError, open } = part;
	if (list && !isError) return list.map((item) => itemText(item, options.width - 2)).join('\n');
	if (change !== undefined && !isError) return diffText(spoken(change), options);
	if (output === undefined) return open ? '' : paint('dim', 'no result was recorded');
	if (output.trim() === '') return '';
	return paintLines('dim', folded(output.trimEnd(), options.width - 2, options.fold, harmless));
}

const boxes = { pending: '☐', in_progress: '▶', completed: '☒' } as const;

/** Without colour, too, the box says how far it is. */
function itemText({ state, text }: ChecklistItem, width: number): string {
	const box = `${boxes[state]} `;
	const lines = wrap(spoken(oneLine(text)), width - 2);
	if (state === 'completed') return indent(paintLines('dim', lines), paint('dim', box), '  ');
	return indent(lines, state === 'in_progress' ? paint('cyan', box) : box, '  ');
}

function diffText(change: string, { width, fold }: TerminalOptions): string {
	const lines = change.split('\n');
	const shown = lines.length > 4 * fold + 1 ? lines.slice(0, 4 * fold) : lines;
	const text = shown.map((line) => {
		const pieces = wrap(line.slice(1), width - 3).split('\n');
		const sign = line.slice(0, 1) || ' ';
		if (sign === '@') return paint('cyan', clip(line, width - 2));
		const whole = pieces.map((piece) => sign + piece).join('\n');
		if (sign === '+') return paintLines('green', whole);
		return sign === '-' ? paintLines('red', whole) : whole;
	});
	if (shown.length === lines.length) return text.join('\n');
	const more = countText(lines.length - shown.length);
	return [...text, paint('dim', `… ${more} more lines (--full shows them)`)].join('\n');
}
