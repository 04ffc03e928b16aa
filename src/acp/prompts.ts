/** What an editor's prompt becomes for the model, and back: files, links, pictures and texts that come along, and which of them are refused. */
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Prompt } from '../agent/config.ts';
import { mentionOf } from '../client/commands/fill.ts';
import { type Embedded, embeddedLink, embeddedText, linksIn, prompted, splitEmbedded } from '../codecs/index.ts';
import type { ImageContent, TextContent } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { pictureIn } from '../tools/binary.ts';

/** The kinds of pictures that models take. */
const pictures = /^image\/(png|jpeg|gif|webp)$/;

/** A plain text where it is nothing else: only that can call a command. Files that came along stand behind what was said. */
export function promptFrom(blocks: readonly ContentBlock[], cwd: string): Prompt {
	const parts: (TextContent | ImageContent)[] = [];
	const files: TextContent[] = [];
	let wasName = false;
	for (const block of blocks) {
		const read = partOf(block, files, cwd);
		const last = parts.at(-1);
		const isName = block.type !== 'text';
		// An editor cuts one sentence where it names a file: put together it is what its user has typed. A name is a word of its own.
		if (read.type === 'text' && last?.type === 'text') {
			const isGlued = (isName || wasName) && /\S$/.test(last.text) && /^[^\s.,;:!?)\]}]/.test(read.text);
			last.text += `${isGlued ? ' ' : ''}${read.text}`;
		} else parts.push(read);
		wasName = isName;
	}
	parts.push(...files);
	const [only] = parts;
	if (only === undefined || parts.every((part) => part.type === 'text' && part.text.trim() === ''))
		throw new InputError('bad-value', 'the prompt is empty');
	return only.type === 'text' && parts.length === 1 ? only.text : parts;
}

function partOf(block: ContentBlock, files: TextContent[], cwd: string): TextContent | ImageContent {
	switch (block.type) {
		case 'text':
			return { type: 'text', text: block.text };
		case 'image':
			if (!pictures.test(block.mimeType))
				throw new InputError('bad-value', `a picture is ${block.mimeType}: PNG, JPEG, GIF and WebP are taken`);
			return picture({ type: 'image', data: block.data, mimeType: block.mimeType }, 'a picture');
		case 'resource_link':
			return { type: 'text', text: named(block.uri, block.title ?? block.name, cwd) };
		case 'resource': {
			const { resource } = block;
			if ('text' in resource) {
				files.push({ type: 'text', text: embeddedText(resource) });
				// Were it named as a file is, what is on the disk would go along with it, or a note that it did not.
				return { type: 'text', text: linked(resource.uri, cwd) };
			}
			if (resource.mimeType && pictures.test(resource.mimeType))
				return picture({ type: 'image', data: resource.blob, mimeType: resource.mimeType }, resource.uri);
			throw new InputError('bad-value', `${resource.uri} is not text, and only text and pictures can come along`);
		}
		default:
			throw new InputError('bad-value', 'sound is not taken');
	}
}

function picture(given: ImageContent, name: string): ImageContent {
	const is = pictureIn(given);
	if (!is) throw new InputError('bad-value', `the data of ${name} is that of no picture`);
	return is;
}

/** A file is named as its user would name it, and goes along; of one with lines, only these are meant. */
function named(uri: string, name: string, cwd: string): string {
	const path = pathOf(uri);
	if (path !== undefined) return linesOf(uri) === '' && !/[\r\n]/.test(path) ? mentionOf(path) : linked(uri, cwd);
	return name === uri || name === '' ? uri : `[${name}](${uri})`;
}

/** A link by the name that the file has in the project. */
function linked(uri: string, cwd: string): string {
	const path = pathOf(uri);
	const inside = path === undefined ? undefined : relative(cwd, path);
	const name = inside === undefined ? basename(uri) : inside.startsWith('..') ? path : inside;
	const label = mentionOf(`${name || uri}${linesOf(uri)}`.replaceAll(/[\r\n]/g, ' '));
	return embeddedLink(uri, label.slice(1).replaceAll(/[[\]]/g, '\\$&'));
}

/** `#L1:10` behind the address of a file. */
function linesOf(uri: string): string {
	return /^file:[^#]*(#L\d.*)$/s.exec(uri)?.[1] ?? '';
}

function pathOf(uri: string): string | undefined {
	try {
		return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
	} catch {
		// An address of another machine, or one that is no path here: it is named to the model as it is.
		return undefined;
	}
}

/** What a session has of a prompt, as its editor has sent it: what came along stands where it was named. */
export function blocksFrom(told: readonly ContentBlock[]): readonly ContentBlock[] {
	const files: Embedded[] = [];
	const words = told.map((block): ContentBlock => {
		if (block.type !== 'text') return block;
		const { said, embedded } = splitEmbedded(block.text);
		files.push(...embedded);
		return { type: 'text', text: prompted(said).text };
	});
	const resource = (file: Embedded): ContentBlock => ({ type: 'resource', resource: file });
	const blocks = words.flatMap((block): readonly ContentBlock[] => {
		if (block.type !== 'text') return [block];
		const found: ContentBlock[] = [];
		let from = 0;
		for (const { uri, at, end } of linksIn(block.text)) {
			const index = files.findIndex((file) => file.uri === uri);
			if (index === -1) continue;
			found.push({ type: 'text', text: block.text.slice(from, at) }, ...files.splice(index, 1).map(resource));
			from = end;
		}
		return [...found, { type: 'text', text: block.text.slice(from) }];
	});
	return [...blocks, ...files.map(resource)].filter((block) => block.type !== 'text' || block.text !== '');
}
