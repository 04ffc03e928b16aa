/** OpenClaw and pi: their codec, the types of their messages and lines, and what APIs are asked in. */
export { openclaw } from './codecs/openclaw/index.ts';
export type {
	ActiveToolsChangeLine,
	BranchSummaryLine,
	CompactionLine,
	ContextEditLine,
	CustomLine,
	CustomMessageLine,
	LabelLine,
	LeafLine,
	LineBase,
	MessageLine,
	ModelChangeLine,
	Provider,
	ResetLine,
	SessionHeader,
	SessionInfoLine,
	SessionLine,
	StopReason,
	ThinkingLevelChangeLine,
	Usage,
	UsageLine,
} from './codecs/openclaw/lines.ts';
// All of them: the compiler lets an application extend `CustomAgentMessages` through this door only where it is not named by itself.
export type * from './model/message.ts';
export {
	apiOf,
	newestRules,
	providerOf,
	type Target,
	toAnthropic,
	toGoogle,
	toOllama,
	toOpenAiChat,
	toOpenAiResponses,
	type Wire,
	type WireApi,
	type Wired,
	type WireInput,
	type WireMessage,
	type WireRules,
	wires,
} from './wires/index.ts';
