/** Makes safe file and folder names of ids and folders in a session. A stranger may have chosen them: none may lead elsewhere, or be too long. */
import { deriveHex } from '../write/derive.ts';
import { isPlainId } from '../write/new-id.ts';

/** An id as a file name, or as its beginning. Ids that clients make stay; others get a name made from them alone. */
export function fileName(id: string): string {
	if (isPlainId(id)) return id;
	const readable = id.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
	return `${readable}-${deriveHex(8, 'file name', id)}`.replace(/^-+/, '');
}

/** The longest name that file systems of clients take. */
const longest = 255;

/** A client's folder name for a project, made safe: one name that cannot mean another folder. */
export function folderName(name: string): string {
	const isOne = !/^\.{0,2}$|[/\\\0]/.test(name) && Buffer.byteLength(name) <= longest;
	return isOne ? name : deriveHex(32, 'folder name', name);
}
