/** What Clido's format can hold; what it cannot hold becomes losses of a conversion. */
import type { Capabilities } from '../../model/index.ts';

export const capabilities: Partial<Capabilities> = {
	container: 'lines',
	graph: 'line',
	subagents: 'none',
	// The compaction line is only a remark: a resume replays the whole history.
	compaction: false,
	thinking: true,
	images: true,
	// No cost per reply: a run's total is in its result line.
	cost: false,
	titles: true,
};
