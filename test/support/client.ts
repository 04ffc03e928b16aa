/** The client as its users start it: the built command line in a scratch home, with a prompt, a model and an end. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ScriptInput } from '../../src/providers/script.ts';
import { projectIn } from './agent.ts';
import { type Scratch, scratchMachine } from './scratch.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');

export interface Ended {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/** What is said on stderr where a session is gone on with that was not named, and nothing else. */
export const onlyGoingOn = /^reprise: going on with “.*” \(.*\)\n$/;

export interface RunSetting {
	readonly input?: string;
	readonly env?: { readonly [name: string]: string };
	/** Default: the project of the stage. */
	readonly cwd?: string;
}

export interface Frame {
	readonly type: string;
	readonly subtype?: string;
	readonly [key: string]: unknown;
}

export interface RunSetting {
	readonly input?: string;
	readonly env?: { readonly [name: string]: string };
	/** Default: the stage's project. */
	readonly cwd?: string;
}

export class ClientStage implements Disposable {
	readonly #scratch: Scratch = scratchMachine();
	readonly home = this.#scratch.home;
	readonly own = this.#scratch.own;
	readonly cwd = projectIn(this.#scratch.root);
	#scripts = 0;

	/** Nothing of this machine but the way to Node. */
	get env(): { readonly [name: string]: string | undefined } {
		return { ...this.#scratch.machine.env, PATH: process.env.PATH, HOME: this.home, NO_COLOR: '1' };
	}

	file(name: string): string {
		return join(this.cwd, name);
	}

	/** The path of a script for `--script`. */
	script(script: ScriptInput): string {
		const path = join(this.#scratch.root, `script-${++this.#scripts}.json`);
		writeFileSync(path, JSON.stringify(script));
		return path;
	}

	start(args: readonly string[], env: { readonly [name: string]: string } = {}, cwd = this.cwd) {
		return spawn(process.execPath, [bin, ...args], { cwd, env: { ...this.env, ...env } });
	}

	/** Runs to the end, with `input` on stdin. */
	async run(args: readonly string[], { input = '', env = {}, cwd }: RunSetting = {}): Promise<Ended> {
		const child = this.start(args, env, cwd);
		// A command may end before it has read what it is given.
		child.stdin.on('error', () => child.stdin.destroy());
		child.stdin.end(input);
		const [out, err, code] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			new Promise<number | null>((resolve) => child.on('close', resolve)),
		]);
		return { code, out, err };
	}

	/** A whole run with one JSON document as its answer. */
	async json(...args: readonly string[]): Promise<Frame> {
		const { out, err } = await this.run([...args, '--output-format', 'json']);
		if (out === '') throw new Error(err);
		return JSON.parse(out) as Frame;
	}

	/** The documents of a command such as `ls`. */
	async sessions(): Promise<readonly { readonly id: string; readonly path: string; readonly agent: string }[]> {
		const { out } = await this.run(['ls', '--json']);
		return (JSON.parse(out) as { sessions: { id: string; path: string; agent: string }[] }).sessions;
	}

	async pathOf(id: unknown): Promise<string> {
		const found = (await this.sessions()).find((session) => session.id === id);
		if (!found) throw new Error(`no session ${String(id)} is listed`);
		return found.path;
	}

	async lines(id: unknown): Promise<readonly Frame[]> {
		return framesIn(readFileSync(await this.pathOf(id), 'utf8'));
	}

	[Symbol.dispose](): void {
		this.#scratch[Symbol.dispose]();
	}
}

export function framesIn(text: string): readonly Frame[] {
	return text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as Frame);
}
