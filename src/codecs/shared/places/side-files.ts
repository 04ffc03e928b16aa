/** Which files beside a session may be read as its own (no links), and which of them complete its header. */
import type { Header } from '../../../model/index.ts';
import type { Codec, Folders, SideFile, SideRole } from '../../codec.ts';

type SideFiles = (path: string, folders: Folders) => readonly SideFile[];

/** Without links: a session from a stranger could have one to a private key, which would then go with it. */
export function plainFiles(all: SideFiles): SideFiles {
	return (path, folders) => all(path, folders).filter((file) => folders.isPlain?.(path, file.path) ?? true);
}

const telling: ReadonlySet<SideRole> = new Set(['manifest', 'index', 'display']);

/** The header of a session, completed from side files, which may state its folder and title. */
export function sideHeaders(
	codec: { readonly read: Pick<Codec['read'], 'sideHeader'> },
	files: () => readonly SideFile[],
	main: Header,
	read: (path: string) => Uint8Array,
): Header {
	if (!codec.read.sideHeader) return main;
	let header = main;
	for (const { role, path, id } of files()) {
		if (telling.has(role)) header = { ...codec.read.sideHeader(role, read(path), id), ...header };
	}
	return header;
}
