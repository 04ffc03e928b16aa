/** Programs in processes of their own that start quickly: one file, compiled once for all that come. */
import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

export interface Program extends Disposable {
	start(args: readonly string[], stdio: StdioOptions): ChildProcess;
}

const noise = '--disable-warning=ExperimentalWarning';

/**
 * A process that is killed keeps nothing of what it compiled, and loading a hundred modules takes it longer than everything
 * that it does afterwards. Called without arguments the program must end by itself: that fills the cache.
 */
export async function programOf(entry: string): Promise<Program> {
	const folder = mkdtempSync(join(tmpdir(), 'reprise-program-'));
	const output = { entryFileNames: 'program.mjs', codeSplitting: false };
	await build({
		configFile: false,
		logLevel: 'warn',
		ssr: { noExternal: true },
		build: { ssr: entry, outDir: folder, emptyOutDir: false, target: 'node22', rolldownOptions: { output } },
	});
	const file = join(folder, 'program.mjs');
	const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache'), NODE_EXTRA_CA_CERTS: undefined };
	execFileSync(process.execPath, [noise, file], { env });
	return {
		start: (args, stdio) => spawn(process.execPath, [noise, file, ...args], { stdio, env }),
		[Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
	};
}

/** Deterministic, so that a failure can be seen again. */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
}
