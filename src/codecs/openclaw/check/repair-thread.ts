/** The lines of pi's files as repair follows them. */
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../../model/index.ts';
import type { Edits } from '../../shared/check/repair.ts';
import { type Link, Links } from '../../shared/check/repair-links.ts';
import { isBareLine, isKnownRole } from '../lines.ts';

export function linksOf(edits: Edits): Links {
	return new Links(
		edits,
		{ id: 'id', empty: false, parentKey: (value) => (value.type === 'leaf' ? 'targetId' : 'parentId') },
		(value) => value.type !== 'session' && !isBareLine(value),
	);
}

export interface Call {
	readonly id: string;
	readonly name: string;
	readonly at: number;
}

export function callsOf(value: JsonObject | undefined): readonly Call[] {
	const message = messageOf(value);
	if (message?.role !== 'assistant' || !Array.isArray(message.content)) return [];
	return (message.content as readonly Json[]).flatMap((block, at) =>
		isObject(block) && block.type === 'toolCall' && typeof block.id === 'string'
			? [{ id: block.id, name: stringAt(block, 'name') ?? 'unknown', at }]
			: [],
	);
}

export function resultOf(value: JsonObject | undefined): string | undefined {
	const message = messageOf(value);
	return message?.role === 'toolResult' ? stringAt(message, 'toolCallId') : undefined;
}

export function messageOf(value: JsonObject | undefined): JsonObject | undefined {
	return value?.type === 'message' ? objectAt(value, 'message') : undefined;
}

/** True for a line after which the calls before it can no longer be answered. */
export function goesOn(link: Link): boolean {
	const { type } = link.value;
	if (type === 'custom_message' || type === 'branch_summary') return true;
	const message = messageOf(link.value);
	const role = message?.role;
	if (typeof role !== 'string' || role === 'toolResult' || role === 'system' || !isKnownRole(role)) return false;
	return role === 'user' || role === 'assistant' || message?.excludeFromContext !== true;
}
