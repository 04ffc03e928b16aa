/** Ids and folders that a session names, as parts of a path. Whoever made the session chose them: none may lead anywhere. */
import { deriveHex } from '../write/derive.ts';
import { isPlainId } from '../write/new-id.ts';

/** An id as the name of a file or folder, or the beginning of one. Ids that clients make stay as they are; others get a name that depends on them alone. */
export function fileName(id: string): string {
	if (isPlainId(id)) return id;
	const readable = id.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
	return `${readable}-${deriveHex(8, 'file name', id)}`.replace(/^-+/, '');
}

/** No file system that clients run on takes a longer name. */
const longest = 255;

/** A folder's name that a client makes of a project's path, whatever letters it has: one name, and none that means another folder. */
export function folderName(name: string): string {
	const isOne = !/^\.{0,2}$|[/\\\0]/.test(name) && Buffer.byteLength(name) <= longest;
	return isOne ? name : deriveHex(32, 'folder name', name);
}
