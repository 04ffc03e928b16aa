/** What a host attaches to a message: which documents become text for the model, how many pages and characters of them, and the wording for what is left out. */
import type { Prompt } from '../../agent/config.ts';
import { blockOf } from '../../frames/input.ts';
import { nodeHost } from '../../host/node-host.ts';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../model/index.ts';
import { pictureIn } from '../../tools/binary.ts';

export interface ReadAttachments {
	readonly prompt: Prompt;
	/** What of it no model is shown, and why. */
	readonly dropped: readonly string[];
}

const mostPages = 100;
const mostCharacters = 400_000;

/** The content of a message with all that can be read of it, in its order. A model is told what it cannot see. */
export async function readAttachments(content: readonly Json[], signal: AbortSignal): Promise<ReadAttachments> {
	const dropped: string[] = [];
	const parts = await Promise.all(
		content.filter(isObject).map(async (block) => {
			const [known] = blockOf(block);
			const shown = known?.type === 'image' ? pictureIn(known) : known;
			if (shown) return [shown];
			const read = known ? { problem: 'a picture: its data is none' } : await readBlock(block, signal);
			if ('problem' in read) dropped.push(read.problem);
			return [{ type: 'text' as const, text: 'problem' in read ? `[left out: ${read.problem}]` : read.text }];
		}),
	);
	return { prompt: parts.flat(), dropped };
}

type ReadBlock = { readonly text: string } | { readonly problem: string };

async function readBlock(block: JsonObject, signal: AbortSignal): Promise<ReadBlock> {
	const type = String(block.type).slice(0, 40);
	const source = objectAt(block, 'source') ?? {};
	const name = stringAt(block, 'title') ?? `a block of the type ${type}`;
	const from = stringAt(source, 'type');
	if (from === 'url') return { problem: `${name} at ${String(source.url)}: what is elsewhere is not fetched` };
	if (type !== 'document') return { problem: `${name}: it is neither a text, a picture nor a document` };
	const given = from === 'content' ? textIn(source.content) : (stringAt(source, 'data') ?? '');
	if (from === 'text' || from === 'content') return titled(block, given);
	if (from !== 'base64') return { problem: `${name}: its source ${from ?? ''} is not known` };
	const bytes = Buffer.from(given, 'base64');
	if (stringAt(source, 'media_type') !== 'application/pdf') return titled(block, bytes.toString('utf8'));
	const read = await nodeHost().pdfText({ bytes, first: 1, last: mostPages }, signal);
	if (read.is === 'failed') return { problem: `a PDF: ${read.why}` };
	const pages = read.pages.map((page, index) => `Page ${index + 1} of ${read.total}\n\n${page}`);
	const more = read.total > mostPages ? [`(${read.total - mostPages} more pages are left out)`] : [];
	return titled(block, [...pages, ...more].join('\n\n'));
}

function titled(block: JsonObject, text: string): ReadBlock {
	const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}\n(the rest is left out)` : text;
	const title = stringAt(block, 'title') ?? 'Attached document';
	return { text: `<document title=${JSON.stringify(title)}>\n${cut}\n</document>` };
}

function textIn(content: Json | undefined): string {
	if (typeof content === 'string') return content;
	const parts = Array.isArray(content) ? (content as readonly Json[]).filter(isObject) : [];
	return parts.map((part) => stringAt(part, 'text') ?? '').join('\n');
}
