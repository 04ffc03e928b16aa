/** Decides when a session in a list is named with its agent (`pi:ID`): only where sessions of several agents share the id, as after a hand-off. */

export interface Named {
	readonly id: string;
	readonly agent: string;
}

/** The agent's name as a prefix for an id that sessions of several agents share, so that each can be named. */
export function agentPrefixes(sessions: Iterable<Named>): (session: Named) => string {
	const agents = new Map<string, string>();
	const shared = new Set<string>();
	for (const { id, agent } of sessions) {
		if ((agents.get(id) ?? agent) !== agent) shared.add(id);
		agents.set(id, agent);
	}
	return ({ id, agent }) => (shared.has(id) ? `${agent}:` : '');
}
