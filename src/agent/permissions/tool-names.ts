/** The tools that rules and calls may name, of all clients and with older names; and the kind of each, which decides how its calls are judged and which need no question. */

/** How a call of the tool is decided. `open` needs no question, `other` always asks unless a rule says otherwise. */
export type ToolKind = 'read' | 'search' | 'write' | 'shell' | 'fetch' | 'skill' | 'agent' | 'open' | 'mcp' | 'other';

const kinds: { readonly [name: string]: ToolKind } = {
	Read: 'read',
	Glob: 'search',
	Grep: 'search',
	LS: 'search',
	Edit: 'write',
	MultiEdit: 'write',
	Write: 'write',
	NotebookEdit: 'write',
	Bash: 'shell',
	WebFetch: 'fetch',
	Skill: 'skill',
	Agent: 'agent',
	TodoWrite: 'open',
	StructuredOutput: 'open',
	TaskCreate: 'open',
	TaskGet: 'open',
	TaskUpdate: 'open',
	TaskList: 'open',
	TaskOutput: 'open',
	TaskStop: 'open',
	EnterPlanMode: 'open',
	AskUserQuestion: 'other',
	ExitPlanMode: 'other',
	ToolSearch: 'open',
	WebSearch: 'other',
	CronCreate: 'other',
	CronDelete: 'other',
	CronList: 'other',
	EnterWorktree: 'other',
	ExitWorktree: 'other',
	ListAgents: 'other',
	ListMcpResourcesTool: 'other',
	ReadMcpResourceTool: 'other',
	Monitor: 'other',
	ReportFindings: 'other',
	ScheduleWakeup: 'other',
	SendMessage: 'other',
	SlashCommand: 'other',
	Workflow: 'other',
	// Cline's
	apply_patch: 'other',
	ask_question: 'other',
	attempt_completion: 'other',
	editor: 'other',
	fetch_web_content: 'other',
	read_files: 'other',
	run_commands: 'other',
	search_codebase: 'other',
	skills: 'other',
	spawn_agent: 'other',
	submit_and_exit: 'other',
};

/** Older and newer names of the same tool. */
const aliases: { readonly [name: string]: string } = {
	Task: 'Agent',
	AgentOutputTool: 'TaskOutput',
	BashOutput: 'TaskOutput',
	KillBash: 'TaskStop',
	KillShell: 'TaskStop',
};

export const isMcp = (name: string): boolean => name.startsWith('mcp__');

export function properName(name: string): string {
	return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

export function kindOf(name: string): ToolKind {
	if (isMcp(name)) return 'mcp';
	const proper = properName(name);
	return (Object.hasOwn(kinds, proper) ? kinds[proper] : undefined) ?? 'other';
}

export function isKnownTool(name: string): boolean {
	return Object.hasOwn(kinds, properName(name));
}

/** A tool of this name but for upper and lower case. */
export function spelledLike(name: string): string | undefined {
	return [...Object.keys(kinds), ...Object.keys(aliases)].find((one) => one.toLowerCase() === name.toLowerCase());
}
