/** TaskOutput and TaskStop: what a command or an agent in the background does, how long its end is waited for, and its end. Older clients have other names for both. */
import { z } from 'zod';
import { refused, said } from '../agent/calls/outputs.ts';
import type { StartedAgent, Tool, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { defineTool } from './define.ts';
import { type ShellTask, shellTasks } from './shell-tasks.ts';

/** The longest that TaskOutput waits for the end of a task, in milliseconds. */
const longest = 600_000;
const taskType = 'local_bash';
const agentType = 'local_agent';

const outputInput = () =>
	z.strictObject({
		task_id: z.string().describe('The ID that the background command or agent was given'),
		block: z.boolean().default(true).describe('Wait until it ends'),
		timeout: z.number().min(0).max(longest).default(30_000).describe('How long to wait, in milliseconds'),
	});

const reading = { effect: 'read', subjects: () => [] } as const;

/** The tool TaskOutput: what a background command has printed. */
const taskOutput = defineTool({
	...reading,
	name: 'TaskOutput',
	description:
		'Shows what a command in the background has printed, or what an agent has done, and whether it has ended. Waits for its end unless block is false.',
	input: outputInput,
	async run({ task_id, block, timeout }, context) {
		const agent = context.agents?.find(task_id);
		const task = agent ?? shellTasks(context).find(task_id);
		if (!task) return unknownTask(task_id);
		if (block && task.status === 'running') await waitFor(task, timeout, context);
		return 'command' in task ? shown(task, block) : shownAgent(task, block);
	},
});

/** As clients before called it, with their input: what there is, at once. */
const bashOutput = defineTool({
	...reading,
	name: 'BashOutput',
	unlisted: true,
	description: 'Shows what a command in the background has printed so far.',
	input: () =>
		z.strictObject({
			bash_id: z.string().describe('The ID that the background command was given'),
			filter: z.string().optional().describe('Only lines with this text'),
		}),
	async run({ bash_id, filter }, context) {
		const task = shellTasks(context).find(bash_id);
		if (!task) return unknownTask(bash_id);
		return shown(task, false, filter);
	},
});

const stopInput = () =>
	z.strictObject({
		task_id: z.string().optional().describe('The ID that the background command or agent was given'),
		shell_id: z.string().optional().describe('The same, as it was called before'),
	});

function stopTool(name: string, unlisted: boolean): Tool {
	return defineTool({
		...reading,
		name,
		...(unlisted ? { unlisted } : {}),
		description: 'Ends a command or an agent that runs in the background, with all that it has started.',
		input: stopInput,
		async run({ task_id, shell_id }, context) {
			const id = task_id ?? shell_id;
			if (id === undefined) return refused('Missing required parameter: task_id');
			const task = context.agents?.find(id) ?? shellTasks(context).find(id);
			if (!task) return unknownTask(id);
			if (task.status !== 'running') return refused(`Task ${id} is not running (status: ${task.status})`);
			task.stop();
			await task.ended;
			const command = 'command' in task ? task.command : task.description;
			const details = {
				message: `Successfully stopped task: ${id} (${command})`,
				...{ task_id: id, task_type: typeOf(task), command },
			};
			return said(JSON.stringify(details), details);
		},
	});
}

/** The tools for commands in the background. */
export const shellTaskTools: readonly Tool[] = [
	taskOutput,
	stopTool('TaskStop', false),
	bashOutput,
	stopTool('KillShell', true),
	stopTool('KillBash', true),
];

function unknownTask(id: string): ToolOutput {
	return refused(`No task found with ID: ${id}`);
}

function typeOf(task: ShellTask | StartedAgent): string {
	return 'command' in task ? taskType : agentType;
}

async function waitFor(
	task: ShellTask | StartedAgent,
	timeout: number,
	{ host, signal, update }: ToolContext,
): Promise<void> {
	update({ type: 'waiting_for_task', taskDescription: task.description, taskType: typeOf(task) });
	const over = new AbortController();
	const late = host.sleep(timeout, AbortSignal.any([signal, over.signal]));
	await Promise.race([task.ended, late]);
	over.abort();
}

function shown({ id, status, description, output, exit }: ShellTask, waited: boolean, wanted = ''): ToolOutput {
	const retrieval = status !== 'running' ? 'success' : waited ? 'timeout' : 'not_ready';
	const text = linesWith(output.shown(), wanted);
	const code = exit?.code ?? null;
	const parts = [
		`<retrieval_status>${retrieval}</retrieval_status>`,
		`<task_id>${id}</task_id>`,
		`<task_type>${taskType}</task_type>`,
		`<status>${status}</status>`,
		...(code === null ? [] : [`<exit_code>${code}</exit_code>`]),
		...(text === '' ? [] : [`<output>\n${text}\n</output>`]),
	];
	const task = { task_id: id, task_type: taskType, status, description, output: text, exitCode: code };
	return said(parts.join('\n\n'), { retrieval_status: retrieval, task });
}

/** What it has done so far, and its report once there is one. */
function shownAgent({ id, status, description, prompt, activity, report }: StartedAgent, waited: boolean): ToolOutput {
	const retrieval = status !== 'running' ? 'success' : waited ? 'timeout' : 'not_ready';
	const output = report ? report.text || (report.problem ?? '') : activity.join('\n');
	const parts = [
		`<retrieval_status>${retrieval}</retrieval_status>`,
		`<task_id>${id}</task_id>`,
		`<task_type>${agentType}</task_type>`,
		`<status>${status}</status>`,
		...(output === '' ? [] : [`<output>\n${output}\n</output>`]),
	];
	const task = { task_id: id, task_type: agentType, status, description, output, prompt, result: report?.text ?? '' };
	return said(parts.join('\n\n'), { retrieval_status: retrieval, task });
}

function linesWith(text: string, wanted: string): string {
	if (wanted === '') return text;
	return text
		.split('\n')
		.filter((line) => line.includes(wanted))
		.join('\n');
}
