/** Writes a run into its session: every step is in the file before the next one begins. */

import { type Codec, type LivePart, type Noted, notedEvent, type PermissionFacts } from '../codecs/index.ts';
import {
	type AssistantMessage,
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
} from '../model/index.ts';
import type { Draft } from '../store/handle/draft.ts';
import type { SessionHandle } from '../store/handle/handle.ts';
import type { Surroundings } from '../store/handle/session-handle.ts';
import { neutralStop, neutralUsage, replyBlock, userBlocks } from './blocks.ts';
import type { Prompt, RunResult } from './config.ts';
import type { CalledCommand, Failure, ResponseEvent } from './contracts.ts';

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
		this.#handle.describe(this.#surroundings());
		const { entries } = await this.#handle.append(...drafts);
		this.#heard(entries);
		return entries;
	}

	/** For what nobody waits for, such as progress. Written in order with everything else. */
	start(...drafts: readonly Draft[]): void {
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
	async prompt(prompt: Prompt, permissionMode?: string, files?: readonly FileSnapshot[]): Promise<EntryId | undefined> {
		const extra = permissionMode === undefined ? undefined : this.rules.promptFields?.({ permissionMode });
		const own = extra === undefined ? {} : { extra };
		const entries = await this.add({ kind: 'message', role: 'user', content: userBlocks(prompt), ...own });
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
	}

	/** A compaction, and beside it the record of what it replaced, where the format has one. */
	async compaction({ text, keptFrom, ...counted }: WrittenCompaction, replaced: Replaced | undefined): Promise<void> {
		const kept = keptFrom === undefined ? {} : { keptFrom };
		const entries = await this.add({ kind: 'compaction', summary: text, ...kept, ...counted });
		const { tokensBefore, tokensAfter } = counted;
		const made = entries.find(({ kind }) => kind === 'compaction')?.id;
		const event = this.rules.collapse?.(this.sessionId, 'commit', {
			...compact({ compaction: made, replaced: replaced && { ...replaced }, keptFrom }),
			summary: firstLine(text),
			...counted,
			tokensSaved: Math.max(0, tokensBefore - tokensAfter),
		});
		if (event) await this.add({ kind: 'event', event });
		await this.sync();
	}

	/** Something that the user should find in the session, and no model is told. */
	async notice(level: 'info' | 'warning', message: string): Promise<void> {
		await this.add({ kind: 'event', event: { type: 'notice', level, message } });
	}

	/** A hook runs, or ran. A new session begins with its prompt, whatever ran before it. */
	async hook(event: HookEvent | ClientProgressEvent): Promise<void> {
		if (this.leaf === null) this.#early.push(event);
		else if (this.rules.hookLines) await this.add({ kind: 'event', event });
		// That one is called is told where it has ended.
		else if (event.type === 'hook') await this.#note({ what: 'hook', hook: event });
	}

	/** In the file where that takes data of applications, else beside it. */
	async #note(noted: Noted): Promise<void> {
		if (this.rules.applicationData === this.#handle.profile)
			await this.add({ kind: 'event', event: notedEvent(noted) });
		else this.#handle.note(noted);
	}

	/** A hook has put this call off. Noted beside the session alone: what a file says makes nobody run anything. */
	deferred(call: string, tool: string, input: Json): void {
		this.#handle.note({ what: 'deferred', call, tool, input });
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
		if (outcome === 'max_turns' || outcome === 'max_budget') await this.notice('warning', problem ?? outcome);
		await this.add({ kind: 'outcome', status: outcome, costUsd, turns, durationMs });
		this.#handle.observe({ what: 'end', outcome, costUsd, turns, durationMs });
		await this.#handle.ended({ outcome, time: new Date().toISOString(), usage, costUsd });
	}

	reply(): ReplyJournal {
		return new ReplyJournal(this);
	}
}

/**
 * One reply. Where the format has a line per block, each is written when the next begins: only then is it known not to be the
 * last, and the last carries why the reply ended.
 */
export class ReplyJournal {
	readonly #journal: Journal;
	/** Where the conversation goes on if this reply fails and another takes its place. */
	readonly #before: EntryId | null;
	#response: ModelResponse = {};
	/** Why it ended, where the published words have none for it. */
	#stop: Pick<ModelResponse, 'stop' | 'stopSequence'> = {};
	#pending: Block | undefined;
	/** How many blocks have ended. */
	#finished = 0;
	#written = 0;

	constructor(journal: Journal) {
		this.#journal = journal;
		this.#before = journal.leaf;
	}

	/** An id that is written stays: the blocks of a reply are found by it. */
	names({ id, request, model, stop, stopSequence }: Omit<ResponseEvent, 'type'>): void {
		if (stop !== undefined) this.#stop = { stop, ...(stopSequence === undefined ? {} : { stopSequence }) };
		const kept = this.#response.id ?? id;
		this.#response = {
			...this.#response,
			...(kept === undefined ? {} : { id: kept }),
			...(request === undefined ? {} : { request }),
			...(model === undefined ? {} : { model }),
		};
	}

	get id(): string | undefined {
		return this.#response.id;
	}

	/** A block is finished. */
	async block(index: number, partial: AssistantMessage): Promise<void> {
		if (!this.#journal.perBlock) return;
		const content = partial.content[index];
		if (content === undefined) return;
		const before = this.#pending;
		this.#pending = replyBlock(content);
		this.#finished = index + 1;
		if (before) await this.#write([before], this.#facts(partial));
	}

	/** The reply is whole. */
	async done(message: AssistantMessage): Promise<void> {
		const response = { ...this.#whole(message), stop: neutralStop(message.stopReason), ...this.#stop };
		if (!this.#journal.perBlock) await this.#write(message.content.map(replyBlock), response, this.#own(message));
		else if (this.#pending) await this.#write([this.#pending], response);
		else if (message.content.length === 0) await this.#write([], response);
		this.#pending = undefined;
	}

	/** It broke off, and nobody asks again: what had arrived of it stays. */
	async broken(message: AssistantMessage): Promise<void> {
		const { rules } = this.#journal;
		const rest = message.content.slice(this.#finished).map(replyBlock);
		const blocks = this.#pending ? [this.#pending, ...rest] : rest;
		this.#pending = undefined;
		const kept = blocks.filter(isSaid).filter((block) => rules.abortedCalls !== 'drop' || block.type !== 'tool_call');
		if (message.stopReason === 'aborted' && kept.length === 0 && !rules.emptyAborted) return;
		const stop = neutralStop(message.stopReason);
		const error = message.stopReason === 'error' ? { error: message.errorMessage ?? 'the reply broke off' } : {};
		const response = { ...this.#whole(message), stop };
		// Where blocks have lines of their own, why the reply failed has one too.
		if (this.#journal.perBlock && kept.length > 0 && 'error' in error) {
			await this.#write(kept, this.#facts(message));
			await this.#write([], { ...response, id: `${response.id}_error`, ...error });
		} else await this.#write(kept, { ...response, ...error }, this.#own(message));
	}

	/** It broke off and another reply takes its place: what was written of it is left on a branch of its own. */
	abandoned(): EntryId | null | undefined {
		this.#pending = undefined;
		return this.#written > 0 ? this.#before : undefined;
	}

	#facts({ provider, api, model, usage }: AssistantMessage): ModelResponse {
		return { provider, api, model, usage: neutralUsage(usage), ...this.#response };
	}

	/** What only the format's own fields can say of a whole reply. */
	#own({ usage }: AssistantMessage): { readonly extra?: JsonObject } {
		const extra = this.#journal.rules.usageFields?.(usage as unknown as JsonObject);
		return extra === undefined ? {} : { extra };
	}

	#whole(message: AssistantMessage): ModelResponse {
		const { usage: _, ...facts } = this.#facts(message);
		const goesOn = message.stopReason === 'toolUse';
		return { ...facts, ...this.#journal.used(neutralUsage(message.usage), message.usage.cost.total, goesOn) };
	}

	async #write(
		content: readonly Block[],
		response: ModelResponse,
		own: { readonly extra?: JsonObject } = {},
	): Promise<void> {
		this.#written += 1;
		await this.#journal.add({ kind: 'message', role: 'assistant', content, response, ...own });
	}
}

function firstLine(text: string): string {
	return /[^#\s].*/.exec(text)?.[0] ?? '';
}

function isSaid(block: Block): boolean {
	if (block.type === 'text') return block.text.trim() !== '';
	return block.type !== 'thinking' || block.text !== '' || block.redacted !== undefined;
}
