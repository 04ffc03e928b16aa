/** What session files of pi and OpenClaw can hold; what they cannot hold becomes losses of a conversion. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Partial<Capabilities> = {
	container: 'lines',
	graph: 'tree',
	subagents: 'none',
	compaction: true,
	thinking: true,
	thinkingSignatures: true,
	redactedThinking: true,
	images: true,
	imagesInResults: true,
	times: true,
	ids: true,
	model: true,
	usage: true,
	cost: true,
	stopReasons: true,
	toolResultDetails: true,
	labels: true,
	titles: true,
};
