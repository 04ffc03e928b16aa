/** From neutral entries to a messages document, with the files Cline wants beside it. */
import {
	blockText,
	currentLeaf,
	type Entry,
	type JsonObject,
	type Loss,
	type MessageEntry,
	type Session,
	type SettingEntry,
	type SummaryEntry,
} from '../../model/index.ts';
import type { Encoded, EncodedPieces, EncodeInput } from '../codec.ts';
import { joined } from '../pieces.ts';
import { type Cut, longestTitle, manifestOf, sidecarOf } from './encode-beside.ts';
import {
	agentOf,
	type DocumentParts,
	extendDocument,
	type Head,
	newDocument,
	partsOfDocument,
	partsOfNew,
} from './encode-document.ts';
import { type Draft, draftMessages, type MessageContext } from './encode-message.ts';
import { finishMessages } from './encode-metrics.ts';
import { orderOf } from './encode-order.ts';

export function encode(input: EncodeInput): Encoded {
	return joined(encodeInPieces(input));
}

export function encodeInPieces(input: EncodeInput): EncodedPieces {
	if (input.after?.dialect === 'vscode') return takeOver(input, input.after);
	const losses: Loss[] = input.losses ?? [];
	const context = contextOf(input, losses);
	const { own, agents } = byAgent(input);
	const session = gather(input, own, context);
	const messages = finishMessages(session.drafts, context);
	const updatedAt = lastTime(input, session.drafts, context);
	const head: Head = {
		profile: input.profile,
		id: input.id,
		header: input.header,
		updatedAt,
		systemPrompt: session.systemPrompt ?? input.header.systemPrompt,
	};
	const { pieces, parts } = documentOf(input, head, messages, context);
	const beside = [...besideFiles(input, session, parts, updatedAt, context), ...childFiles(input, agents, context)];
	noteHeader(input, session, beside.length > 0, context);
	if (context.unheld.size > 0) {
		context.lose(
			'',
			'extra',
			'dropped',
			`fields that Cline has no place for: ${[...context.unheld].sort().join(', ')}`,
		);
	}
	return { pieces, losses, beside };
}

/** Old tasks of the VS Code extension are only read: what goes on from one is a session of its own, with all of it. */
function takeOver(input: EncodeInput, task: Session): EncodedPieces {
	const { after: _, losses = [], ...rest } = input;
	const { extra: _extra, ...header } = input.header;
	const note = 'a task of the VS Code extension cannot be written to: this is a session of its own';
	losses.push({ entry: '', path: '', how: 'approximated', note });
	return encodeInPieces({ ...rest, losses, header, entries: [...task.entries, ...input.entries] });
}

function contextOf(input: EncodeInput, losses: Loss[]): MessageContext {
	const context: MessageContext = {
		profile: input.profile,
		session: input.id,
		header: input.header,
		lead: agentOf(input.header, input.id) === 'lead',
		ids: new Set(),
		calls: new Map(),
		unheld: new Set(),
		time: undefined,
		whole: input.whole ?? ((text) => text),
		lose: (entry, path, how, note) => losses.push({ entry, path, how, note }),
	};
	for (const entry of input.after?.entries ?? []) {
		context.ids.add(entry.id);
		if (entry.time !== undefined) context.time = Date.parse(entry.time);
		if (entry.kind !== 'message') continue;
		for (const block of entry.content) if (block.type === 'tool_call') context.calls.set(block.id, block.name);
	}
	context.time ??= validTime(input.header.created);
	return context;
}

function validTime(time: string | undefined): number | undefined {
	const parsed = Date.parse(time ?? '');
	return Number.isNaN(parsed) ? undefined : parsed;
}

/** The session's own entries, and those of sub-agents that another format keeps inside the same file. */
function byAgent(input: EncodeInput) {
	const own: Entry[] = [];
	const agents = new Map<string, Entry[]>();
	for (const entry of input.entries) {
		if (entry.agent === undefined) own.push(entry);
		else {
			const { agent, ...plain } = entry;
			if (agent === input.header.agent) own.push(plain as Entry);
			else if (agents.has(agent)) agents.get(agent)?.push(plain as Entry);
			else agents.set(agent, [plain as Entry]);
		}
	}
	return { own, agents };
}

interface Gathered {
	readonly drafts: readonly Draft[];
	readonly cut: Cut | undefined;
	readonly title: string | undefined;
	readonly cwd: string | undefined;
	readonly systemPrompt: string | undefined;
}

function gather(input: EncodeInput, entries: readonly Entry[], context: MessageContext): Gathered {
	const order = orderOf(entries);
	const messages = draftMessages(context);
	let cut: Cut | undefined;
	const facts: { title?: string; cwd?: string; systemPrompt?: string } = {};
	for (const entry of order.line) {
		if (entry.kind === 'message') {
			messages.add(entry);
			cut = summedUp(cut, entry, messages.drafts.length);
		} else if (entry.kind === 'compaction' && input.profile === 'client') {
			cut = { entry, after: messages.drafts.length, kept: messages.drafts.length };
		} else if (entry.kind === 'summary' && entry.of === 'branch') messages.add(asMessage(entry, context));
		else besideEntry(entry, facts, context);
	}
	for (const entry of order.beside) besideEntry(entry, facts, context);
	for (const entry of order.left) {
		context.lose(entry.id, '', 'dropped', 'on another branch: a Cline session is one line of messages');
	}
	checkContinues(input, order.line[0], context);
	const { title = input.header.title, cwd = input.header.cwd, systemPrompt } = facts;
	return { drafts: messages.drafts, cut, title, cwd, systemPrompt };
}

/** Where messages before the cut are kept, a summary that is the message after it comes first, and then they do. */
function summedUp(cut: Cut | undefined, entry: MessageEntry, after: number): Cut | undefined {
	if (
		cut?.entry.keptFrom === undefined ||
		cut.entry.summary !== undefined ||
		entry.origin !== 'compaction' ||
		entry.parent !== cut.entry.id
	)
		return cut;
	const summary = entry.content.map(blockText).join('\n');
	return { entry: { ...cut.entry, summary }, after, kept: cut.after };
}

function asMessage(entry: SummaryEntry, context: MessageContext): MessageEntry {
	context.lose(entry.id, '', 'approximated', 'the summary of another branch: written as a message of the user');
	const { id, parent, time, records } = entry;
	return {
		kind: 'message',
		role: 'user',
		content: [{ type: 'text', text: entry.text }],
		id,
		records,
		...(parent === undefined ? {} : { parent }),
		...(time === undefined ? {} : { time }),
	};
}

/** What is not a message: some of it has a place in the head or the manifest, the rest has none. */
function besideEntry(
	entry: Entry,
	facts: { title?: string; cwd?: string; systemPrompt?: string },
	context: MessageContext,
): void {
	if (entry.kind === 'setting') takeSettings(entry, facts, context);
	else if (entry.kind === 'summary' && entry.of === 'conversation') facts.title ??= entry.text;
	else if (entry.kind === 'start') context.unheld.add('start');
	else if (entry.kind !== 'leaf') context.lose(entry.id, '', 'dropped', `Cline has no place for a ${nameOf(entry)}`);
}

function nameOf(entry: Entry): string {
	if (entry.kind === 'event') return `"${entry.event.type}" event`;
	return entry.kind === 'opaque' ? `record of type "${entry.type}"` : `"${entry.kind}" entry`;
}

function takeSettings(
	entry: SettingEntry,
	facts: { title?: string; cwd?: string; systemPrompt?: string },
	context: MessageContext,
): void {
	const { title, cwd, systemPrompt, model: _model, provider: _provider, ...rest } = entry.set;
	if (typeof title === 'string') facts.title = title;
	if (cwd !== undefined) facts.cwd = cwd;
	if (systemPrompt !== undefined) facts.systemPrompt = systemPrompt;
	// The model is on every reply; a choice without a reply changes nothing.
	const names = Object.keys(rest);
	if (names.length > 0) context.lose(entry.id, 'set', 'dropped', `Cline has no place for: ${names.join(', ')}`);
}

/** New messages can only follow the last one: an earlier point to go on from cannot be said. */
function checkContinues(input: EncodeInput, first: Entry | undefined, context: MessageContext): void {
	if (!input.after || first?.parent == null) return;
	const known = input.after.entries.some((entry) => entry.id === first.parent);
	if (known && currentLeaf(input.after) !== first.parent) {
		const note = 'it goes on from an earlier message: a Cline session is one line, so it follows the last one';
		context.lose(first.id, 'parent', 'approximated', note);
	}
}

function lastTime(input: EncodeInput, drafts: readonly Draft[], context: MessageContext): string {
	const last = drafts.findLast((draft) => draft.ts !== undefined)?.ts ?? context.time;
	if (last !== undefined && Math.abs(last) <= 8.64e15) return new Date(last).toISOString();
	const own = input.header.extra?.updated_at;
	if (typeof own === 'string') return own;
	context.lose('', 'header.updated_at', 'invented', 'no entry has a time');
	return new Date(0).toISOString();
}

/** `parts` are asked for only where the conversation was cut. */
function documentOf(
	input: EncodeInput,
	head: Head,
	messages: readonly JsonObject[],
	context: MessageContext,
): { readonly pieces: EncodedPieces['pieces']; readonly parts: () => DocumentParts } {
	if (!input.after) return { pieces: newDocument(head, messages), parts: () => partsOfNew(head, messages) };
	const { bytes, lost } = extendDocument(input.after, head, messages);
	if (lost !== undefined) context.lose('', 'messages', 'dropped', lost);
	return { pieces: [bytes], parts: () => partsOfDocument(bytes) };
}

type Files = Encoded['beside'];

const json = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

function besideFiles(
	input: EncodeInput,
	session: Gathered,
	parts: () => DocumentParts,
	updatedAt: string,
	context: MessageContext,
): Files {
	if (input.profile !== 'client' || !context.lead) return [];
	const files: { path: string; bytes: Uint8Array }[] = [];
	const sidecar = session.cut && sidecarOf(parts(), session.cut, session.drafts, input.after, updatedAt, input.whole);
	const stem = stemOf(input);
	const sidecarName = `${stem}.compaction.json`;
	if (sidecar) files.push({ path: sidecarName, bytes: json(sidecar) });
	// An existing session has its manifest already, with more in it than is known here.
	if (input.after || input.path === undefined) return files;
	const manifest = manifestOf({
		id: input.id,
		path: input.path,
		header: input.header,
		title: session.title,
		cwd: session.cwd ?? '/',
		drafts: session.drafts,
		startedAt: input.header.created ?? updatedAt,
		endedAt: updatedAt,
		compactionPath: sidecar && input.path.replace(/[^/\\]*$/, sidecarName),
	});
	return [{ path: `${stem}.json`, bytes: json(manifest) }, ...files];
}

/** Files beside the messages are named like them; that is how they are found. */
function stemOf(input: EncodeInput): string {
	const name = input.path?.replace(/^.*[/\\]/, '');
	return name?.endsWith('.messages.json') ? name.slice(0, -'.messages.json'.length) : input.id;
}

function childFiles(input: EncodeInput, agents: ReadonlyMap<string, readonly Entry[]>, context: MessageContext): Files {
	const files: { path: string; bytes: Uint8Array }[] = [];
	for (const [agent, entries] of agents) {
		if (input.after) {
			context.lose(
				entries[0]?.id ?? '',
				'agent',
				'dropped',
				`entries of the sub-agent "${agent}", whose file is not at hand`,
			);
			continue;
		}
		const name = agent.replace(/[^a-zA-Z0-9._-]+/g, '_');
		const { model, provider } = input.header;
		const header = {
			agent: name,
			from: { how: 'subagent', session: input.id },
			...(model === undefined ? {} : { model }),
			...(provider === undefined ? {} : { provider }),
		} as const;
		const whole = input.whole ? { whole: input.whole } : {};
		const child = encode({ profile: input.profile, id: `${input.id}__${name}`, header, entries, ...whole });
		for (const loss of child.losses) context.lose(loss.entry, loss.path, loss.how, loss.note);
		files.push({ path: `${name}.messages.json`, bytes: child.bytes });
	}
	return files;
}

/** Fields of the header that only a manifest can hold, when none is written. */
function noteHeader(input: EncodeInput, session: Gathered, besides: boolean, context: MessageContext): void {
	const manifest = besides && input.path !== undefined && input.profile === 'client' && !input.after && context.lead;
	if (manifest) {
		if (session.cwd === undefined) context.lose('', 'header.cwd', 'invented', 'the working folder is not known: /');
		if ((session.title?.length ?? 0) > longestTitle) {
			context.lose('', 'header.title', 'approximated', `Cline keeps ${longestTitle} characters of a title`);
		}
	} else if (!input.after) {
		const why =
			input.profile === 'published'
				? 'the contract has no place for it'
				: 'it belongs into the manifest, which needs the path of the messages';
		if (session.cwd !== undefined) context.lose('', 'header.cwd', 'dropped', why);
		if (session.title !== undefined) context.lose('', 'header.title', 'dropped', why);
		if (input.header.gitBranch !== undefined) context.lose('', 'header.gitBranch', 'dropped', why);
	}
	if (context.lead && input.id.includes('__')) {
		context.lose('', 'id', 'approximated', 'Cline takes a session with `__` in its id for a sub-agent of another one');
	}
}
