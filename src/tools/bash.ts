/** Bash: a shell command, waited for or in the background; its timeouts, how often progress is told, and after how long those who watch (hosts) hear of it as a task. */
import { z } from 'zod';
import { failed, said } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { imageType } from './binary.ts';
import { defineTool } from './define.ts';
import { meaningOf } from './exit-codes.ts';
import { leaving } from './leaving.ts';
import { type Exit, endedNews, ShellTask, shellTasks } from './shell-tasks.ts';

/** The timeouts of a command, in milliseconds: the longest that a model may ask for, and what holds where it asks for none. */
const longest = 600_000;
const usual = 120_000;
/** After how many milliseconds its progress is told for the first time, and how often from then on. */
const firstProgress = 2000;
const nextProgress = 1000;

const input = () =>
	z.strictObject({
		command: z.string().describe('The command line'),
		timeout: z.number().optional().describe(`Milliseconds, at most ${longest}; ${usual} where it is left out`),
		description: z.string().optional().describe('What it does, in a few words'),
		run_in_background: z
			.boolean()
			.optional()
			.describe('Go on at once; TaskOutput shows what it prints, TaskStop ends it'),
		dangerouslyDisableSandbox: z.boolean().optional().describe('Without effect: commands run in no sandbox here'),
	});

/** The tool Bash: runs a shell command. */
export const bash = defineTool({
	name: 'Bash',
	description:
		'Runs a command line with bash. The working folder stays from one call to the next as long as it is in the project, variables do not. Nothing can be typed into it. A command that takes longer than its time limit goes on in the background, as one with run_in_background does: you are told when it ends. What is left running ends with this client, unless it was started with setsid. Output of more than 30000 characters goes to a file, and its beginning is shown.',
	effect: 'exec',
	input,
	subjects: ({ command }) => [command],
	async run({ command, timeout = usual, description = command, run_in_background: background }, context) {
		const timeoutMs = timeout > 0 ? Math.min(timeout, longest) : usual;
		const task = new ShellTask(command, description, await folderOf(context), context);
		if (background) return await inBackground(task, context);
		const exit = await waited(task, timeoutMs, context);
		if (exit === 'left') return await inBackground(task, context);
		if (context.signal.aborted) return failed(joined('The user interrupted the command.', task.output.ofFailure()));
		return exit ? await ended(task, exit, context) : await tookTooLong(task, timeoutMs, context);
	},
});

async function ended({ command, output }: ShellTask, exit: Exit, context: ToolContext): Promise<ToolOutput> {
	const meaning = meaningOf(command, exit.code);
	if (exit.code !== 0 && meaning === undefined) {
		return failed(joined(`Exit code ${exit.code ?? exit.signal ?? 'unknown'}`, output.ofFailure()));
	}
	const stdout = output.shown();
	const stderr = await followed(exit.cwd, context);
	const text = joined(stdout, stderr);
	const image = imageIn(stdout);
	const told = said(text === '' ? '(Bash completed with no output)' : text, {
		stdout,
		stderr,
		interrupted: false,
		isImage: image !== undefined,
		...(meaning === undefined ? {} : { returnCodeInterpretation: meaning }),
	});
	return image ? { ...told, content: [{ type: 'image', ...image }] } : told;
}

/** A picture that a command has printed as a data address. */
function imageIn(text: string): { readonly data: string; readonly mimeType: string } | undefined {
	const data = /^data:image\/[a-z+.-]+;base64,([A-Za-z0-9+/\s]+=*)$/.exec(text)?.[1]?.replaceAll(/\s/g, '');
	const mimeType = data && imageType(Buffer.from(data, 'base64'));
	return data && mimeType ? { data, mimeType } : undefined;
}

const nothingYet = { stdout: '', stderr: '', interrupted: false, isImage: false };

async function inBackground(task: ShellTask, context: ToolContext): Promise<ToolOutput> {
	const path = await shellTasks(context).leave(task, context);
	const text = `Command running in background with ID: ${task.id}. Output is being written to: ${path}. You will be notified when it completes. To check interim output, use TaskOutput, or Read on that file path.`;
	return said(text, { ...nothingYet, backgroundTaskId: task.id });
}

/** What it has done so far is not lost, and what it is about to do is not undone. */
async function tookTooLong(task: ShellTask, timeoutMs: number, context: ToolContext): Promise<ToolOutput> {
	const path = await shellTasks(context).leave(task, context);
	const stdout = task.output.shown();
	const text = `Command did not complete within its ${timeoutMs / 1000}s timeout and was moved to the background (ID: ${task.id}). Output is being written to: ${path}. You will be notified when it completes. It is running now: do not start a second copy while it runs. If it is no longer needed, stop it with TaskStop.`;
	const details = { ...nothingYet, stdout, backgroundTaskId: task.id, timedOutAfterMs: timeoutMs };
	return said(joined(stdout, text), details);
}

/** A command that takes this long, in milliseconds, is a task for those who watch, although it is waited for. */
const longForWatchers = 3000;

/** Its end, or undefined where the time is over before that, or that it was left. Those who watch hear of it in between. */
async function waited(task: ShellTask, timeoutMs: number, context: ToolContext): Promise<Exit | 'left' | undefined> {
	const { host, signal } = context;
	using waiting = leaving(context).waits(context.callId);
	const began = host.now();
	let nextAt = began + firstProgress;
	let isTold = false;
	const tell = (): void => {
		const now = host.now();
		if (now < nextAt) return;
		nextAt = now + nextProgress;
		const elapsedTimeSeconds = Math.round((now - began) / 1000);
		context.update({ type: 'bash_progress', ...task.output.progress(), elapsedTimeSeconds });
		if (!isTold && now - began >= longForWatchers) {
			isTold = true;
			const { id, description } = task;
			context.task?.({ is: 'started', id, call: context.callId, kind: 'shell', description, background: false });
		}
	};
	const stop = (): void => task.stop();
	const watch = setInterval(tell, nextProgress / 4);
	const over = new AbortController();
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop);
	try {
		const late = host.sleep(timeoutMs, over.signal).then(() => undefined);
		const left = waiting.left.then(() => 'left' as const);
		const exit = await Promise.race([task.ended, late, left]);
		// Whoever interrupts waits until it is gone.
		const end = signal.aborted ? await task.ended : exit;
		if (isTold && end && end !== 'left') context.task?.(endedNews(task, context.callId, host.now()));
		return end;
	} finally {
		clearInterval(watch);
		over.abort();
		signal.removeEventListener('abort', stop);
	}
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
