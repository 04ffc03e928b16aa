/** What one session cost, with its sub-agents: what `/cost` says. */
import type { FormatId } from '../model/index.ts';
import { agentOf } from '../store/find/session-files.ts';
import { collectCosts, type SessionFile } from './cost/collect.ts';
import { pricesFor } from './cost/prices.ts';
import { type CostReport, costReport, unknown } from './cost/report.ts';
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
	of({ path, id, format }: Counted): CostReport {
		this.#found ??= [...this.#here.all()];
		const main: SessionFile = { path, id, format, agent: agentOf(format, path) };
		const children = this.#found.filter(({ parent, agent }) => parent === id && agent === main.agent);
		// What a hand-off brought counts for the session that wrote it, which is not read here.
		const collected = collectCosts([main, ...children], this.#here.access, { among: [main, ...this.#found] });
		const report = costReport(collected, pricesFor(collected.ledger), { by: 'model' });
		// A word in brackets beside dollars would read as if nobody knew what they were for.
		const rows = report.rows.map((row) =>
			row.key === unknown ? { ...row, key: 'models that are not recorded' } : row,
		);
		return { ...report, rows };
	}
}

export function costOfSession(session: Counted): CostReport {
	return new SessionCosts().of(session);
}
