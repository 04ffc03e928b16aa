/** Encodes entries as Clido's lines: a new file with its meta line, or lines to append. */
import { type Entry, type Header, isPrompt, type Loss, type Session } from '../../../model/index.ts';
import type { EncodedPieces, EncodeInput } from '../../codec.ts';
import { linear } from '../../shared/write/linear.ts';
import { type Losses, noteLosses } from '../../shared/write/losses.ts';
import { missingNewline } from '../../shared/write/splice.ts';
import { besideLine } from './beside.ts';
import { jsonWriter } from './json-bytes.ts';
import { type Encoding, metaLine, noPlace, titleLine } from './line-writer.ts';
import { MessageWriter } from './messages.ts';
import { isBareId, publishedId, utcTime } from './words.ts';

export function encodeInPieces(input: EncodeInput): EncodedPieces {
	const losses: Loss[] = input.losses ?? [];
	return { pieces: pieces(input, noteLosses(losses)), losses, beside: [] };
}

function* pieces(input: EncodeInput, losses: Losses): Generator<string> {
	const { profile, after } = input;
	const encoding: Encoding = {
		profile,
		losses,
		json: jsonWriter(),
		live: input.live !== undefined,
		prompts: promptsIn(after),
	};
	// The ends of lines are pieces of their own: a joined text is copied once more when it is written.
	let lines: string[] = [];
	let before = after ? missingNewline(after.source) : '';
	const put = (line: string): void => void lines.push(line, '\n');
	if (!after) headerLines(input, encoding).forEach(put);
	const take = (): readonly string[] => {
		const pieces = lines;
		if (pieces.length > 0 && before !== '') pieces.unshift(before);
		if (pieces.length > 0) before = '';
		lines = [];
		return pieces;
	};
	const messages = new MessageWriter(encoding, after, put);
	function* write(part: Pick<EncodeInput, 'entries' | 'leaf'>): Generator<string> {
		for (const entry of entriesToWrite({ ...input, leaf: undefined, ...part }, losses)) {
			if (entry.kind === 'message') messages.message(entry);
			else if (entry.kind === 'event' && entry.event.type === 'call') messages.call(entry, entry.event);
			else for (const line of besideLine(entry, encoding)) messages.reply.beside(line);
			if (encoding.json.changed()) losses.approximated(entry.id, '', unreadable);
			yield* take();
		}
	}
	yield* write(input);
	for (const entries of input.more ?? []) {
		messages.forget();
		yield* write({ entries });
	}
	messages.reply.end();
	yield* take();
}

/** The entries in one line, without the start that the header states; by the document with one result, at the end. */
function entriesToWrite(input: EncodeInput, losses: Losses): readonly Entry[] {
	const { header, profile, after } = input;
	const flat = linear(input, 'Clido', losses);
	const start = after ? undefined : flat.find((entry) => entry.kind === 'start');
	if (start?.parentSession !== undefined && header.from === undefined)
		losses.dropped(start.id, 'parentSession', 'Clido does not record where a session came from');
	if (start?.extra !== undefined) losses.dropped(start.id, 'extra', noPlace(start.extra));
	const rest = start ? flat.filter((entry) => entry !== start) : flat;
	if (profile === 'client') return rest;
	const outcomes = rest.filter((entry) => entry.kind === 'outcome');
	const last = outcomes.pop();
	for (const outcome of outcomes)
		losses.dropped(outcome.id, '', 'the document has one result line, at the end: only the last one is kept');
	return last ? [...rest.filter((entry) => entry.kind !== 'outcome'), last] : rest;
}

const unreadable =
	'half of a surrogate pair, a number without a value or a nesting that Clido cannot read was replaced';

function promptsIn(after: Session | undefined): number {
	return after ? after.entries.filter(isPrompt).length : 0;
}

function headerLines(input: EncodeInput, { profile, json, losses }: Encoding): string[] {
	const { header, entries } = input;
	const id = profile === 'published' ? publishedId(input.id) : input.id;
	if (profile === 'published' && !isBareId(input.id.replaceAll('-', '').toLowerCase()))
		losses.approximated('', 'header.id', `the document wants 32 hex digits: ${input.id} became ${id}`);
	const reference = profile === 'client' ? input.reference?.() : undefined;
	const lines = [metaLine(id, createdAt(input, losses), cwdOf(header, losses), json, reference)];
	for (const key of ['model', 'provider', 'gitBranch', 'systemPrompt', 'agent', 'extra'] as const) {
		if (header[key] !== undefined) losses.dropped('', `header.${key}`, `Clido sessions have no place for ${key}`);
	}
	const { from, title } = header;
	const keepsOrigin = profile === 'client' && entries.some((entry) => isStartOf(entry, from?.session));
	if (from && !keepsOrigin) losses.dropped('', 'header.from', 'Clido does not record where a session came from');
	if (title !== undefined && !entries.some((entry) => entry.kind === 'setting' && entry.set.title !== undefined)) {
		if (profile === 'client') lines.push(titleLine(title, json));
		else losses.dropped('', 'header.title', 'the document has no titles');
	}
	if (json.changed()) losses.approximated('', 'header', unreadable);
	return lines;
}

function isStartOf(entry: Entry, session: string | undefined): boolean {
	return entry.kind === 'start' && entry.session === session;
}

function createdAt({ header, entries, profile }: EncodeInput, losses: Losses): string {
	const first = entries.find((entry) => entry.time !== undefined)?.time;
	for (const time of [header.created, first]) {
		const utc = time === undefined ? undefined : utcTime(time, profile);
		if (utc !== undefined) return utc;
	}
	losses.invented('', 'header.created', 'Clido wants a start time and the source has none: it is the start of 1970');
	return profile === 'client' ? '1970-01-01T00:00:00+00:00' : '1970-01-01T00:00:00Z';
}

function cwdOf(header: Header, losses: Losses): string {
	if (header.cwd !== undefined && header.cwd !== '') return header.cwd;
	losses.invented('', 'header.cwd', 'Clido wants a project path and the source has none: it is the root folder');
	return '/';
}
