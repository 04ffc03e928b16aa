/** What sessions are called where there are several: a session that was handed off has its id in more than one agent. */

export interface Named {
	readonly id: string;
	readonly agent: string;
}

/** What stands before the id of each: its agent, where another one has a session of that id. */
export function agentPrefixes(sessions: Iterable<Named>): (session: Named) => string {
	const agents = new Map<string, string>();
	const shared = new Set<string>();
	for (const { id, agent } of sessions) {
		if ((agents.get(id) ?? agent) !== agent) shared.add(id);
		agents.set(id, agent);
	}
	return ({ id, agent }) => (shared.has(id) ? `${agent}:` : '');
}
