/** What a session is called: when with its agent (`pi:ID`: only where sessions of several agents share the id, as after a hand-off), and how in a command that is printed to be copied. */
import { sep } from 'node:path';
import { quoted } from '../../model/quoted.ts';

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

/** True for an argument that can only be a path, so that no search for an id or title begins. */
export function looksLikeFile(argument: string): boolean {
	return argument.includes('/') || argument.includes(sep) || /\.(jsonl|json|sqlite)(#|$)/.test(argument);
}

/**
 * The session as a word of a command. Ids are words of others: a shell would obey some of them, and a command line would take some for
 * a flag, a file, or another session; those go by their file.
 */
export function sessionWord({ id, path }: { readonly id: string; readonly path: string }): string {
	const isName = id !== '' && id !== 'last' && !id.startsWith('-') && !looksLikeFile(id);
	return quoted(isName ? id : path);
}
