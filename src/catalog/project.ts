/** Which folder a project is, and whether a session belongs to it. */
import { posix, win32 } from 'node:path';

/** True for the folder itself and everything below it. */
export function isWithin(folder: string, project: string): boolean {
	if (folder === project) return true;
	const { sep } = project.includes('\\') && !project.includes('/') ? win32 : posix;
	return folder.startsWith(project.endsWith(sep) ? project : project + sep);
}
