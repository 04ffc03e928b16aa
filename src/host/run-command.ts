/** Runs shell commands in a process group of their own: their variables, how long one may take to end before it is killed, how much output may wait; none outlives this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import type { RunCommand, ShellCommand, ShellEvent } from '../agent/contracts.ts';
import { codeOf } from '../log/errors.ts';
import { leaveGroup, watchGroup } from './watchdog.ts';

/** How long a command that was asked to end may take before it is killed. */
const grace = 2000;
/** How long output is waited for that a background process may still be holding the pipe of. */
const lastOutput = 50;
/** How much output may wait for its reader before the command has to. */
const mostWaiting = 8;

export const runCommand: RunCommand = async function* (command, signal) {
	const child = start(command);
	const events = new Pending(child.stdout);
	let timedOut = false;
	let killer: NodeJS.Timeout | undefined;
	const end = (): void => {
		endGroup(child, 'SIGTERM');
		killer ??= setTimeout(() => endGroup(child, 'SIGKILL'), grace);
	};
	const expire = (): void => {
		timedOut = true;
		end();
	};
	const limit = command.timeoutMs === undefined ? undefined : setTimeout(expire, command.timeoutMs);
	if (signal.aborted) end();
	signal.addEventListener('abort', end);
	listen(child, events, () => timedOut);
	try {
		for (;;) {
			const event = await events.next();
			yield event;
			if (event.type === 'exit') return;
		}
	} finally {
		clearTimeout(limit);
		clearTimeout(killer);
		signal.removeEventListener('abort', end);
		if (signal.aborted || timedOut || child.exitCode === null) endGroup(child, 'SIGKILL');
		child.stdout.destroy();
		if (child.pid !== undefined) leaveGroup(child.pid);
	}
};

type Shell = ChildProcess & { readonly stdout: Readable };

function start({ command, cwd, env }: ShellCommand): Shell {
	const windows = process.platform === 'win32';
	const [program, args] = windows ? ['cmd.exe', ['/d', '/s', '/c', command]] : ['/bin/bash', ['-c', scriptOf(command)]];
	const child = spawn(program, args, {
		cwd,
		// Whatever waits for an editor or draws on a terminal would wait for ever.
		env: { ...process.env, GIT_EDITOR: 'true', TERM: 'dumb', ...env },
		stdio: ['ignore', 'pipe', windows ? 'pipe' : 'ignore', 'pipe'],
		detached: !windows,
	});
	if (child.pid !== undefined) watchGroup(child.pid);
	return child as Shell;
}

/**
 * Both streams in one, in the order of what was printed; nothing to read; and where the shell has gone to, told on a pipe that the
 * command itself does not see. The words are evaluated as a whole, so that what is wrong with them ends them and not this.
 */
function scriptOf(command: string): string {
	return `exec 2>&1; eval '${command.replaceAll("'", `'"'"'`)}' </dev/null 3>&- && pwd -P >&3`;
}

function listen(child: Shell, events: Pending, timedOut: () => boolean): void {
	child.stdout.setEncoding('utf8');
	child.stdout.on('data', (text: string) => events.push({ type: 'output', from: 'stdout', text }));
	child.stderr?.setEncoding('utf8').on('data', (text: string) => events.push({ type: 'output', from: 'stderr', text }));
	let told = '';
	const folder = (child.stdio[3] as Readable).setEncoding('utf8');
	folder.on('data', (text: string) => {
		told += text;
	});
	child.on('error', (error) => {
		events.push({ type: 'output', from: 'stderr', text: `${error.message}\n` });
		events.push({ type: 'exit', code: null });
	});
	child.on('exit', async (code, name) => {
		await Promise.all([ended(folder), endedOrQuiet(child.stdout)]);
		const cwd = told.endsWith('\n') ? told.slice(0, -1) : undefined;
		events.push(exitOf(code, name, timedOut(), cwd));
	});
}

function ended(stream: Readable): Promise<void> {
	if (stream.readableEnded || stream.destroyed) return Promise.resolve();
	return new Promise((resolve) => {
		stream.once('close', resolve);
		stream.once('end', resolve);
	});
}

/** A background process may hold the pipe open for ever: then the output is over when nothing more comes. */
async function endedOrQuiet(stream: Readable): Promise<void> {
	let heard = true;
	const hear = (): void => {
		heard = true;
	};
	stream.on('data', hear);
	const end = ended(stream).then(() => true);
	for (;;) {
		heard = stream.isPaused();
		const quiet = later(lastOutput, false);
		if ((await Promise.race([end, quiet])) || !heard) break;
	}
	stream.off('data', hear);
}

function exitOf(
	code: number | null,
	signal: NodeJS.Signals | null,
	timedOut: boolean,
	cwd: string | undefined,
): ShellEvent {
	return {
		type: 'exit',
		// As the shell itself counts what a signal has ended.
		code: code ?? (signal === null ? null : 128 + constants.signals[signal]),
		...(signal === null ? {} : { signal }),
		...(timedOut ? { timedOut } : {}),
		...(cwd === undefined ? {} : { cwd }),
	};
}

/** Signals a child's whole process group, which may be gone already, or run with another user's rights by now (`sudo`): that is no reason to end ourselves. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		if (process.platform === 'win32') child.kill(signal);
		else process.kill(-child.pid, signal);
	} catch (error) {
		if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error;
	}
}

/** Events in order, for one reader. A command that prints faster than somebody reads has to wait. */
class Pending {
	readonly #events: ShellEvent[] = [];
	readonly #output: Readable;
	#wake: (() => void) | undefined;

	constructor(output: Readable) {
		this.#output = output;
	}

	push(event: ShellEvent): void {
		this.#events.push(event);
		if (this.#events.length >= mostWaiting) this.#output.pause();
		this.#wake?.();
	}

	async next(): Promise<ShellEvent> {
		for (;;) {
			const event = this.#events.shift();
			if (event) return event;
			if (this.#output.isPaused()) this.#output.resume();
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
			this.#wake = undefined;
		}
	}
}
