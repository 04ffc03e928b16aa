/** What Clido's format can hold. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Partial<Capabilities> = {
	container: 'lines',
	graph: 'line',
	subagents: 'none',
	// Its compaction line is a remark: a resume replays the whole history.
	compaction: false,
	thinking: true,
	images: true,
	// Per reply; a run's total is in its result line.
	cost: false,
	titles: true,
};
