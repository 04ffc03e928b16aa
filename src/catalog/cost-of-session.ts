/** What one session cost, with its sub-agents: what `/cost` says. */
import type { FormatId } from '../model/index.ts';
import { copiedOf } from '../store/checkpoints/inherit.ts';
import { thisMachine } from '../store/find/folders.ts';
import { agentOf } from '../store/find/session-files.ts';
import { collectCosts, type SessionFile } from './cost/collect.ts';
import { pricesFor } from './cost/prices.ts';
import { type CostReport, costReport, type Grouping, unknown } from './cost/report.ts';
import { SessionsHere } from './sessions-here.ts';

interface Counted {
	readonly path: string;
	readonly id: string;
	readonly format: FormatId;
}

/** Several questions about sessions that are found once. */
export class SessionCosts {
	readonly #here = new SessionsHere();
	#found: readonly SessionFile[] | undefined;

	/** The session in the file at `path`, wherever that is; sub-agents are found where its client keeps them. */
	of({ path, id, format }: Counted, by: Grouping = 'model'): CostReport {
		this.#found ??= [...this.#here.all()];
		const main: SessionFile = { path, id, format, agent: agentOf(format, path) };
		const ids = new Set([id, ...copiedSince(main)]);
		const family = this.#found.filter(
			(one) => ids.has(one.parent ?? one.id) && one.format === format && one.path !== path,
		);
		// What a hand-off brought counts for the session that wrote it, which is not read here; what a fork copied, for the session
		// whose record is the first.
		const collected = collectCosts([main, ...family], this.#here.access, { among: [main, ...this.#found] });
		const report = costReport(collected, pricesFor(collected.ledger), { by, session: id, agent: main.agent });
		// A word in brackets beside dollars would read as if nobody knew what they were for.
		const rows = report.rows.map((row) =>
			row.key === unknown ? { ...row, key: 'models that are not recorded' } : row,
		);
		return { ...report, rows };
	}
}

/** The sessions that this one is a copy of. */
function copiedSince({ format, id }: SessionFile): readonly string[] {
	const found: string[] = [];
	for (let of = copiedOf(thisMachine(), { format, id }); of && !found.includes(of.id); of = copiedOf(thisMachine(), of))
		found.push(of.id);
	return found;
}

export function costOfSession(session: Counted, by: Grouping = 'model'): CostReport {
	return new SessionCosts().of(session, by);
}
