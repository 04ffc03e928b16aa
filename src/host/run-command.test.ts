/** Commands that are ended: what they have become is no reason for this process to end. */
import type { ChildProcess } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';
import { endGroup } from './run-command.ts';

afterEach(() => vi.restoreAllMocks());

function refusing(code: string): void {
	vi.spyOn(process, 'kill').mockImplementation(() => {
		throw Object.assign(new Error(`kill ${code}`), { code });
	});
}

it.runIf(process.platform !== 'win32')(
	'a group that is gone, or has the rights of another user by now, is left alone',
	() => {
		const child = { pid: 4242 } as ChildProcess;
		for (const code of ['ESRCH', 'EPERM']) {
			refusing(code);
			expect(() => endGroup(child, 'SIGTERM')).not.toThrow();
		}
		refusing('EINVAL');
		expect(() => endGroup(child, 'SIGTERM')).toThrow('EINVAL');
	},
);
