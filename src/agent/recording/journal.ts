/** Writes a run into its session, every step before the next one begins: what goes into the file, what is noted beside it where the format has no words, and what is held back until the first prompt. */

import { type Codec, type LivePart, type Noted, notedEvent, type PermissionFacts } from '../../codecs/index.ts';
import {
	addUsage,
	type Block,
	type ClientProgressEvent,
	compact,
	type Entry,
	type EntryId,
	type FileSnapshot,
	type FileState,
	type HookEvent,
	isPrompt,
	type Json,
	type JsonObject,
	type ModelResponse,
	noUsage,
	type Settings,
	type ToolResultMessage,
	type Usage,
} from '../../model/index.ts';
import type { Draft } from '../../store/handle/draft.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import type { Surroundings } from '../../store/handle/session-handle.ts';
import type { Prompt, Recalled, RunResult } from '../config.ts';
import type { CalledCommand, Failure, PendingCall } from '../contracts.ts';
import { userBlocks } from './blocks.ts';
import { ReplyJournal } from './reply-journal.ts';
import { isStricter, promptsSayModes } from './settle.ts';

export interface ResultDetails {
	readonly details?: Json;
	readonly durationMs?: number;
	readonly file?: FileState;
	/** How it came about that the call was run or not. */
	readonly permission?: PermissionFacts | undefined;
}

/** The part of the conversation that a summary stands for. */
export interface Replaced {
	readonly first: EntryId;
	readonly last: EntryId;
	readonly messages: number;
}

export interface WrittenCompaction {
	/** The message that the conversation goes on from. */
	readonly text: string;
	/** The first entry that stays. */
	readonly keptFrom: EntryId | undefined;
	readonly trigger: string;
	readonly tokensBefore: number;
	readonly tokensAfter: number;
	readonly response: ModelResponse;
	/** What the session is called, and stays. */
	readonly title?: string;
}

/** A call that somebody is asked about, and why. */
export interface Asked extends Pick<PendingCall, 'agent'> {
	readonly call: string;
	readonly tool: string;
	readonly reason: string;
}

export class Journal {
	readonly #handle: SessionHandle;
	readonly #codec: Codec;
	readonly #heard: (entries: readonly Entry[]) => void;
	readonly #surroundings: () => Surroundings;
	/** What was started and not waited for: a failure of it stops the run at its next step. */
	#started: Promise<unknown> = Promise.resolve();
	#broken: unknown;
	/** Hooks that ran before a new session had its first prompt. */
	readonly #early: (HookEvent | ClientProgressEvent)[] = [];
	/** What was started before a new session had its first prompt: a session without one is not written. */
	readonly #held: Draft[] = [];
	#turnUsage: Usage = noUsage;
	#turnCost = 0;

	/** `surroundings` are asked for with every line: a tool may check out another branch, or go to another folder. */
	constructor(
		handle: SessionHandle,
		codec: Codec,
		heard: (entries: readonly Entry[]) => void,
		surroundings: () => Surroundings = () => ({}),
	) {
		this.#handle = handle;
		this.#surroundings = surroundings;
		this.#codec = codec;
		this.#heard = heard;
	}

	get rules(): LivePart {
		return this.#codec.live;
	}

	get sessionId(): string {
		return this.#handle.session.id;
	}

	get path(): string {
		return this.#handle.path;
	}

	get outputFolder(): string {
		return this.#handle.outputFolder;
	}

	/** What stands for a result that never came. */
	unanswered(tool: string): string {
		return this.#codec.context.unanswered(tool);
	}

	get leaf(): EntryId | null {
		return this.#handle.leaf;
	}

	async add(...drafts: readonly Draft[]): Promise<readonly Entry[]> {
		if (this.#broken !== undefined) throw this.#broken;
		const [draft] = drafts;
		if (draft?.kind === 'event' && draft.event.type === 'pr_link' && !this.rules.hookLines) {
			await this.#note({ what: 'pr_link', link: draft.event });
			return [];
		}
		this.#handle.describe(this.#surroundings());
		const { entries } = await this.#handle.append(...drafts);
		this.#heard(asSaid(entries, drafts));
		return entries;
	}

	/** For what nobody waits for, such as progress. Written in order with everything else. */
	start(...drafts: readonly Draft[]): void {
		if (this.leaf === null) {
			this.#held.push(...drafts);
			return;
		}
		this.#started = this.add(...drafts).catch((error: unknown) => {
			this.#broken ??= error;
		});
	}

	/** Waits for what was started. */
	async settle(): Promise<void> {
		await this.#started;
		if (this.#broken !== undefined) throw this.#broken;
	}

	/** Everything so far survives a power cut. */
	async sync(): Promise<void> {
		await this.settle();
		await this.#handle.sync();
	}

	/** How the format's client writes down a prompt that calls a command: the model gets it so, too. */
	commandText(command: CalledCommand): string | undefined {
		return this.#handle.profile === 'client' ? this.rules.commandText?.(command) : undefined;
	}

	/**
	 * The prompt, durable before anybody is asked, and the state of the files that its changes can be undone to. A sub-agent's
	 * has neither a mode nor such files: both are those of the prompt that it works for.
	 */
	async prompt(
		prompt: Prompt,
		permissionMode?: string,
		files?: readonly FileSnapshot[],
		id?: EntryId,
	): Promise<EntryId | undefined> {
		const extra = permissionMode === undefined ? undefined : this.rules.promptFields?.({ permissionMode });
		const own = extra === undefined ? {} : { extra };
		const said = { kind: 'message', role: 'user', content: userBlocks(prompt), ...own, ...compact({ id }) } as const;
		const entries = await this.add(...this.#held.splice(0), said);
		this.#handle.observe({ what: 'prompt' });
		for (const event of this.#early.splice(0)) await this.hook(event);
		const of = entries.find(isPrompt)?.id; // a new file begins with its header
		if (files) await this.add({ kind: 'checkpoint', update: false, files, ...(of === undefined ? {} : { of }) });
		await this.#handle.sync();
		this.#turnUsage = noUsage;
		this.#turnCost = 0;
		return of;
	}

	/** Writes down the settings that are not what the session last said. */
	async settings(now: Settings, before: Settings): Promise<void> {
		const changed = Object.entries(now).filter(([key, value]) => before[key as keyof Settings] !== value);
		const switched = changed.some(([key]) => key === 'model' || key === 'provider');
		const set = { ...(switched ? { model: now.model, provider: now.provider } : {}), ...Object.fromEntries(changed) };
		if (changed.length > 0) await this.add({ kind: 'setting', set: compact(set) });
		this.#noteMode(now.permissionMode, before.permissionMode);
	}

	/** Where the file has no words for every mode, it is kept beside it: a stricter one holds when the session goes on. */
	#noteMode(mode: string | undefined, before = 'default'): void {
		if (mode === undefined || mode === before || !(isStricter(mode) || isStricter(before))) return;
		if (!promptsSayModes(this.rules)) this.#handle.note({ what: 'mode', mode });
	}

	/** A mode that was chosen and that no prompt has said yet; also beside the file, for one whose prompts alone say it. */
	async chosenMode(mode: string, before = 'default'): Promise<void> {
		if (this.leaf === null || mode === before || !(isStricter(mode) || isStricter(before))) return;
		await this.add({ kind: 'setting', set: { permissionMode: mode } });
		this.#handle.note({ what: 'mode', mode });
		await this.sync();
	}

	/** For formats that have no words for it. */
	interrupted(): void {
		if (this.leaf !== null) this.#handle.note({ what: 'interrupted' });
	}

	/** A compaction, and beside it the record of what it replaced, where the format has one. */
	async compaction(
		{ text, keptFrom, response, title, ...counted }: WrittenCompaction,
		replaced: Replaced | undefined,
	): Promise<void> {
		const kept = compact({ keptFrom, title });
		const entries = await this.add({ kind: 'compaction', summary: text, ...kept, ...counted, response });
		const { tokensBefore, tokensAfter } = counted;
		const made = entries.find(({ kind }) => kind === 'compaction')?.id;
		const facts = {
			...compact({ compaction: made, replaced: replaced && { ...replaced }, keptFrom }),
			summary: firstLine(text),
			...counted,
			tokensSaved: Math.max(0, tokensBefore - tokensAfter),
		};
		const event = this.rules.collapse?.(this.sessionId, 'commit', facts, response);
		if (event) await this.add({ kind: 'event', event });
		await this.sync();
	}

	/** Something that the user should find in the session, and no model is told. */
	async warn(message: string): Promise<void> {
		await this.add({ kind: 'event', event: { type: 'notice', level: 'warning', message } });
	}

	/** Instructions were told because of a file. Formats without a line for that have the words themselves. */
	async recalled(memories: readonly Recalled[]): Promise<void> {
		if (!this.rules.hookLines) return;
		const data = { type: 'relevant_memories', memories: memories.map(({ path, content }) => ({ path, content })) };
		await this.add({ kind: 'event', event: { type: 'attachment', of: 'relevant_memories', data } });
	}

	/** A hook runs, or ran. A new session begins with its prompt, whatever ran before it. */
	async hook(event: HookEvent | ClientProgressEvent): Promise<void> {
		if (this.leaf === null) this.#early.push(event);
		else if (this.rules.hookLines) await this.add({ kind: 'event', event });
		// That one is called is told where it has ended.
		else if (event.type === 'hook') await this.#note({ what: 'hook', hook: event });
	}

	/** Notes are written into the session's file if that takes data of applications, else beside it. */
	async #note(noted: Noted): Promise<void> {
		if (this.rules.applicationData === this.#handle.profile)
			await this.add({ kind: 'event', event: notedEvent(noted) });
		else this.#handle.note(noted);
	}

	/** A hook has put this call off. Noted beside the session alone: what a file says makes nobody run anything. */
	deferred(call: string, tool: string, input: Json): void {
		this.#handle.note({ what: 'deferred', call, tool, input });
	}

	/** Somebody is asked about a call. Noted beside the session: the answer stands in it, and this only counts where none came. */
	asks({ call, tool, reason, agent }: Asked): void {
		this.#handle.note({ what: 'asked', call, tool, reason, ...compact({ agent: agent?.id }) });
	}

	toolStarts(call: string, tool: string): void {
		this.#handle.observe({ what: 'call', call, tool });
	}

	/** True: the blocks of a reply are written one by one. */
	get perBlock(): boolean {
		return !this.#codec.write.wholeReplies;
	}

	/** What a reply says it used, by the format's rules for turns. */
	used(usage: Usage, costUsd: number, goesOn: boolean): Pick<ModelResponse, 'usage' | 'costUsd'> {
		if (this.rules.turnUsage !== this.#handle.profile) return { usage, costUsd };
		this.#turnUsage = addUsage(this.#turnUsage, usage);
		this.#turnCost += costUsd;
		return goesOn ? {} : { usage: this.#turnUsage, costUsd: this.#turnCost };
	}

	/** Something that the model is told and nobody typed. */
	async aside(text: string): Promise<void> {
		await this.add({ kind: 'message', role: 'user', content: userBlocks(text), audience: 'model' });
	}

	async result(message: ToolResultMessage, { details, durationMs, file, permission }: ResultDetails): Promise<void> {
		const block: Block = {
			type: 'tool_result',
			call: message.toolCallId,
			name: message.toolName,
			content: userBlocks(message.content),
			isError: message.isError,
			...(details === undefined ? {} : { details }),
			...(durationMs === undefined ? {} : { durationMs }),
			...(file === undefined ? {} : { file }),
		};
		const extra = permission && this.#permissionFields(permission, message);
		await this.add({ kind: 'message', role: 'user', content: [block], ...(extra ? { extra } : {}) });
		const { toolCallId, toolName, isError } = message;
		if (permission && !extra)
			await this.#note({ what: 'permission', call: toolCallId, tool: toolName, facts: permission });
		this.#handle.observe({ what: 'result', call: toolCallId, tool: toolName, isError });
	}

	/** Where the client's own lines have fields for it. */
	#permissionFields(permission: PermissionFacts, { toolCallId, toolName }: ToolResultMessage): JsonObject | undefined {
		if (this.#handle.profile !== 'client') return undefined;
		return this.rules.permissionFields?.(permission, { call: toolCallId, tool: toolName });
	}

	/** The files that a prompt changes, as they were before it. */
	async changing(of: EntryId | undefined, files: readonly FileSnapshot[]): Promise<void> {
		await this.add({ kind: 'checkpoint', update: true, files, ...(of === undefined ? {} : { of }) });
	}

	progress(call: string, of: string, data: JsonObject): void {
		this.start({ kind: 'event', event: { type: 'progress', of, call, parentCall: call, data } });
	}

	/** A request failed and is tried again. `after`: where the conversation goes on, if a part of the reply was written. */
	async failedAttempt(failure: Failure, attempt: number, after: EntryId | null | undefined): Promise<void> {
		const event = { type: 'error', message: failure.message, attempt } as const;
		await this.add({ kind: 'event', event, ...(after === undefined ? {} : { after }) });
	}

	async outcome({ outcome, costUsd, turns, durationMs, usage, problem }: RunResult): Promise<void> {
		if (outcome === 'max_turns' || outcome === 'max_budget') await this.warn(problem ?? outcome);
		await this.add({ kind: 'outcome', status: outcome, costUsd, turns, durationMs });
		this.#handle.observe({ what: 'end', outcome, costUsd, turns, durationMs });
		await this.#handle.ended({ outcome, time: new Date().toISOString(), usage, costUsd });
	}

	reply(): ReplyJournal {
		return new ReplyJournal(this);
	}
}

/** Replies as they were given: a file may have no words for a part of them, such as thoughts that nobody has signed. */
function asSaid(entries: readonly Entry[], drafts: readonly Draft[]): readonly Entry[] {
	const replies = drafts.filter((draft) => draft.kind === 'message' && draft.role === 'assistant');
	if (replies.length === 0) return entries;
	let at = 0;
	return entries.map((entry) => {
		if (entry.kind !== 'message' || entry.role !== 'assistant') return entry;
		const draft = replies[at];
		at += 1;
		return draft?.kind === 'message' && draft.content.length === entry.content.length
			? { ...entry, content: draft.content }
			: entry;
	});
}

function firstLine(text: string): string {
	return /[^#\s].*/.exec(text)?.[0] ?? '';
}
