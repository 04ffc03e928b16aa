/** The public stream: the published unions, and the order in which their events come. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { scripted, stage } from '../../test/support/agent.ts';
import type { AgentMessage, AssistantMessage, MessageStop, ToolCall, ToolResultMessage } from '../model/index.ts';
import type { AgentEvent, AssistantMessageEvent, ReplyPayload } from './events.ts';

/** The unions as the document prints them, with `unknown` where it says `any`: nobody may rely on what is inside. */
type PublishedReplyEvent =
	| { type: 'start'; partial: AssistantMessage }
	| { type: 'done'; reason: MessageStop; message: AssistantMessage }
	| { type: 'error'; reason: 'aborted' | 'error'; error: AssistantMessage }
	| { type: 'text_start'; contentIndex: number; partial: AssistantMessage }
	| { type: 'text_delta'; contentIndex: number; delta: string; partial: AssistantMessage }
	| { type: 'text_end'; contentIndex: number; content: string; partial: AssistantMessage }
	| { type: 'thinking_start'; contentIndex: number; partial: AssistantMessage }
	| { type: 'thinking_delta'; contentIndex: number; delta: string; partial: AssistantMessage }
	| { type: 'thinking_end'; contentIndex: number; content: string; partial: AssistantMessage }
	| { type: 'toolcall_start'; contentIndex: number; partial: AssistantMessage }
	| { type: 'toolcall_delta'; contentIndex: number; delta: string; partial: AssistantMessage }
	| { type: 'toolcall_end'; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage };

type PublishedEvent =
	| { type: 'agent_start' }
	| { type: 'agent_end'; messages: AgentMessage[] }
	| { type: 'turn_start' }
	| { type: 'turn_end'; message: AgentMessage; toolResults: ToolResultMessage[] }
	| { type: 'message_start'; message: AgentMessage }
	| { type: 'message_update'; message: AgentMessage; assistantMessageEvent: PublishedReplyEvent }
	| { type: 'message_end'; message: AgentMessage }
	| { type: 'tool_execution_start'; toolCallId: string; toolName: string; args: unknown }
	| { type: 'tool_execution_update'; toolCallId: string; toolName: string; args: unknown; partialResult: unknown }
	| { type: 'tool_execution_end'; toolCallId: string; toolName: string; result: unknown; isError: boolean };

/** One letter per event, so that an order is a regular expression. */
const letters: { readonly [type: string]: string } = {
	agent_start: 'A',
	agent_end: 'Z',
	turn_start: 'T',
	turn_end: 'U',
	message_start: 'm',
	message_end: 'n',
	tool_execution_start: 'x',
	tool_execution_update: 'y',
	tool_execution_end: 'z',
	start: 's',
	done: 'd',
	error: 'e',
	text_start: 'a',
	text_delta: 'b',
	text_end: 'c',
	thinking_start: 'f',
	thinking_delta: 'g',
	thinking_end: 'h',
	toolcall_start: 'i',
	toolcall_delta: 'j',
	toolcall_end: 'k',
};

function spelled(events: readonly AgentEvent[]): string {
	return events
		.map((event) => letters[event.type === 'message_update' ? event.assistantMessageEvent.type : event.type] ?? '?')
		.join('');
}

const blocks = '(?:ab*c|fg*h|ij*k)*';
/** A reply: begun, its blocks each begun and ended, and then done; or broken off anywhere. */
const reply = `(?:m${blocks}dn|m${blocks}(?:ab*|fg*|ij*)?en)`;
/** A failed attempt that is followed by another one. */
const attempt = `(?:m${blocks}(?:ab*|fg*|ij*)?e)`;
const tools = '(?:x+y*(?:[yx]*zmn)+)*';
const grammar = new RegExp(`^A(?:mn(?:T${attempt}*${reply}${tools}U)*)+Z$`);

describe('events', () => {
	it('the unions are the published ones', () => {
		expectTypeOf<AssistantMessageEvent>().toEqualTypeOf<PublishedReplyEvent>();
		expectTypeOf<AgentEvent>().toEqualTypeOf<PublishedEvent>();
		expectTypeOf<ReplyPayload>().toEqualTypeOf<{
			text?: string;
			mediaUrl?: string;
			mediaUrls?: string[];
			replyToId?: string;
			isError?: boolean;
		}>();
	});

	it('a run of thinking, text and parallel tools follows the grammar', async () => {
		await using work = await stage(
			scripted([
				{
					content: [
						{ type: 'thinking', thinking: 'let me see', signature: 'c2ln' },
						{ type: 'text', text: 'reading and running' },
						{ type: 'tool_use', name: 'Read', input: { file_path: 'a.txt' } },
						{ type: 'tool_use', name: 'Read', input: { file_path: 'missing.txt' } },
						{ type: 'tool_use', name: 'Bash', input: { command: 'echo one' } },
					],
					chunk: 3,
				},
				{ text: 'done' },
			]),
		);
		const { events } = await work.run('go');
		expect(spelled(events)).toMatch(grammar);
		expect(spelled(events)).toContain('d');
	});

	it('a tool that takes long says so in between', async () => {
		await using work = await stage(
			scripted([
				{ content: [{ type: 'tool_use', name: 'Bash', input: { command: 'echo a; sleep 2.2; echo b; sleep 0.1' } }] },
				{ text: 'done' },
			]),
		);
		const { events } = await work.run('go');
		expect(spelled(events)).toMatch(grammar);
		expect(spelled(events)).toMatch(/xy+z/);
	});

	it('a failed attempt ends with an error event, and the next one begins anew', async () => {
		await using work = await stage(
			scripted([
				{ error: { status: 529, message: 'busy' } },
				{ text: 'half of it', cut: { chunks: 1 }, chunk: 4 },
				{ text: 'done' },
			]),
		);
		const { events, result } = await work.run('go');
		expect(result.outcome).toBe('success');
		expect(spelled(events)).toMatch(grammar);
		expect(spelled(events).match(/e/g)).toHaveLength(2);
	});

	it('an error that stays ends the run', async () => {
		await using work = await stage(scripted([{ error: { status: 401, message: 'no' } }]));
		const { events, result } = await work.run('go');
		expect(result.outcome).toBe('error');
		expect(spelled(events)).toMatch(/^AmnTm.*enUZ$/);
	});

	it('an interruption ends the reply with the reason aborted', async () => {
		await using work = await stage(scripted([{ text: 'a long story without end', chunk: 2, chunkDelayMs: 20 }]));
		const events: AgentEvent[] = [];
		const run = work.start('go', (event) => {
			events.push(event);
			if (event.type === 'message_update' && event.assistantMessageEvent.type === 'text_delta') run.interrupt();
		});
		const result = await run.result;
		expect(result.outcome).toBe('interrupted');
		const last = events.findLast((event) => event.type === 'message_update');
		expect(last).toMatchObject({ assistantMessageEvent: { type: 'error', reason: 'aborted' } });
		expect(spelled(events)).toMatch(grammar);
	});

	it('iterating a run shows the same events', async () => {
		await using work = await stage(scripted([{ text: 'one' }]));
		const heard: AgentEvent[] = [];
		const seen: AgentEvent[] = [];
		const run = work.start('go', (event) => heard.push(event));
		for await (const event of run) seen.push(event);
		expect(seen).toEqual(heard);
	});
});
