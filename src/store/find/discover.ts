/** Lists every agent's sessions on this machine, by looking at the names of files only. */
import { type Stats, statSync } from 'node:fs';
import type { Folders, Machine } from '../../codecs/index.ts';
import { codecs } from '../../codecs/index.ts';
import { codeOf } from '../../log/errors.ts';
import type { FormatId } from '../../model/index.ts';
import { databasePath } from '../reader/database.ts';
import { diskFolders, thisMachine } from './folders.ts';

export interface FoundSession {
	/** A file, or `DB#SESSION`. */
	readonly path: string;
	readonly id: string;
	/** The client it belongs to: `claude-code`, `cline`, `clido`, `pi`, `openclaw`. */
	readonly agent: string;
	readonly format: FormatId;
	/** For a sub-agent's own file: the id of its session. */
	readonly parent?: string;
}

export interface DiscoverOptions {
	/** Also list the files of sub-agents, each after its session. Default false. */
	readonly subagents?: boolean;
	readonly format?: FormatId;
}

/**
 * Every session on this machine. Files count, not a client's index, so a session that its client has forgotten is found
 * too. A session's project is never read from the name of its folder, which is lossy: `glance` tells what the file says.
 */
export function* discoverSessions(
	machine: Machine = thisMachine(),
	folders: Folders = diskFolders,
	options: DiscoverOptions = {},
): Iterable<FoundSession> {
	const seen = new Set<string>();
	for (const { id: format, places } of codecs) {
		if (options.format !== undefined && format !== options.format) continue;
		for (const found of places.sessions(machine, folders, { subagents: options.subagents })) {
			// Two settings of a client may lead to one folder, whose sessions must be listed once.
			if (seen.has(found.path)) continue;
			seen.add(found.path);
			const { path, id, agent = format, parent } = found;
			yield { path, id, agent, format, ...(parent === undefined ? {} : { parent }) };
		}
	}
}

export interface DatedSession extends FoundSession {
	readonly mtimeMs: number;
	readonly size: number;
}

/** Sessions, the one written last first. One that vanishes meanwhile, or that we may not look at, is left out. */
export function newestFirst(sessions: Iterable<FoundSession>): readonly DatedSession[] {
	const dated: DatedSession[] = [];
	for (const session of sessions) {
		const stat = statOf(databasePath(session.path).file);
		if (stat?.isFile()) dated.push({ ...session, mtimeMs: stat.mtimeMs, size: stat.size });
	}
	return dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
}

function statOf(path: string): Stats | undefined {
	try {
		return statSync(path, { throwIfNoEntry: false });
	} catch (error) {
		if (codeOf(error) !== undefined) return undefined;
		throw error;
	}
}
