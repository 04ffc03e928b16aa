/** What Clido's format can hold. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Capabilities = {
	container: 'lines',
	graph: 'line',
	subagents: 'none',
	// Its compaction line is a remark: a resume replays the whole history.
	compaction: false,
	thinking: true,
	thinkingSignatures: false,
	redactedThinking: false,
	images: true,
	imagesInResults: false,
	documents: false,
	times: false,
	ids: false,
	model: false,
	usage: false,
	// Per reply; a run's total is in its result line.
	cost: false,
	stopReasons: false,
	toolResultDetails: false,
	checkpoints: false,
	labels: false,
	titles: true,
	systemPrompt: false,
	events: false,
	gitBranch: false,
};
