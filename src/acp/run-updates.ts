/** Which updates an editor gets while a prompt is answered: streamed texts, lists as plans, and when a call is announced, runs, is done or given up. */
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import type { Conversation, LoopEvent } from '../agent/config.ts';
import type { PendingCall } from '../agent/contracts.ts';
import type { AgentEvent, AssistantMessageEvent } from '../agent/events.ts';
import { type Entry, type ImageContent, isObject, type Json, stringAt, type TextContent } from '../model/index.ts';
import { isListCall, listAfter, planOf } from './plans.ts';
import { resultOf } from './replay.ts';
import { type CallPlace, callFields, type MadeCall, printed, resultFields } from './tool-calls.ts';

export type Send = (update: SessionUpdate) => void;

interface OpenCall extends MadeCall {
	/** The call of the session whose sub-agent has made it. */
	readonly parent: string | undefined;
	readonly runs: boolean;
}

export class RunUpdates {
	readonly #send: Send;
	readonly #place: () => CallPlace;
	readonly #conversation: () => Conversation;
	/** The calls that the editor knows of and that have no result yet. */
	readonly #open = new Map<string, OpenCall>();
	#messageId: string | undefined;
	#said = false;

	constructor(send: Send, place: () => CallPlace, conversation: () => Conversation) {
		this.#send = send;
		this.#place = place;
		this.#conversation = conversation;
	}

	/** The model has said something since the prompt. */
	get hasSaid(): boolean {
		return this.#said;
	}

	begin(): void {
		this.#said = false;
	}

	event(event: AgentEvent): void {
		switch (event.type) {
			case 'message_update':
				this.#streamed(event.assistantMessageEvent);
				break;
			case 'tool_execution_start':
				this.#running({ id: event.toolCallId, name: event.toolName, input: event.args as Json });
				break;
			case 'tool_execution_update':
				this.#progress(event.toolCallId, event.partialResult);
				break;
			case 'tool_execution_end':
				this.#ended(event.toolCallId, event.toolName, event.result as Output, event.isError);
				break;
			case 'turn_end':
				this.#giveUp(({ parent }) => parent === undefined);
				break;
			case 'agent_end':
				this.#giveUp(() => true);
		}
	}

	observe(event: LoopEvent): void {
		if (event.type === 'reply') this.#messageId = event.id;
		else if (event.type === 'entries' && event.parentCall !== undefined)
			for (const entry of event.entries) this.#entry(entry, event.parentCall);
	}

	/** The call as its user is asked about it; announced first where it is a sub-agent's, or one that is not shown otherwise. */
	asked({ id, tool, input }: PendingCall): ReturnType<typeof callFields> {
		const call = { id, name: tool.name, input };
		if (!this.#open.has(id)) this.#announce(call);
		return callFields(call, this.#place());
	}

	/** Somebody has allowed it, and it runs now. */
	allowed(toolCallId: string): void {
		if (!this.#open.has(toolCallId)) return;
		this.#send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
	}

	#streamed(event: AssistantMessageEvent): void {
		if (event.type === 'text_delta') this.#chunk('agent_message_chunk', event.delta);
		else if (event.type === 'thinking_delta') this.#chunk('agent_thought_chunk', event.delta);
		else if (event.type === 'toolcall_start') {
			const call = event.partial.content[event.contentIndex];
			// Its arguments stream for a while: the editor shows that something comes.
			if (call?.type === 'toolCall') this.#announce({ id: call.id, name: call.name, input: {} });
		} else if (event.type === 'toolcall_end') {
			const { id, name, arguments: input } = event.toolCall;
			this.#announce({ id, name, input: input as Json });
		}
		// A reply that failed is streamed again from its beginning: what was announced of it will never run.
		else if (event.type === 'error') this.#giveUp(({ parent, runs }) => parent === undefined && !runs);
	}

	#chunk(sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', text: string): void {
		if (text === '') return;
		if (sessionUpdate === 'agent_message_chunk') this.#said = true;
		const messageId = this.#messageId === undefined ? {} : { messageId: this.#messageId };
		this.#send({ sessionUpdate, content: { type: 'text', text }, ...messageId });
	}

	/** Once as a call, then as what is known of it by now. Lists are shown as plans. */
	#announce(call: MadeCall, parent?: string): void {
		if (call.id === '' || isListCall(call.name)) return;
		const known = this.#open.get(call.id);
		this.#open.set(call.id, { ...call, parent: parent ?? known?.parent, runs: known?.runs ?? false });
		const fields = callFields(call, this.#place());
		const within = parent === undefined ? {} : { _meta: { reprise: { parentToolCallId: parent } } };
		if (known) this.#send({ sessionUpdate: 'tool_call_update', ...fields, ...within });
		else this.#send({ sessionUpdate: 'tool_call', status: 'pending', ...fields, ...within });
	}

	#running(call: MadeCall): void {
		if (isListCall(call.name)) return;
		const known = this.#open.get(call.id);
		if (!known) this.#announce(call);
		this.#open.set(call.id, { ...call, parent: known?.parent, runs: true });
		this.#send({ sessionUpdate: 'tool_call_update', toolCallId: call.id, status: 'in_progress' });
	}

	#progress(toolCallId: string, partial: unknown): void {
		const text = isObject(partial as Json) ? stringAt(partial as { [key: string]: Json }, 'fullOutput') : undefined;
		if (text === undefined || text === '' || !this.#open.has(toolCallId)) return;
		this.#send({ sessionUpdate: 'tool_call_update', toolCallId, content: [printed(text)] });
	}

	#ended(id: string, name: string, output: Output, isError: boolean): void {
		const list = isError ? undefined : listAfter(name, output.details, this.#conversation());
		if (list) this.#send({ sessionUpdate: 'plan', ...planOf(list) });
		const call = this.#open.get(id) ?? { id, name, input: {} };
		if (!this.#open.has(id) && isListCall(name)) {
			if (!isError) return;
			this.#send({ sessionUpdate: 'tool_call', status: 'pending', ...callFields(call, this.#place()) });
		}
		this.#result(call, { content: output.content.map(contentBlock), isError, details: output.details });
	}

	#result(call: MadeCall, result: Parameters<typeof resultFields>[1]): void {
		this.#open.delete(call.id);
		this.#send({ sessionUpdate: 'tool_call_update', ...resultFields(call, result, this.#place()) });
	}

	/** What sub-agents do is known from their entries: their events are nobody's. */
	#entry(entry: Entry, parent: string): void {
		if (entry.kind !== 'message') return;
		for (const block of entry.content) {
			if (block.type === 'tool_call') this.#announce(block, parent);
			const call = block.type === 'tool_result' ? this.#open.get(block.call) : undefined;
			if (call && block.type === 'tool_result') this.#result(call, resultOf(block));
		}
	}

	/** Calls that will not come to anything any more. */
	#giveUp(which: (call: OpenCall) => boolean): void {
		for (const [toolCallId, call] of [...this.#open]) {
			if (!which(call)) continue;
			this.#open.delete(toolCallId);
			this.#send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
		}
	}
}

interface Output {
	readonly content: readonly (TextContent | ImageContent)[];
	readonly details?: Json;
}

function contentBlock(block: TextContent | ImageContent): ContentBlock {
	return block.type === 'text'
		? { type: 'text', text: block.text }
		: { type: 'image', data: block.data, mimeType: block.mimeType };
}
