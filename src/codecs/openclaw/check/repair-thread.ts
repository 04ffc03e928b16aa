/** The lines of pi's files as repair sees them: links, calls and results, and which lines end the wait for a result. */
import { type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { Edits, RepairFile } from '../../shared/check/repair.ts';
import { blocksIn, type Ref, refsIn } from '../../shared/check/repair-blocks.ts';
import { type Link, Links } from '../../shared/check/repair-links.ts';
import type { Path } from '../../shared/write/json-edit.ts';
import { dialectOf, isBareLine, isKnownRole } from '../lines.ts';

/** The links by the parents that lines name; with `linear`, by their order. */
export function linksOf(edits: Edits, linear = false): Links {
	return new Links(
		edits,
		{
			id: 'id',
			empty: false,
			linear,
			parentKey: (value) => (value.type === 'leaf' ? 'targetId' : 'parentId'),
		},
		(value) => value.type !== 'session' && !isBareLine(value),
	);
}

/** The links as the client follows them. */
export function flowOf(edits: Edits): Links {
	return linksOf(edits, isLinear(edits.file));
}

/** True for files of version 1, whose lines follow one another without ids. */
export function isLinear(file: RepairFile): boolean {
	const header = file.lines.find((line) => line.value?.type === 'session')?.value;
	if (header) return dialectOf(header.version) === 'v1';
	const first = file.lines.find((line) => line.value)?.value;
	return first !== undefined && typeof first.id !== 'string' && !isBareLine(first);
}

/** The path of a message's blocks in a line. */
export const inMessage: Path = ['message', 'content'];

export function callsOf(value: JsonObject | undefined): readonly Ref[] {
	const message = messageOf(value);
	return message?.role === 'assistant' ? refsIn(blocksIn(message, ['content']), 'toolCall', 'id') : [];
}

export function resultOf(value: JsonObject | undefined): string | undefined {
	const message = messageOf(value);
	return message?.role === 'toolResult' ? stringAt(message, 'toolCallId') : undefined;
}

export function messageOf(value: JsonObject | undefined): JsonObject | undefined {
	return value?.type === 'message' ? objectAt(value, 'message') : undefined;
}

/** True for a line after which earlier calls can no longer be answered. */
export function goesOn(link: Link): boolean {
	const { type } = link.value;
	if (type === 'custom_message' || type === 'branch_summary') return true;
	const message = messageOf(link.value);
	const role = message?.role;
	if (typeof role !== 'string' || role === 'toolResult' || role === 'system' || !isKnownRole(role)) return false;
	return role === 'user' || role === 'assistant' || message?.excludeFromContext !== true;
}
