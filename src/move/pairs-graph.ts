/** The graph that pairing calls with results asks: which entry follows which, and which makes which call. */
import { byId, type Entry, type EntryId, type ToolCallBlock } from '../model/index.ts';

export function callsOf(entry: Entry): readonly ToolCallBlock[] {
	if (entry.kind !== 'message' || entry.role !== 'assistant') return [];
	return entry.content.filter((block) => block.type === 'tool_call');
}

const nobody: readonly EntryId[] = [];

/** Which entry follows which, and which makes which call. Parents come before their children. */
export class Graph {
	readonly entries: readonly Entry[];
	readonly #known: ReadonlyMap<EntryId, Entry>;
	readonly #callers = new Map<string, EntryId[]>();

	constructor(entries: readonly Entry[]) {
		this.entries = entries;
		this.#known = byId({ entries });
		for (const entry of entries) {
			for (const { id } of callsOf(entry)) {
				const callers = this.#callers.get(id);
				if (!callers) this.#callers.set(id, [entry.id]);
				else if (!callers.includes(entry.id)) callers.push(entry.id);
			}
		}
	}

	at(id: EntryId): Entry | undefined {
		return this.#known.get(id);
	}

	callers(call: string): readonly EntryId[] {
		return this.#callers.get(call) ?? nobody;
	}

	above(entry: Entry): Entry | undefined {
		const up = entry.parent ?? entry.logicalParent;
		const found = up === undefined ? undefined : this.#known.get(up);
		// A sub-agent's thread is a conversation of its own.
		return found?.agent === entry.agent ? found : undefined;
	}

	*ancestors(entry: Entry): Generator<Entry> {
		// Most answers are a step or two away, so only long ways are checked for a cycle.
		let seen: Set<EntryId> | undefined;
		let steps = 0;
		for (let at = this.above(entry); at && !seen?.has(at.id); at = this.above(at)) {
			if (steps >= 64) {
				seen ??= new Set();
				seen.add(at.id);
			}
			steps += 1;
			yield at;
		}
	}
}
