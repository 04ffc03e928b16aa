/** Between the messages of a conversation and the entries of a session. */
import {
	type AssistantMessage,
	type Block,
	compact,
	type ImageContent,
	type Json,
	type StopReason,
	type TextContent,
	type Usage,
	type MessageStop as WireStop,
	type MessageUsage as WireUsage,
} from '../../model/index.ts';
import { type RedactedThinking, zeroUsage } from '../replies/reply-builder.ts';

export function replyBlock(content: AssistantMessage['content'][number]): Block {
	switch (content.type) {
		case 'text':
			return compact({ type: 'text', text: content.text, signature: content.textSignature } as const);
		case 'thinking': {
			const { thinking: text, thinkingSignature } = content;
			if ((content as RedactedThinking).redacted) return { type: 'thinking', text, redacted: thinkingSignature ?? '' };
			return compact({ type: 'thinking', text, signature: thinkingSignature } as const);
		}
		case 'toolCall':
			return compact({
				type: 'tool_call',
				id: content.id,
				name: content.name,
				input: content.arguments as Json,
				signature: content.thoughtSignature,
			} as const);
	}
}

export function userBlocks(content: string | readonly (TextContent | ImageContent)[]): readonly Block[] {
	if (typeof content === 'string') return [{ type: 'text', text: content }];
	return content.map((block) =>
		block.type === 'text'
			? { type: 'text', text: block.text }
			: { type: 'image', mime: block.mimeType, data: { base64: block.data } },
	);
}

/** Cache writes are of the short kind: the loop asks for no other. */
export function neutralUsage(usage: WireUsage): Usage {
	const { input, output, cacheRead, cacheWrite } = usage;
	return { input, output, cacheRead, cacheWrite5m: cacheWrite, cacheWrite1h: 0 };
}

/** What a session says that a reply used, as a run holds it. What it cost is counted where the session is. */
export function reportedUsage({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): WireUsage {
	const cacheWrite = cacheWrite5m + cacheWrite1h;
	const totalTokens = input + output + cacheRead + cacheWrite;
	return { ...zeroUsage(), input, output, cacheRead, cacheWrite, totalTokens };
}

const stops: { readonly [S in WireStop]: StopReason } = {
	stop: 'end',
	toolUse: 'tool',
	length: 'length',
	error: 'error',
	aborted: 'aborted',
};

export function neutralStop(stop: WireStop): StopReason {
	return stops[stop];
}

/** True for what says nothing: no picture, and no text but blanks. */
export function isEmpty(content: string | readonly { readonly type: string }[]): boolean {
	const hasMore = typeof content !== 'string' && content.some(({ type }) => type !== 'text');
	return !hasMore && textOf(content).trim() === '';
}

export function textOf(content: string | readonly { readonly type: string }[]): string {
	if (typeof content === 'string') return content;
	return content.flatMap((block) => (block.type === 'text' && 'text' in block ? [String(block.text)] : [])).join('\n');
}
