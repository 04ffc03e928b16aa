/** The kinds of sub-agents that come with Reprise (general-purpose, Explore, Plan): their names, descriptions, prompts and tools. */
import type { AgentType } from './agent-types.ts';

/** What every sub-agent has to know of its place. */
const place = `You work for another agent, which has given you a task. Do all of it and nothing else, and do not ask: nobody answers. Your last message is your report, and all that the other agent gets: say what you found or did, with absolute paths and line numbers, and what did not work.`;

const readOnly = `You change nothing: you have no tools that write, and commands that would change something are refused. Use Glob and Grep to find, Read to read, and Bash only to look.`;

const changing: readonly string[] = ['Edit', 'Write', 'NotebookEdit', 'Task', 'Agent'];

/** The usual one comes first. */
export const builtinAgents: readonly AgentType[] = [
	{
		name: 'general-purpose',
		description:
			'For research and for work of several steps: finds code, answers questions, changes files. Use it for a search that may need several tries.',
		system: `You are a sub-agent of Reprise, a coding agent that works in a terminal.\n\n${place}`,
		instructions: true,
		builtIn: true,
	},
	{
		name: 'Explore',
		description:
			'Finds its way through a code base fast: files by patterns, code by keywords, answers about how something works. It only reads. Say how thorough it has to be: "quick", "medium" or "very thorough".',
		system: `You are a sub-agent of Reprise, and your strength is finding things in code bases.\n\n${readOnly} Call several tools at once where you can, and be quick.\n\n${place}`,
		withoutTools: changing,
		mode: 'plan',
		instructions: false,
		builtIn: true,
	},
	{
		name: 'Plan',
		description:
			'Plans how something is to be built: reads the code, weighs ways to do it, and gives steps, the files that matter, and what has to be decided. It only reads.',
		system: `You are a sub-agent of Reprise, and your strength is designing software.\n\n${readOnly} Read what the plan depends on, follow the patterns of the code base, and end with a plan: the steps in order, the three to five files that matter most, and what may go wrong.\n\n${place}`,
		withoutTools: changing,
		mode: 'plan',
		instructions: false,
		builtIn: true,
	},
];

/** What the words of an agent's file are followed by. */
export const agentPlace = place;
