/** The tools that come with Reprise, and `defineTool` for your own. */
import type { Tool } from '../agent/contracts.ts';
import { askUserQuestion } from './ask-user.ts';
import { bash } from './bash.ts';
import { edit } from './edit.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { notebookEdit } from './notebook-edit.ts';
import { enterPlanMode, exitPlanMode } from './plan-mode.ts';
import { read } from './read.ts';
import { shellTaskTools } from './shell-task-tools.ts';
import { skillTool } from './skill.ts';
import { agentTools } from './task.ts';
import { taskTools } from './task-list.ts';
import { todoWrite } from './todo-write.ts';
import { webFetch } from './web-fetch.ts';
import { webSearch } from './web-search.ts';
import { write } from './write.ts';

/** All tools that come with Reprise. */
export const builtinTools: readonly Tool[] = [
	read,
	write,
	edit,
	notebookEdit,
	glob,
	grep,
	bash,
	...agentTools,
	...shellTaskTools,
	todoWrite,
	...taskTools,
	webFetch,
	webSearch,
	askUserQuestion,
	enterPlanMode,
	exitPlanMode,
	skillTool([]),
];

export { failed, refused } from '../agent/calls/outputs.ts';
export { type Definition as ToolDefinition, defineTool } from './define.ts';
export { bash, edit, read, write };
