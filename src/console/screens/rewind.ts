/** The rewind dialog: the list of prompts, what going back would change, and the choice of conversation, files or both. Its data: ../pickers/rewind.ts. */
import { countOf, type EntryId } from '../../model/index.ts';
import { framed } from '../../terminal/question-frame.ts';
import { plainTheme, type Theme } from '../theme.ts';
import { ageText } from './age.ts';
import { type DialogParts, dialogRows, dialogScroll } from './dialog.ts';
import { List, type ListItem, listRows, numbered } from './list.ts';
import { titleRow, wrapped } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize, type Want } from './screen.ts';

export interface RewindPrompt {
	readonly id: EntryId;
	readonly text: string;
	/** Milliseconds. */
	readonly time?: number;
}

/** What going back to before a prompt would do to files. */
export interface RewindChanges {
	readonly files: readonly RewindFile[];
	/** What is not covered, a sentence each. */
	readonly warnings: readonly string[];
}

export interface RewindFile {
	/** As its user writes it. */
	readonly path: string;
	/** Lines that come and go; absent for what is no text. */
	readonly added?: number;
	readonly removed?: number;
	/** Why it would stay as it is. */
	readonly conflict?: string;
}

export type RewindAnswer =
	| { readonly to: EntryId; readonly conversation: boolean; readonly files: boolean }
	| undefined;

/** So many prompts before and behind the selected one are planned for without being asked about. */
const mostPlannedAround = 20;

type What = 'both' | 'conversation' | 'files' | 'back';

interface State {
	readonly list: List<EntryId>;
	readonly changes: ReadonlyMap<EntryId, RewindChanges>;
	readonly chosen?: { readonly prompt: RewindPrompt; readonly list: List<What>; readonly scroll: number };
}

export class RewindScreen implements Screen<RewindAnswer> {
	readonly #prompts: readonly RewindPrompt[];
	readonly #now: number;
	readonly #state: State;

	/** Oldest first, as they were said; the last is selected. */
	constructor(prompts: readonly RewindPrompt[], now: number, state?: State) {
		this.#prompts = prompts;
		this.#now = now;
		const changes = new Map<EntryId, RewindChanges>();
		const items = itemsOf(prompts, now, changes);
		this.#state = state ?? { changes, list: new List(items, { filters: true, at: prompts.length - 1 }) };
	}

	/** What the selected prompt would change, then those around it, unless it is known. */
	get wants(): Want | undefined {
		const { list, changes, chosen } = this.#state;
		const ids = chosen ? [chosen.prompt.id] : list.around(mostPlannedAround).map(({ value }) => value);
		const id = ids.find((one) => !changes.has(one));
		return id === undefined ? undefined : { what: 'changes', of: id };
	}

	isSelected(id: EntryId): boolean {
		return (this.#state.chosen?.prompt.id ?? this.#state.list.selected?.value) === id;
	}

	withChanges(id: EntryId, found: RewindChanges): RewindScreen {
		const { list, chosen } = this.#state;
		const changes = new Map(this.#state.changes).set(id, found);
		const next = list.withItems(itemsOf(this.#prompts, this.#now, changes));
		const more =
			chosen?.prompt.id === id ? { chosen: { ...chosen, list: chosen.list.withItems(choicesOf(found)) } } : {};
		return this.#with({ changes, list: next, ...more });
	}

	press(key: Key, size: Size = usualSize): Pressed<RewindAnswer> {
		if (key.name === 'escape') return { answer: undefined };
		const { list, chosen, changes } = this.#state;
		if (chosen) return this.#pressChosen(chosen, key, size);
		const pressed = list.press(key);
		if (pressed === undefined) return this;
		if (!('chosen' in pressed)) return this.#with({ list: pressed });
		const prompt = this.#prompts.find(({ id }) => id === pressed.chosen);
		if (!prompt) return this;
		const what = new List(choicesOf(changes.get(prompt.id)), { wraps: true });
		return this.#with({ chosen: { prompt, list: what, scroll: 0 } });
	}

	#pressChosen(chosen: NonNullable<State['chosen']>, key: Key, size: Size): Pressed<RewindAnswer> {
		const { prompt, list } = chosen;
		const scroll = dialogScroll(this.#parts(chosen, size, plainTheme), chosen.scroll, key, size);
		if (scroll !== undefined) return this.#with({ chosen: { ...chosen, scroll } });
		const pressed = list.press(key);
		if (pressed === undefined) return this;
		if (!('chosen' in pressed)) return this.#with({ chosen: { ...chosen, list: pressed } });
		const what = pressed.chosen;
		if (what !== 'back') {
			return { answer: { to: prompt.id, conversation: what !== 'files', files: what !== 'conversation' } };
		}
		const { chosen: _, ...rest } = this.#state;
		return new RewindScreen(this.#prompts, this.#now, rest);
	}

	#with(more: Partial<State>): RewindScreen {
		return new RewindScreen(this.#prompts, this.#now, { ...this.#state, ...more });
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { list, chosen } = this.#state;
		if (chosen) return dialogRows(this.#parts(chosen, size, theme), chosen.scroll, size, theme);
		const about = wrapped('Back to before a prompt: it can be edited and sent again.', size.width, theme.dim);
		return listRows({ title: 'Rewind', about, none: 'Nothing was said yet.' }, list, size, theme, [
			'Enter to go on',
			'↑↓',
			'type to filter',
			'Esc to cancel',
		]);
	}

	#parts({ prompt, list }: NonNullable<State['chosen']>, { width }: Size, theme: Theme): DialogParts {
		const found = this.#state.changes.get(prompt.id);
		return {
			head: [titleRow('Back to before this prompt', ageOf(prompt, this.#now), width, theme)],
			body: [...framed(prompt.text, undefined, undefined, width), ...changeRows(found, width, theme)],
			question: ['What goes back?'],
			list,
			hints: [found ? '↑↓ Enter or a digit' : '↑↓ Enter', 'Esc to cancel'],
		};
	}
}

function ageOf({ time }: RewindPrompt, now: number): string {
	return time === undefined ? '' : ageText(time, now);
}

function itemsOf(
	prompts: readonly RewindPrompt[],
	now: number,
	changes: ReadonlyMap<EntryId, RewindChanges>,
): readonly ListItem<EntryId>[] {
	return prompts.map((prompt) => {
		const found = changes.get(prompt.id);
		return {
			value: prompt.id,
			label: prompt.text,
			below: [ageOf(prompt, now), found ? sumText(found) : '…'].filter((part) => part !== '').join(' · '),
		};
	});
}

/** `2 files +4 -1`. */
function sumText({ files }: RewindChanges): string {
	const left = files.filter(({ conflict }) => conflict === undefined);
	if (left.length === 0) return 'no file would change';
	const sum = (count: (file: RewindFile) => number | undefined): number =>
		left.reduce((all, file) => all + (count(file) ?? 0), 0);
	const isCounted = left.some(({ added }) => added !== undefined);
	const lines = isCounted ? ` +${sum(({ added }) => added)} -${sum(({ removed }) => removed)}` : '';
	return `${countOf(left.length, 'file')}${lines}`;
}

/** Files are not offered before it is known what would happen to them; nor are digits, which would mean something else a moment later. */
function choicesOf(found: RewindChanges | undefined): readonly ListItem<What>[] {
	const files = found?.files.some(({ conflict }) => conflict === undefined) ?? false;
	const conversation: readonly ListItem<What>[] = [{ value: 'conversation', label: 'Only the conversation' }];
	const back: readonly ListItem<What>[] = [{ value: 'back', label: 'Choose another prompt' }];
	if (!found) return [...conversation, ...back];
	return numbered<What>([
		files ? { value: 'both', label: 'The conversation and the files' } : undefined,
		...conversation,
		files ? { value: 'files', label: 'Only the files' } : undefined,
		...back,
	]);
}

function changeRows(found: RewindChanges | undefined, width: number, theme: Theme): readonly string[] {
	if (!found) return wrapped('Looking at the files …', width, theme.dim);
	const { files, warnings } = found;
	return [
		...(files.length === 0 ? wrapped('No file would change.', width, theme.dim) : []),
		...files.flatMap(({ path, added, removed, conflict }) =>
			conflict === undefined
				? wrapped(`${path}  ${lineCounts(added, removed)}`, width, undefined, '  ')
				: wrapped(`${path} stays as it is: ${conflict}`, width, theme.warn, '  '),
		),
		...warnings.flatMap((warning) => wrapped(warning, width, theme.warn, '! ')),
	];
}

function lineCounts(added: number | undefined, removed: number | undefined): string {
	return added === undefined && removed === undefined ? '' : `+${added ?? 0} -${removed ?? 0}`;
}
