/** The /cost screen: what a session has cost, by model, and what is said of tokens without a price. */
import type { CostRow, Totals } from '../../catalog/cost/report.ts';
import { costText, countedText, countText, tokensText } from '../../export/count-text.ts';
import type { Theme } from '../theme.ts';
import { wrapped } from './parts.ts';
import type { Screen } from './screen.ts';
import { TextScreen } from './text-screen.ts';

export interface CostShown {
	readonly totals: Totals;
	readonly rows: readonly CostRow[];
}

export function costScreen(cost: CostShown): Screen<undefined> {
	return new TextScreen({
		title: 'Cost',
		right: costText(cost.totals.costUsd),
		body: (width, theme) => bodyOf(cost, width, theme),
	});
}

function bodyOf({ totals, rows }: CostShown, width: number, theme: Theme): readonly string[] {
	if (totals.responses === 0) return wrapped('Nothing was asked yet: this session has cost nothing.', width);
	const replies = countedText(totals.responses, 'reply', 'replies');
	return [
		...wrapped(`${costText(totals.costUsd)} for ${replies}, sub-agents included`, width, theme.bold),
		...rows.flatMap((row) => [
			...wrapped(`${row.key}  ${costText(row.costUsd)}`, width, undefined, '  '),
			...wrapped(tokensText(row), width, theme.dim, '    '),
		]),
		...(totals.unpricedTokens > 0
			? wrapped(`${countText(totals.unpricedTokens)} tokens have no known price: they are left out.`, width, theme.warn)
			: []),
	];
}
