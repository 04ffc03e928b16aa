/** Edits a messages document: keeps separators between messages, and rebuilds a damaged document of the messages that can still be found in it. */
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { Edits, lossNote, type Remedy, type RepairFile, type Splice } from '../../shared/check/repair.ts';
import { escaped } from '../../shared/check/repair-flaws.ts';
import { arraySpans, skipSpace, valueEnd } from '../../shared/read/json-spans.ts';
import type { Line } from '../../shared/read/line.ts';
import { parseJson, parseRecord } from '../../shared/read/parse.ts';

/** A run of new bytes, and the bytes of the file that it replaces; without those it is inserted. */
interface Piece {
	readonly bytes: Uint8Array;
	readonly line?: Pick<Line, 'at' | 'length'>;
}

/** Edits messages. Separators between messages that stay side by side keep their bytes. */
export class DocumentEdits extends Edits {
	private readonly style: Style;
	/** The separators between messages, by offset. */
	private readonly gaps: ReadonlyMap<number, Line>;

	constructor(file: RepairFile) {
		super(file);
		this.style = styleOf(file);
		this.gaps = new Map(file.lines.flatMap((line) => (line.part === 'gap' ? [[line.at, line] as const] : [])));
	}

	protected override written(value: JsonObject): Uint8Array {
		const { separator, unit } = this.style;
		if (!separator.includes('\n')) return Buffer.from(JSON.stringify(value), 'utf8');
		const indent = separator.slice(separator.lastIndexOf('\n'));
		return Buffer.from(JSON.stringify(value, undefined, unit).replaceAll('\n', indent), 'utf8');
	}

	protected override splices(): readonly Splice[] {
		const items = this.file.lines.filter((line) => line.part === 'item');
		const first = items[0];
		const last = items.at(-1);
		if (!first || !last || this.work.size === 0) return [];
		const elements = items.flatMap((line) => this.elementsOf(line));
		const pieces = elements.flatMap((element, at) => {
			const before = elements[at - 1];
			return before ? [this.gap(before, element), element] : [element];
		});
		return splicesFor(pieces, first.at, last.at + last.length);
	}

	private elementsOf(line: Line): readonly Piece[] {
		const work = this.work.get(line.index);
		if (!work) return [{ bytes: line.bytes, line }];
		const plain = (bytes: Uint8Array): Piece => ({ bytes });
		const own = work.bytes ? [{ bytes: work.bytes, line }] : [];
		return [...work.before.map(plain), ...own, ...work.after.map(plain)];
	}

	/** The separator between two messages: the old one where they were neighbours before. */
	private gap(a: Piece, b: Piece): Piece {
		const old = a.line && this.gaps.get(a.line.at + a.line.length);
		if (old && old.at + old.length === b.line?.at) return { bytes: old.bytes, line: old };
		return { bytes: Buffer.from(`,${this.style.separator}`, 'utf8') };
	}
}

/** The splices that put the pieces between `from` and `to`, as small as the pieces allow. */
function splicesFor(pieces: readonly Piece[], from: number, to: number): readonly Splice[] {
	const splices: Splice[] = [];
	let at = from;
	let added: Uint8Array[] = [];
	const flush = (end: number): void => {
		const insert = Buffer.concat(added);
		if (end > at || insert.length > 0) splices.push({ at, remove: end - at, insert });
		added = [];
	};
	for (const { bytes, line } of pieces) {
		if (!line) {
			added.push(bytes);
			continue;
		}
		flush(line.at);
		splices.push({ at: line.at, remove: line.length, insert: bytes });
		at = line.at + line.length;
	}
	flush(to);
	return splices;
}

interface Style {
	/** The white space before a message. */
	readonly separator: string;
	readonly unit: string;
}

function styleOf({ bytes }: RepairFile): Style {
	const spans = arraySpans(bytes, 'messages');
	const open = spans?.open ?? 0;
	const space = (from: number): string => Buffer.from(bytes.subarray(from, skipSpace(bytes, from))).toString('latin1');
	const separator = spans && spans.elements.length > 0 ? space(open) : '';
	const unit = space(bytes.indexOf(0x7b) + 1).replace(/^.*\n/s, '');
	return { separator, unit: unit === '' ? '  ' : unit };
}

export const rebuildRemedy: Remedy = {
	rules: ['cline/torn', 'cline/not-json', 'cline/not-object', 'cline/too-long'],
	does: 'A damaged document is put together again from the messages that can be read; their bytes stay.',
	mend(edits, problems) {
		const { file } = edits;
		const messages = readable(file);
		if (messages.length === 0) return;
		const what = `put the document together from ${messages.length} messages that can be read`;
		for (const [rule, [first]] of Map.groupBy(problems, (problem) => problem.rule)) {
			edits.tell(first?.index ?? 0, lossNote(rule, what, 'dropped', 'what was damaged', 'messages'));
		}
		edits.spliceFile(splicesFor(document(file, messages), 0, file.bytes.length));
	},
};

/** The messages that can be read, and whole ones found inside damaged parts. */
function readable(file: RepairFile): readonly Piece[] {
	const noList = arraySpans(file.bytes, 'messages') === undefined;
	return file.lines.flatMap((line): readonly Piece[] => {
		if (line.part === 'item' && line.value) return [{ bytes: line.bytes, line }];
		const damaged = line.flaws.length > 0 && (line.part === 'item' ? line.other === undefined : noList);
		return damaged ? salvage(line.bytes).map((bytes) => ({ bytes })) : [];
	});
}

function isMessage(value: Json | undefined): boolean {
	return isObject(value) && typeof value.role === 'string' && value.content !== undefined;
}

/** How many positions are tried in vain: a damaged part may have a brace in every byte. Messages that are found do not count. */
const attempts = 2_000;

function salvage(damaged: Uint8Array): readonly Uint8Array[] {
	const found: Uint8Array[] = [];
	let at = damaged.indexOf(0x7b);
	for (let inVain = 0; at !== -1 && inVain < attempts; ) {
		const end = valueEnd(damaged, at);
		const piece = end === undefined ? undefined : messageIn(damaged.subarray(at, end));
		if (piece) found.push(piece);
		else inVain += 1;
		at = damaged.indexOf(0x7b, piece && end !== undefined ? end : at + 1);
	}
	return found;
}

/** A message that is valid, or becomes so by escaping control characters in its texts. */
function messageIn(bytes: Uint8Array): Uint8Array | undefined {
	if (isMessage(parseRecord(bytes, false).value)) return bytes;
	const mended = Buffer.from(escaped(Buffer.from(bytes).toString('utf8')), 'utf8');
	return isMessage(parseRecord(mended, false).value) ? mended : undefined;
}

/** The whole document. Head and tail keep their bytes where they still fit around the messages. */
function document(file: RepairFile, messages: readonly Piece[]): readonly Piece[] {
	const { bytes } = file;
	const { separator } = styleOf(file);
	const spans = arraySpans(bytes, 'messages');
	const between = Buffer.from(`,${separator}`, 'utf8');
	const joined = messages.flatMap((message, at) => (at === 0 ? [message] : [{ bytes: between }, message]));
	if (!spans) return [{ bytes: newHead(file, bytes) }, ...joined, { bytes: Buffer.from(']}\n') }];
	const before = { at: 0, length: spans.open };
	const after = { at: spans.close, length: bytes.length - spans.close };
	const [head, tail] = [before, after].map(({ at, length }) => bytes.subarray(at, at + length)) as [Buffer, Buffer];
	const end = ending(file, spans.bare);
	const cleaned = Buffer.from(escaped(head.toString('utf8')), 'utf8');
	const space = { bytes: Buffer.from(separator, 'utf8') };
	const gap = { bytes: spaceBefore(bytes, spans.close) };
	if (spans.closed && isJson(head, tail)) {
		return [{ bytes: head, line: before }, space, ...joined, gap, { bytes: tail, line: after }];
	}
	if (isJson(head, end)) return [{ bytes: head, line: before }, space, ...joined, { bytes: end }];
	if (spans.closed && isJson(cleaned, tail))
		return [{ bytes: cleaned }, space, ...joined, gap, { bytes: tail, line: after }];
	return [{ bytes: newHead(file, head) }, ...joined, { bytes: Buffer.from(']}\n') }];
}

/** The bytes that close a torn document. */
function ending(file: RepairFile, bare: boolean): Buffer {
	const { separator, unit } = styleOf(file);
	if (!separator.includes('\n')) return Buffer.from(bare ? ']' : ']}', 'utf8');
	const outer = separator.slice(0, -unit.length);
	return Buffer.from(bare ? `${outer}]\n` : `${outer}]\n}\n`, 'utf8');
}

function isJson(head: Buffer, tail: Buffer): boolean {
	const value = parseJson(
		Buffer.concat([head, tail])
			.toString('utf8')
			.replace(/^\uFEFF/, ''),
	);
	return isObject(value) || Array.isArray(value);
}

function spaceBefore(bytes: Uint8Array, at: number): Uint8Array {
	let from = at;
	while (from > 0 && (bytes[from - 1] ?? 0) <= 0x20) from -= 1;
	return bytes.subarray(from, at);
}

/** A new head, with what can still be read of the old one. */
function newHead({ options }: RepairFile, old: Uint8Array): Uint8Array {
	const text = Buffer.from(old).toString('utf8');
	const kept = (name: string): Json | undefined =>
		parseJson(new RegExp(`"${name}"\\s*:\\s*("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")`, 's').exec(text)?.[1] ?? '');
	const head = {
		version: 1,
		updated_at: kept('updated_at') ?? options.time,
		agent: kept('agent') ?? 'lead',
		sessionId: kept('sessionId') ?? options.id,
		...(kept('taskType') === undefined ? {} : { taskType: kept('taskType') }),
		messages: [],
	};
	return Buffer.from(JSON.stringify(head).slice(0, -2), 'utf8');
}
