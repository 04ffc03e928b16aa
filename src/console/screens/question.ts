/** The dialog for questions of the model: choices, several where that is asked for, or own words; its keys, and how answers are joined. */
import type { Verdict } from '../../agent/contracts.ts';
import { isObject, type Json, stringAt } from '../../model/index.ts';
import { framed } from '../../terminal/question-frame.ts';
import { plainTheme, type Theme } from '../theme.ts';
import { type DialogParts, dialogRows, dialogScroll } from './dialog.ts';
import { Input } from './input.ts';
import { List, type ListItem } from './list.ts';
import { titleRow } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize } from './screen.ts';

export interface AskedQuestion {
	readonly question: string;
	readonly header?: string;
	readonly options: readonly { readonly label: string; readonly description?: string }[];
	readonly several: boolean;
}

/** The answers by question; undefined where the user did not answer all of them. */
export type QuestionAnswer = { readonly [question: string]: string } | undefined;

/** The questions of a call of AskUserQuestion; what is none is left out. */
export function questionsIn(input: Json): readonly AskedQuestion[] {
	const list = isObject(input) && Array.isArray(input.questions) ? (input.questions as readonly Json[]) : [];
	return list.filter(isObject).map((one) => {
		const header = stringAt(one, 'header');
		const options = Array.isArray(one.options) ? (one.options as readonly Json[]) : [];
		return {
			question: stringAt(one, 'question') ?? '',
			...(header === undefined ? {} : { header }),
			options: options.filter(isObject).map((option) => {
				const description = stringAt(option, 'description');
				return { label: stringAt(option, 'label') ?? '', ...(description === undefined ? {} : { description }) };
			}),
			several: one.multiSelect === true,
		};
	});
}

export function questionVerdict(input: Json, answer: QuestionAnswer): Verdict {
	if (answer === undefined) return { allow: false, reason: 'the user did not answer', interrupt: true };
	return { allow: true, input: { ...(isObject(input) ? input : {}), answers: answer } };
}

/** The position of an option, or what follows them. */
type Choice = number | 'own' | 'done';

interface State {
	readonly given: { readonly [question: string]: string };
	/** The question that is asked now. */
	readonly now: number;
	readonly list: List<Choice>;
	/** Options that are chosen, where several may be. */
	readonly chosen: ReadonlySet<number>;
	/** Own words, while they are typed. */
	readonly own?: Input;
	readonly scroll: number;
}

export class QuestionScreen implements Screen<QuestionAnswer> {
	readonly #questions: readonly AskedQuestion[];
	readonly #state: State;

	constructor(questions: readonly AskedQuestion[], state?: State) {
		this.#questions = questions;
		this.#state = state ?? stateFor(questions[0], 0, {});
	}

	press(key: Key, size: Size = usualSize): Pressed<QuestionAnswer> {
		const { own, ...state } = this.#state;
		const { list, scroll } = state;
		if (key.name === 'escape') return own ? new QuestionScreen(this.#questions, state) : { answer: undefined };
		const scrolled = dialogScroll(this.#parts(size, plainTheme), scroll, key, size);
		if (scrolled !== undefined) return scrolled === scroll ? this : this.#with({ scroll: scrolled });
		if (own) return this.#pressOwn(own, key);
		const isToggle = key.name === 'space' || (key.name === 'text' && key.text === ' ');
		const pressed = isToggle && this.#several ? list.press({ name: 'enter' }) : list.press(key);
		if (pressed === undefined) return this;
		return 'chosen' in pressed ? this.#choose(pressed.chosen) : this.#with({ list: pressed });
	}

	get #question(): AskedQuestion | undefined {
		return this.#questions[this.#state.now];
	}

	get #several(): boolean {
		return this.#question?.several === true;
	}

	#with(more: Partial<State>): QuestionScreen {
		return new QuestionScreen(this.#questions, { ...this.#state, ...more });
	}

	#pressOwn(own: Input, key: Key): Pressed<QuestionAnswer> {
		if (key.name === 'enter') {
			const { own: _, ...rest } = this.#state;
			return own.text.trim() === ''
				? new QuestionScreen(this.#questions, rest)
				: this.#answer([...this.#labels(), own.text.trim()].join(', '));
		}
		const next = own.press(key);
		return next ? this.#with({ own: next }) : this;
	}

	#labels(): readonly string[] {
		const { chosen } = this.#state;
		return (this.#question?.options ?? []).flatMap(({ label }, at) => (chosen.has(at) ? [label] : []));
	}

	#choose(choice: Choice): Pressed<QuestionAnswer> {
		const { chosen, list } = this.#state;
		if (choice === 'own') return this.#with({ own: new Input() });
		if (choice === 'done') return chosen.size === 0 ? this : this.#answer(this.#labels().join(', '));
		if (!this.#several) return this.#answer(this.#question?.options[choice]?.label ?? '');
		const next = new Set(chosen);
		if (!next.delete(choice)) next.add(choice);
		return this.#with({ chosen: next, list: list.withItems(itemsOf(this.#question, next)) });
	}

	#answer(text: string): Pressed<QuestionAnswer> {
		const { given, now } = this.#state;
		const all = { ...given, [this.#question?.question ?? '']: text };
		const next = this.#questions[now + 1];
		return next ? new QuestionScreen(this.#questions, stateFor(next, now + 1, all)) : { answer: all };
	}

	rows(size: Size, theme: Theme): readonly string[] {
		return dialogRows(this.#parts(size, theme), this.#state.scroll, size, theme);
	}

	#parts({ width }: Size, theme: Theme): DialogParts {
		const { now, list, own } = this.#state;
		const { question = '', header } = this.#question ?? {};
		const count = this.#questions.length > 1 ? `${now + 1} of ${this.#questions.length}` : '';
		const title = titleRow(`The model asks${header === undefined ? '' : `: ${header}`}`, count, width, theme);
		const body = framed(question, theme.bold, undefined, width);
		if (own)
			return {
				head: [title],
				body,
				question: [],
				input: own.row('❯ ', width, theme),
				hints: ['Enter to answer', 'Esc to go back'],
			};
		const how = this.#several ? ['Space or a digit marks', 'Done sends what is marked'] : ['↑↓ Enter or a digit'];
		return { head: [title], body, question: [], list, hints: [...how, 'Esc to stop'] };
	}
}

function stateFor(question: AskedQuestion | undefined, now: number, given: State['given']): State {
	const chosen = new Set<number>();
	return { given, now, chosen, scroll: 0, list: new List(itemsOf(question, chosen), { wraps: true }) };
}

function itemsOf(question: AskedQuestion | undefined, chosen: ReadonlySet<number>): readonly ListItem<Choice>[] {
	const { options = [], several = false } = question ?? {};
	const items: ListItem<Choice>[] = options.map(({ label, description }, at) => ({
		value: at,
		label,
		...(at < 9 ? { key: String(at + 1) } : {}),
		...(several ? { mark: chosen.has(at) ? '◼' : '◻' } : {}),
		...(description === undefined || description === '' ? {} : { below: description }),
	}));
	const own = { value: 'own' as const, label: 'In my own words', ...keyFor(options.length + 1) };
	const done = { value: 'done' as const, label: `Done (${chosen.size} chosen)`, ...keyFor(options.length + 2) };
	return [...items, own, ...(several ? [done] : [])];
}

function keyFor(number: number): { readonly key?: string } {
	return number <= 9 ? { key: String(number) } : {};
}
