/** Writes entries that are not messages as lines of the client. */
import type {
	CompactionEntry,
	Entry,
	EventEntry,
	JsonObject,
	LabelEntry,
	SettingEntry,
	SummaryEntry,
} from '../../../model/index.ts';
import { providerOf } from '../../../wires/index.ts';
import { keptOf } from '../read/values.ts';
import { type Lose, userBlocks } from './blocks.ts';
import { type Body, usageFields } from './messages.ts';

export interface LineContext {
	readonly lose: Lose;
	/** The id of an entry's line; undefined when the entry is not in the file. */
	native(entry: string): string | undefined;
	/** The id of an entry's line, or of the nearest one above that is written. */
	nearest(entry: string): string | undefined;
	/** The id of this entry's own line. */
	readonly id: string;
	/** True when the session has a better title than a summary. */
	readonly titled: boolean;
	readonly provider: string | undefined;
}

type NotMessage = Exclude<Entry, { kind: 'message' }>;

export function lineBodies(entry: NotMessage, context: LineContext): readonly Body[] {
	const line = keptOf(entry.extra)?.line;
	switch (entry.kind) {
		case 'setting':
			return settingBodies(entry, context, line);
		case 'compaction':
			return compactionBody(entry, context, line);
		case 'summary':
			return summaryBodies(entry, context, line);
		case 'label':
			return labelBody(entry, context, line);
		case 'edit': {
			const targetId = context.native(entry.target);
			if (targetId === undefined) return dropped(context, 'the entry that it changes is not written');
			const content =
				entry.replacement &&
				userBlocks(entry.replacement, { lose: context.lose, path: 'replacement', own: line !== undefined });
			return [{ type: 'context_edit', fields: { targetId, replacement: content && { content }, ...line } }];
		}
		case 'event':
			return eventBodies(entry, context, line);
		case 'opaque':
			if (line !== undefined && entry.type !== '') return [{ type: entry.type, fields: line }];
			return dropped(context, `a line of type ${JSON.stringify(entry.type)} has no counterpart`);
		case 'leaf':
			return leafBody(entry.target, context, line);
		case 'checkpoint':
			return dropped(context, 'the format has no checkpoints of files');
		case 'outcome':
			return dropped(context, 'the format does not say how a run ended');
		case 'start':
			return [];
	}
}

function dropped(context: LineContext, note: string): readonly Body[] {
	context.lose('', 'dropped', note);
	return [];
}

const settingFields = new Set(['model', 'provider', 'thinking', 'title']);

function settingBodies(entry: SettingEntry, context: LineContext, line: JsonObject | undefined): readonly Body[] {
	const { model, thinking, title, tools } = entry.set;
	const bodies: Body[] = [];
	if (model !== undefined) {
		const provider = entry.set.provider ?? providerOf(model) ?? context.provider;
		if (provider === undefined) context.lose('set.provider', 'invented', 'the provider of this model is not known');
		bodies.push({ type: 'model_change', fields: { provider: provider ?? 'unknown', modelId: model, ...line } });
	}
	if (thinking !== undefined)
		bodies.push({ type: 'thinking_level_change', fields: { thinkingLevel: thinking, ...line } });
	if (title !== undefined) bodies.push({ type: 'session_info', fields: { name: title ?? '', ...line } });
	for (const key of Object.keys(entry.set)) {
		if (!settingFields.has(key) && !(key === 'tools' && isOwn(entry))) {
			context.lose(`set.${key}`, 'dropped', `the format does not record the setting ${key}`);
		}
	}
	if (tools !== undefined && isOwn(entry))
		bodies.push({ type: 'active_tools_change', fields: { activeToolNames: tools, ...line } });
	return bodies;
}

/** True for a setting that was read from a line of this format; others have no record of it. */
function isOwn(entry: SettingEntry): boolean {
	return Object.keys(entry.set).length === 1 && keptOf(entry.extra) !== undefined;
}

function compactionBody(entry: CompactionEntry, context: LineContext, line: JsonObject | undefined): readonly Body[] {
	if (entry.trigger === 'reset' && entry.summary === undefined) return [{ type: 'reset', fields: { ...line } }];
	if (entry.summary === undefined) context.lose('summary', 'invented', 'the summary of this compaction is not known');
	if (entry.tokensBefore === undefined)
		context.lose('tokensBefore', 'invented', 'how long the context was is not known');
	if (entry.tokensAfter !== undefined)
		context.lose('tokensAfter', 'dropped', 'how long the context became has no field');
	if (entry.trigger !== undefined) context.lose('trigger', 'dropped', 'what started a compaction has no field');
	// A compaction that names itself keeps nothing of what came before.
	const kept = entry.keptFrom === undefined ? context.id : keptId(entry.keptFrom, context);
	const fields = {
		summary: entry.summary ?? '',
		firstKeptEntryId: kept,
		tokensBefore: entry.tokensBefore ?? 0,
		...spentOn(entry, context),
		...line,
	};
	return [{ type: 'compaction', fields }];
}

/** What the summary used, as newer versions of pi have it. */
function spentOn({ response }: CompactionEntry, { lose }: LineContext): JsonObject {
	if (response?.usage === undefined) return {};
	return { usage: usageFields(response.usage, response.costUsd ?? 0, false, undefined, lose) };
}

function keptId(keptFrom: string, context: LineContext): string {
	const own = context.native(keptFrom);
	if (own !== undefined) return own;
	context.lose('keptFrom', 'approximated', 'the first entry that stays is not written itself');
	return context.nearest(keptFrom) ?? context.id;
}

function summaryBodies(entry: SummaryEntry, context: LineContext, line: JsonObject | undefined): readonly Body[] {
	if (entry.of === 'branch') {
		const fromId = entry.leaf === undefined ? 'root' : (context.native(entry.leaf) ?? 'root');
		return [{ type: 'branch_summary', fields: { fromId, summary: entry.text, ...line } }];
	}
	if (context.titled) return dropped(context, 'the session has a title already; a summary line has no counterpart');
	context.lose('', 'approximated', 'a summary of the conversation is written as the name of the session');
	return [{ type: 'session_info', fields: { name: entry.text } }];
}

function labelBody(entry: LabelEntry, context: LineContext, line: JsonObject | undefined): readonly Body[] {
	const targetId = context.native(entry.target);
	if (targetId === undefined) return dropped(context, 'the entry that it names is not written');
	return [{ type: 'label', fields: { targetId, label: entry.text ?? undefined, ...line } }];
}

/** The body of OpenClaw's own pointer. Another client's becomes the last line, see `encode.ts`. */
function leafBody(target: string | null, context: LineContext, line: JsonObject | undefined): readonly Body[] {
	if (line === undefined) return [];
	const targetId = target === null ? null : context.native(target);
	if (targetId === undefined) return dropped(context, 'the entry that it points to is not written');
	const { parentId: _, appendParentId, ...rest } = line;
	const append = typeof appendParentId === 'string' ? context.native(appendParentId) : undefined;
	return [{ type: 'leaf', fields: { targetId, appendParentId: append, ...rest } }];
}

function eventBodies(entry: EventEntry, context: LineContext, line: JsonObject | undefined): readonly Body[] {
	const { event } = entry;
	const message = keptOf(entry.extra)?.message;
	if (message !== undefined) return [{ type: 'message', fields: { message, ...line } }];
	if (event.type === 'custom') {
		return [{ type: 'custom', fields: { customType: event.of, data: event.data, ...line } }];
	}
	if (event.type !== 'usage') return dropped(context, `the format has no events of type ${event.type}`);
	const { usage: raw, ...rest } = line ?? {};
	const usage = raw ?? usageFields(event.usage, event.costUsd ?? 0, false, undefined, context.lose);
	const { of: kind = 'other', provider = '', model = '' } = event;
	return [{ type: 'usage', fields: { kind, provider, model, usage, ...rest } }];
}
