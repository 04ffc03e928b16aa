/** Changes of files as diffs for editors: what stood there and what stands there now, and up to which size files are compared. */
import { isAbsolute } from 'node:path';
import type { Diff, ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';
import type { FileChange } from '../agent/contracts.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../model/index.ts';
import { patchOf } from '../tools/patch.ts';

/** Larger files are not compared with what replaces them: that could take minutes. All that is new is shown anyway. */
const largestCompared = 1 << 20;

/** A change that somebody is asked about: all of it. */
export async function changeDiffs(path: string, { before, after }: FileChange): Promise<ToolCallContent[]> {
	if (before === undefined) return [diff({ path, oldText: null, newText: after })];
	return hunkDiffs(path, await patchOf(before.length > largestCompared ? '' : before, after));
}

/** What a call has made of a file, from what its result keeps of it. */
export function resultDiffs(details: Json | undefined): ToolCallContent[] {
	const path = isObject(details) ? stringAt(details, 'filePath') : undefined;
	if (!isObject(details) || path === undefined || !isAbsolute(path)) return [];
	const content = stringAt(details, 'content');
	if (details.type === 'create' && content !== undefined) return [diff({ path, oldText: null, newText: content })];
	return hunkDiffs(path, hunksIn(details));
}

/** Where in the file it is. */
export function changedPlaces(details: Json | undefined): ToolCallLocation[] {
	const path = isObject(details) ? stringAt(details, 'filePath') : undefined;
	if (!isObject(details) || path === undefined) return [];
	return hunksIn(details)
		.filter(isObject)
		.map((hunk) => {
			const before = linesOf(hunk).findIndex((line) => !line.startsWith(' '));
			return { path, line: Number(hunk.newStart) + Math.max(0, before) };
		});
}

function hunksIn({ structuredPatch }: JsonObject): readonly Json[] {
	return Array.isArray(structuredPatch) ? structuredPatch : [];
}

function hunkDiffs(path: string, hunks: readonly Json[]): ToolCallContent[] {
	return hunks.filter(isObject).map((hunk) => {
		const lines = linesOf(hunk);
		const side = (other: string): string =>
			lines
				.filter((line) => !line.startsWith(other) && !line.startsWith('\\'))
				.map((line) => line.slice(1))
				.join('\n');
		return diff({ path, oldText: side('+'), newText: side('-') });
	});
}

function linesOf({ lines }: JsonObject): readonly string[] {
	return (Array.isArray(lines) ? (lines as readonly Json[]) : []).filter((line) => typeof line === 'string');
}

function diff(fields: Diff): ToolCallContent {
	return { type: 'diff', ...fields };
}
