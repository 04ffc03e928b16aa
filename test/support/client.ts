/** The client as its users start it: the built command line in a scratch home, with a prompt, a model and an end. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ScriptInput } from '../../src/providers/script.ts';
import { discoverSessions } from '../../src/store/find/discover.ts';
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

export class ClientStage implements Disposable {
	readonly #scratch: Scratch;
	readonly home: string;
	readonly own: string;
	readonly cwd: string;
	#scripts = 0;

	/** `root`: a folder that is there already. */
	constructor(root?: string) {
		this.#scratch = scratchMachine(root);
		this.home = this.#scratch.home;
		this.own = this.#scratch.own;
		this.cwd = projectIn(this.#scratch.root);
	}

	/**
	 * Nothing of this machine but the way to Node. What Node has compiled is shared by all stages, as a user's commands share it: each of
	 * thousands would compile everything anew, which is a quarter of what it takes.
	 */
	get env(): { readonly [name: string]: string | undefined } {
		const { PATH, REPRISE_TESTS_COMPILED: NODE_COMPILE_CACHE } = process.env;
		return { ...this.#scratch.machine.env, PATH, NODE_COMPILE_CACHE, HOME: this.home, NO_COLOR: '1' };
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

	/** Where a session of this machine is, found here: a process for every look would be a third of what the runs take. */
	async pathOf(id: unknown): Promise<string> {
		for (const session of discoverSessions(this.#scratch.machine)) if (session.id === id) return session.path;
		throw new Error(`there is no session ${String(id)}`);
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

/** The frame that a run begins with. Notes for the user may stand before it. */
export function initIn(out: string): Frame {
	const init = framesIn(out).find(({ subtype }) => subtype === 'init');
	if (!init) throw new Error('there is no frame init');
	return init;
}
