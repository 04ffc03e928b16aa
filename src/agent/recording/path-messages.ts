/** The conversation of a session as it stands in the file, where no client's rules say what would be sent. */
import {
	type AgentMessage,
	type AssistantMessage,
	type Block,
	blockText,
	type Entry,
	type EntryId,
	type MessageEntry,
	type MessageStop,
	path,
	responseKey,
} from '../../model/index.ts';
import { apiOf, providerOf } from '../../wires/index.ts';
import { zeroUsage } from '../replies/reply-builder.ts';
import { reportedUsage } from './blocks.ts';

/** The messages on the way to `leaf`; a compaction stands for what came before it. */
export function messagesOnPath(entries: readonly Entry[], leaf: EntryId | null): readonly AgentMessage[] {
	const names = new Map<string, string>();
	let messages: AgentMessage[] = [];
	let key: string | undefined;
	for (const entry of path({ entries }, leaf)) {
		if (entry.kind === 'compaction' && entry.summary !== undefined) {
			messages = [{ role: 'user', content: entry.summary, timestamp: timeOf(entry) }];
		}
		if (entry.kind !== 'message' || entry.audience === 'user' || entry.role === 'system') continue;
		if (entry.role === 'user') {
			messages.push(...userMessages(entry, names));
			key = undefined;
			continue;
		}
		if (entry.response?.error !== undefined && entry.content.length === 0) continue;
		const made = replyOf(entry, names);
		const own = entry.response && responseKey(entry.response);
		const last = messages.at(-1);
		if (own !== undefined && own === key && last?.role === 'assistant') {
			last.content.push(...made.content);
			last.usage = made.usage;
		} else messages.push(made);
		key = own;
	}
	return messages;
}

function timeOf({ time }: Entry): number {
	return Date.parse(time ?? '') || 0;
}

function replyOf(entry: MessageEntry, names: Map<string, string>): AssistantMessage {
	const { model = '', provider = providerOf(model) ?? 'unknown', api, stop, usage } = entry.response ?? {};
	const content = entry.content.flatMap((block): AssistantMessage['content'] => {
		if (block.type === 'text') return [{ type: 'text', text: block.text, ...signed('textSignature', block.signature) }];
		if (block.type === 'thinking') {
			const hidden = block.redacted === undefined ? {} : { redacted: true };
			return [
				{
					type: 'thinking',
					thinking: block.text,
					...signed('thinkingSignature', block.redacted ?? block.signature),
					...hidden,
				},
			];
		}
		if (block.type !== 'tool_call') return [];
		names.set(block.id, block.name);
		const input =
			typeof block.input === 'object' && block.input !== null && !Array.isArray(block.input) ? block.input : {};
		return [
			{
				type: 'toolCall',
				id: block.id,
				name: block.name,
				arguments: { ...input },
				...signed('thoughtSignature', block.signature),
			},
		];
	});
	return {
		role: 'assistant',
		content,
		api: api ?? apiOf(provider),
		provider,
		model,
		usage: usage ? reportedUsage(usage) : zeroUsage(),
		stopReason: stopOf(stop),
		timestamp: timeOf(entry),
	};
}

function signed<K extends string>(key: K, signature: string | undefined): { readonly [P in K]?: string } {
	return signature === undefined ? {} : ({ [key]: signature } as { readonly [P in K]: string });
}

function stopOf(stop: string | undefined): MessageStop {
	if (stop === 'tool') return 'toolUse';
	return stop === 'length' || stop === 'error' || stop === 'aborted' ? stop : 'stop';
}

/** Results are messages of their own; what is said beside them follows. */
function userMessages(entry: MessageEntry, names: ReadonlyMap<string, string>): readonly AgentMessage[] {
	const timestamp = timeOf(entry);
	const results = entry.content.flatMap((block): readonly AgentMessage[] => {
		if (block.type !== 'tool_result') return [];
		const toolName = block.name ?? names.get(block.call) ?? 'unknown';
		const content = block.content.map(plain);
		return [{ role: 'toolResult', toolCallId: block.call, toolName, content, isError: block.isError, timestamp }];
	});
	const said = entry.content.filter((block) => block.type !== 'tool_result').map(plain);
	return said.length === 0 ? results : [...results, { role: 'user', content: said, timestamp }];
}

function plain(block: Block) {
	if (block.type === 'image' && 'base64' in block.data) {
		return { type: 'image' as const, data: block.data.base64, mimeType: block.mime };
	}
	return { type: 'text' as const, text: blockText(block) };
}
