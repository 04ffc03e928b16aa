/** Bash: a shell command, with what it prints while it runs. */
import { z } from 'zod';
import type { ToolContext } from '../agent/contracts.ts';
import { CommandOutput } from './bash-output.ts';
import { defineTool } from './define.ts';
import { meaningOf } from './exit-codes.ts';
import { problem, said } from './files.ts';

const longest = 600_000;
const usual = 120_000;
const firstProgress = 2000;
const nextProgress = 1000;

const input = z.strictObject({
	command: z.string().describe('The command line'),
	description: z.string().optional().describe('What it does, in a few words'),
	timeout: z.number().optional().describe(`Milliseconds, at most ${longest}; ${usual} where it is left out`),
});

/** The tool Bash: runs a shell command. */
export const bash = defineTool({
	name: 'Bash',
	description:
		'Runs a command line with bash. The working folder stays from one call to the next as long as it is in the project, variables do not. Nothing can be typed into it. What it leaves running in the background ends with this client, unless it was started with setsid. Output of more than 30000 characters goes to a file, and its beginning is shown.',
	effect: 'exec',
	input,
	subjects: ({ command }) => [command],
	async run({ command, timeout = usual }, context) {
		const timeoutMs = timeout > 0 ? Math.min(timeout, longest) : usual;
		const { output, exit } = await collect(command, timeoutMs, context);
		if (context.signal.aborted) return problem(joined('The user interrupted the command.', output.ofFailure()));
		if (exit.timedOut) {
			const what = `The command did not end within ${timeoutMs} ms and was stopped.`;
			return problem(joined(what, output.ofFailure()));
		}
		const meaning = meaningOf(command, exit.code);
		if (exit.code !== 0 && meaning === undefined) {
			return problem(joined(`Exit code ${exit.code ?? exit.signal ?? 'unknown'}`, output.ofFailure()));
		}
		const stdout = output.shown();
		const stderr = await followed(exit.cwd, context);
		const text = joined(stdout, stderr);
		return said(text === '' ? '(Bash completed with no output)' : text, {
			stdout,
			stderr,
			interrupted: false,
			isImage: false,
			...(meaning === undefined ? {} : { returnCodeInterpretation: meaning }),
		});
	},
});

interface Exit {
	readonly code: number | null;
	readonly signal?: string;
	readonly timedOut?: boolean;
	readonly cwd?: string;
}

/** The tools go where the shell went, but not out of the session's folders; then the model is told. */
async function followed(went: string | undefined, context: ToolContext): Promise<string> {
	const { cwd, folders, host, moveTo } = context;
	if (went === undefined || went === cwd) return '';
	for (const folder of folders) {
		const real = await host.files.real(folder);
		if (went !== real && !went.startsWith(`${real.replace(/\/$/, '')}/`)) continue;
		// Under the name that the session knows: a folder may be reached by a link.
		moveTo(`${folder}${went.slice(real.length)}`);
		return '';
	}
	const [project = cwd] = folders;
	moveTo(project);
	return `Shell cwd was reset to ${project}`;
}

async function collect(
	command: string,
	timeoutMs: number,
	context: ToolContext,
): Promise<{ output: CommandOutput; exit: Exit }> {
	const { host, signal } = context;
	const output = new CommandOutput(context);
	const began = host.now();
	let nextAt = began + firstProgress;
	for await (const event of host.run({ command, cwd: await folderOf(context), timeoutMs }, signal)) {
		if (event.type === 'exit') return { output, exit: event };
		await output.add(event.text);
		const now = host.now();
		if (now < nextAt) continue;
		nextAt = now + nextProgress;
		const elapsedTimeSeconds = Math.round((now - began) / 1000);
		context.update({ type: 'bash_progress', ...output.progress(), elapsedTimeSeconds });
	}
	return { output, exit: { code: null } };
}

/** A folder that was removed meanwhile would make every further command fail. */
async function folderOf({ host, cwd, folders, moveTo }: ToolContext): Promise<string> {
	if ((await host.files.stat(cwd))?.folder) return cwd;
	const [project = cwd] = folders;
	moveTo(project);
	return project;
}

function joined(first: string, rest: string): string {
	return [first, rest].filter((text) => text !== '').join('\n');
}
