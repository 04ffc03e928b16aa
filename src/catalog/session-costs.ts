/** What sessions cost: `reprise cost`, and the library's `sessionCosts`. */
import type { FoundSession } from '../store/find/discover.ts';
import { glance } from '../store/reader/glance.ts';
import { collectCosts } from './cost/collect.ts';
import { pricesFor } from './cost/prices.ts';
import { type CostReport, costReport, type Grouping } from './cost/report.ts';
import { filtersOf, type PeriodQuery, type SessionQuery, SessionsHere } from './sessions-here.ts';

/** `since` and `until` filter by when money was spent. */
export interface CostOptions extends SessionQuery, PeriodQuery {
	/** What a row stands for. Default `day`. */
	readonly by?: Grouping;
	/** Also lists every record that was counted or left out, and why. */
	readonly explain?: boolean;
}

/** Counts a response once, however many lines, forks and copies repeat it, for the session that wrote it first. */
export function sessionCosts(options: CostOptions = {}): CostReport {
	const here = new SessionsHere(options.warn);
	const { by = 'day', explain = false, progress } = options;
	const collected = collectCosts(here.all(), here.access, { explain, ...(progress ? { progress } : {}) });
	const report = costReport(collected, pricesFor(collected.ledger), { ...filtersOf(options), by, explain });
	here.tellUnread(report.unread);
	return by === 'session' ? withTitles(report, here) : report;
}

/** Adds titles, which only main files have; a row may come from a sub-agent's file alone. */
function withTitles(report: CostReport, here: SessionsHere): CostReport {
	const mains = new Map<string, FoundSession>();
	for (const session of here.all({ subagents: false })) mains.set(`${session.agent} ${session.id}`, session);
	const rows = report.rows.map((row) => {
		const main = mains.get(`${row.agent} ${row.session}`);
		const title = main && glance(main)?.title;
		return title === undefined ? row : { ...row, title };
	});
	return { ...report, rows };
}
