/** A shell command that the user types behind `!`: how it runs, how much of its output is kept and told to the model, and when it counts as failed. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../client/client.ts';
import type { Action } from './state.ts';

/** So much of its output is kept and told. */
const mostKept = 30_000;

/** As the last line of what was printed says, also where a session is read. */
export function hasFailed(output: string): boolean {
	return /(?:^|\n)\((?:stopped|exit code \d+)\)$/.test(output);
}

/** Never throws: what goes wrong is its output. */
export async function runOwnCommand(
	command: string,
	client: Client,
	dispatch: (action: Action) => void,
	signal: AbortSignal,
): Promise<void> {
	const id = randomUUID();
	dispatch({ type: 'own-command', id, command });
	const { host, cwd } = await client.station().config();
	const { conversation } = client.station().session;
	let output = '';
	let left = 0;
	let code: number | null = null;
	for await (const event of host.run({ command, cwd: conversation.folder ?? cwd }, signal)) {
		if (event.type === 'exit') code = event.code;
		else {
			const room = Math.max(0, mostKept - output.length);
			output += event.text.slice(0, room);
			left += Math.max(0, event.text.length - room);
			dispatch({ type: 'own-output', id, text: event.text });
		}
	}
	if (left > 0) output += `\n… (${left} more characters)`;
	const failed = code !== 0;
	const ending = failed
		? `${output.trimEnd()}\n(${code === null || signal.aborted ? 'stopped' : `exit code ${code}`})`.trimStart()
		: output;
	dispatch({ type: 'own-ended', id, output: ending, isError: failed });
	await client.ran(command, ending);
}
