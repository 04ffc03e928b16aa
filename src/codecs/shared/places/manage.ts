/** What a format may say of deleting, renaming and moving whole sessions: what belongs to one, how long its client keeps it. Types only. */
import type { Folders, Machine, SideRole } from '../../codec.ts';

/** Manages whole sessions in the way the format's client understands. Bytes in, bytes out. */
export interface Manage {
	/** `append`: a transcript only grows, so a hard link keeps it. `rewrite`: it may be truncated or replaced. */
	readonly writes: 'append' | 'rewrite';
	/** After how many days without use the client deletes a session, unless it is told otherwise. */
	readonly keepsDays?: number;
	/** Files besides `sideFiles` that only this session uses and that move with it. */
	belongings?(path: string, folders: Folders): readonly string[];
	/** Changes the title in a file. Absent: a title is an entry of the session. */
	readonly retitle?: FileEdit<string>;
	/** What a session needs when its project moves to `to`. `moved` maps old to new paths of moved main files. */
	relink(path: string, to: string, machine: Machine, moved: ReadonlyMap<string, string>): Relinked;
	/** What will be outdated in the client's own index, in a sentence for the user. */
	index?(main: string): string | undefined;
}

/** A database in which the client lists its sessions. We add a row for a new one and change nothing else. */
export interface SessionIndex {
	path(machine: Machine): string;
	readonly table: string;
	/** All columns of the table in known versions. A table with any other is left alone. */
	readonly columns: readonly string[];
	/** The side file that holds the values of the row. */
	readonly role: SideRole;
	/** The values in the order of the columns; undefined when the bytes are not what the client wrote. */
	row(bytes: Uint8Array): readonly (string | number | null)[] | undefined;
}

/** A change to one file of a session that keeps every other byte. */
export interface FileEdit<T> {
	readonly role: 'main' | SideRole;
	/** The changed file; undefined when the bytes are not what the client wrote. */
	apply(bytes: Uint8Array, to: T): Uint8Array | undefined;
}

export interface Relinked {
	/** The new path of the main file; unchanged where the client does not sort by folder. */
	readonly path: string;
	/** The edit of the file that states the folder, where the client reads it there. */
	readonly edit?: FileEdit<string>;
	/** What the user should know, or why nothing has to be done. */
	readonly note?: string;
}
