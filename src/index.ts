/** The library: what the commands do. List, search, price and open the sessions of any known agent, read, check, repair, fork and convert them, and let a model go on. */
export type { Unread } from './catalog/cost/collect.ts';
export type {
	CostReport,
	CostRow,
	CountedRecord,
	ExcludedRecord,
	Grouping as CostGrouping,
	Reason as ExclusionReason,
	Totals as CostTotals,
} from './catalog/cost/report.ts';
export type { Role as SearchRole } from './catalog/index/entry-text.ts';
export type { Hit } from './catalog/index/search.ts';
export type { StatsRow } from './catalog/index/stats.ts';
export { type ListOptions, listSessions, type SessionSummary } from './catalog/list-sessions.ts';
export { type SearchHit, type SearchOptions, type SearchResult, searchSessions } from './catalog/search-sessions.ts';
export { type CostOptions, sessionCosts } from './catalog/session-costs.ts';
export { type StatsOptions, sessionStats } from './catalog/session-stats.ts';
export type { PeriodQuery, SessionQuery } from './catalog/sessions-here.ts';
export type { ClientOptions } from './client/options.ts';
export { planRewind, type RewindPlan, type RewindRequest, rewindByPlan } from './client/plan-rewind.ts';
export { checkResume, type ResumeCheck, type ResumeCheckOptions } from './client/resume-check.ts';
export { type PromptResult, type RunPromptOptions, runPrompt } from './client/run-prompt.ts';
export {
	type Codec,
	type Context,
	type ContextOptions,
	checkBytes,
	codecOf,
	codecs,
	decodeBytes,
	type Encoded,
	type EncodeInput,
	type Folders,
	issuesIn,
	type Machine,
	type Portion,
	type ReadState,
	readSession,
	type SessionReading,
	type WireMessage,
} from './codecs/index.ts';
export {
	type MarkdownOptions,
	type ReadTranscriptOptions,
	readTranscript,
	transcriptMarkdown,
} from './export/index.ts';
export type { ToolPart, TranscriptPart } from './export/transcript.ts';
export type { Elicit, ElicitAnswer, Elicitation, ElicitValue } from './mcp/elicitation.ts';
export { type ServeOptions, serveSessions } from './mcp/serve.ts';
export * from './model.ts';
export {
	type Converted,
	type ConvertedFile,
	type ConvertFileOptions,
	type ConvertOptions,
	convertFile,
	convertSession,
	type HandedOff,
	type HandoffOptions,
	handOff,
	type Returned,
	type ReturnOptions,
	returnSession,
} from './move/index.ts';
export type { RewindDone } from './store/checkpoints/carry-out-rewind.ts';
export type { FileForm, FormedChange } from './store/checkpoints/forms.ts';
export type { FilesPlan, PlannedFile } from './store/checkpoints/plan-files.ts';
export { InputError } from './store/errors.ts';
export {
	type DatedSession,
	type DiscoverOptions,
	discoverSessions,
	type FoundSession,
	newestFirst,
} from './store/find/discover.ts';
export { type FindOptions, type Found, findSession, sessionPath } from './store/find/find-session.ts';
export { type Project, projectAt } from './store/find/project.ts';
export type { SessionChange } from './store/follow/follow.ts';
export { type CreateOptions, createHandle } from './store/handle/create.ts';
export type { Draft } from './store/handle/draft.ts';
export {
	type Appended,
	type HandleOptions,
	openHandle,
	type Rewound,
	SessionConflict,
	type SessionFacts,
	type SessionHandle,
} from './store/handle/handle.ts';
export {
	type FileHistorySnapshot,
	recordContextCollapseSnapshot,
	recordFileHistorySnapshot,
	recordTranscript,
} from './store/handle/records.ts';
export { copySession } from './store/manage/copy.ts';
export { type ForkedSession, type ForkOptions, forkSession } from './store/manage/fork.ts';
export { type UncompactedSession, uncompactSession } from './store/manage/uncompact.ts';
export { type CheckResult, checkFile } from './store/reader/check.ts';
export { type CompactionView, type ContextPart, compactionView } from './store/reader/compaction-view.ts';
export { contextOf, seedContextOf } from './store/reader/context.ts';
export { type ContextShape, shapeMessages } from './store/reader/context-shapes.ts';
export type { DroppedEntry } from './store/reader/dropped.ts';
export { type Glance, glance } from './store/reader/glance.ts';
export { type Identified, identify } from './store/reader/identify.ts';
export { type Inspection, inspectFile, inspectSession } from './store/reader/inspect.ts';
export type { NotASession } from './store/reader/open-source.ts';
export { openSession } from './store/reader/session-reader.ts';
export { type StaleFile, staleFiles } from './store/reader/stale.ts';
export { listSubagents, type SubagentState, type SubagentSummary } from './store/reader/subagent-list.ts';
export type { OpenOptions } from './store/reader/whole.ts';
export { type Change, type RepairFileOptions, type RepairResult, repairFile } from './store/repair/repair.ts';
