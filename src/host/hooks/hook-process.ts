/** Runs a hook's command: its input on stdin, the limits of its output and time, when it may go on in the background, and its whole process group ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { isObject, parsedJson } from '../../model/index.ts';
import { endGroup } from '../run-command.ts';
import { leaveGroup, watchGroup } from '../watchdog.ts';
import { longestTimeoutMs } from './hook-settings.ts';

export interface HookProcess {
	readonly command: string;
	readonly input: string;
	readonly cwd: string;
	readonly env: { readonly [name: string]: string };
	readonly timeoutMs: number;
	/** It may say in its first line that nobody has to wait for it: `{"async": true}`. */
	readonly mayGoOn?: boolean;
}

export interface HookOutput {
	readonly stdout: string;
	readonly stderr: string;
	readonly exitCode: number | null;
	/** Why it was ended before its time. */
	readonly problem?: string;
	readonly cancelled?: boolean;
	/** It is not over, and nobody has to wait: what comes of it, until the signal ends it. */
	readonly goesOn?: (until: AbortSignal) => Promise<HookOutput>;
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
		endGroup(child, 'SIGKILL');
	};
	const flooded = (): void => end(`it printed more than ${mostPrinted / 1024 / 1024} MB`);
	const left = hook.mayGoOn ? asyncLine(child.stdout) : undefined;
	const stdout = collect(child.stdout, flooded);
	const stderr = collect(child.stderr, flooded);
	// A hook need not read what it is given.
	child.stdin.on('error', () => child.stdin.destroy());
	child.stdin.end(hook.input);
	const exit = exitOf(child);
	/** Until it is over, or, where that is `left`, nobody has to wait any more. */
	const follow = async (until: AbortSignal, ms: number, leaving?: Promise<AsyncLine>): Promise<HookOutput> => {
		const cancel = (): void => end();
		const limit = setTimeout(() => end(`it took longer than ${ms / 1000} s`), ms);
		until.addEventListener('abort', cancel);
		if (until.aborted) cancel();
		const ended = await (leaving ? Promise.race([exit, leaving]) : exit);
		clearTimeout(limit);
		until.removeEventListener('abort', cancel);
		if ('timeoutMs' in ended) {
			const { timeoutMs = hook.timeoutMs } = ended;
			return { stdout: '', stderr: '', exitCode: null, goesOn: (signal) => follow(signal, timeoutMs) };
		}
		if (problem !== undefined || until.aborted) endGroup(child, 'SIGKILL');
		if (child.pid !== undefined) leaveGroup(child.pid);
		const printed = hook.mayGoOn ? withoutAsyncLine(stdout()) : stdout();
		const said = { stdout: printed, stderr: stderr(), exitCode: ended.code };
		if (until.aborted) return { ...said, cancelled: true };
		const why = problem ?? ended.problem;
		return why === undefined ? said : { ...said, problem: why };
	};
	return await follow(signal, hook.timeoutMs, left);
}

interface AsyncLine {
	/** How long it may take from now on; undefined: as long as it might before. */
	readonly timeoutMs: number | undefined;
}

/** Resolves when the first line that is printed says that nobody has to wait. */
function asyncLine(stream: Readable): Promise<AsyncLine> {
	return new Promise((resolve) => {
		let text = '';
		const look = (bytes: Buffer): void => {
			text += bytes.toString('latin1');
			const found = asyncIn(text);
			if (found) resolve(found);
			if (found || text.includes('\n') || text.length > longestLine) stream.off('data', look);
		};
		stream.on('data', look);
	});
}

const longestLine = 1000;

function asyncIn(text: string): AsyncLine | undefined {
	const line = text.trimStart().split('\n', 1)[0] ?? '';
	const said = line.length > longestLine || !line.startsWith('{') ? undefined : parsedJson(line);
	if (!isObject(said) || said.async !== true) return undefined;
	const { asyncTimeout: given } = said;
	const isTime = typeof given === 'number' && given > 0;
	return { timeoutMs: isTime ? Math.min(given, longestTimeoutMs) : undefined };
}

/** What it says after it is the answer. */
function withoutAsyncLine(text: string): string {
	return asyncIn(text) ? text.trimStart().replace(/^.*\n?/, '') : text;
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
