/** What Cline's format can hold; what it cannot hold becomes losses of a conversion. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Partial<Capabilities> = {
	container: 'document',
	graph: 'line',
	subagents: 'files',
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
	titles: true,
	systemPrompt: true,
	gitBranch: true,
};
