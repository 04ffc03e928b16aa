/** What could not be taken over, for people. */
import type { Loss } from '../model/index.ts';
import { lossKind, pathShape } from '../move/index.ts';

export function lossLines(losses: readonly Loss[]): readonly string[] {
	return losses.map(({ entry, path, how, note }) => `${how}: ${[entry, path].filter(Boolean).join(' ')}: ${note}`);
}

/** One line for all losses of a kind, the most frequent first. */
export function groupedLosses(losses: readonly Loss[]): readonly string[] {
	const groups = new Map<string, { readonly loss: Loss; count: number }>();
	for (const loss of losses) {
		const key = lossKind(loss);
		const group = groups.get(key);
		const count = 1 + (loss.more ?? 0);
		if (group) group.count += count;
		else groups.set(key, { loss, count });
	}
	return [...groups.values()]
		.sort((a, b) => b.count - a.count)
		.map(({ loss: { entry, path, how, note }, count }) => {
			const where = count === 1 ? [entry, path].filter(Boolean).join(' ') : pathShape(path);
			const times = count === 1 ? '' : ` (${count} times)`;
			return `${how}${times}: ${where === '' ? '' : `${where}: `}${note}`;
		});
}
