/** Skill: a model uses a skill or a command of the user or the project, as people do with a slash; how long the list of skills may be. */
import { z } from 'zod';
import { refused, said } from '../agent/calls/outputs.ts';
import type { Tool, ToolContext, ToolOutput } from '../agent/contracts.ts';
import { defineTool } from './define.ts';

/** A skill or command that a model may use. */
export interface OfferedSkill {
	readonly name: string;
	/** What it is for, and when it is to be used. */
	readonly description: string;
}

const input = () =>
	z.strictObject({
		skill: z.string().describe('The name of the skill, such as "commit" or "web:lint"'),
		args: z.string().optional().describe('What the skill is told beside its name'),
	});

/** As much as Claude Code spends on the list: a folder full of skills must not fill every request. */
const longestList = 15_000;

/** The tool Skill, with what there is to use. No model is told of it where there is nothing. */
export function skillTool(skills: readonly OfferedSkill[]): Tool {
	return defineTool({
		name: 'Skill',
		description: [
			'Uses a skill: instructions for a kind of task that the user or the project has written down. Use one as soon as a task is of its kind, before anything else; its text follows the result of the call, and is to be followed. When the user names a slash command such as /commit, that is a skill.',
			`The skills:\n${listed(skills)}`,
		].join('\n\n'),
		effect: 'agent',
		unlisted: skills.length === 0,
		input,
		subjects: ({ skill }) => [nameOf(skill)],
		run: async ({ skill, args = '' }, context) => await use(nameOf(skill), args, skills, context),
	});
}

function listed(skills: readonly OfferedSkill[]): string {
	let list = '';
	for (const { name, description } of skills) {
		const line = `- ${name}: ${description.replaceAll(/\s+/g, ' ')}\n`;
		if (list.length + line.length > longestList) return `${list}- … and others that are not listed here`;
		list += line;
	}
	return list.trimEnd();
}

function nameOf(skill: string): string {
	return skill.trim().replace(/^\//, '');
}

async function use(
	name: string,
	args: string,
	skills: readonly OfferedSkill[],
	context: ToolContext,
): Promise<ToolOutput> {
	if (!skills.some((skill) => skill.name === name)) return refused(`Unknown skill: ${name}`);
	const expanded = await context.expand?.(`/${name} ${args}`);
	if (!expanded) return refused(`Unknown skill: ${name}`);
	if ('problem' in expanded) return refused(expanded.problem);
	for (const text of expanded.texts) context.notify(text);
	const { allowed = [] } = expanded;
	return said(`Launching skill: ${name}`, {
		success: true,
		commandName: name,
		...(allowed.length === 0 ? {} : { allowedTools: allowed }),
	});
}
