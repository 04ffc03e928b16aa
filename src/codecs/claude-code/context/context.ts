/** What Claude Code sends when it resumes a file: which client version's rules apply, for which model, and where a `summary` line stands for a compaction. */
import { compact, type EntryId, objectAt, stringAt } from '../../../model/index.ts';
import type { BuildContext, Context, ContextOptions } from '../../shared/context/context.ts';
import type { LineIndex } from '../../shared/read/line-index.ts';
import { askedModel } from './blocks.ts';
import { oldMessages, oldRefusal } from './client-2-1-29.ts';
import { newMessages } from './client-2-1-325.ts';
import { Lines, lineEnvelope } from './lines.ts';
import { withParallel } from './parallel.ts';
import { oldPath } from './path-2-1-29.ts';
import { boundaryBefore, newPath, type Path } from './path-2-1-325.ts';
import { type Piece, textBlock } from './pieces.ts';
import type { Building } from './wire.ts';

export const clients: readonly string[] = ['2.1.29', '2.1.325'];
export const envelope = lineEnvelope;

const [oldest = '', newest = ''] = clients;

export const build: BuildContext = (index, options) => {
	const client = rulesFor(options.client ?? versionIn(index));
	const found = linesFor(index, options.at);
	if (typeof found === 'string') return found === 'more' ? found : { client, messages: [], from: [], refused: found };
	const { lines, at } = found;
	const path = client === oldest ? oldPath(lines, at) : newPath(lines, at);
	if (path === 'more') return 'more';
	const model = options.target?.model ?? modelOn(lines, path);
	const asked = options.target?.model ?? askedModel(model);
	const made = path.refused === undefined ? messagesFor(client, lines, path, asked, options) : { messages: [] };
	if (lines.missed) return 'more';
	return finished(client, model, { ...path, ...made });
};

function messagesFor(
	client: string,
	lines: Lines,
	path: Path,
	model: string,
	{ exact = false }: ContextOptions,
): { readonly messages: readonly Building[]; readonly refused?: string } {
	if (client === oldest) {
		const refused = oldRefusal(lines, path.lines);
		if (refused !== undefined) return { messages: [], refused };
		const boundary = path.lines.findLastIndex((line) => lines.isBoundary(line));
		const own = path.lines.slice(boundary + 1);
		const cut = boundary === -1 ? boundaryBefore(lines, own[0]) : path.lines[boundary];
		return { messages: oldMessages(lines, own, exact ? [] : summaryAhead(lines, own, cut), exact) };
	}
	const own = path.links ? withParallel(lines, path.lines, path.links, path.from ?? 0) : path.lines;
	return { messages: newMessages(lines, own, exact ? [] : summaryAhead(lines, own, path.from), exact, model) };
}

/** The lines up to the entry to resume at, as if the file ended with it. */
function linesFor(
	index: LineIndex,
	entry: EntryId | undefined,
): { readonly lines: Lines; readonly at?: number } | string {
	const all = new Lines(index);
	if (entry === undefined) return { lines: all };
	const line = all.lineOf(entry);
	if (line === undefined) return all.missed ? 'more' : `no entry ${entry} in this session`;
	const lines = new Lines(index, line + 1);
	return lines.isGraph(line) ? { lines, at: line } : { lines };
}

/** The version that wrote the last message. */
function versionIn(index: LineIndex): string {
	for (let line = index.length - 1; line >= 0; line -= 1) {
		const type = index.field(line, 'type');
		if (type !== 'user' && type !== 'assistant') continue;
		const version = index.field(line, 'version');
		if (typeof version === 'string') return version;
	}
	return newest;
}

/** The known version whose rules apply: the newest that is not newer, else the oldest. */
function rulesFor(version: string): string {
	const wanted = version.split('.').map(Number);
	const known = newest.split('.').map(Number);
	for (const [at, number] of known.entries()) {
		const difference = (wanted[at] ?? 0) - number;
		if (difference !== 0) return difference < 0 ? oldest : newest;
	}
	return newest;
}

/** The model that answered last. */
function modelOn(lines: Lines, path: Path): string | undefined {
	for (const line of path.lines.toReversed()) {
		if (lines.type(line) !== 'assistant') continue;
		const model = stringAt(objectAt(lines.value(line), 'message') ?? {}, 'model');
		if (model !== undefined && model !== '<synthetic>') return model;
	}
	return undefined;
}

/**
 * The text of a compaction as the user's first words. The document writes it into a `summary` line beside its boundary,
 * which the client never sends: everything before it would be lost.
 */
function summaryAhead(lines: Lines, path: readonly number[], boundary: number | undefined): readonly Piece[] {
	if (boundary === undefined || path.some((line) => lines.value(line).isCompactSummary === true)) return [];
	const line = summaryAt(lines, boundary);
	const text = line === undefined ? undefined : stringAt(lines.value(line), 'summary');
	if (line === undefined || text === undefined) return [];
	const content = [textBlock(`[Previous conversation summary]: ${text}`)];
	return [{ role: 'user', content, entry: lines.entryId(line), line }];
}

/** The last summary line between the messages around a boundary. */
function summaryAt(lines: Lines, boundary: number): number | undefined {
	let found: number | undefined;
	let line = boundary + 1;
	for (; line < lines.end && !lines.isGraph(line); line += 1) if (lines.type(line) === 'summary') found = line;
	line = boundary - 1;
	for (; found === undefined && line >= 0 && !lines.isGraph(line); line -= 1) {
		if (lines.type(line) === 'summary') found = line;
	}
	if (found === undefined && line < 0) lines.miss();
	return found;
}

function finished(
	client: string,
	model: string | undefined,
	{ messages, refused }: { readonly messages: readonly Building[]; readonly refused?: string },
): Context {
	return compact({
		client,
		model,
		messages: messages.map(({ role, content }) => ({ role, content })),
		from: messages.map((message) => message.from),
		refused,
	});
}
