/** The session picker: its keys, filters by project and branch, search, preview and renaming, and what each row says. Its data: ../pickers/resume.ts. */
import { dollarText } from '../../export/count-text.ts';
import type { FormatId } from '../../model/index.ts';
import { clipPath } from '../../terminal/print.ts';
import { framed } from '../../terminal/question-frame.ts';
import { plainTheme, type Theme } from '../theme.ts';
import { ageText } from './age.ts';
import { type DialogParts, dialogRows, dialogScroll } from './dialog.ts';
import { Input } from './input.ts';
import { List, type ListItem, listRows } from './list.ts';
import { titleRow, wrapped } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, typed, usualSize, type Want } from './screen.ts';

/** A session as the catalog lists it, and what only whoever asks can know. */
export interface PickedSession {
	readonly id: string;
	readonly path: string;
	readonly agent: string;
	readonly format: FormatId;
	readonly title: string | null;
	readonly gitBranch: string | null;
	/** As its user writes it: `~/project`. */
	readonly folder: string;
	/** Milliseconds. */
	readonly updated: number;
	/** Null: it has no known price. Absent: nobody has counted yet. */
	readonly costUsd?: number | null;
	/** Whether some program writes it now; `open`: this one does. */
	readonly state: 'open' | 'running' | 'idle' | 'unknown';
	/** It belongs to the project that the console is in. */
	readonly here: boolean;
	/** It begins with what was said in another one: a fork, or what a hand-off made. */
	readonly copyOf?: string;
	/** In another folder than the console: of this project, a worktree or a folder above or below. */
	readonly elsewhere: boolean;
}

/** Something that was said, found by its words. */
export interface SaidHit {
	readonly path: string;
	readonly entry: string;
	readonly agent: string;
	readonly title: string | null;
	readonly snippet: string;
	readonly time: number | null;
	/** Other sessions in which the same was said: forks, copies. */
	readonly also?: readonly string[];
}

export type SessionAnswer =
	| { readonly is: 'open'; readonly path: string; readonly entry?: string }
	| { readonly is: 'new' }
	/** Renames it, and goes on with `then`, which is given the sessions anew. */
	| { readonly is: 'rename'; readonly path: string; readonly title: string; readonly then: SessionsScreen }
	| undefined;

export interface SessionsGiven {
	readonly sessions: readonly PickedSession[];
	/** Milliseconds, by the clock of whoever asks. */
	readonly now: number;
	/** The branch that is checked out here. */
	readonly branch?: string;
	/** Without a row that begins a new session. */
	readonly onlyOld?: boolean;
}

/** So many rows below and above the selected one have their costs counted without being asked about. */
const mostPricedAround = 50;

/** The list needs most of a small screen. */
const mostProblem = 4;

/** A path of a session, a hit, or a new session. */
type Row = { readonly path: string; readonly entry?: string } | 'new';

interface State {
	readonly scope: 'here' | 'all';
	readonly onBranch: boolean;
	readonly list: List<Row>;
	/** Full-text search: what was typed, and what came of which question. */
	readonly search?: { readonly input: Input; readonly answered?: string; readonly hits: readonly SaidHit[] };
	readonly preview?: { readonly path: string; readonly text?: string; readonly scroll: number };
	readonly rename?: { readonly path: string; readonly input: Input };
	/** Costs that take long to count: only of the row that the cursor stands on. */
	readonly later: ReadonlySet<string>;
	/** Why what was asked for last was not done; until the next key. */
	readonly problem?: string;
}

const sameRow = (a: Row, b: Row): boolean =>
	a === b || (a !== 'new' && b !== 'new' && a.path === b.path && a.entry === b.entry);

export class SessionsScreen implements Screen<SessionAnswer> {
	readonly #given: SessionsGiven;
	readonly #state: State;

	constructor(given: SessionsGiven, state?: State) {
		this.#given = given;
		const scope = given.sessions.some(({ here }) => here) ? 'here' : 'all';
		this.#state = state ?? {
			scope,
			onBranch: false,
			later: new Set(),
			list: listOf(given, scope, false),
		};
	}

	get wants(): Want | undefined {
		const { preview, search } = this.#state;
		if (preview && preview.text === undefined) return { what: 'preview', of: preview.path };
		const question = search?.input.text.trim() ?? '';
		if (question.length >= 2 && search?.answered !== question) return { what: 'search', of: question };
		const { list, later } = this.#state;
		// The row with the cursor first, then those around it, which are on the screen.
		const of = list.around(mostPricedAround).find(({ value }, place) => {
			const session = value === 'new' ? undefined : this.sessionAt(value.path);
			return session && session.costUsd === undefined && (place === 0 || !later.has(session.path));
		})?.value;
		return of === undefined || of === 'new' ? undefined : { what: 'cost', of: of.path };
	}

	isSelected(path: string): boolean {
		const row = this.#state.list.selected?.value;
		return row !== undefined && row !== 'new' && row.path === path;
	}

	/** It is counted when the cursor comes to it. */
	withLater(path: string): SessionsScreen {
		return this.#with({ later: new Set(this.#state.later).add(path) });
	}

	sessionAt(path: string): PickedSession | undefined {
		return this.#given.sessions.find((one) => one.path === path);
	}

	/** What a session has cost; null where that cannot be known. */
	withCost(path: string, costUsd: number | null): SessionsScreen {
		return this.withSessions(this.#given.sessions.map((one) => (one.path === path ? { ...one, costUsd } : one)));
	}

	/** The beginning or end of a conversation, as text. One that is no longer looked at is left out. */
	withPreview(path: string, text: string): SessionsScreen {
		const { preview } = this.#state;
		return preview?.path === path ? this.#with({ preview: { ...preview, text } }) : this;
	}

	/** An answer to an older question than the one that is typed now is left out. */
	withHits(question: string, hits: readonly SaidHit[]): SessionsScreen {
		const { search, list } = this.#state;
		if (search?.input.text.trim() !== question) return this;
		const items = hits.map((hit) => hitItem(hit, this.sessionAt(hit.path)?.folder, this.#given.now));
		return this.#with({ search: { ...search, answered: question, hits }, list: new List(items, { at: list.at }) });
	}

	/** The list as it is now. */
	withSessions(sessions: readonly PickedSession[]): SessionsScreen {
		const given = { ...this.#given, sessions };
		const { scope, onBranch, list, search } = this.#state;
		if (search) return new SessionsScreen(given, this.#state);
		return new SessionsScreen(given, {
			...this.#state,
			list: list.withItems(itemsOf(given, scope, onBranch), sameRow),
		});
	}

	withProblem(problem: string): SessionsScreen {
		return this.#with({ problem });
	}

	press(key: Key, size: Size = usualSize): Pressed<SessionAnswer> {
		if (key.name === 'escape') return { answer: undefined };
		const { problem, ...state } = this.#state;
		if (problem !== undefined) return new SessionsScreen(this.#given, state).press(key, size);
		const { preview, rename, search } = state;
		if (rename) return this.#pressRename(rename, key);
		if (preview) return this.#pressPreview(preview, key, size);
		const row = this.#state.list.selected?.value;
		switch (key.name) {
			case 'ctrl+n':
				return this.#given.onlyOld ? this : { answer: { is: 'new' } };
			case 'tab':
				return search
					? this.#listed({})
					: this.#with({ search: { input: this.#state.list.filter, hits: [] }, list: new List<Row>([]) });
			case 'ctrl+a':
				return search ? this : this.#listed({ scope: this.#state.scope === 'all' ? 'here' : 'all' });
			case 'ctrl+b':
				return search ? this : this.#listed({ onBranch: !this.#state.onBranch });
			case 'right':
				return this.#look(row);
			case 'ctrl+r':
				return this.#rename(row);
			default:
				if (typed(key) === ' ' && this.#typed === '') return this.#look(row);
				return search ? this.#pressSearch(search, key) : this.#pressList(key);
		}
	}

	get #typed(): string {
		return (this.#state.search?.input ?? this.#state.list.filter).text;
	}

	#with(more: Partial<State>): SessionsScreen {
		return new SessionsScreen(this.#given, { ...this.#state, ...more });
	}

	/** Back to the list of sessions, of that scope. */
	#listed(more: Partial<Pick<State, 'scope' | 'onBranch'>>): SessionsScreen {
		const { search, list, ...rest } = this.#state;
		const next = { ...rest, ...more };
		const items = itemsOf(this.#given, next.scope, next.onBranch);
		const kept = search ? listOf(this.#given, next.scope, next.onBranch) : list.withItems(items, sameRow);
		return new SessionsScreen(this.#given, { ...next, list: kept });
	}

	#look(row: Row | undefined): SessionsScreen {
		return row === undefined || row === 'new' ? this : this.#with({ preview: { path: row.path, scroll: 0 } });
	}

	#rename(row: Row | undefined): SessionsScreen {
		const session = row === 'new' || row === undefined ? undefined : this.sessionAt(row.path);
		if (!session) return this;
		return this.#with({ rename: { path: session.path, input: new Input(session.title ?? '') } });
	}

	#pressList(key: Key): Pressed<SessionAnswer> {
		const pressed = this.#state.list.press(key);
		if (pressed === undefined) return this;
		return 'chosen' in pressed ? { answer: opened(pressed.chosen) } : this.#with({ list: pressed });
	}

	#pressSearch(search: NonNullable<State['search']>, key: Key): Pressed<SessionAnswer> {
		const input = key.name === 'home' || key.name === 'end' ? undefined : search.input.press(key);
		return input ? this.#with({ search: { ...search, input } }) : this.#pressList(key);
	}

	#pressPreview(preview: NonNullable<State['preview']>, key: Key, size: Size): Pressed<SessionAnswer> {
		if (key.name === 'enter') return { answer: { is: 'open', path: preview.path } };
		if (typed(key) === ' ' || key.name === 'left') {
			const { preview: _, ...rest } = this.#state;
			return new SessionsScreen(this.#given, rest);
		}
		const scroll = dialogScroll(this.#previewParts(preview, size, plainTheme), preview.scroll, key, size);
		return scroll === undefined ? this : this.#with({ preview: { ...preview, scroll } });
	}

	#pressRename({ path, input }: NonNullable<State['rename']>, key: Key): Pressed<SessionAnswer> {
		if (key.name === 'enter') {
			const { rename: _, ...rest } = this.#state;
			const then = new SessionsScreen(this.#given, rest);
			const title = input.text.trim();
			return title === '' ? then : { answer: { is: 'rename', path, title, then } };
		}
		const next = input.press(key);
		return next ? this.#with({ rename: { path, input: next } }) : this;
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { list, search, preview, rename, scope, onBranch, problem = '' } = this.#state;
		const { width } = size;
		const about = problem === '' ? [] : wrapped(problem, width, theme.warn).slice(0, mostProblem);
		if (preview) return dialogRows(this.#previewParts(preview, size, theme), preview.scroll, size, theme);
		if (rename) {
			const frame = { title: 'Rename', none: '', input: rename.input.row('Title: ', width, theme) };
			return listRows(frame, list, size, theme, ['Enter to rename', 'Esc to cancel']);
		}
		if (search) {
			const isWaiting = this.wants?.what === 'search';
			const none = isWaiting
				? 'Searching …'
				: search.answered === undefined
					? 'Type what was said.'
					: 'Nobody said that.';
			const frame = {
				title: 'Search all that was said',
				about,
				none,
				input: search.input.row('Words: ', width, theme),
			};
			return listRows(frame, list, size, theme, ['Enter to open', '→ to preview', 'Tab for the list', 'Esc to cancel']);
		}
		const where = scope === 'all' ? 'all projects' : 'this project';
		const branch = onBranch ? `, branch ${this.#given.branch ?? '?'}` : '';
		const frame = { title: `Sessions: ${where}${branch}`, about, none: 'There is no session.' };
		return listRows(frame, list, size, theme, [
			'Enter to open',
			list.filter.text === '' ? 'Space to preview' : '→ to preview',
			'Tab to search what was said',
			scope === 'all' ? 'Ctrl-A this project' : 'Ctrl-A all projects',
			onBranch ? 'Ctrl-B all branches' : 'Ctrl-B this branch',
			'Ctrl-R to rename',
			...(this.#given.onlyOld ? [] : ['Ctrl-N new']),
			'Esc to cancel',
		]);
	}

	#previewParts({ path, text }: NonNullable<State['preview']>, { width }: Size, theme: Theme): DialogParts {
		const session = this.sessionAt(path);
		return {
			head: [titleRow(session?.title ?? path, session?.agent ?? '', width, theme)],
			body: text === undefined ? [theme.dim('Reading …')] : framed(text, undefined, undefined, width),
			question: [],
			hints: ['Enter to open', 'Space to go back', 'Esc to cancel'],
		};
	}
}

function opened(row: Row): SessionAnswer {
	return row === 'new' ? { is: 'new' } : { is: 'open', ...row };
}

/** The newest session is selected: whoever wants a new one needs no list. */
function listOf(given: SessionsGiven, scope: State['scope'], onBranch: boolean): List<Row> {
	return new List<Row>(itemsOf(given, scope, onBranch), { filters: true, at: given.onlyOld ? 0 : 1 });
}

function itemsOf(given: SessionsGiven, scope: State['scope'], onBranch: boolean): readonly ListItem<Row>[] {
	const { sessions, now, branch, onlyOld = false } = given;
	const left = sessions.filter(
		({ here, gitBranch }) => (scope === 'all' || here) && (!onBranch || (branch !== undefined && gitBranch === branch)),
	);
	const items = left.map((session): ListItem<Row> => {
		const { path, title, folder, state, id } = session;
		const isRunning = state === 'running' || state === 'open';
		return {
			value: { path },
			label: title ?? '(no title)',
			below: factsOf(session, now),
			words: `${id} ${folder}`,
			...(isRunning ? { mark: '●' } : {}),
		};
	});
	return onlyOld ? items : [{ value: 'new', label: 'New session', words: 'new', paint: 'accent' }, ...items];
}

/** What there is to say of a session beside its title, in one row. */
export function factsOf(session: PickedSession, now: number): string {
	const { agent, gitBranch, folder, costUsd, elsewhere, copyOf } = session;
	const facts = [
		stateText(session, now),
		agent,
		gitBranch ?? '',
		costUsd === undefined ? '' : costUsd === null ? 'cost —' : dollarText(costUsd),
		elsewhere ? folder : '',
		copyOf === undefined ? '' : `copy of ${copyOf}`,
	];
	return facts.filter((fact) => fact !== '').join(' · ');
}

function stateText({ state, updated }: PickedSession, now: number): string {
	const age = ageText(updated, now);
	return { open: 'open here', running: 'running', idle: `idle ${age}`, unknown: `— ${age}` }[state];
}

/** Of a folder beside what was said there its end is shown. */
const widestFolder = 24;

/** The facts come before what was said: behind a long title or snippet they would not be seen. */
function hitItem(
	{ path, entry, agent, title, snippet, time, also = [] }: SaidHit,
	folder: string | undefined,
	now: number,
): ListItem<Row> {
	const copies = also.length === 0 ? '' : `also in ${also.join(', ')}`;
	const facts = [agent, time === null ? '' : ageText(time, now), clipPath(folder ?? '', widestFolder), copies, snippet];
	const below = facts.filter((fact) => fact !== '').join(' · ');
	return { value: { path, entry }, label: title ?? '(no title)', below };
}
