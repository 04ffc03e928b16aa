/** The SESSION argument that commands share: its help text, how it is looked up, and what a session is called in messages. */
import { discoverSessions } from '../store/find/discover.ts';
import { findSession } from '../store/find/find-session.ts';
import { agentPrefixes, type Named } from '../store/find/session-names.ts';
import type { NotASession } from '../store/reader/open-source.ts';

export const sessionHelp =
	'a session: its file, its id or the beginning of it (agent:id if agents share it), its title, or last (the newest of this project)';

/** The path of the session meant, or why there is none, as `identify` would say it. */
export function findArgument(argument: string): { readonly ok: true; readonly path: string } | NotASession {
	const found = findSession(argument);
	if (found.ok) return found;
	return { ok: false, rule: 'missing', message: found.message };
}

/** What a session is called where it is told what was done to it: its id, with its agent where another one has that id, too. */
export function nameOf(session: Named): string {
	return agentPrefixes([...discoverSessions(), session])(session) + session.id;
}
