/** Runs ripgrep: the one that is installed with Reprise, or the user's own, and what is said where there is none. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SearchFiles } from '../agent/contracts.ts';

/** Of what it complains about: enough to say what is wrong, not a line for every file that cannot be read. */
const mostComplaint = 8000;

export const searchFiles: SearchFiles = ({ flags, folder, path, timeoutMs }, heard, signal) =>
	new Promise((resolve, reject) => {
		// Settings of the user's own would change what is found.
		const args = ['--no-config', ...flags, '--', ...(path === undefined ? [] : [path])];
		const child = spawn(program(), args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
		let complaint = '';
		let timedOut = false;
		const end = (): unknown => child.kill('SIGKILL');
		const limit = setTimeout(() => {
			timedOut = true;
			end();
		}, timeoutMs);
		const settle = (): void => {
			clearTimeout(limit);
			signal.removeEventListener('abort', end);
		};
		if (signal.aborted) end();
		signal.addEventListener('abort', end);
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			if (heard(text)) return;
			child.stdout.destroy();
			end();
		});
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			complaint = (complaint + text).slice(0, mostComplaint);
		});
		child.on('error', (error) => {
			settle();
			// The system says the same of a program and of a folder that is not there.
			const why = existsSync(folder) ? nowhere : `${folder} is not there any more: nothing was searched.`;
			reject(isMissingProgram(error) ? new Error(why) : error);
		});
		child.on('close', (code) => {
			settle();
			resolve({ code, complaint, ...(timedOut ? { timedOut } : {}) });
		});
	});

const nowhere =
	'ripgrep is not installed: neither the package @vscode/ripgrep nor a program rg in PATH was found. Search with a shell command instead.';

function isMissingProgram(error: Error): boolean {
	return 'code' in error && error.code === 'ENOENT';
}

let found: string | undefined;

/** Packages bring the program itself along, one for each kind of machine. */
function program(): string {
	found ??= packaged() ?? 'rg';
	return found;
}

function packaged(): string | undefined {
	const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
	const wanted = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`;
	try {
		const own = createRequire(import.meta.url);
		// The package of this machine is a dependency of that one, and may stand beside it or below it.
		const path = createRequire(own.resolve('@vscode/ripgrep')).resolve(wanted);
		return existsSync(path) ? path : undefined;
	} catch {
		// Installed without optional packages, or on a machine that there is none for: the user's own may do.
		return undefined;
	}
}
