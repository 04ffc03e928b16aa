/** The command on a terminal of its own: what is typed, and what stands there. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ClientStage } from './client.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');

/** Without this program there is no terminal to test on. */
export const hasTerminals = spawnSync('script', ['--version']).status === 0;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface TerminalSize {
	readonly columns?: number;
	readonly rows?: number;
}

/** How long a client that has answered may take to end by itself. */
const patience = 3000;

export class Terminal implements AsyncDisposable {
	readonly #child: ChildProcessWithoutNullStreams;
	readonly #ended: Promise<number | null>;
	/** Everything that was sent to the terminal, as it was. */
	raw = '';
	#seen = 0;

	constructor(stage: ClientStage, args: readonly string[], env: object = {}, size: TerminalSize = {}) {
		const { columns = 80, rows = 24 } = size;
		const command = [process.execPath, bin, ...args].map(quoted).join(' ');
		this.#child = spawn('script', ['-qefc', `stty cols ${columns} rows ${rows}; ${command}`, '/dev/null'], {
			cwd: stage.cwd,
			env: { ...stage.env, TERM: 'xterm', ...env },
		});
		this.#child.stdout.setEncoding('utf8');
		this.#child.stdout.on('data', (piece: string) => {
			this.raw += piece;
		});
		this.#ended = new Promise((resolve) => this.#child.on('close', resolve));
	}

	/** Without colours and with plain line ends. */
	get text(): string {
		return stripVTControlCharacters(this.raw).replaceAll('\r\n', '\n');
	}

	/** Waits until this has come, behind what was waited for before. */
	async shows(wanted: string): Promise<void> {
		for (let tries = 0; tries < 600; tries += 1) {
			const at = this.text.indexOf(wanted, this.#seen);
			if (at !== -1) {
				this.#seen = at + wanted.length;
				return;
			}
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		throw new Error(`the terminal never showed ${JSON.stringify(wanted)}:\n${this.text}`);
	}

	type(text: string): void {
		this.#child.stdin.write(text);
	}

	async end(): Promise<number | null> {
		return await this.#ended;
	}

	/** A client that outlived its test would write into a folder that is being removed. */
	async [Symbol.asyncDispose](): Promise<void> {
		const late = setTimeout(() => this.#child.kill(), patience);
		await this.#ended;
		clearTimeout(late);
	}
}
