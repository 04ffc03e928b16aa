/** How many tokens something takes, estimated: what nobody has counted yet. */
import type { AgentMessage } from '../model/index.ts';

/** Few enough that texts of any language, and code, are rather counted too long than too short. */
const bytesPerToken = 3;
/** As much as a picture of the usual size takes. */
const imageTokens = 1600;

export function textTokens(text: string): number {
	return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

export function messageTokens(messages: readonly AgentMessage[]): number {
	return messages.reduce((sum, message) => sum + tokensIn(message), 0);
}

function tokensIn(message: AgentMessage): number {
	// What an application adds by itself has a shape of its own.
	if (message.role !== 'user' && message.role !== 'assistant' && message.role !== 'toolResult')
		return textTokens(JSON.stringify(message));
	const { content } = message;
	if (typeof content === 'string') return textTokens(content);
	let sum = 0;
	for (const block of content) {
		if (block.type === 'text') sum += textTokens(block.text);
		else if (block.type === 'image') sum += imageTokens;
		else if (block.type === 'thinking') sum += textTokens(`${block.thinking}${block.thinkingSignature ?? ''}`);
		else sum += textTokens(`${block.name}${JSON.stringify(block.arguments)}`);
	}
	return sum;
}
