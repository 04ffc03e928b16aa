/** The user's own editor for a text: which one (`$VISUAL`, `$EDITOR`, or `vi`), and when what it leaves behind is not taken over. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { telling } from '../../log/errors.ts';
import { readRegular } from '../../log/regular-file.ts';

/** Undefined where the editor could not be started, or said that nothing is to be taken over. */
export async function editOutside(text: string, name: string): Promise<string | undefined> {
	const folder = telling(tmpdir(), 'keep the text for the editor in', () => mkdtempSync(join(tmpdir(), 'reprise-')));
	const path = join(folder, name);
	try {
		writeFileSync(path, text, { mode: 0o600 });
		if ((await run(path)) !== 0) return undefined;
		const edited = readRegular(path).toString('utf8');
		// Editors end a file with a newline that nobody has typed.
		return text.endsWith('\n') ? edited : edited.replace(/\n$/, '');
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The variable may hold a command with arguments: a shell takes it apart. */
async function run(path: string): Promise<number | null> {
	const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
	const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
	return await new Promise((resolve) => {
		child.on('error', () => resolve(null));
		child.on('exit', (code) => resolve(code));
	});
}
