/** How much was done in sessions: `reprise stats`, and the library's `sessionStats`. */

import type { StatsRow } from './index/stats.ts';
import { indexAll, openCatalog } from './open-catalog.ts';
import { filtersOf, type SessionQuery, SessionsHere } from './sessions-here.ts';

export interface StatsOptions extends SessionQuery {
	/** What a row stands for. Default `project`. */
	readonly by?: 'project' | 'agent';
}

/** Sessions, turns, tokens, dollars, hours and calls of tools, per project or agent. */
export function sessionStats(options: StatsOptions = {}): readonly StatsRow[] {
	const here = new SessionsHere(options.warn);
	using catalog = openCatalog(here);
	const sessions = [...here.all()];
	indexAll(catalog, here, sessions, options.progress);
	const present = new Set(sessions.map((session) => session.path));
	return catalog.stats(options.by ?? 'project', { ...filtersOf(options), present });
}
