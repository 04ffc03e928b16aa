/** Shell commands in a process group of their own, so that nothing they started outlives them. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { CommandEvent, RunCommand } from '../agent/contracts.ts';

/** How long a command that was asked to end may take before it is killed. */
const grace = 2000;

export const runCommand: RunCommand = async function* (command, signal) {
	const events = new Pending();
	const windows = process.platform === 'win32';
	const child = spawn(
		windows ? 'cmd.exe' : '/bin/bash',
		windows ? ['/d', '/s', '/c', command.command] : ['-c', command.command],
		{
			cwd: command.cwd,
			env: { ...process.env, ...command.env },
			stdio: ['ignore', 'pipe', 'pipe'],
			detached: !windows,
		},
	);
	let timedOut = false;
	let killer: NodeJS.Timeout | undefined;
	const end = (): void => {
		endGroup(child, 'SIGTERM');
		killer ??= setTimeout(() => endGroup(child, 'SIGKILL'), grace);
	};
	const limit =
		command.timeoutMs === undefined
			? undefined
			: setTimeout(() => {
					timedOut = true;
					end();
				}, command.timeoutMs);
	if (signal.aborted) end();
	signal.addEventListener('abort', end);
	for (const from of ['stdout', 'stderr'] as const) {
		child[from].setEncoding('utf8');
		child[from].on('data', (text: string) => events.push({ type: 'output', from, text }));
	}
	child.on('error', (error) => {
		events.push({ type: 'output', from: 'stderr', text: `${error.message}\n` });
		events.push({ type: 'exit', code: null });
	});
	// A background process may hold the pipes open for ever: what the shell itself does decides.
	child.on('exit', (code, name) => {
		setTimeout(() => events.push(exitOf(code, name, timedOut)), child.stdout.readableEnded ? 0 : 50);
	});
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
		child.stderr.destroy();
	}
};

function exitOf(code: number | null, signal: NodeJS.Signals | null, timedOut: boolean): CommandEvent {
	return { type: 'exit', code, ...(signal === null ? {} : { signal }), ...(timedOut ? { timedOut } : {}) };
}

/** The whole group; it may be gone already. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		if (process.platform === 'win32') child.kill(signal);
		else process.kill(-child.pid, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}

/** Events in order, for one reader. */
class Pending {
	readonly #events: CommandEvent[] = [];
	#wake: (() => void) | undefined;

	push(event: CommandEvent): void {
		this.#events.push(event);
		this.#wake?.();
	}

	async next(): Promise<CommandEvent> {
		for (;;) {
			const event = this.#events.shift();
			if (event) return event;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
			this.#wake = undefined;
		}
	}
}
