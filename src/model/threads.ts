/** Sub-agent threads: conversations that a tool call started, in files of their own or inside the main file. */
import type { Entry } from './entry.ts';
import type { Session } from './session.ts';

export interface Thread {
	readonly agent: string;
	readonly call?: string;
	readonly entries: readonly Entry[];
}

/** Every sub-agent of the session, those inside the main file first, then those with files of their own. */
export function threads(session: Session): readonly Thread[] {
	const inline = new Map<string, Entry[]>();
	for (const entry of session.entries) {
		if (entry.agent === undefined || entry.agent === session.header.agent) continue;
		const list = inline.get(entry.agent);
		if (list) list.push(entry);
		else inline.set(entry.agent, [entry]);
	}
	const found: Thread[] = [...inline].map(([agent, entries]) => ({ agent, entries }));
	for (const subagent of session.subagents) {
		const base = { agent: subagent.id, entries: subagent.session.entries };
		found.push(subagent.call === undefined ? base : { ...base, call: subagent.call });
	}
	return found;
}
