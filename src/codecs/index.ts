/** All codecs, and the ways to use one. */
import { claudeCode } from './claude-code/index.ts';
import { clido } from './clido/index.ts';
import { cline } from './cline/index.ts';
import type { Codec } from './codec.ts';
import { openclaw } from './openclaw/index.ts';

export const codecs: readonly Codec[] = [claudeCode, cline, clido, openclaw];

const byId = new Map<string, Codec>(codecs.map((codec) => [codec.id, codec]));

export function codecOf(id: string): Codec | undefined {
	return byId.get(id);
}

export * from './check.ts';
export type * from './codec.ts';
export type * from './context.ts';
export * from './detect.ts';
export { documentLines } from './document-lines.ts';
export { documents } from './document-reader.ts';
export type { SeenFile } from './files.ts';
export { leafIn } from './leaf.ts';
export { type Flaw, type Line, noFlaws, type Position } from './line.ts';
export * from './line-index.ts';
export { makeLine } from './line-reader.ts';
export type { LiveRules, RunEnd } from './live.ts';
export { parseRecord } from './parse.ts';
export * from './profiles.ts';
export { prompted, promptTitle } from './prompt-words.ts';
export * from './read.ts';
export type { Repair, RepairOptions } from './repair.ts';
export * from './trail.ts';
export * from './usage.ts';
export { claudeCode, clido, cline, openclaw };
