/** Work as a user whom permissions bind: root may read and write whatever it likes. */
import { spawnSync } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const nobody = 65534;

/** Only root may run the command as somebody else, who has to be able to read it. */
export const canDrop =
	process.getuid?.() === 0 &&
	spawnSync('test', ['-r', join(import.meta.dirname, '../../src/cli/main.ts')], { uid: nobody }).status === 0;

/** Runs with the rights of somebody to whom all of the folder belongs. Whoever is not root is such a user already. */
export async function asOrdinaryUser<T>(folder: string, run: () => Promise<T>): Promise<T> {
	if (process.geteuid?.() !== 0) return run();
	const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
	for (const path of [folder, ...inside]) chownSync(path, nobody, nobody);
	process.setegid?.(nobody);
	process.seteuid?.(nobody);
	try {
		return await run();
	} finally {
		process.seteuid?.(0);
		process.setegid?.(0);
	}
}
