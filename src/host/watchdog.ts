/** Sees to it that commands end with this process, however that ends: a process that is killed cannot clean up after itself. */
import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads `+ GROUP` and `- GROUP` until this process is gone and its end of the pipe with it, then kills the groups that are left. Made
 * of nothing but what the shell itself can do, and in a group of its own, so that a signal to ours does not reach it.
 */
const script = `
groups=' '
while read -r sign group; do
	case $sign in
		+) groups="$groups$group " ;;
		-) groups=\${groups/ $group / } ;;
	esac
done
for group in $groups; do kill -KILL -- "-$group" 2>/dev/null; done
`;

let dog: ChildProcess | undefined;
const watched = new Set<number>();

/** From now on the group ends with us. The first call starts the watchdog. */
export function watchGroup(group: number): void {
	if (process.platform === 'win32') return;
	for (const other of watched) if (!isAlive(other)) forget(other);
	watched.add(group);
	dog ??= start();
	tell('+', group);
}

/** The command is over. What it left running stays watched; the number of a group that is gone may become somebody else's. */
export function leaveGroup(group: number): void {
	if (watched.has(group) && !isAlive(group)) forget(group);
}

function forget(group: number): void {
	watched.delete(group);
	tell('-', group);
}

function tell(sign: '+' | '-', group: number): void {
	dog?.stdin?.write(`${sign} ${group}\n`);
}

function start(): ChildProcess {
	const child = spawn('/bin/bash', ['-c', script], {
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
		cwd: '/',
		env: {},
	});
	const gone = (): void => {
		dog = undefined;
		watched.clear();
	};
	child.on('error', gone);
	child.on('exit', gone);
	child.stdin.on('error', gone); // it was killed: the next command starts another
	child.unref();
	// A pipe would keep this process alive for as long as the watchdog is.
	if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
	return child;
}

function isAlive(group: number): boolean {
	try {
		process.kill(-group, 0);
		return true;
	} catch (error) {
		// Somebody else's by now, or ours with another user's rights: not to be touched either way.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
