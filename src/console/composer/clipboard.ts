/** A picture from the clipboard for the prompt: which programs are asked, their time limit, the largest size, and the file that it becomes. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisMachine } from '../../store/find/folders.ts';
import { closeDataFolder, pastedPictures } from '../../store/own-data/data-folder.ts';

/** The usual programs of Wayland, X11 and macOS. */
const readers: readonly (readonly [program: string, ...args: string[]])[] = [
	['wl-paste', '--type', 'image/png'],
	['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'],
	['pngpaste', '-'],
];
const patienceMs = 2000;
const largest = 5 << 20;
const pngStart = '\u0089PNG';

/** Undefined where no program is there that gives one. */
export async function clipboardPicture(): Promise<string | undefined> {
	for (const [program, ...args] of readers) {
		const bytes = await outputOf(program, args);
		if (bytes?.toString('latin1', 0, pngStart.length) !== pngStart) continue;
		closeDataFolder(thisMachine());
		const folder = pastedPictures(thisMachine());
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const path = join(folder, `${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.png`);
		writeFileSync(path, bytes, { mode: 0o600 });
		return path.replaceAll(' ', '\\ ');
	}
	return undefined;
}

async function outputOf(program: string, args: readonly string[]): Promise<Buffer | undefined> {
	return await new Promise((resolve) => {
		const how = { encoding: 'buffer', timeout: patienceMs, maxBuffer: largest } as const;
		execFile(program, args, how, (error, stdout) => resolve(error ? undefined : stdout));
	});
}
