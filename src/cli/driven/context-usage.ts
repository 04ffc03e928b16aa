/** `get_context_usage`: into which parts (system prompt, tools, memory files, messages, free space) the tokens of the next request are divided for a host. */

import { messageTokens, textTokens, usualWindow } from '../../agent/compaction/compact-when.ts';
import type { Tool } from '../../agent/contracts.ts';
import type { Station } from '../../client/commands/builtin-command.ts';
import { instructionsHere } from '../../client/instructions.ts';
import { usageFields } from '../../frames/frames.ts';
import type { JsonObject, Usage } from '../../model/index.ts';

interface Part {
	readonly id: string;
	readonly name: string;
	readonly tokens: number;
}

export async function contextUsage(at: Station, last: Usage | undefined): Promise<JsonObject> {
	const { system, tools, agents } = await at.config();
	const window = (await at.model.window())() ?? usualWindow;
	const listed = tools.filter(({ unlisted }) => !unlisted);
	const { files } = await instructionsHere(at.options, at.session.cwd, at.permissions);
	const memory = files.map(({ path, text, isUsers }) => ({
		...{ path, tokens: textTokens(text), type: isUsers ? 'User' : 'Project' },
	}));
	const theirs = listed.filter(({ name }) => name.startsWith('mcp__'));
	const memoryTokens = sum(memory);
	const parts: readonly Part[] = [
		{ id: 'system_prompt', name: 'System prompt', tokens: Math.max(0, textTokens(system) - memoryTokens) },
		{
			id: 'system_tools',
			name: 'System tools',
			tokens: sum(listed.filter((tool) => !theirs.includes(tool)).map(sized)),
		},
		{ id: 'mcp_tools', name: 'MCP tools', tokens: sum(theirs.map(sized)) },
		{ id: 'memory_files', name: 'Memory files', tokens: memoryTokens },
		{ id: 'messages', name: 'Messages', tokens: messageTokens(at.session.conversation.messages) },
	];
	const used = sum(parts);
	const free = { id: 'free_space', name: 'Free space', tokens: Math.max(0, window - used) };
	return {
		categories: [
			...parts.filter(({ tokens }) => tokens > 0).map((part) => ({ ...part, color: 'inactive', kind: 'used' })),
			{ ...free, color: 'promptBorder', kind: 'free' },
		],
		...{ totalTokens: used, maxTokens: window, rawMaxTokens: window, percentage: Math.round((100 * used) / window) },
		...{ model: at.model.name, gridRows: [] },
		memoryFiles: memory,
		mcpTools: theirs.map((tool) => ({ ...sized(tool), serverName: /^mcp__(.+?)__/.exec(tool.name)?.[1] ?? '' })),
		agents: (agents?.types ?? []).map(({ name, description, builtIn }) => ({
			...{ agentType: name, source: builtIn ? 'built-in' : 'projectSettings', tokens: textTokens(description) },
		})),
		isAutoCompactEnabled: at.permissions.autoCompact !== false,
		apiUsage: last ? usageFields(last) : null,
	};
}

function sized({ name, description, inputSchema }: Tool): { readonly name: string; readonly tokens: number } {
	return { name, tokens: textTokens(JSON.stringify({ name, description, inputSchema })) };
}

function sum(parts: readonly { readonly tokens: number }[]): number {
	return parts.reduce((all, { tokens }) => all + tokens, 0);
}
