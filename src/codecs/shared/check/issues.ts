/** Collects issues with severity and position, a hundred of each rule at most, so that a broken file cannot fill the memory. */
import type { Issue, Rule } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import type { Position } from '../read/line.ts';

export interface IssueCollector {
	readonly report: Report;
	/** Sets the line for reports that give no position. */
	visiting(line: Position | undefined): void;
	/** All issues so far, by position; the last listed one of each rule counts those that were left out. */
	issues(): readonly Issue[];
}

export function collectIssues(rules: readonly Rule[], keptPerRule = 100): IssueCollector {
	/** The rules by id, made at the first issue: there are hundreds, and most files have none. */
	let known: ReadonlyMap<string, Rule> | undefined;
	const found: Issue[] = [];
	const counts = new Map<string, number>();
	/** The last issue that is listed of each rule. */
	const last = new Map<string, Issue>();
	let current: Position | undefined;

	function report(id: string, message: string, where: Parameters<Report>[2] = {}): void {
		known ??= new Map(rules.map((one) => [one.id, one]));
		const rule = known.get(id);
		if (!rule) throw new Error(`rule ${id} is not in its codec's list of rules`);
		const count = (counts.get(id) ?? 0) + 1;
		counts.set(id, count);
		if (count > keptPerRule) return;
		const at = where.at === undefined ? current : where.at;
		const issue: Issue = {
			rule: id,
			severity: rule.severity,
			...(rule.profile ? { profile: rule.profile } : {}),
			line: at?.line ?? 0,
			offset: at?.at ?? 0,
			path: where.path ?? '',
			message,
			...(at ? { record: at.index } : {}),
		};
		found.push(issue);
		last.set(id, issue);
	}

	return {
		report,
		visiting(line) {
			current = line;
		},
		issues() {
			const told = found.map((issue) => {
				const more = (counts.get(issue.rule) ?? 0) - keptPerRule;
				return more > 0 && last.get(issue.rule) === issue ? { ...issue, more } : issue;
			});
			return told.sort((a, b) => a.offset - b.offset || a.line - b.line);
		},
	};
}
