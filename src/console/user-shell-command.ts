/** A shell command that the user types behind `!`: how it runs, how much of its output is kept and told to the model, and when it counts as failed. */
import { randomUUID } from 'node:crypto';
import type { Host } from '../agent/contracts.ts';
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
	let ended: Ended | undefined;
	const { conversation } = client.station().session;
	try {
		await client.runs(command, async ({ host, cwd }) => {
			const running = host.run({ command, cwd: conversation.folder ?? cwd }, signal);
			ended = await outputOf(running, signal, (text) => dispatch({ type: 'own-output', id, text }));
			return ended.output;
		});
	} finally {
		// Only now: a prompt that is typed once its end is seen comes after it in the session, and what it changed is kept.
		const { output, isError } = ended ?? { output: '', isError: true };
		dispatch({ type: 'own-ended', id, output, isError });
	}
}

interface Ended {
	readonly output: string;
	readonly isError: boolean;
}

async function outputOf(
	running: ReturnType<Host['run']>,
	signal: AbortSignal,
	shows: (text: string) => void,
): Promise<Ended> {
	let output = '';
	let left = 0;
	let code: number | null = null;
	for await (const event of running) {
		if (event.type === 'exit') code = event.code;
		else {
			const room = Math.max(0, mostKept - output.length);
			output += event.text.slice(0, room);
			left += Math.max(0, event.text.length - room);
			shows(event.text);
		}
	}
	if (left > 0) output += `\n… (${left} more characters)`;
	if (code === 0) return { output, isError: false };
	const why = code === null || signal.aborted ? 'stopped' : `exit code ${code}`;
	return { output: `${output.trimEnd()}\n(${why})`.trimStart(), isError: true };
}
