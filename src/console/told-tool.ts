/** How results of calls are worded for people, as they are written for the model: plans, answers, reports of agents, commands that went to the background after their timeout. */
import { isObject, type Json, stringAt } from '../model/index.ts';
import type { ShownTool } from './state.ts';

/** The same for a call that was watched and for one that is read from a session. */
export function toldTool(tool: ShownTool, input: Json): ShownTool {
	const { name, output, isError } = tool;
	if (name === 'ExitPlanMode' && output !== undefined) return planTool(tool, input, output);
	if (output === undefined || isError) return output === undefined ? tool : { ...tool, output: withoutId(output) };
	if (name === 'Task' || name === 'Agent') {
		if (/^Async agent launched/.test(output))
			return { ...tool, output: 'It works in the background: /tasks shows it.' };
		return { ...tool, output: '', markdown: withoutId(output) };
	}
	if (/The user modified your proposed changes/.test(output)) return { ...tool, edited: true };
	if (name === 'Write') return writtenTool(tool, input, output);
	if (name === 'AskUserQuestion') return { ...tool, output: answersIn(output) };
	return name === 'Bash' ? { ...tool, output: inBackground(output) } : tool;
}

/** A new file has no change to show but all that it holds. */
function writtenTool(tool: ShownTool, input: Json, output: string): ShownTool {
	const content = isObject(input) ? stringAt(input, 'content') : undefined;
	if (tool.change !== undefined || !content || !output.startsWith('File created')) return tool;
	return { ...tool, change: content.replace(/\n$/, '').replace(/^/gm, '+') };
}

/** The plan stays in the conversation, whatever was decided about it. */
function planTool(tool: ShownTool, input: Json, output: string): ShownTool {
	const plan = isObject(input) ? stringAt(input, 'plan') : undefined;
	if (plan === undefined) return tool;
	const { list: _, change: __, ...rest } = tool;
	const wanted = /the user wants to go on planning: ([\s\S]*?)\.?$/.exec(output)?.[1];
	const subject = tool.isError ? `not approved${wanted === undefined ? '' : `: ${wanted}`}` : 'approved';
	return { ...rest, name: 'Plan', subject, output: '', markdown: plan, isWhole: true };
}

/** What was answered comes first: of the question, which was read, less may be shown. */
function answersIn(output: string): string {
	const told =
		/^(?:User has answered your questions|Your questions have been answered): ([\s\S]*)\. You can now continue/;
	const pairs = [...(told.exec(output)?.[1] ?? '').matchAll(/"([\s\S]*?)"="([\s\S]*?)"(?=, "|$)/g)];
	return pairs.length === 0 ? output : pairs.map(([, asked, answer]) => `${answer} (${asked})`).join('\n');
}

/** By which the model can go on with an agent; users do that with `/agents`. */
function withoutId(output: string): string {
	return output.replace(/\s*agentId: \S+ \([^)\n]*\)(?:\s*<usage>[\s\S]*<\/usage>)?\s*$/, '');
}

function inBackground(output: string): string {
	return output
		.replace(
			/Command running in background with ID: (\S+?)\. Output is being written to: [\s\S]*$/,
			'It runs on in the background ($1): /tasks shows it.',
		)
		.replace(
			/Command did not complete within its (\S+) timeout and was moved to the background \(ID: (\S+?)\)\.[\s\S]*$/,
			'It took longer than $1, and runs on in the background ($2): /tasks shows it.',
		);
}
