/** What people do to whole sessions, as far as it differs between the formats. */
import type { Folders, Machine, SideRole } from '../../codec.ts';

/** What people do to whole sessions, in the way the format's client understands. Bytes in, bytes out. */
export interface Manage {
	/** `append`: a transcript only ever grows, so a hard link to it keeps it. `rewrite`: it may be cut or replaced. */
	readonly writes: 'append' | 'rewrite';
	/** The client deletes sessions that nobody touched for so many days, unless it is told otherwise. */
	readonly keepsDays?: number;
	/** Files besides `sideFiles` that this session alone uses: they go where it goes. */
	belongings?(path: string, folders: Folders): readonly string[];
	/** The file with another title; without this a title is an entry of the session. */
	readonly retitle?: FileEdit<string>;
	/** The session of a project whose folder is `to` now. `moved`: the new paths of all main files that move, by the old. */
	relink(path: string, to: string, machine: Machine, moved: ReadonlyMap<string, string>): Relinked;
	/** What stays as it was in an index that is the client's own, in a sentence for the user. */
	readonly index?: string;
}

/** A database in which the client lists its sessions. A new one gets a row there; nothing else is ever changed in it. */
export interface SessionIndex {
	path(machine: Machine): string;
	readonly table: string;
	/** All columns that the table has in the versions that are known. With any others nothing is added. */
	readonly columns: readonly string[];
	/** The file of the session that says what is in its row. */
	readonly role: SideRole;
	/** The values of the row, in the order of the columns; undefined when the bytes are not what the client wrote. */
	row(bytes: Uint8Array): readonly (string | number | null)[] | undefined;
}

/** A change of one file of a session that leaves every other byte of it alone. */
export interface FileEdit<T> {
	readonly role: 'main' | SideRole;
	/** Undefined when the bytes are not what the client wrote. */
	apply(bytes: Uint8Array, to: T): Uint8Array | undefined;
}

export interface Relinked {
	/** Where its main file belongs; the same path where the client does not sort by folder. */
	readonly path: string;
	/** The file that states the folder, where the client goes by it. */
	readonly edit?: FileEdit<string>;
	/** What the user should know, or why there is nothing to do. */
	readonly note?: string;
}
