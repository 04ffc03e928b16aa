/** The console's dialog for what an MCP server asks: a form field by field, or an address; which keys accept, decline and cancel. In plain lines: cli/ask/ask-elicitation.ts. */
import {
	type ElicitAnswer,
	type Elicitation,
	type ElicitValue,
	type FormField,
	fieldQuestion,
	fieldsOf,
	fieldValue,
} from '../../mcp/elicitation.ts';
import { framed } from '../../terminal/question-frame.ts';
import { plainTheme, type Theme } from '../theme.ts';
import { ChoiceDialog } from './choice-dialog.ts';
import { type DialogParts, dialogRows, dialogScroll } from './dialog.ts';
import { Input } from './input.ts';
import { shown, titleRow, wrapped } from './parts.ts';
import { type Key, type Pressed, type Screen, type Size, usualSize } from './screen.ts';

const cancelled: ElicitAnswer = { action: 'cancel' };

export function elicitationScreen(asked: Elicitation): Screen<ElicitAnswer> {
	const fields = asked.mode === 'form' ? fieldsOf(asked.schema) : [];
	if (fields.length > 0) return new FormScreen(asked.server, asked.message, fields);
	return new ChoiceDialog<ElicitAnswer>({
		title: titleOf(asked.server),
		body: (width, theme) => [
			...framed(asked.message, undefined, undefined, width),
			// The address is shown whole and opened by nobody but the user: it may be anybody's.
			...(asked.mode === 'url' ? framed(asked.url, theme.link, 'address', width) : []),
		],
		question: asked.mode === 'url' ? 'Visit it in your browser?' : 'Agree?',
		items: [
			{ key: '1', label: 'No', value: { answer: { action: 'decline' } } },
			{
				key: '2',
				label: asked.mode === 'url' ? 'Yes, I have opened it or will do so' : 'Yes',
				value: { answer: asked.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: {} } },
			},
		],
		safe: cancelled,
		leave: 'to stop',
	});
}

function titleOf(server: string): string {
	return `The MCP server ${server} asks`;
}

interface State {
	readonly now: number;
	readonly input: Input;
	readonly content: { readonly [field: string]: ElicitValue };
	readonly problem?: string;
	readonly scroll: number;
}

class FormScreen implements Screen<ElicitAnswer> {
	readonly #asked: readonly [server: string, message: string, fields: readonly FormField[]];
	readonly #state: State;

	constructor(server: string, message: string, fields: readonly FormField[], state?: State) {
		this.#asked = [server, message, fields];
		this.#state = state ?? { now: 0, input: new Input(), content: {}, scroll: 0 };
	}

	press(key: Key, size: Size = usualSize): Pressed<ElicitAnswer> {
		if (key.name === 'escape') return { answer: cancelled };
		if (key.name === 'ctrl+d') return { answer: { action: 'decline' } };
		const { now, input, scroll } = this.#state;
		const scrolled = dialogScroll(this.#parts(size, plainTheme), scroll, key, size);
		if (scrolled !== undefined) return scrolled === scroll ? this : this.#with({ ...this.#state, scroll: scrolled });
		if (key.name === 'enter') return this.#enter();
		if (now >= this.#asked[2].length) return this;
		const next = input.press(key);
		if (!next) return this;
		const { problem: _, ...rest } = this.#state;
		return this.#with({ ...rest, input: next });
	}

	#enter(): Pressed<ElicitAnswer> {
		const { now, input, content } = this.#state;
		const field = this.#asked[2][now];
		if (!field) return { answer: { action: 'accept', content } };
		const read = fieldValue(field, input.text);
		if ('problem' in read) return this.#with({ ...this.#state, problem: read.problem });
		const more = read.value === undefined ? content : { ...content, [field.name]: read.value };
		return this.#with({ now: now + 1, input: new Input(), content: more, scroll: 0 });
	}

	#with(state: State): FormScreen {
		return new FormScreen(...this.#asked, state);
	}

	rows(size: Size, theme: Theme): readonly string[] {
		return dialogRows(this.#parts(size, theme), this.#state.scroll, size, theme);
	}

	#parts({ width }: Size, theme: Theme): DialogParts {
		const [server, message, fields] = this.#asked;
		const { now, input, content, problem } = this.#state;
		const field = fields[now];
		const count = field ? `${now + 1} of ${fields.length}` : 'to be sent';
		const head = [titleRow(titleOf(server), count, width, theme)];
		const said = framed(message, undefined, undefined, width);
		if (!field) {
			const filled = Object.entries(content).flatMap(([name, value]) => framed(String(value), undefined, name, width));
			const sends = filled.length === 0 ? wrapped('Nothing was filled in.', width) : filled;
			return {
				head,
				body: [...said, ...sends],
				question: ['Send this?'],
				hints: ['Enter to send', 'Ctrl-D for no', 'Esc to stop'],
			};
		}
		return {
			head,
			body: [...said, ...fieldRows(field, width, theme)],
			question: [
				shown(fieldQuestion(field), width),
				...(problem === undefined ? [] : wrapped(problem, width, theme.bad).slice(0, 2)),
			],
			input: input.row('❯ ', width, theme),
			hints: ['Enter to go on', 'Ctrl-D for no', 'Esc to stop'],
		};
	}
}

/** What the server says about a field: each row is marked as its own. */
function fieldRows({ title, about, choices, usual }: FormField, width: number, theme: Theme): readonly string[] {
	return [
		...framed(`${title}${about === undefined ? '' : `, ${about}`}`.replaceAll('\n', ' '), theme.bold, undefined, width),
		...choices.flatMap((choice, at) => framed(choice.title.replaceAll('\n', ' '), undefined, String(at + 1), width)),
		...(usual === undefined ? [] : framed(String(usual), undefined, 'Enter means', width)),
	];
}
