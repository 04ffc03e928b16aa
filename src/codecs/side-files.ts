/** The files beside a session that may be read as its own. */
import type { Folders, SideFile } from './codec.ts';

type SideFiles = (path: string, folders: Folders) => readonly SideFile[];

/** Without links: a session that somebody sent could have one to a private key beside it, and what is beside a session goes where it goes. */
export function plainFiles(all: SideFiles): SideFiles {
	return (path, folders) => all(path, folders).filter((file) => folders.isPlain?.(path, file.path) ?? true);
}
