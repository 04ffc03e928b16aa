/** What one session cost, with its sub-agents: what `/cost` says. */
import type { FormatId } from '../model/index.ts';
import { agentOf } from '../store/find/session-files.ts';
import { collectCosts, type SessionFile } from './cost/collect.ts';
import { pricesFor } from './cost/prices.ts';
import { type CostReport, costReport, type Grouping, unknown } from './cost/report.ts';
import { SessionsHere } from './sessions-here.ts';

/** The session in the file at `path`, wherever that is; sub-agents are found where its client keeps them. */
export function costOfSession(
	{ path, id, format }: { readonly path: string; readonly id: string; readonly format: FormatId },
	by: Grouping = 'model',
): CostReport {
	const here = new SessionsHere();
	const main: SessionFile = { path, id, format, agent: agentOf(format, path) };
	const children = [...here.all()].filter(({ parent, agent }) => parent === id && agent === main.agent);
	const collected = collectCosts([main, ...children], here.access);
	const report = costReport(collected, pricesFor(collected.ledger), { by });
	// A word in brackets beside dollars would read as if nobody knew what they were for.
	const rows = report.rows.map((row) => (row.key === unknown ? { ...row, key: 'models that are not recorded' } : row));
	return { ...report, rows };
}
