/** The library: open a session of any known agent, ask about it, check it. */
export {
	type Chunk,
	type Codec,
	checkBytes,
	codecOf,
	codecs,
	decodeBytes,
	type Encoded,
	type EncodeInput,
	issuesIn,
	type ReadState,
	readSession,
	type SessionReading,
} from './codecs/index.ts';
export * from './model/index.ts';
export {
	type Converted,
	type ConvertedFile,
	type ConvertFileOptions,
	type ConvertOptions,
	convertFile,
	convertSession,
	type HandedOff,
	handOff,
	type Returned,
	returnSession,
} from './move/index.ts';
export { InputError } from './store/errors.ts';
export { type DiscoverOptions, discoverSessions, type FoundSession, newestFirst } from './store/find/discover.ts';
export { type FindOptions, type Found, findSession } from './store/find/find-session.ts';
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
export { type CheckResult, checkFile } from './store/reader/check.ts';
export { type Glance, glance } from './store/reader/glance.ts';
export { type Identified, identify } from './store/reader/identify.ts';
export { type Inspection, inspectFile, inspectSession } from './store/reader/inspect.ts';
export type { NotASession } from './store/reader/open-source.ts';
export { openSession } from './store/reader/session-reader.ts';
export { type StaleFile, staleFiles } from './store/reader/stale.ts';
export type { OpenOptions } from './store/reader/whole.ts';
export { type Change, type RepairFileOptions, type RepairResult, repairFile } from './store/repair/repair.ts';
