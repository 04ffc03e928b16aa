/** Encodes neutral entries as a messages document with its side files. */
import {
	blockText,
	compact,
	type Entry,
	type JsonObject,
	type Loss,
	type MessageEntry,
	type Session,
	type SettingEntry,
	type SummaryEntry,
	stringAt,
	summaryMessages,
	withArticle,
} from '../../../model/index.ts';
import type { Encoded, EncodedPieces, EncodeInput } from '../../codec.ts';
import { leafToWrite } from '../../shared/context/leaf.ts';
import { isoTime } from '../../shared/times.ts';
import { deriveHex } from '../../shared/write/derive.ts';
import { joined, NotPossible } from '../../shared/write/pieces.ts';
import { noteTools } from '../../shared/write/said.ts';
import { Account } from './account.ts';
import { type Cut, type Facts, jsonFile, longestTitle, manifestOf, sidecarOf, stemOf, type Written } from './beside.ts';
import {
	agentOf,
	amendedTime,
	type DocumentParts,
	extendDocument,
	type Head,
	newDocument,
	partsOfDocument,
	sessionIdOf,
} from './document.ts';
import { type Draft, draftMessages, type MessageContext } from './messages.ts';
import { finishMessages } from './metrics.ts';
import { orderOf } from './order.ts';

export function encode(input: EncodeInput): Encoded {
	return joined(encodeInPieces(input));
}

export function encodeInPieces(input: EncodeInput): EncodedPieces {
	if (input.after?.dialect === 'vscode') return takeOver(input, input.after);
	const losses: Loss[] = input.losses ?? [];
	const context = contextOf(input, losses);
	const { own, agents } = byAgent(input);
	const account = new Account();
	const facts: Facts = {};
	const first = take(own, input.leaf);
	const beside: BesideFile[] = [];
	if (input.after) {
		const { bytes, lost } = extendDocument(input.after, headOf(), first.messages);
		if (lost !== undefined) context.lose('', 'messages', 'dropped', lost);
		end(first.cut ? cutIn(bytes, first.cut, input.after) : {});
		return { pieces: [bytes], losses, beside };
	}
	const begun = headOf();
	return { pieces: pieces(), losses, beside, ...(input.more ? { amended: () => amendedTime(headOf()) } : {}) };

	function take(entries: readonly Entry[], leaf?: EncodeInput['leaf']) {
		const { drafts, cut } = gather(input, { entries, leaf }, facts, context);
		const messages = finishMessages(drafts, context);
		account.add(drafts, messages, input.after ? undefined : cut);
		return { drafts, cut, messages };
	}

	/** The parts of a document that was extended; it is parsed again only for a compaction. */
	function cutIn(bytes: Uint8Array, cut: Cut, { entries: held }: Session): DocumentParts {
		const { messages, ...parts } = partsOfDocument(bytes);
		if (messages) account.cut = { cut, messages, drafts: first.drafts, held, counted: 0 };
		return parts;
	}

	function headOf(): Head {
		const { systemPrompt = input.header.systemPrompt } = facts;
		const { profile, id, header } = input;
		return { profile, id, header, updatedAt: lastTime(input, account, context) ?? noTime, systemPrompt };
	}

	function* pieces(): Generator<string> {
		yield* newDocument(headOf, parts());
		const { systemPrompt, updatedAt } = headOf();
		if (updatedAt.length !== begun.updatedAt.length) throw new NotPossible('the last time is longer than the first');
		const sessionId = sessionIdOf(input.header, input.id);
		end({ sessionId, system_prompt: systemPrompt });
	}

	function* parts(): Generator<readonly JsonObject[]> {
		yield first.messages;
		for (const entries of input.more ?? []) {
			// No entry of this part names an earlier one, and ids are unique already.
			context.ids = new Set();
			context.calls = new Map();
			yield take(entries).messages;
		}
	}

	function end(parts: DocumentParts): void {
		const known = lastTime(input, account, context);
		if (known === undefined) context.lose('', 'header.updated_at', 'invented', 'no entry has a time');
		const written = { facts, account, parts, updatedAt: known ?? noTime };
		beside.push(...besideFiles(input, written, context), ...childFiles(input, agents, context));
		noteHeader(input, facts, beside.length > 0, context);
		if (context.unheld.size === 0) return;
		const names = [...context.unheld].sort().join(', ');
		context.lose('', 'extra', 'dropped', `fields that Cline has no place for: ${names}`);
	}
}

/** Continues an old task of the VS Code extension, which is only read: it becomes a new session with all of it. */
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
		lose: (entry, path, how, note) => losses.push({ entry, path, how, note }),
	};
	for (const entry of input.after?.entries ?? []) {
		context.ids.add(entry.id);
		if (entry.time !== undefined) context.time = Date.parse(entry.time);
	}
	noteTools(input.after?.entries ?? [], context.calls);
	context.time ??= validTime(input.header.created);
	return context;
}

function validTime(time: string | undefined): number | undefined {
	const parsed = Date.parse(time ?? '');
	return Number.isNaN(parsed) ? undefined : parsed;
}

/** The session's own entries, and those of sub-agents that another format keeps in the same file. */
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
}

function gather(
	input: EncodeInput,
	part: Pick<EncodeInput, 'entries' | 'leaf'>,
	facts: Facts,
	context: MessageContext,
): Gathered {
	const { entries } = part;
	const order = orderOf(entries, leafToWrite(part));
	const messages = draftMessages(context);
	const summaries = summaryMessages(entries);
	let cut: Cut | undefined;
	for (const entry of order.line) {
		if (entry.kind === 'message') {
			messages.add(entry);
			if (cut && summaries.get(cut.entry.id) === entry) cut = summedUp(cut, entry, messages.drafts.length);
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
	return { drafts: messages.drafts, cut };
}

/** The compaction with the message behind it as the summary, which precedes kept messages. */
function summedUp(cut: Cut, entry: MessageEntry, after: number): Cut {
	if (cut.entry.keptFrom === undefined || cut.entry.summary !== undefined) return cut;
	const summary = entry.content.map(blockText).join('\n');
	return { entry: { ...cut.entry, summary }, after, kept: cut.after };
}

function asMessage(entry: SummaryEntry, context: MessageContext): MessageEntry {
	context.lose(entry.id, '', 'approximated', 'the summary of another branch: written as a message of the user');
	const { id, parent, time, records } = entry;
	const content = [{ type: 'text' as const, text: entry.text }];
	return { kind: 'message', role: 'user', content, id, records, ...compact({ parent, time }) };
}

/** Handles an entry that is no message: some have a place in the head or the manifest, the rest become losses. */
function besideEntry(entry: Entry, facts: Facts, context: MessageContext): void {
	if (entry.kind === 'setting') takeSettings(entry, facts, context);
	else if (entry.kind === 'summary' && entry.of === 'conversation') facts.title ??= entry.text;
	else if (entry.kind === 'start') context.unheld.add('start');
	else if (entry.kind !== 'leaf')
		context.lose(entry.id, '', 'dropped', `Cline has no place for ${withArticle(nameOf(entry))}`);
}

function nameOf(entry: Entry): string {
	if (entry.kind === 'event') return `"${entry.event.type}" event`;
	return entry.kind === 'opaque' ? `record of type "${entry.type}"` : `"${entry.kind}" entry`;
}

function takeSettings(entry: SettingEntry, facts: Facts, context: MessageContext): void {
	const { title, cwd, systemPrompt, model: _model, provider: _provider, ...rest } = entry.set;
	if (typeof title === 'string') facts.title = title;
	if (cwd !== undefined) facts.cwd = cwd;
	if (systemPrompt !== undefined) facts.systemPrompt = systemPrompt;
	// Every reply names its model, so a choice without a reply changes nothing.
	const names = Object.keys(rest);
	if (names.length > 0) context.lose(entry.id, 'set', 'dropped', `Cline has no place for: ${names.join(', ')}`);
}

/** Reports an earlier leaf: new messages can only follow the last one. */
function checkContinues(input: EncodeInput, first: Entry | undefined, context: MessageContext): void {
	if (!input.after || first?.parent == null) return;
	const known = input.after.entries.some((entry) => entry.id === first.parent);
	if (known && input.after.leaf !== first.parent) {
		const note = 'it goes on from an earlier message: a Cline session is one line, so it follows the last one';
		context.lose(first.id, 'parent', 'approximated', note);
	}
}

const noTime = new Date(0).toISOString();

function lastTime(input: EncodeInput, account: Account, context: MessageContext): string | undefined {
	return isoTime(account.time ?? context.time) ?? stringAt(input.header.extra ?? {}, 'updated_at');
}

type BesideFile = Encoded['beside'][number];

function besideFiles(input: EncodeInput, written: Written, context: MessageContext): readonly BesideFile[] {
	if (input.profile !== 'client' || !context.lead) return [];
	const stem = stemOf(input.path, input.id);
	const name = `${stem}.compaction.json`;
	const { cut } = written.account;
	const sidecars = cut ? [{ path: name, bytes: jsonFile(sidecarOf(written.parts, cut, written.updatedAt)) }] : [];
	// An existing session has its manifest already, with more in it than is known here.
	if (input.after || input.path === undefined) return sidecars;
	const manifest = manifestOf(input, written, cut && input.path.replace(/[^/\\]*$/, name));
	return [{ path: `${stem}.json`, bytes: jsonFile(manifest) }, ...sidecars];
}

/** The longest name of an agent, which becomes part of a file name. */
const longestAgent = 120;

function childFiles(
	input: EncodeInput,
	agents: ReadonlyMap<string, readonly Entry[]>,
	context: MessageContext,
): readonly BesideFile[] {
	const files: BesideFile[] = [];
	const taken = new Set([stemOf(input.path, input.id).toLowerCase()]);
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
		const plain = agent.replace(/[^a-zA-Z0-9._-]+/g, '_').slice(0, longestAgent);
		// Another agent may be called nearly the same, and a stranger's like the session itself: each has its own file.
		const name = taken.has(plain.toLowerCase()) ? `${plain}-${deriveHex(8, 'sub-agent', agent)}` : plain;
		taken.add(name.toLowerCase());
		const { model, provider } = input.header;
		const from = { how: 'subagent', session: input.id } as const;
		const header = { agent: name, from, ...compact({ model, provider }) };
		const child = encode({ profile: input.profile, id: `${input.id}__${name}`, header, entries });
		for (const loss of child.losses) context.lose(loss.entry, loss.path, loss.how, loss.note);
		files.push({ path: `${name}.messages.json`, bytes: child.bytes });
	}
	return files;
}

/** Reports header fields that only a manifest can hold, when none is written. */
function noteHeader(input: EncodeInput, facts: Facts, besides: boolean, context: MessageContext): void {
	const { title = input.header.title, cwd = input.header.cwd } = facts;
	const manifest = besides && input.path !== undefined && input.profile === 'client' && !input.after && context.lead;
	if (manifest) {
		if (cwd === undefined) context.lose('', 'header.cwd', 'invented', 'the working folder is not known: /');
		if ((title?.length ?? 0) > longestTitle) {
			context.lose('', 'header.title', 'approximated', `Cline keeps ${longestTitle} characters of a title`);
		}
	} else if (!input.after) {
		const why =
			input.profile === 'published'
				? 'the contract has no place for it'
				: 'it belongs into the manifest, which needs the path of the messages';
		if (cwd !== undefined) context.lose('', 'header.cwd', 'dropped', why);
		if (title !== undefined) context.lose('', 'header.title', 'dropped', why);
		if (input.header.gitBranch !== undefined) context.lose('', 'header.gitBranch', 'dropped', why);
	}
	if (context.lead && input.id.includes('__')) {
		context.lose('', 'id', 'approximated', 'Cline takes a session with `__` in its id for a sub-agent of another one');
	}
}
