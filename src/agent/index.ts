/** The agent: prompts in, entries and events out. What it needs from outside is in the contracts; a machine is `nodeHost`. */
export type {
	AgentConfig,
	Conversation,
	Denial,
	Limits,
	LoopEvent,
	ModelUse,
	Outcome,
	Prompt,
	RetryRules,
	RunResult,
} from './config.ts';
export type * from './contracts.ts';
export type { AgentEvent, AssistantMessageEvent, ReplyPayload } from './events.ts';
export {
	type AskedCall,
	type Circumstances,
	decide,
	type Judgement,
	type Rule as PermissionRule,
	type Rules as PermissionRules,
	readRule,
	splitRules,
	suggestRule,
} from './permissions/index.ts';
export { type RecordedReply, type RecordedTurn, type Recording, recordingOf } from './recording/recording.ts';
export { type Resumed, resumeConversation } from './recording/resume.ts';
export { ReplyBuilder, type ReplySource } from './replies/reply-builder.ts';
export { type Surroundings, systemPrompt } from './replies/system-prompt.ts';
export { reply } from './reply.ts';
export { endSession, newConversation, type Run, type RunOptions, startRun } from './run.ts';
