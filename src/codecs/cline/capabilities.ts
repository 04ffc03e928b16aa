/** What Cline's format can hold. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Capabilities = {
	container: 'document',
	graph: 'line',
	subagents: 'files',
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
	stopReasons: false,
	toolResultDetails: false,
	checkpoints: false,
	labels: false,
	titles: true,
	systemPrompt: true,
	events: false,
	gitBranch: true,
};
