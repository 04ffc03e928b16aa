/** The library: open a session of any known agent, ask about it, check it. */
export {
	type Codec,
	checkBytes,
	codecOf,
	codecs,
	decodeBytes,
	type Encoded,
	type EncodeInput,
	issuesIn,
	type Portion,
	type ReadState,
	readSession,
	type SessionReading,
} from './codecs/index.ts';
export * from './model.ts';
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
export { type CheckResult, checkFile } from './store/check.ts';
export { copySession } from './store/copy.ts';
export { type CreateOptions, createHandle } from './store/create.ts';
export { type DiscoverOptions, discoverSessions, type FoundSession, newestFirst } from './store/discover.ts';
export type { Draft } from './store/draft.ts';
export { InputError } from './store/errors.ts';
export { type FindOptions, type Found, findSession } from './store/find-session.ts';
export type { SessionChange } from './store/follow.ts';
export { type ForkedSession, type ForkOptions, forkSession } from './store/fork.ts';
export { type Glance, glance } from './store/glance.ts';
export {
	type Appended,
	type HandleOptions,
	openHandle,
	type Rewound,
	SessionConflict,
	type SessionFacts,
	type SessionHandle,
} from './store/handle.ts';
export { type Identified, identify } from './store/identify.ts';
export { type Inspection, inspectFile, inspectSession } from './store/inspect.ts';
export { type OpenOptions, openSession } from './store/open.ts';
export type { NotASession } from './store/open-source.ts';
export {
	type FileHistorySnapshot,
	recordContextCollapseSnapshot,
	recordFileHistorySnapshot,
	recordTranscript,
} from './store/records.ts';
export { type Change, type RepairFileOptions, type RepairResult, repairFile } from './store/repair.ts';
export { type StaleFile, staleFiles } from './store/stale.ts';
