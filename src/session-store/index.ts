/** Sessions kept elsewhere: stores for the Agent SDK's `sessionStore`, the checks that prove one of your own, a mirror, and the SDK's session functions over every known agent. */
export { filesStore } from './adapters/files.ts';
export { memoryStore } from './adapters/memory.ts';
export { type PostgresOptions, postgresStore } from './adapters/postgres.ts';
export { sqliteStore } from './adapters/sqlite.ts';
export { type StoreBench, type StoreCheck, storeConformance } from './conformance.ts';
export type {
	ExactStore,
	SessionKey,
	SessionStore,
	SessionStoreEntry,
	SessionSummaryEntry,
	StoredLine,
	StoredSession,
} from './contract.ts';
export { transcriptBytes } from './document-entries.ts';
export { foldSessionSummary } from './fold-summary.ts';
export {
	deleteSession,
	type ForkSessionOptions,
	forkSession,
	renameSession,
	tagSession,
} from './functions/change.ts';
export { type ImportOptions, importSessionToStore } from './functions/import.ts';
export { getSessionInfo, type ListSessionsOptions, listSessions, type SessionInfo } from './functions/info.ts';
export {
	getSessionMessages,
	getSubagentMessages,
	listSubagents,
	type MessagesOptions,
	type SessionMessage,
} from './functions/messages.ts';
export type { PlaceOptions } from './functions/place.ts';
export { type MirrorEvent, type Mirrored, type MirrorOptions, mirrorSessions } from './mirror/mirror.ts';
export { type Destination, openStore } from './open-store.ts';
export { projectKeyOf } from './project-key.ts';
