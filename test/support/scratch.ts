/** A machine of its own in a temporary folder: every variable points there, so nothing else is read or written. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Machine } from '../../src/codecs/index.ts';
import { corpusRoot } from './corpus.ts';

export interface Scratch extends Disposable {
	readonly root: string;
	readonly home: string;
	/** Our own data. */
	readonly own: string;
	readonly machine: Machine;
	/** Copies the home of a recorded scenario into this one. */
	load(scenario: string): void;
	/** Makes a folder and returns its path. */
	folder(name: string): string;
}

/** `given`: a folder that is there already, and is not the test's to make. */
export function scratchMachine(given?: string): Scratch {
	const root = realpathSync(given ?? mkdtempSync(join(tmpdir(), 'reprise-scratch-')));
	const home = join(root, 'home');
	const own = join(root, 'own');
	mkdirSync(home, { recursive: true });
	const machine: Machine = {
		platform: 'linux',
		home,
		env: {
			REPRISE_HOME: own,
			CLAUDE_CONFIG_DIR: join(home, '.claude'),
			CLINE_DIR: join(home, '.cline'),
			CLIDO_DATA_DIR: join(home, '.local/share/clido'),
			PI_CODING_AGENT_DIR: join(home, '.pi/agent'),
			OPENCLAW_STATE_DIR: join(home, '.openclaw'),
		},
	};
	return {
		root,
		home,
		own,
		machine,
		load: (scenario) => cpSync(join(corpusRoot, scenario, 'home'), home, { recursive: true }),
		folder(name) {
			const path = join(root, name);
			mkdirSync(path, { recursive: true });
			return path;
		},
		[Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 10 }),
	};
}

/** Every file below a folder with its bytes, by relative path. */
export function treeOf(folder: string): { readonly [path: string]: string } {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((item) => item.isFile())
		.map((item) => join(item.parentPath, item.name))
		.sort();
	return Object.fromEntries(files.map((path) => [relative(folder, path), readFileSync(path).toString('latin1')]));
}

/** Paths below a folder whose mode is not that of a private file or folder. */
export function notPrivate(folder: string): readonly string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.map((item) => ({ path: join(item.parentPath, item.name), wanted: item.isDirectory() ? 0o700 : 0o600 }))
		.filter(({ path, wanted }) => (statSync(path).mode & 0o777) !== wanted)
		.map(({ path }) => path);
}
