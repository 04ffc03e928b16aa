/** The machine that we run on: its platform, home folder and environment. It is asked for before anything else of us is loaded, and so imports nothing of ours. */
import { homedir } from 'node:os';
import type { Machine } from '../../codecs/index.ts';

/** The clients ask the system for the home folder, which is `HOME`, and `USERPROFILE` on Windows. */
export function thisMachine(): Machine {
	const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
	return { platform, home: homedir(), env: process.env };
}
