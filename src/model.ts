/** What a session is: its types, and pure questions about them. Open one with `openSession` of `reprise`. */
export type * from './model/block.ts';
export { type Branch, branches } from './model/branches.ts';
export type { Capabilities } from './model/capabilities.ts';
export { type Collapse, collapsesIn } from './model/collapses.ts';
export { compactionsOf, isSummary } from './model/compactions.ts';
export type * from './model/entry.ts';
export { rawBytes, recordsOf } from './model/entry-bytes.ts';
export type * from './model/event.ts';
export { byId, children, history, leaves, path } from './model/graph.ts';
export type * from './model/issue.ts';
export type { Json, JsonObject } from './model/json.ts';
export type * from './model/message.ts';
export { joinRecords, memorySource, recordBytes, type SessionRecord, type Source } from './model/record.ts';
export type * from './model/session.ts';
export { blockText, entryText } from './model/text.ts';
export { type Thread, threads } from './model/threads.ts';
export { isPrompt, type Turn, turns } from './model/turns.ts';
export {
	addUsage,
	type CountedResponse,
	type ModelResponse,
	noUsage,
	responses,
	type StopReason,
	type Usage,
	usageOf,
} from './model/usage.ts';
