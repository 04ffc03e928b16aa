/** The wording of conversion losses for people: what fields and entries are called, how losses are grouped and ordered, and whether they come back. */
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
	set: 'settings of the client',
	'set.permissionMode': 'the permission mode',
	'set.model': 'that the model was set',
	'set.provider': 'that the provider was set',
	'set.thinking': 'how hard the model was to think',
	'content[].details': 'details of tool results',
	'content[].durationMs': 'how long tools took',
	'content[].content': 'parts of tool results',
	'content[].content[]': 'parts of tool results',
	lineage: 'the way back',
};

/** What a whole entry or block is, by the word that the notes of the codecs have for it: one of them, and many. */
const things: { readonly [word: string]: readonly [one: string, many: string] } = {
	attachment: ['note of the client to the model', 'notes of the client to the model (reminders, hook results, files)'],
	call: ['index line of a tool call', 'index lines of tool calls'],
	checkpoint: ['snapshot of files', 'snapshots of files'],
	checkpoints: ['snapshot of files', 'snapshots of files'],
	collapse: ['step of context collapse', 'steps of context collapse'],
	command: ['slash command', 'slash commands'],
	compaction: ['compaction', 'compactions'],
	cost: ['running total of costs', 'running totals of costs'],
	custom: ['record of an extension', 'records of extensions'],
	edit: ['later change of a message', 'later changes of messages'],
	error: ['error that the client survived', 'errors that the client survived'],
	hook: ['hook result', 'hook results'],
	label: ['label', 'labels'],
	leaf: ['note of where the conversation goes on', 'notes of where the conversation goes on'],
	notice: ['notice to the user', 'notices to the user'],
	outcome: ['note of how a run ended', 'notes of how runs ended'],
	pr_link: ['link to a pull request', 'links to pull requests'],
	progress: ['progress report', 'progress reports'],
	queue: ['note of a queued prompt', 'notes of queued prompts'],
	request: ['recording of a request', 'recordings of requests'],
	summary: ['summary', 'summaries'],
	thinking: ['thinking block', 'thinking blocks'],
	timing: ['note of how long a turn took', 'notes of how long turns took'],
	usage: ['token count', 'token counts'],
};

/** Where a note names the thing: `Cline has no place for a "label" entry`, `a line of type "x"`, `thinking without …`. */
const naming = [
	/(?:no (?:line|place) for an?|(?:events|line) of type|has no(?! place| line| events)) "?(?<word>[\w-]+)"?/,
	/^(?<word>thinking)\b/,
];

/** A word may be a foreign file's own: `constructor` is found in every object, and is none of these. */
function ownOf<T>(table: { readonly [word: string]: T }, word: string): T | undefined {
	return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** So many of what a note speaks of, or nothing where it speaks of nothing that people have a word for. */
function counted(note: string, count: number): string | undefined {
	for (const pattern of naming) {
		const [one, many] = ownOf(things, pattern.exec(note)?.groups?.word ?? '') ?? [];
		if (one !== undefined) return count === 1 ? `1 ${one}` : `${countText(count)} ${many}`;
	}
	if (/how a run ended/.test(note)) return counted('has no outcome', count);
	if (/system (?:prompt|message)/.test(note)) return 'the system prompt';
	if (/\bbranch\b/.test(note))
		return count === 1 ? '1 entry of another branch' : `${countText(count)} entries of other branches`;
	return undefined;
}

export const lossVerbs = { dropped: 'gone', approximated: 'changed', invented: 'made up' } as const;

/** One line for all losses of a kind, the most frequent first: what, how often, and why. */
export function groupedLosses(losses: readonly Loss[]): readonly string[] {
	return lossKinds(losses).map(({ line }) => line);
}

interface LossKind {
	/** The thing that is gone, changed or made up. */
	readonly what: string;
	readonly how: Loss['how'];
	readonly line: string;
}

interface LossGroup {
	/** The first of them. */
	readonly loss: Loss;
	/** The names in the lists that their notes end with. */
	readonly listed: Set<string>;
	count: number;
	/** True when their notes name different things. */
	differ: boolean;
}

function lossKinds(losses: readonly Loss[]): readonly LossKind[] {
	const groups = new Map<string, LossGroup>();
	for (const loss of losses) {
		const [note = '', list = ''] = listIn(loss);
		const key = lossKind({ ...loss, note });
		const group = groups.get(key) ?? { loss: { ...loss, note }, listed: new Set<string>(), count: 0, differ: false };
		group.count += 1 + (loss.more ?? 0);
		group.differ ||= note !== group.loss.note;
		for (const name of list.split(', ')) if (name !== '') group.listed.add(name);
		groups.set(key, group);
	}
	return [...groups.values()].sort((a, b) => b.count - a.count).map(kindOf);
}

function kindOf({ loss: { entry, path, how, note }, listed, count, differ }: LossGroup): LossKind {
	const shape = pathShape(path);
	const listing = `${differ ? 'for example, ' : ''}${note}${[...listed].join(', ')}`;
	const whole = entry === '' ? 'the session' : count === 1 ? 'an entry' : 'entries';
	const thing = shape === '' || shape === 'content[]' ? counted(note, count) : undefined;
	if (thing !== undefined) return { what: thing, how, line: `${lossVerbs[how]}: ${thing}: ${listing}` };
	const what = ownOf(fields, shape) ?? (shape || whole);
	const times = count === 1 ? '' : ` ${countText(count)} times`;
	const where = count === 1 && entry !== '' ? `${shape === '' ? '' : ' of'} ${entry}` : '';
	const line = `${lossVerbs[how]}${times}: ${what}${where}: ${listing}`;
	// Entries that have no name are no use without the reason.
	return { what: shape === '' ? `${count === 1 ? '' : `${countText(count)} `}${whole} (${listing})` : what, how, line };
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
