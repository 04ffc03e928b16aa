/** Cline: its codec, the types of its document, and its manifest and compaction files. */
export { cline } from './codecs/cline/index.ts';
export {
	type ChildId,
	type ClineAgent,
	type ClineBlock,
	type ClineCompaction,
	type ClineDocument,
	type ClineFile,
	type ClineImage,
	type ClineManifest,
	type ClineMedia,
	type ClineMessage,
	type ClineMetadata,
	type ClineMetrics,
	type ClineModelInfo,
	type ClineOrigin,
	type ClineQueryResult,
	type ClineRedactedThinking,
	type ClineStatus,
	type ClineText,
	type ClineThinking,
	type ClineToolResult,
	type ClineToolUse,
	childId,
} from './codecs/cline/lines.ts';
export {
	checkCompaction,
	compactionFits,
	isCompaction,
	parseCompaction,
	prefixHash,
} from './codecs/cline/read/compaction.ts';
export { checkManifest, isManifest, parseManifest } from './codecs/cline/read/manifest.ts';
export type { HistoryItem } from './codecs/cline/read/vscode.ts';
