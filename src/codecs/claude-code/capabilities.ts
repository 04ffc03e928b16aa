/** What a Claude Code session file can hold; what it cannot hold becomes losses of a conversion. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Partial<Capabilities> = {
	container: 'lines',
	graph: 'tree',
	subagents: 'files',
	compaction: true,
	thinking: true,
	thinkingSignatures: true,
	redactedThinking: true,
	images: true,
	imagesInResults: true,
	documents: true,
	times: true,
	ids: true,
	model: true,
	usage: true,
	stopReasons: true,
	toolResultDetails: true,
	checkpoints: true,
	titles: true,
	events: true,
	gitBranch: true,
};
