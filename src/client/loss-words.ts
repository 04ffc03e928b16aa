/** What could not be taken over, for people. */
import { countText } from '../export/count-text.ts';
import type { Loss } from '../model/index.ts';
import { lossKind, pathShape } from '../move/index.ts';

export function lossLines(losses: readonly Loss[]): readonly string[] {
	return losses.map(({ entry, path, how, note }) => `${how}: ${[entry, path].filter(Boolean).join(' ')}: ${note}`);
}

/** What is gone, in words of people who have never seen the file: the field by its name in entries, and what it is. */
const fields: { readonly [path: string]: string } = {
	id: 'ids of entries',
	time: 'times',
	extra: 'fields of the client’s own',
	origin: 'how messages came about',
	audience: 'who gets a message',
	'response.id': 'ids of replies',
	'response.request': 'ids of requests',
	'response.model': 'which model replied',
	'response.provider': 'whose model replied',
	'response.api': 'through which API',
	'response.stop': 'why replies ended',
	'response.usage': 'token counts',
	'response.costUsd': 'costs',
	'header.model': 'the session’s model',
	'header.provider': 'the session’s provider',
	'header.gitBranch': 'the git branch',
	'header.title': 'the title',
	'header.cwd': 'the folder',
	'header.extra': 'the session’s fields of the client’s own',
	content: 'what messages say',
	'content[]': 'parts of messages',
	'content[].signature': 'signatures of thinking',
	'set.model': 'that the model was set',
	'set.provider': 'that the provider was set',
	'set.thinking': 'how hard the model was to think',
	lineage: 'the way back',
};

export const lossVerbs = { dropped: 'gone', approximated: 'changed', invented: 'made up' } as const;

/** One line for all losses of a kind, the most frequent first: what, how often, and why. */
export function groupedLosses(losses: readonly Loss[]): readonly string[] {
	return lossKinds(losses).map(({ line }) => line);
}

interface LossKind {
	/** What it is that is gone, changed or made up. */
	readonly what: string;
	readonly how: Loss['how'];
	readonly line: string;
}

function lossKinds(losses: readonly Loss[]): readonly LossKind[] {
	const groups = new Map<string, { readonly loss: Loss; readonly listed: Set<string>; count: number }>();
	for (const loss of losses) {
		const [note = '', list = ''] = listIn(loss);
		const key = lossKind({ ...loss, note });
		const group = groups.get(key) ?? { loss: { ...loss, note }, listed: new Set<string>(), count: 0 };
		group.count += 1 + (loss.more ?? 0);
		for (const name of list.split(', ')) if (name !== '') group.listed.add(name);
		groups.set(key, group);
	}
	return [...groups.values()]
		.sort((a, b) => b.count - a.count)
		.map(({ loss: { entry, path, how, note }, listed, count }) => {
			const shape = pathShape(path);
			const whole = entry === '' ? 'the session' : count === 1 ? 'the entry' : 'entries';
			const what = fields[shape] ?? (shape || whole);
			const where = count === 1 && entry !== '' ? `${shape === '' ? '' : ' of'} ${entry}` : '';
			const rows = whole === 'the entry' ? 'an entry' : `${countText(count)} ${whole}`;
			const short = shape !== '' || entry === '' ? what : rows;
			const line = `${lossVerbs[how]}${count === 1 ? '' : ` ${countText(count)} times`}: ${what}${where}: ${note}${[...listed].join(', ')}`;
			return { what: short, how, line };
		});
}

/** The note of leftovers up to the list of their names, and the list: what differs only in that is told once. */
function listIn({ path, note }: Loss): readonly string[] {
	const at = path === 'extra' ? note.lastIndexOf(': ') : -1;
	return at === -1 ? [note] : [note.slice(0, at + 2), note.slice(at + 2)];
}

/** What the target cannot hold, at most so many kinds of it, and whether it comes back; or that there is nothing of the kind. */
export function report(losses: readonly Loss[], wayBack?: boolean, most = Infinity): readonly string[] {
	if (losses.length === 0) return ['nothing was lost'];
	const back = wayBack
		? 'reprise return brings all of this back: the session as it was is kept'
		: 'none of this comes back from the new session: no way back is kept';
	const kinds = lossKinds(losses);
	const lines = kinds.slice(0, most).map(({ line }) => line);
	return [...lines, ...shortly(kinds.slice(most)), ...(wayBack === undefined ? [] : [back])];
}

/** The rarer kinds by their names alone. */
function shortly(kinds: readonly LossKind[]): readonly string[] {
	return (['dropped', 'approximated', 'invented'] as const).flatMap((of) => {
		const names = new Set(kinds.filter(({ how }) => how === of).map(({ what }) => what));
		return names.size === 0 ? [] : [`also ${lossVerbs[of]}: ${[...names].join(', ')}`];
	});
}
