/** `reprise show SESSION`: flags, the output forms (terminal, Markdown, raw records, JSON), and what is said of lines that cannot be read. */
import { Option } from 'commander';
import { countText } from '../../export/count-text.ts';
import { openTitled, usualFold } from '../../export/index.ts';
import { markdown } from '../../export/markdown.ts';
import type { Story } from '../../export/story.ts';
import { lastTurns, type TranscriptPart, transcript } from '../../export/transcript.ts';
import { sessionPath } from '../../store/find/find-session.ts';
import { agentOf } from '../../store/find/session-files.ts';
import { createHighlighter } from '../../terminal/highlight.ts';
import { type Pieces, printPieces } from '../../terminal/pager.ts';
import { coloursWanted, oneLine } from '../../terminal/print.ts';
import { complain } from '../../terminal/prose.ts';
import { paintLines } from '../../terminal/terminal-text.ts';
import { terminalWidth, widestText } from '../../terminal/width.ts';
import { wrap } from '../../terminal/wrap.ts';
import { jsonLine } from '../../terminal/writer.ts';
import { count } from '../choices.ts';
import type { Define } from '../commands.ts';
import { sessionHelp } from '../session-argument.ts';
import { terminalPieces } from './show-terminal.ts';

export interface ShowOptions {
	readonly json?: boolean;
	readonly md?: boolean;
	readonly raw?: boolean;
	readonly at?: string;
	readonly last?: number;
	readonly thinking?: boolean;
	readonly events?: boolean;
	readonly hooks?: boolean;
	readonly subagents?: boolean;
	readonly full?: boolean;
	readonly ids?: boolean;
	readonly pager: boolean;
}

/** `agent`: whose session it is, as the list of sessions has it. */
interface Shown extends ShowOptions {
	readonly agent: string;
}

export const define: Define = (command) => {
	command
		.argument('<session>', sessionHelp)
		.option('--md', 'as Markdown')
		.addOption(new Option('--raw', 'the records of the conversation exactly as they are in the file').conflicts('md'))
		.option('--json', 'print one JSON document')
		.option('--at <entry>', 'read up to this entry, which is shown in full; the beginning of its id is enough')
		.option('-n, --last <turns>', 'only the last turns; a turn is a prompt and all that followed', count)
		.option('--thinking', 'with the model’s thinking')
		.option('--events', 'with hooks, commands, settings, notices and what the client added')
		.option('--hooks', 'with hooks, what each was given and answered, and who let a tool run')
		.option('--subagents', 'with sub-agents, where they were called')
		.option('--full', 'shorten nothing')
		.option('--ids', 'with the id of each entry, which fork --at, rewind --to and show --at take')
		.option('--no-pager', 'do not use a pager')
		.addHelpText(
			'after',
			'\nSessions of any size open at once: only what you look at is read. What is longer than the screen is shown in $PAGER, else less.\n\n' +
				'Examples:\n  reprise show samples/claude-code.jsonl\n  reprise show samples/clido.jsonl --md\n' +
				'  reprise show samples/openclaw.jsonl -n 1 --thinking',
		)
		.action(async (file: string, options: ShowOptions) => await showSession(sessionPath(file), options));
};

export async function showSession(path: string, options: ShowOptions): Promise<void> {
	using told = await openTitled(path, options);
	if (told.withoutNotes !== undefined) complain(`hooks and permissions are not shown: ${told.withoutNotes}`);
	const pager = options.pager && !options.json;
	await printPieces(piecesOf(told, { ...options, agent: agentOf(told.format, path) }), { pager });
}

function piecesOf(story: Story, options: Shown): Pieces {
	if (options.raw) return rawRecords(story, options.last);
	const parts = transcript(story, options);
	if (options.json) return jsonPieces(story, parts);
	const fold = options.full ? Number.POSITIVE_INFINITY : usualFold;
	if (options.md) return markdown(story, parts, { fold, ids: options.ids === true });
	return forTerminal(story, parts, fold, options);
}

/** The bytes as they are; each record is ended by a newline. */
function* rawRecords(story: Story, turns: number | undefined): Generator<Uint8Array, void, undefined> {
	let last = -1;
	for (let place = turns === undefined ? 0 : lastTurns(story, turns); place < story.length; place += 1) {
		const record = story.record(place);
		// Entries of one record follow each other.
		if (record === undefined || record.index === last) continue;
		last = record.index;
		const bytes = record.bytes();
		yield bytes;
		if (bytes.at(-1) !== newline[0]) yield newline;
	}
}

const newline = Buffer.from('\n');

/** One document, written part by part as `printJson` would write it whole. */
function* jsonPieces(story: Story, parts: Iterable<TranscriptPart>): Generator<string, void, undefined> {
	const { id, format, header, unreadable } = story;
	const facts = { session: id, format, title: header.title ?? null, unreadable };
	yield `${jsonLine(facts, 2).slice(0, -'\n}'.length)},\n  "parts": [`;
	let first = true;
	for (const part of parts) {
		yield `${first ? '' : ','}\n    ${jsonLine(partJson(part), 2).replaceAll('\n', '\n    ')}`;
		first = false;
	}
	yield first ? ']\n}\n' : '\n  ]\n}\n';
}

/** A part without the entry behind it, which is named by its id. */
export function partJson({ from, ...part }: TranscriptPart): object {
	const inner = part.kind === 'subagent' ? { parts: Array.from(part.parts, partJson) } : {};
	return { ...part, ...inner, entry: from.id, ...(from.time ? { time: from.time } : {}) };
}

async function* forTerminal(
	story: Story,
	parts: Iterable<TranscriptPart>,
	fold: number,
	{ agent, events, ids }: Shown,
): AsyncGenerator<string, void, undefined> {
	const width = Math.min(terminalWidth(), widestText);
	const { title, cwd, model } = story.header;
	const facts = [agent, model, cwd].filter((fact) => fact !== undefined).map(oneLine);
	yield `${paintLines('bold', wrap(oneLine(title ?? story.id), width))}\n${paintLines('dim', wrap(facts.join(' · '), width))}\n\n`;
	const highlighter = coloursWanted() ? { highlighter: createHighlighter() } : {};
	let isEmpty = true;
	for await (const piece of terminalPieces(parts, { width, fold, ids: ids === true, ...highlighter })) {
		isEmpty = false;
		yield piece;
	}
	if (isEmpty)
		yield `${paintLines('dim', wrap(`nothing was said here${events ? '' : '; --events shows what its client noted'}`, width))}\n`;
	const notes = [
		hiddenText(story.unreadable, 'not readable'),
		hiddenText(story.replaced, 'not shown: a later one has its id'),
	];
	for (const note of notes) if (note !== undefined) yield `\n${paintLines('yellow', wrap(note, width))}\n`;
}

const mostNamed = 5;

/** What is said of lines that are not shown; undefined where there are none. */
function hiddenText(lines: readonly number[], why: string): string | undefined {
	const named = lines.slice(0, mostNamed).join(', ');
	const says = 'reprise check says what its client does then.';
	if (lines.length < 2) return lines.length === 0 ? undefined : `Line ${named} of the file is ${why}; ${says}`;
	const more = lines.length > mostNamed ? ' …' : '';
	return `${countText(lines.length)} lines of the file are ${why} (${named}${more}); ${says}`;
}
