/** All codecs, and the ways to use one. */
import type { Codec } from './codec.ts';
import * as formats from './formats.ts';

/** One codec for each format, ordered by id, because bundlers differ in how they order a file's exports. */
export const codecs: readonly Codec[] = Object.values(formats).sort((a, b) => (a.id < b.id ? -1 : 1));

const byId = new Map<string, Codec>(codecs.map((codec) => [codec.id, codec]));

/** The codec of a format; undefined where there is none. */
export function codecOf(id: string): Codec | undefined {
	return byId.get(id);
}

export type * from './codec.ts';
export * from './formats.ts';
export * from './shared/check/check.ts';
export type { Repair, RepairOptions } from './shared/check/repair.ts';
export type * from './shared/context/context.ts';
export { type LineLinks, leafIn, leafOfLinks, linksIndex } from './shared/context/leaf.ts';
export * from './shared/context/resume-path.ts';
export type {
	HookLogRules,
	LivePart,
	Observed,
	PermissionFacts,
	RunEnd,
	SubagentFacts,
	SubagentPlace,
	SubagentTask,
} from './shared/live.ts';
export { isNoted, type Noted, notedEvent, notedFrom } from './shared/noted.ts';
export { sideHeaders } from './shared/places/side-files.ts';
export * from './shared/places/usage.ts';
export * from './shared/profiles.ts';
export * from './shared/read/detect.ts';
export { type Embedded, embeddedLink, embeddedText, linksIn, splitEmbedded } from './shared/read/embedded.ts';
export { FirstLook, type Looked } from './shared/read/first-look.ts';
export { type Flaw, type Line, noFlaws, type Position } from './shared/read/line.ts';
export * from './shared/read/line-index.ts';
export { makeLine } from './shared/read/line-reader.ts';
export { parseRecord } from './shared/read/parse.ts';
export { prompted, promptTitle } from './shared/read/prompt-words.ts';
export * from './shared/read/read.ts';
export type { SeenFile } from './shared/read/seen-files.ts';
export {
	CallFields,
	type Edits,
	type NamedCall,
	type OfferedTool,
	type PartOutcome,
	type ToolWords,
} from './shared/tool-calls.ts';
export { uuidOf } from './shared/write/new-id.ts';
