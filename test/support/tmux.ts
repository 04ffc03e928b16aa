/** The command in a real terminal: tmux draws it, and is asked what stands there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientStage } from './client.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const patienceMs = 20_000;

export class Tmux implements Disposable {
	readonly #socket: string;

	/** The command runs within a shell, which says afterwards with which code it ended. `jobs`: in one that knows Ctrl-Z and `fg`. */
	constructor(
		stage: ClientStage,
		args: readonly string[],
		env: { readonly [name: string]: string } = {},
		columns = 80,
		rows = 30,
		jobs = false,
	) {
		this.#socket = join(stage.own, '..', `tmux-${columns}-${process.pid}-${Math.random().toString(36).slice(2)}`);
		const all = Object.entries({ ...stage.env, ...env }).filter((pair) => pair[1] !== undefined);
		const command = [process.execPath, bin, ...args].map(quoted).join(' ');
		const script = `echo before the start; ${command}; echo "ended with $?"; stty -a | grep -o -- '-\\?icanon'; sleep 100`;
		const variables = all.map(([name, value]) => `${name}=${quoted(String(value))}`).join(' ');
		this.tmux(
			'-f',
			'/dev/null',
			'new-session',
			'-d',
			'-x',
			String(columns),
			'-y',
			String(rows),
			'-c',
			stage.cwd,
			jobs
				? `env -i TERM=screen-256color PS1='$ ' ${variables} bash --noprofile --norc -i`
				: `env -i TERM=screen-256color ${variables} /bin/sh -c ${quoted(script)}`,
		);
		if (!jobs) return;
		this.type(`clear; ${command}; echo "ended with $?"`);
		this.press('Enter');
	}

	tmux(...args: readonly string[]): string {
		const env = { ...process.env, TMUX: '' };
		return execFileSync('tmux', ['-S', this.#socket, ...args], {
			encoding: 'utf8',
			env,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
	}

	/** The screen, without blank rows at its end. */
	screen(): string {
		return this.tmux('capture-pane', '-p').trimEnd();
	}

	/** With all that has scrolled away. */
	all(): string {
		return this.tmux('capture-pane', '-p', '-S', '-').trimEnd();
	}

	type(text: string): void {
		this.tmux('send-keys', '-l', text);
	}

	press(...keys: readonly string[]): void {
		this.tmux('send-keys', ...keys);
	}

	resize(columns: number, rows: number): void {
		this.tmux('resize-window', '-x', String(columns), '-y', String(rows));
	}

	/** The process that the shell has started. */
	pid(): number {
		const shell = this.tmux('display-message', '-p', '#{pane_pid}').trim();
		const found = spawnSync('pgrep', ['-P', shell, '-f', 'reprise.js'], { encoding: 'utf8' }).stdout.trim();
		return Number(found.split('\n')[0]);
	}

	/** All bytes that are written from now on, in a file. */
	recordIn(file: string): void {
		this.tmux('pipe-pane', '-O', `cat > ${quoted(file)}`);
	}

	/** As a terminal does it that marks what is pasted. */
	paste(text: string): void {
		execFileSync('tmux', ['-S', this.#socket, 'load-buffer', '-'], { input: text, env: { ...process.env, TMUX: '' } });
		this.tmux('paste-buffer', '-p');
	}

	async shows(wanted: string | RegExp, where: () => string = () => this.screen()): Promise<string> {
		const until = Date.now() + patienceMs;
		for (;;) {
			const text = where();
			if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return text;
			if (Date.now() > until) throw new Error(`the terminal never showed ${String(wanted)}:\n${text}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	/** Waits until all that ran in it has ended: what is still winding up writes into a stage that is removed next. */
	[Symbol.dispose](): void {
		const listed = spawnSync('tmux', ['-S', this.#socket, 'list-panes', '-a', '-F', '#{pane_pid}'], {
			encoding: 'utf8',
		});
		const panes = new Set(listed.stdout.split('\n').filter((pid) => pid !== ''));
		spawnSync('tmux', ['-S', this.#socket, 'kill-server']);
		const until = Date.now() + patienceMs / 2;
		while (Date.now() < until && runsIn(panes)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
	}
}

/** Whether a process runs that one of these terminals was opened for: its session in the system's sense is the first process there. */
function runsIn(panes: ReadonlySet<string>): boolean {
	if (panes.size === 0) return false;
	return readdirSync('/proc').some((pid) => {
		if (!/^\d+$/.test(pid)) return false;
		try {
			const [state, , , session = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
				.replace(/^.*\) /s, '')
				.split(' ');
			return state !== 'Z' && panes.has(session);
		} catch {
			// It ended while it was looked at.
			return false;
		}
	});
}

/** Longer than a dialog refuses keys for. */
export async function afterGuard(): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, 600));
}
