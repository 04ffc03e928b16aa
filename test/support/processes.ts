/** Looking at the processes of this machine: which run, by a mark in their command line, and whether one is alive. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

/** The processes with a word in their command line that nothing else on this machine has. */
export function running(mark: string): readonly string[] {
	const all = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
	return all.filter((line) => line.includes(mark) && !line.includes('ps -eo'));
}

/** A number of seconds by which a `sleep` is known again. */
export function uniqueSeconds(): string {
	return `${3000 + Math.floor(Math.random() * 1000)}.${process.pid}${Date.now() % 100_000}`;
}

export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Waits until something is so, for twenty seconds at most. */
export async function until(isSo: () => boolean): Promise<void> {
	for (let waited = 0; !isSo() && waited < 20_000; waited += 50) await sleep(50);
	expect(isSo()).toBe(true);
}
