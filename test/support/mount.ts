/** Real small disks for tests: root may mount them, elsewhere injected faults have to do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function canMount(): boolean {
	if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
	const place = mkdtempSync(join(tmpdir(), 'reprise-mount-'));
	try {
		execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' });
		execFileSync('umount', [place], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	} finally {
		rmSync(place, { recursive: true });
	}
}

export const mountable = canMount();

/** A disk of `size` in the folder `at`, gone with it. */
export class SmallDisk implements Disposable {
	readonly path: string;

	constructor(at: string, size = '64k') {
		this.path = at;
		mkdirSync(at);
		execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', at]);
	}

	/** From here on nothing can be written to it, by nobody. */
	protect(): void {
		execFileSync('mount', ['-o', 'remount,ro', this.path]);
	}

	[Symbol.dispose](): void {
		execFileSync('umount', [this.path]);
	}
}
