/** The command line in this process, with what it printed: starting it anew a thousand times would take minutes. */
import { afterEach, beforeEach, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { type Scratch, scratchMachine } from './scratch.ts';

export interface Printed {
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

export interface Screen {
	/** What is printed goes to a person's terminal. */
	readonly terminal: boolean;
	/** How long until Ctrl-C, for commands that run until then. */
	readonly interruptAfter?: number;
}

/** Runs one command to its end. Output that is paged would go past us: the screen is high enough for everything. */
export async function runHere(args: readonly string[], { terminal, interruptAfter }: Screen): Promise<Printed> {
	const printed = { out: [] as Buffer[], err: [] as Buffer[] };
	const restore = [pretend(process.stdout, terminal, printed.out), pretend(process.stderr, terminal, printed.err)];
	// Again and again: on a busy machine the first may come before the command listens.
	const timer = interruptAfter === undefined ? undefined : setInterval(() => process.emit('SIGINT'), interruptAfter);
	try {
		const code = await main(args);
		return { code, out: Buffer.concat(printed.out).toString(), err: Buffer.concat(printed.err).toString() };
	} finally {
		clearInterval(timer);
		for (const undo of restore) undo();
	}
}

/** Runs one command as if this process were on that stage: for what only prepares a test, whose point is told by commands of their own. */
export async function runOn(
	{ cwd, env }: { readonly cwd: string; readonly env: { readonly [name: string]: string | undefined } },
	args: readonly string[],
): Promise<Printed> {
	const startedIn = process.cwd();
	for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
	process.chdir(cwd);
	try {
		return await runHere(args, { terminal: false });
	} finally {
		process.chdir(startedIn);
		vi.unstubAllEnvs();
	}
}

function pretend(stream: NodeJS.WriteStream, terminal: boolean, into: Buffer[]): () => void {
	const spy = vi.spyOn(stream, 'write').mockImplementation((piece) => into.push(Buffer.from(piece as string)) > 0);
	const faked = { isTTY: terminal, rows: 100_000, columns: 100 };
	const before = Object.entries(faked).map(([name]) => [name, Object.getOwnPropertyDescriptor(stream, name)] as const);
	for (const [name, value] of Object.entries(faked)) Object.defineProperty(stream, name, { value, configurable: true });
	return () => {
		spy.mockRestore();
		for (const [name, descriptor] of before) {
			if (descriptor) Object.defineProperty(stream, name, descriptor);
			else Reflect.deleteProperty(stream, name);
		}
	};
}

/** For every test a machine of its own that this process is on, in an empty project. Returns the current one. */
export function machineHere(more: { readonly [name: string]: string | undefined } = {}): () => Scratch {
	const startedIn = process.cwd();
	let scratch: Scratch | undefined;
	beforeEach(() => {
		scratch = scratchMachine();
		const env = { ...scratch.machine.env, HOME: scratch.home, ...more };
		for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
		process.chdir(scratch.folder('project'));
	});
	afterEach(() => {
		process.chdir(startedIn);
		vi.unstubAllEnvs();
		scratch?.[Symbol.dispose]();
	});
	return () => {
		if (!scratch) throw new Error('there is a machine only while a test runs');
		return scratch;
	};
}
