/** `reprise mcp`: starts our own MCP server over stdio, which gives sessions as tools to any MCP client. The tools are in src/mcp. */
import { serveSessions } from '../../mcp/serve.ts';
import { InputError } from '../../store/errors.ts';
import { jsonLines } from '../../terminal/writer.ts';
import type { Define } from '../commands.ts';
import { version } from '../version.ts';

export const define: Define = (command) => {
	command
		.addHelpText(
			'after',
			'\nSpeaks the Model Context Protocol on stdin and stdout: set it up in an MCP client as the command reprise with the argument mcp. Its tools only read: list_sessions, search_sessions, read_session, session_costs, why_not_resumable. docs/mcp.md says more.\n\nExamples:\n  claude mcp add reprise -- reprise mcp',
		)
		.action(async () => {
			if (process.stdin.isTTY)
				throw new InputError(
					'usage',
					'reprise mcp is started by an MCP client, which talks to it on stdin: set it up there as the command reprise with the argument mcp',
				);
			await serveSessions({ version: version(), output: jsonLines() });
		});
};
