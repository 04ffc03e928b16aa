/** The /mcp screen: whether each MCP server answers, where it is named, and which tools and prompts it offers. */
import { countOf } from '../../model/index.ts';
import type { ListItem } from './list.ts';
import type { Screen } from './screen.ts';
import { TabsScreen } from './tabs.ts';

/** A server as `McpServers.status` gives it. */
export interface ShownServer {
	readonly name: string;
	readonly status: 'connected' | 'failed' | 'disabled' | 'pending';
	readonly from?: string;
	readonly problem?: string;
	readonly tools?: readonly { readonly name: string; readonly description?: string | undefined }[];
}

export function mcpScreen(servers: readonly ShownServer[], prompts: readonly string[]): Screen<undefined> {
	const tools = servers.flatMap(({ name, tools = [] }) =>
		tools.map(
			(tool): ListItem<undefined> => ({
				value: undefined,
				label: tool.name,
				detail: name,
				...(tool.description === undefined ? {} : { below: tool.description }),
			}),
		),
	);
	return new TabsScreen<undefined>({ title: 'MCP servers' }, [
		{ name: 'Servers', items: servers.map(itemOf), none: 'No MCP server is set up here.' },
		{ name: 'Tools', items: tools, none: 'They offer no tools.' },
		{
			name: 'Prompts',
			items: prompts.map((name) => ({ value: undefined, label: `/${name}` })),
			none: 'They offer no prompts.',
		},
	]);
}

/** As in the conversation, a cross is a failure. */
const signs: { readonly [S in ShownServer['status']]: string } = {
	connected: '✔',
	failed: '✗',
	disabled: '◻',
	pending: '…',
};

function itemOf({ name, status, from, problem, tools = [] }: ShownServer): ListItem<undefined> {
	const offers = countOf(tools.length, 'tool');
	return {
		value: undefined,
		label: name,
		mark: signs[status],
		paint: status === 'connected' ? 'good' : status === 'failed' ? 'bad' : 'dim',
		detail: status === 'connected' ? offers : status,
		below: problem ?? from ?? '',
	};
}
