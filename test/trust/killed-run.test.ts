/** Commands end with the client, however it ends. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ClientStage } from '../support/client.ts';
import { newStage } from '../support/new-stage.ts';
import { running, uniqueSeconds, until } from '../support/processes.ts';

const use = (command: string) => ({ content: [{ type: 'tool_use', name: 'Bash', input: { command } }] });

function childrenOf(parent: number | undefined): readonly number[] {
	return execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
		.split('\n')
		.map((line) => line.trim().split(/\s+/).map(Number))
		.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}

function isThere(pid: number): boolean {
	return execFileSync('ps', ['-eo', 'pid=,stat='], { encoding: 'utf8' })
		.split('\n')
		.some((line) => line.trim().split(/\s+/)[0] === String(pid) && !/\sZ/.test(line));
}

it('a client that is killed takes the whole group of a running command with it', async () => {
	const stage = newStage();
	const mark = uniqueSeconds();
	const command = `trap '' TERM; sleep ${mark} & (sleep ${mark} & wait) & touch started; sleep ${mark}`;
	const script = stage.script([use(command), { text: 'done' }] as never);
	const child = stage.start(['-p', 'x', '--script', script, '--allowedTools', 'Bash']);
	await until(() => existsSync(stage.file('started')));
	expect(running(mark).length).toBeGreaterThanOrEqual(3);
	const children = childrenOf(child.pid);
	child.kill('SIGKILL');
	await until(() => running(mark).length === 0);
	await until(() => children.every((pid) => !isThere(pid)));
});

it('what a command left behind ends with the client too, and nobody waits for it', async () => {
	const stage = newStage();
	const mark = uniqueSeconds();
	const script = stage.script([use(`sleep ${mark} & echo $! > pid`), { text: 'done' }] as never);
	const ended = await stage.run(['-p', 'x', '--script', script, '--allowedTools', 'Bash']);
	expect(ended).toMatchObject({ code: 0, out: 'done\n' });
	expect(Number(readFileSync(stage.file('pid'), 'utf8'))).toBeGreaterThan(1);
	await until(() => running(mark).length === 0);
});

it('a run without commands starts nothing beside itself', async () => {
	const stage = newStage();
	const script = stage.script([{ text: 'done', delayMs: 1500 }] as never);
	const child = stage.start(['-p', 'x', '--script', script]);
	await sleep(1000);
	expect(childrenOf(child.pid)).toEqual([]);
	await new Promise((resolve) => child.on('close', resolve));
});

/** Starts the command as an older Node does, which hands over to the project's own. */
function startOld(stage: ClientStage, args: readonly string[]) {
	const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });";
	const bin = join(import.meta.dirname, '../../bin/reprise.js');
	const given = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, bin, ...args];
	return spawn(process.execPath, given, { cwd: stage.cwd, env: stage.env });
}

const ending = (child: ReturnType<typeof startOld>) => new Promise((resolve) => child.on('close', resolve));

it('a launcher that is killed takes the client and its commands with it, and nobody is said to have interrupted', async () => {
	const stage = newStage();
	const mark = uniqueSeconds();
	const script = stage.script([use(`touch started; sleep ${mark}`), { text: 'done' }] as never);
	const launcher = startOld(stage, ['-p', 'x', '--script', script, '--allowedTools', 'Bash']);
	await until(() => existsSync(stage.file('started')));
	const children = childrenOf(launcher.pid);
	expect(children).toHaveLength(1);
	launcher.kill('SIGKILL');
	await until(() => running(mark).length === 0);
	await until(() => children.every((pid) => !isThere(pid)));
	expect((await stage.run(['show', 'last'])).out).toContain('no result was recorded');
	expect((await stage.run(['show', 'last', '--raw'])).out).not.toContain('interrupted');
});

it('a launcher says how the client ended', async () => {
	const stage = newStage();
	const waiting = stage.script([{ text: 'done', delayMs: 60_000 }] as never);
	const killed = startOld(stage, ['-p', 'x', '--script', waiting]);
	await until(() => childrenOf(killed.pid).length === 1);
	process.kill(childrenOf(killed.pid)[0] ?? 0, 'SIGKILL');
	expect(await ending(killed)).toBe(137);
	const wrong = startOld(stage, ['show', 'nothing-of-the-kind']);
	expect(await ending(wrong)).toBe(1);
	const command = use(`test -z "$REPRISE_LAUNCHER" && touch clean`);
	const script = stage.script([command, { text: 'done' }] as never);
	expect(await ending(startOld(stage, ['-p', 'x', '--script', script, '--allowedTools', 'Bash']))).toBe(0);
	expect(existsSync(stage.file('clean'))).toBe(true);
});
