/** What pi's session files can hold. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Capabilities = {
	container: 'lines',
	graph: 'tree',
	subagents: 'none',
	compaction: true,
	thinking: true,
	thinkingSignatures: true,
	redactedThinking: true,
	images: true,
	imagesInResults: true,
	documents: false,
	times: true,
	ids: true,
	model: true,
	usage: true,
	cost: true,
	stopReasons: true,
	toolResultDetails: true,
	checkpoints: false,
	labels: true,
	titles: true,
	systemPrompt: false,
	events: false,
	gitBranch: false,
};
