/** Entries of any origin as Tern's lines. */
import {
	type Block,
	blockText,
	compact,
	type Entry,
	type JsonObject,
	type MessageEntry,
	type Usage,
	withArticle,
} from '../../../model/index.ts';
import type { EncodedPieces, EncodeInput } from '../../codec.ts';
import { linear } from '../../shared/write/linear.ts';
import { type Losses, noteLosses } from '../../shared/write/losses.ts';
import { missingNewline } from '../../shared/write/splice.ts';

export function encodeInPieces(input: EncodeInput): EncodedPieces {
	const losses = input.losses ?? [];
	return { pieces: lines(input, noteLosses(losses)), losses, beside: [] };
}

function* lines(input: EncodeInput, losses: Losses): Generator<string> {
	const { id, header, after } = input;
	if (after) yield missingNewline(after.source);
	else yield textOf({ tern: 'open', session: id, cwd: header.cwd, at: header.created, title: header.title });
	for (const key of ['gitBranch', 'systemPrompt', 'from', 'extra'] as const)
		if (!after && header[key] !== undefined) losses.dropped('', `header.${key}`, `Tern has no place for ${key}`);
	let part: EncodeInput = input;
	for (const entries of [input.entries, ...(input.more ?? [])]) {
		if (entries !== input.entries) part = { ...input, entries, leaf: undefined };
		for (const entry of linear(part, 'Tern', losses)) yield lineOf(entry, losses);
	}
}

/** A field without a value is left out, as JSON has it. */
const textOf = (line: { readonly [key: string]: JsonObject[string] | undefined }): string =>
	`${JSON.stringify(line)}\n`;

function lineOf(entry: Entry, losses: Losses): string {
	const { id, time: at } = entry;
	if (entry.kind === 'message' && entry.role !== 'system') return messageLine(entry, losses);
	const title = entry.kind === 'setting' ? entry.set.title : undefined;
	if (title != null) return textOf({ tern: 'title', id, at, title });
	if (entry.kind !== 'start') losses.dropped(id, '', `Tern has no line for ${withArticle(entry.kind)}`);
	return '';
}

function messageLine(entry: MessageEntry, losses: Losses): string {
	const { role, time: at, response } = entry;
	// An id of this form says where a line was in another file.
	const id = /^(line|message):/.test(entry.id) ? undefined : entry.id;
	const parts = entry.content.flatMap((block, index) => partOf(block, entry.id, `content[${index}]`, losses));
	if (role !== 'assistant') return textOf({ tern: 'say', id, at, parts });
	const { id: answer, request, model, provider: by, stop, costUsd: cost, usage } = response ?? {};
	if (response?.error !== undefined) losses.dropped(entry.id, 'response.error', 'Tern does not say why a reply failed');
	const tokens = usage && tokensOf(usage);
	return textOf({ tern: 'reply', id, at, parts, answer, request, model, by, stop, tokens, cost });
}

function tokensOf({ input, output, cacheRead, cacheWrite5m, cacheWrite1h, reasoning }: Usage): JsonObject {
	const counts = { in: input, out: output, read: cacheRead, kept: cacheWrite5m, keptLong: cacheWrite1h };
	return { ...counts, ...compact({ reasoning }) };
}

function partOf(block: Block, entry: string, path: string, losses: Losses): readonly JsonObject[] {
	if ('signature' in block) losses.dropped(entry, `${path}.signature`, 'Tern keeps no signatures');
	switch (block.type) {
		case 'text':
			return [{ text: block.text }];
		case 'tool_call':
			return [{ call: block.id, tool: block.name, input: block.input }];
		case 'tool_result':
			if (block.content.length > 1 || block.content.some(({ type }) => type !== 'text'))
				losses.approximated(entry, `${path}.content`, 'Tern keeps one text per result');
			return [{ result: block.call, failed: block.isError, text: block.content.map(blockText).join('\n') }];
		case 'thinking':
			if (block.redacted === undefined) return [{ thought: block.text }];
			losses.dropped(entry, path, 'Tern keeps no redacted thinking');
			return [];
		default:
			losses.approximated(entry, path, `Tern has no ${block.type} parts: a text stands for it`);
			return [{ text: blockText(block) }];
	}
}
