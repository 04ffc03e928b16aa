/** Where our own data lives: locks, originals, the trash. Never a file that a client would take for a session. */
import { posix, win32 } from 'node:path';
import type { Machine } from '../codecs/index.ts';

export function dataFolder({ platform, home, env }: Machine): string {
	const { REPRISE_HOME: own, LOCALAPPDATA: local, XDG_DATA_HOME: shared } = env;
	if (own) return own;
	if (platform === 'win32') return win32.join(local || win32.join(home, 'AppData', 'Local'), 'reprise');
	if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'reprise');
	return posix.join(shared || posix.join(home, '.local', 'share'), 'reprise');
}
