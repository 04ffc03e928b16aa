/** Runs a hook's command: its input on stdin, its output kept up to a limit, its time limited, its whole process group ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { leaveGroup, watchGroup } from './watchdog.ts';

export interface HookProcess {
	readonly command: string;
	readonly input: string;
	readonly cwd: string;
	readonly env: { readonly [name: string]: string };
	readonly timeoutMs: number;
}

export interface HookOutput {
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: number | null;
	/** Why it was ended before its time. */
	readonly problem?: string;
	readonly cancelled?: boolean;
}

/** So much of what it prints is looked at. */
const mostKept = 256 * 1024;
/** Whoever prints so much has lost its way. */
const mostPrinted = 16 * 1024 * 1024;
/** How long output is waited for that a process of the hook may still hold the pipe of. */
const lastOutput = 100;

export async function runHookProcess(hook: HookProcess, signal: AbortSignal): Promise<HookOutput> {
	if (signal.aborted) return { stdout: '', stderr: '', exitCode: null, cancelled: true };
	const child = spawn(hook.command, {
		shell: true,
		cwd: hook.cwd,
		env: { ...process.env, ...hook.env },
		stdio: 'pipe',
		detached: process.platform !== 'win32',
	});
	if (child.pid !== undefined) watchGroup(child.pid);
	let problem: string | undefined;
	const end = (why?: string): void => {
		problem ??= why;
		killGroup(child);
	};
	const flooded = (): void => end(`it printed more than ${mostPrinted / 1024 / 1024} MB`);
	const cancel = (): void => end();
	const limit = setTimeout(() => end(`it took longer than ${hook.timeoutMs / 1000} s`), hook.timeoutMs);
	signal.addEventListener('abort', cancel);
	const stdout = collect(child.stdout, flooded);
	const stderr = collect(child.stderr, flooded);
	// A hook need not read what it is given.
	child.stdin.on('error', () => child.stdin.destroy());
	child.stdin.end(hook.input);
	const exit = await exitOf(child);
	clearTimeout(limit);
	signal.removeEventListener('abort', cancel);
	if (problem !== undefined || signal.aborted) killGroup(child);
	if (child.pid !== undefined) leaveGroup(child.pid);
	const said = { stdout: stdout(), stderr: stderr(), exitCode: exit.code };
	if (signal.aborted) return { ...said, cancelled: true };
	const why = problem ?? exit.problem;
	return why === undefined ? said : { ...said, problem: why };
}

/** Keeps the beginning and lets the rest go by: a hook that waits for its reader would never end. */
function collect(stream: Readable, flooded: () => void): () => string {
	const kept: Buffer[] = [];
	let size = 0;
	stream.on('data', (bytes: Buffer) => {
		if (size < mostKept) kept.push(bytes.subarray(0, mostKept - size));
		size += bytes.length;
		if (size > mostPrinted) flooded();
	});
	return () => Buffer.concat(kept).toString('utf8');
}

/** What it left running in the background may hold the pipes: that is not waited for. */
async function exitOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly problem?: string }> {
	const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
	const ended = await new Promise<{ readonly code: number | null; readonly problem?: string }>((resolve) => {
		child.once('error', (error) => resolve({ code: null, problem: error.message }));
		child.once('exit', (code, name) => resolve(name === null ? { code } : { code, problem: `${name} ended it` }));
	});
	if (child.pid !== undefined) await Promise.race([closed, later(lastOutput)]);
	child.stdout?.destroy();
	child.stderr?.destroy();
	return ended;
}

/** The whole group; it may be gone already. */
function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		if (process.platform === 'win32') child.kill('SIGKILL');
		else process.kill(-child.pid, 'SIGKILL');
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}
