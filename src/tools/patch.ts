/** The difference between two texts, in hunks as transcripts show it. */
import type { Json } from '../model/index.ts';

export async function patchOf(before: string, after: string): Promise<Json[]> {
	const { structuredPatch } = await import('diff');
	return structuredPatch('', '', before, after, undefined, undefined, { context: 3 }).hunks.map(
		({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart, oldLines, newStart, newLines, lines }),
	);
}
