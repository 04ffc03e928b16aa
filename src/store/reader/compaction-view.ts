/** A compaction seen from both sides: what the model received before it, what after it, and what is gone. */
import type { Context, WireMessage } from '../../codecs/index.ts';
import {
	type Collapse,
	type CompactionEntry,
	collapsesIn,
	compactionsOf,
	type Entry,
	type EntryId,
	history,
	isCompactCommand,
	isObject,
	isRemark,
	isSummary,
	type JsonObject,
	jsonText,
	type Session,
	summaryMessages,
} from '../../model/index.ts';
import { InputError } from '../errors.ts';
import { contextOf, contextWithoutSidecar } from './context.ts';
import { openSession } from './session-reader.ts';
import { withSidecar } from './sidecar.ts';

export interface CompactionView {
	readonly compaction: CompactionEntry;
	readonly collapse?: Collapse;
	readonly before: Context;
	readonly after: Context;
	/** Every text, call and result that the model had before, and where it is now. */
	readonly parts: readonly ContextPart[];
	/** What the model has now and had not before: the summary. */
	readonly added: readonly ContextPart[];
}

export interface ContextPart {
	readonly role: WireMessage['role'];
	readonly type: string;
	readonly text: string;
	/** `stays`: as it was. `quoted`: word for word inside another text, such as the summary. `gone`: in no text. */
	readonly now: 'stays' | 'quoted' | 'gone';
	/** The entry that it is from, where known. */
	readonly entry?: EntryId;
}

/** The compaction `which` (default: the last) of the session at `path`; undefined where `which` names something else. */
export async function compactionView(
	path: string,
	which?: EntryId,
	options: { readonly client?: string } = {},
): Promise<CompactionView | undefined> {
	const session = withSidecar(await openSession(path, { subagents: false }), path, []);
	const compaction = which === undefined ? compactionsOf(session).at(-1) : named(session, which);
	if (!compaction) {
		if (which !== undefined) return undefined;
		throw new InputError('not-compacted', `nothing was compacted in ${path}`);
	}
	if (isRemark(compaction)) return remarkView(path, session, compaction, options);
	const last = before(session, compaction);
	const inFile = session.records.length > 0 && compaction.records.length > 0;
	const had = inFile ? contextOf : contextWithoutSidecar;
	const first = recorded(had(path, { ...options, ...(last === undefined ? {} : { at: last }) }));
	const then = recorded(
		contextOf(path, { ...options, at: inFile ? after(session, compaction) : (last ?? compaction.id) }),
	);
	const collapse = collapsesIn(session.entries).findLast((one) => one.compaction === compaction.id);
	return { compaction, before: first, after: then, ...(collapse ? { collapse } : {}), ...compare(first, then) };
}

/** Of a compaction that its client only remarks: the model went on with the summary, and with what stayed. */
function remarkView(
	path: string,
	{ entries }: Session,
	compaction: CompactionEntry,
	options: { readonly client?: string },
): CompactionView {
	const { summary = '', keptFrom } = compaction;
	// One line is the remark alone.
	if (!summary.includes('\n')) {
		const why = 'says that the conversation was compacted, and not what the model went on with';
		throw new InputError('not-compacted', `${compaction.id} of ${path} ${why}; whoever resumes it sends all of it`);
	}
	const last = entries.slice(0, entries.indexOf(compaction)).findLast((entry) => entry.parent !== undefined)?.id;
	const first = recorded(contextOf(path, { ...options, ...(last === undefined ? {} : { at: last }) }));
	const kept = keptFrom === undefined ? -1 : first.from.findIndex((from) => from.includes(keptFrom));
	const stays = kept === -1 ? first.messages.length : kept;
	const then: Context = {
		...first,
		messages: [{ role: 'user', content: summary }, ...first.messages.slice(stays)],
		from: [[compaction.id], ...first.from.slice(stays)],
	};
	return { compaction, before: first, after: then, ...compare(first, then) };
}

/** Without what a client invents at the end because nothing follows: here something did. */
export function recorded(context: Context): Context {
	const end = context.from.findLastIndex((entries) => entries.length > 0) + 1;
	return { ...context, messages: context.messages.slice(0, end), from: context.from.slice(0, end) };
}

function named(session: Session, which: EntryId): CompactionEntry | undefined {
	const summaries = summaryMessages(session.entries);
	return session.entries.findLast(
		(entry): entry is CompactionEntry =>
			entry.kind === 'compaction' &&
			entry.agent === undefined &&
			(entry.id === which ||
				summaries.get(entry.id)?.id === which ||
				(which.length >= 6 && entry.id.startsWith(which))),
	);
}

/** The last entry before the compaction that is still there without it. */
function before(session: Session, compaction: CompactionEntry): EntryId | undefined {
	const way = history(session, compaction.id).slice(0, -1);
	return way.findLast((entry) => !isCompactCommand(entry))?.id;
}

/** The last entry that belongs to the compaction: its summary, and what its client notes behind that. */
function after(session: Session, compaction: CompactionEntry): EntryId {
	let last: EntryId = compaction.id;
	for (const entry of session.entries) {
		if (entry.parent === last && (isSummary(entry) || isNote(entry))) last = entry.id;
	}
	return last;
}

function isNote(entry: Entry): boolean {
	return entry.kind === 'event' && entry.event.type === 'attachment';
}

function compare(first: Context, then: Context): Pick<CompactionView, 'parts' | 'added'> {
	const now = partsOf(then);
	const had = partsOf(first);
	const exact = new Set(now.map(({ text }) => text));
	const known = new Set(had.map(({ text }) => text));
	const whole = now.map(({ text }) => text).join('\n');
	const parts = had.map((part): ContextPart => {
		if (exact.has(part.text)) return part;
		return { ...part, now: part.text.trim() !== '' && whole.includes(part.text) ? 'quoted' : 'gone' };
	});
	return { parts, added: now.filter(({ text }) => !known.has(text)) };
}

function partsOf({ messages, from }: Context): readonly ContextPart[] {
	return messages.flatMap(({ role, content }, index) => {
		const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
		const [entry] = from[index] ?? [];
		return blocks.map((block) => ({
			role,
			type: String(block.type),
			text: textOf(block),
			now: 'stays' as const,
			...(entry === undefined ? {} : { entry }),
		}));
	});
}

/** A block as people read it. */
function textOf(block: JsonObject): string {
	if (block.type === 'tool_use') return `${String(block.name)} ${jsonText(block.input ?? null)}`;
	if (block.type === 'thinking') return String(block.thinking);
	if (block.type !== 'tool_result') return typeof block.text === 'string' ? block.text : `(${String(block.type)})`;
	const { content } = block;
	if (typeof content === 'string') return content;
	const parts: readonly unknown[] = Array.isArray(content) ? content : [];
	return parts.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '(an image)')).join('\n');
}
