/** What an editor's prompt is made of, as a prompt for the model: words, pictures, files that are named or come along. */
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Prompt } from '../agent/config.ts';
import type { ImageContent, TextContent } from '../model/index.ts';
import { InputError } from '../store/errors.ts';

/** The kinds of pictures that models take. */
const pictures = /^image\/(png|jpeg|gif|webp)$/;

/** A plain text where it is nothing else: only that can call a command. Files that came along stand behind what was said. */
export function promptFrom(blocks: readonly ContentBlock[]): Prompt {
	const parts: (TextContent | ImageContent)[] = [];
	const files: string[] = [];
	for (const block of blocks) {
		const read = partOf(block, files);
		const last = parts.at(-1);
		// An editor cuts one sentence where it names a file: put together it is what its user has typed. Two names are two words.
		if (read.type === 'text' && last?.type === 'text') {
			const isGlued = block.type !== 'text' && /\S$/.test(last.text);
			last.text += `${isGlued ? ' ' : ''}${read.text}`;
		} else parts.push(read);
	}
	if (files.length > 0) parts.push({ type: 'text', text: files.join('\n\n') });
	const [only] = parts;
	if (only === undefined || parts.every((part) => part.type === 'text' && part.text.trim() === ''))
		throw new InputError('bad-value', 'the prompt is empty');
	return only.type === 'text' && parts.length === 1 ? only.text : parts;
}

function partOf(block: ContentBlock, files: string[]): TextContent | ImageContent {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.text };
		case 'image':
			if (!pictures.test(block.mimeType))
				throw new InputError('bad-value', `a picture is ${block.mimeType}: PNG, JPEG, GIF and WebP are taken`);
			return { type: 'image', data: block.data, mimeType: block.mimeType };
		case 'resource_link':
			return { type: 'text', text: named(block.uri, block.title ?? block.name) };
		case 'resource': {
			const { resource } = block;
			if (!('text' in resource)) {
				if (resource.mimeType && pictures.test(resource.mimeType))
					return { type: 'image', data: resource.blob, mimeType: resource.mimeType };
				throw new InputError('bad-value', `${resource.uri} is not text, and only text and pictures can come along`);
			}
			const name = pathOf(resource.uri) ?? resource.uri;
			files.push(`<context ref="${name.replaceAll('"', '&quot;')}">\n${resource.text}\n</context>`);
			return { type: 'text', text: named(resource.uri, name) };
		}
		default:
			throw new InputError('bad-value', 'sound is not taken');
	}
}

/** A file is named as its user would name it: tools take that. */
function named(uri: string, name: string): string {
	const path = pathOf(uri);
	if (path !== undefined) return `@${path}`;
	return name === uri || name === '' ? uri : `[${name}](${uri})`;
}

function pathOf(uri: string): string | undefined {
	try {
		return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
	} catch {
		// An address of another machine, or one that is no path here: it is named to the model as it is.
		return undefined;
	}
}
