/** The console on a terminal of its own, which `script` makes: what it writes, what it costs, and keys for it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchFolder } from './dataset.ts';

const program = join(process.cwd(), 'bin/reprise.js');

export class OnTerminal implements Disposable {
	readonly home = mkdtempSync(join(tmpdir(), 'reprise-bench-console-'));
	readonly #child: ChildProcess;
	#tail = '';
	bytes = 0;

	/** `instead`: the file of a program that is run in place of the console. `prepare` is given its folder, and gives it arguments. */
	constructor(turns: readonly object[], instead?: string, prepare: (folder: string) => string = () => '') {
		const script = join(this.home, 'script.json');
		writeFileSync(script, JSON.stringify({ turns, default: { text: 'ok' } }));
		const run = instead ? `'${instead}'` : `'${program}' --script '${script}' --trust ${prepare(this.home)}`;
		const { PATH } = process.env;
		// What Node has compiled is there from the second start on, for users, too.
		const compiled = { NODE_COMPILE_CACHE: join(benchFolder(), 'compiled') };
		const env = { PATH, HOME: this.home, REPRISE_HOME: join(this.home, 'own'), TERM: 'xterm-256color', ...compiled };
		this.#child = spawn('script', ['-qfec', `stty cols 100 rows 36; exec '${process.execPath}' ${run}`, '/dev/null'], {
			cwd: this.home,
			env,
		});
		this.#child.stdout?.on('data', (data: Buffer) => {
			this.bytes += data.length;
			this.#tail = (this.#tail + data.toString('latin1')).slice(-1 << 16);
		});
	}

	type(keys: string): void {
		this.#child.stdin?.write(keys);
	}

	/** Waits until it has written this, in latin1, after what was waited for last. */
	async shows(wanted: string): Promise<void> {
		for (;;) {
			const at = this.#tail.indexOf(wanted);
			if (at !== -1) {
				this.#tail = this.#tail.slice(at + wanted.length);
				return;
			}
			if (this.#child.stdout) await once(this.#child.stdout, 'data');
		}
	}

	/** Milliseconds, user and system. Linux counts in hundredths. */
	get cpu(): number {
		const stat = readFileSync(`/proc/${this.#pid}/stat`, 'utf8');
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[11]) + Number(fields[12])) * 10;
	}

	/** The process that `script` has started; 0 where it is gone. */
	get #pid(): number {
		const path = `/proc/${this.#child.pid}/task/${this.#child.pid}/children`;
		return existsSync(path) ? Number(readFileSync(path, 'utf8').trim()) : 0;
	}

	#kill(signal: NodeJS.Signals): void {
		const pid = this.#pid;
		if (pid > 0) process.kill(pid, signal);
	}

	/** All that was written into sessions. */
	get sessions(): string {
		return readdirSync(this.home, { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.jsonl') && path.includes('.claude'))
			.map((path) => readFileSync(join(this.home, path), 'utf8'))
			.join('');
	}

	/** Its window is closed; gives how many milliseconds it lives on. */
	async hungUp(): Promise<number> {
		const pid = this.#pid;
		const since = performance.now();
		this.#child.kill('SIGKILL');
		while (!hasEnded(pid)) await sleep(5);
		return performance.now() - since;
	}

	/** As if its window were closed. */
	end(): void {
		this.#kill('SIGHUP');
	}

	/** Waits for its end. */
	async left(): Promise<void> {
		if (this.#child.exitCode === null) await once(this.#child, 'exit');
	}

	[Symbol.dispose](): void {
		if (this.#child.exitCode === null) {
			this.#kill('SIGKILL');
			this.#child.kill('SIGKILL');
		}
		rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

/** Also where its new parent has not yet taken notice of its end, which may take that one seconds. */
function hasEnded(pid: number): boolean {
	const path = `/proc/${pid}/stat`;
	return !existsSync(path) || /\) Z/.test(readFileSync(path, 'utf8'));
}
