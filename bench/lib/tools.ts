/** Programs of others to compare with: installed once, beside the generated data and not into this project. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from './dataset.ts';

/** The folder of a package of exactly this version. */
export function installed(name: string, version: string): string {
	const prefix = join(benchFolder(), 'tools', `${name.replace('/', '+')}-${version}`);
	const folder = join(prefix, 'node_modules', name);
	if (existsSync(folder)) return folder;
	mkdirSync(prefix, { recursive: true });
	const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', prefix, `${name}@${version}`];
	const done = spawnSync('npm', args, { encoding: 'utf8' });
	if (done.status !== 0) throw new Error(`${name}@${version} cannot be installed to compare with:\n${done.stderr}`);
	return folder;
}
