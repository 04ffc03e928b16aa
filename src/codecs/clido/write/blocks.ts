/** Writes neutral blocks as the few that Clido knows, and tool results as the strings that it wants. */
import type { Block, Profile, ToolResultBlock } from '../../../model/index.ts';
import { blockText, jsonText } from '../../../model/index.ts';
import type { Losses } from '../../shared/write/losses.ts';
import type { ContentBlock } from '../lines.ts';

/** The native block, for anything but a tool result; undefined when nothing of it can stay. */
export function nativeBlock(
	block: Exclude<Block, ToolResultBlock>,
	where: { readonly entry: string; readonly path: string },
	profile: Profile,
	losses: Losses,
): ContentBlock | undefined {
	const { entry, path } = where;
	switch (block.type) {
		case 'text':
			if (block.signature !== undefined) losses.dropped(entry, `${path}.signature`, noSignature);
			return { type: 'text', text: block.text };
		case 'tool_call':
			if (block.signature !== undefined) losses.dropped(entry, `${path}.signature`, noSignature);
			return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
		case 'thinking':
			return nativeThinking(block, where, profile, losses);
		case 'image':
			if (profile === 'client' && 'base64' in block.data) {
				return { type: 'image', media_type: block.mime, base64_data: block.data.base64 };
			}
			losses.approximated(entry, path, `${imageReason(profile)}: a text stands for it`);
			return { type: 'text', text: blockText(block) };
		case 'document':
			losses.approximated(entry, path, 'Clido has no document blocks: a text stands for it');
			return { type: 'text', text: blockText(block) };
		case 'file':
		case 'data':
			losses.approximated(entry, path, `Clido has no ${block.type} blocks: it is written as text`);
			return { type: 'text', text: blockText(block) };
		case 'opaque':
			losses.dropped(entry, path, `Clido refuses to resume a session with a block of type "${block.of}"`);
			return undefined;
	}
}

const noSignature = 'Clido keeps no signatures';

function imageReason(profile: Profile): string {
	return profile === 'client' ? 'Clido keeps images as base64 only' : 'the document has no image blocks';
}

function nativeThinking(
	block: Extract<Block, { type: 'thinking' }>,
	{ entry, path }: { readonly entry: string; readonly path: string },
	profile: Profile,
	losses: Losses,
): ContentBlock | undefined {
	if (block.redacted !== undefined) {
		losses.dropped(entry, path, 'Clido refuses to resume a session with redacted thinking');
		return undefined;
	}
	if (profile === 'published') {
		losses.dropped(entry, path, 'the document has no thinking blocks');
		return undefined;
	}
	if (block.signature !== undefined) losses.dropped(entry, `${path}.signature`, noSignature);
	return { type: 'thinking', thinking: block.text };
}

/** The output of a tool as the one string that a `tool_result` line holds. */
export function resultText(block: ToolResultBlock, entry: string, path: string, losses: Losses): string {
	const [first, ...others] = block.content;
	if (first === undefined) return '';
	if (first.type === 'text' && others.length === 0) return first.text;
	if (others.length > 0)
		losses.approximated(entry, `${path}.content`, 'Clido keeps one text per result: the parts are joined');
	return block.content
		.map((part, index) => {
			if (part.type === 'text') return part.text;
			losses.approximated(
				entry,
				`${path}.content[${index}]`,
				`Clido keeps only text in results: it stands for the ${part.type}`,
			);
			return part.type === 'data' ? jsonText(part.value) : blockText(part);
		})
		.join('\n');
}
