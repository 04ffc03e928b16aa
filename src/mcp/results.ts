/** What a server answers, as the conversation and the session hold it: how many tokens the model gets whole, and which images it is shown. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { failed } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import type { ImageContent, Json, TextContent } from '../model/index.ts';
import { shownOrKept } from '../tools/long-output.ts';

/** Four letters are about a token: 25,000 of those is what the model gets whole. */
export const usualTokens = 25_000;
const lettersPerToken = 4;
/** What providers take: a larger image would end the conversation. */
const largestImage = 5 * 1024 * 1024;
const mostImages = 20;
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

type Block = TextContent | ImageContent;

export interface ResultPlace {
	readonly server: string;
	readonly tokens: number;
	readonly context: ToolContext;
}

/** Structured content is told instead of the text that repeats it, as Claude Code does. */
export async function outputOf(result: CallToolResult, place: ResultPlace): Promise<ToolOutput> {
	const blocks = (result.content ?? []).map((block) => blockOf(block, place.server));
	if (result.isError === true) return failed(clipped(textIn(blocks) || 'the tool failed and did not say why', place));
	const { structuredContent } = result;
	if (structuredContent === undefined) return await within(withoutSurplus(blocks), place, undefined);
	const text = JSON.stringify(structuredContent);
	const images = blocks.filter((block) => block.type === 'image');
	return await within(withoutSurplus([{ type: 'text', text }, ...images]), place, text);
}

function blockOf(block: ContentBlock, server: string): Block {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.text };
		case 'image':
			return imageOf(block.data, block.mimeType);
		case 'audio':
			return { type: 'text', text: leftOut('audio', block.mimeType, block.data) };
		case 'resource_link':
			return {
				type: 'text',
				text: `[Resource link: ${block.name}] ${block.uri}${block.description ? ` (${block.description})` : ''}`,
			};
		case 'resource': {
			const { resource } = block;
			const from = `[Resource from ${server} at ${resource.uri}] `;
			if ('text' in resource) return { type: 'text', text: `${from}${resource.text}` };
			const mimeType = resource.mimeType ?? 'application/octet-stream';
			if (imageTypes.includes(mimeType)) return imageOf(resource.blob, mimeType);
			return { type: 'text', text: `${from}${leftOut('data', mimeType, resource.blob)}` };
		}
		default:
			return { type: 'text', text: '[content of a kind that is not known here]' };
	}
}

function imageOf(data: string, mimeType: string): Block {
	const isUsable = imageTypes.includes(mimeType) && data.length <= largestImage && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
	return isUsable ? { type: 'image', data, mimeType } : { type: 'text', text: leftOut('image', mimeType, data) };
}

function leftOut(what: string, mimeType: string, data: string): string {
	return `[${what} left out: ${mimeType}, ${Math.ceil((data.length * 3) / 4 / 1024)} KB, which models do not take]`;
}

function withoutSurplus(blocks: readonly Block[]): readonly Block[] {
	let images = 0;
	return blocks.map((block) => {
		if (block.type !== 'image') return block;
		images += 1;
		return images <= mostImages ? block : { type: 'text', text: leftOut('image', block.mimeType, block.data) };
	});
}

function textIn(blocks: readonly Block[]): string {
	return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** What the model gets whole, or its beginning and where the rest is. */
async function within(
	blocks: readonly Block[],
	place: ResultPlace,
	structured: string | undefined,
): Promise<ToolOutput> {
	const text = textIn(blocks);
	if (text.length <= place.tokens * lettersPerToken) {
		// No API takes a result without content that is not marked so.
		const content: readonly Block[] = blocks.length > 0 ? blocks : [{ type: 'text', text: '' }];
		return { content, details: structured ?? content.map(recorded) };
	}
	const shown = await shownOrKept(text, place.tokens * lettersPerToken, place.context);
	const content: readonly Block[] = [
		{ type: 'text', text: shown },
		...blocks.filter((block) => block.type === 'image'),
	];
	return { content, details: content.map(recorded) };
}

/** As much of a text as the conversation takes, where the rest is of no use. */
export function clipped(text: string, { tokens }: Pick<ResultPlace, 'tokens'>): string {
	const most = tokens * lettersPerToken;
	return text.length <= most ? text : `${text.slice(0, most)}\n… (${text.length - most} more characters)`;
}

/** As Claude Code's own lines have it. */
function recorded(block: Block): Json {
	if (block.type === 'text') return { type: 'text', text: block.text };
	return { type: 'image', source: { type: 'base64', data: block.data, media_type: block.mimeType } };
}
