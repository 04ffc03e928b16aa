/** Task, and Agent, its newer name: gives work to a sub-agent and brings its report back; when it is in the background, and what models are told of the kinds. */
import { z } from 'zod';
import { failed, said } from '../agent/calls/outputs.ts';
import type { AgentType, StartedAgent, Tool, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { reportOutput } from '../agent/sub-agents/agent-report.ts';
import { builtinAgents } from '../agent/sub-agents/builtin-agents.ts';
import { compact } from '../model/index.ts';
import { defineTool } from './define.ts';
import { leaving } from './leaving.ts';

const common = () => ({
	description: z.string().describe('What it is about, in 3 to 5 words'),
	prompt: z.string().describe('The task, with all that the agent has to know: it sees nothing of this conversation'),
	model: z.enum(['sonnet', 'opus', 'haiku']).optional().describe('Another model than its kind of agent has'),
	resume: z
		.string()
		.optional()
		.describe('The id of an agent that goes on where it was: prompt is what it is told next'),
	run_in_background: z.boolean().optional().describe('Do not wait for it: you are told when it is done'),
	max_turns: z.int().positive().optional().describe('At most so many requests to the model'),
});

const taskInput = () => z.strictObject({ ...common(), subagent_type: z.string().describe('The kind of agent') });

type TaskInput = z.infer<ReturnType<typeof taskInput>>;

const shared = { effect: 'agent', subjects: ({ subagent_type: type }: TaskInput) => [type], run } as const;

/** The tool Task, with the kinds of agents that there are. */
export function taskTool(types: readonly AgentType[]): Tool {
	return defineTool({ ...shared, name: 'Task', description: describe(types), input: taskInput });
}

/** The tools that start sub-agents. Newer clients have another name for theirs, and more that it takes. */
export const agentTools: readonly Tool[] = [
	taskTool(builtinAgents),
	defineTool({
		...shared,
		name: 'Agent',
		unlisted: true,
		description: 'The same as Task.',
		input: () =>
			z.strictObject({
				...common(),
				subagent_type: z.string().default('general-purpose'),
				effort: z.string().optional(),
				isolation: z.string().optional(),
			}),
	}),
];

function describe(types: readonly AgentType[]): string {
	const kinds = types.map((type) => `- ${type.name}: ${type.description} (Tools: ${toolNames(type)})`);
	return [
		'Gives a task to an agent of its own, which works with its own tools and context and reports back once. Several calls in one reply run at the same time. Use it for searches and work that would fill this conversation with what you do not need; not for reading a file that you know, or for one command.',
		`The kinds of agents:\n${kinds.join('\n')}`,
		'The report is for you, and the user does not see it. An agent that was interrupted, or has more to do, goes on with resume and its id. One with run_in_background is waited for with TaskOutput and ended with TaskStop.',
	].join('\n\n');
}

function toolNames({ tools, withoutTools = [] }: AgentType): string {
	if (tools && !tools.includes('*')) return tools.join(', ');
	return withoutTools.length === 0 ? '*' : `All tools except ${withoutTools.join(', ')}`;
}

async function run(input: TaskInput, context: ToolContext): Promise<ToolOutput> {
	const { agents } = context;
	if (!agents) return failed('No sub-agents can be started here.');
	const type = agents.types.find(({ name }) => name === input.subagent_type);
	if (!type) {
		const known = agents.types.map(({ name }) => name).join(', ');
		return failed(`Agent type '${input.subagent_type}' not found. Available agents: ${known}`);
	}
	const background = input.run_in_background ?? type.background ?? false;
	const { description, prompt, model, resume, max_turns: turns } = input;
	const started = await agents.start({ type, description, prompt, background, ...compact({ model, resume, turns }) });
	if ('problem' in started) return failed(started.problem);
	if (background) return launched(started);
	using waiting = leaving(context).waits(context.callId);
	const report = await Promise.race([started.ended, waiting.left]);
	if (report) return reportOutput(started, report);
	started.leave();
	return launched(started);
}

function launched({ id, description, prompt, outputFile = '' }: StartedAgent): ToolOutput {
	const text = [
		'Async agent launched successfully.',
		`agentId: ${id} (internal ID: use it with TaskOutput, TaskStop and resume)`,
		'The agent is working in the background. You are told when it is done: go on with other work, or end your reply.',
		`output_file: ${outputFile}`,
	].join('\n');
	return said(text, { ...{ isAsync: true, status: 'async_launched', agentId: id }, description, prompt, outputFile });
}
