/** What could not be taken over, for people. */
import type { Loss } from '../model/index.ts';

export function lossLines(losses: readonly Loss[]): readonly string[] {
	return losses.map(({ entry, path, how, note }) => `${how}: ${[entry, path].filter(Boolean).join(' ')}: ${note}`);
}

/** One line for all losses of a kind, the most frequent first. */
export function groupedLosses(losses: readonly Loss[]): readonly string[] {
	const groups = new Map<string, { readonly loss: Loss; count: number }>();
	for (const loss of losses) {
		const key = `${loss.how} ${loss.path.replace(/\[\d+\]/g, '[]')} ${loss.note.replace(/\S*\d\S*/g, '#')}`;
		const group = groups.get(key);
		if (group) group.count += 1;
		else groups.set(key, { loss, count: 1 });
	}
	return [...groups.values()]
		.sort((a, b) => b.count - a.count)
		.map(({ loss: { entry, path, how, note }, count }) => {
			const where = count === 1 ? [entry, path].filter(Boolean).join(' ') : path.replace(/\[\d+\]/g, '[]');
			const times = count === 1 ? '' : ` (${count} times)`;
			return `${how}${times}: ${where === '' ? '' : `${where}: `}${note}`;
		});
}
