/** The wording of a sub-agent's report to its parent: finished, stopped at a limit, failed, interrupted, or cut off in an earlier run. */
import type { Json, MessageUsage, ToolCall } from '../../model/index.ts';
import { listSubagents, type SubagentSummary } from '../../store/reader/subagent-list.ts';
import type { ToolOutput } from '../contracts.ts';
import type { AgentReport, StartedAgent } from './agent-types.ts';

/** The result of the call that has waited for it. */
export function reportOutput({ id, prompt }: Pick<StartedAgent, 'id' | 'prompt'>, report: AgentReport): ToolOutput {
	const { outcome, problem = outcome } = report;
	if (outcome === 'error') {
		const what = report.unanswered ? 'an API error' : 'an error';
		return cutShort(`Agent terminated early due to ${what}: ${problem}`, id);
	}
	if (outcome === 'interrupted') return cutShort('The agent was interrupted before it could report.', id);
	if (outcome === 'max_budget') return cutShort(`Agent terminated early: ${problem}`, id);
	const limit = outcome === 'max_turns' ? [`NOTE: this agent stopped before finishing: ${problem}.`] : [];
	return completed(id, prompt, [...limit, report.text || '(no content)'].join('\n\n'), report);
}

function completed(
	agentId: string,
	prompt: string,
	text: string,
	{ durationMs, tokens, toolUses, usage }: Omit<AgentReport, 'outcome' | 'text'>,
): ToolOutput {
	const content = [{ type: 'text' as const, text }];
	return {
		content: [...content, { type: 'text', text: resumeHint(agentId) }],
		details: {
			...{ status: 'completed', prompt, agentId, content },
			...{ totalDurationMs: durationMs, totalTokens: tokens, totalToolUseCount: toolUses },
			usage: usage ? usageFields(usage) : null,
		},
	};
}

function resumeHint(id: string): string {
	return `agentId: ${id} (for resuming to continue this agent's work if needed)`;
}

/** Names the agent, so that its work is not done twice. */
function cutShort(text: string, agentId: string): ToolOutput {
	return {
		content: [
			{ type: 'text', text },
			{ type: 'text', text: resumeHint(agentId) },
		],
		isError: true,
		details: { status: 'failed', agentId, error: text },
	};
}

function usageFields({ input, output, cacheRead, cacheWrite }: MessageUsage): Json {
	return {
		input_tokens: input,
		cache_creation_input_tokens: cacheWrite,
		cache_read_input_tokens: cacheRead,
		output_tokens: output,
		service_tier: 'standard',
	};
}

const starters: ReadonlySet<string> = new Set(['Task', 'Agent']);

/**
 * The results of calls that a killed run has left without any: the report of an agent that has finished since, or that it was cut
 * off and under which id it can be resumed.
 */
export function lateReports(path: string, calls: readonly ToolCall[]): ReadonlyMap<string, ToolOutput> {
	const open = new Set(calls.filter(({ name }) => starters.has(name)).map(({ id }) => id));
	if (open.size === 0) return new Map();
	const agents = listSubagents(path).filter(({ call }) => call !== undefined && open.has(call));
	return new Map(agents.map((agent) => [agent.call ?? '', lateReport(agent)]));
}

function lateReport({
	id,
	prompt,
	state,
	report,
	tokens,
	toolUses,
	startedAt,
	updatedAt,
}: SubagentSummary): ToolOutput {
	if (state !== 'completed') return cutShort('The agent was cut off before it could report: its run was ended.', id);
	const durationMs = Math.max(0, Date.parse(updatedAt ?? '') - Date.parse(startedAt ?? '')) || 0;
	return completed(id, prompt, report, { durationMs, tokens, toolUses });
}
