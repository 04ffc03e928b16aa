/** The /model screen: who can answer, what each model takes and costs, and that any name may be typed. */
import type { ModelHere } from '../../client/models-here.ts';
import type { Theme } from '../theme.ts';
import { List, listRows } from './list.ts';
import { wrapped } from './parts.ts';
import type { Key, Pressed, Screen, Size } from './screen.ts';

/** The name with its provider, as `/model` takes it; undefined where it stays as it is. */
export type ModelAnswer = string | undefined;

export class ModelsScreen implements Screen<ModelAnswer> {
	readonly #now: string;
	readonly #list: List<string>;

	/** `now`: who answers, with its provider. */
	constructor(models: readonly ModelHere[], now: string, list?: List<string>) {
		this.#now = now;
		this.#list =
			list ??
			new List(
				models.map((model) => itemOf(model, now)),
				{
					...{ filters: true, aligned: true },
					at: Math.max(
						0,
						models.findIndex(({ name }) => name === now),
					),
				},
			);
	}

	press(key: Key): Pressed<ModelAnswer> {
		if (key.name === 'escape') return { answer: undefined };
		const own = this.#own;
		if (key.name === 'enter' && own !== undefined) return { answer: own };
		const pressed = this.#list.press(key);
		if (pressed === undefined) return this;
		return 'chosen' in pressed ? { answer: pressed.chosen } : new ModelsScreen([], this.#now, pressed);
	}

	/** What was typed, where no listed model has it: no list knows all. */
	get #own(): string | undefined {
		const text = this.#list.filter.text.trim();
		return this.#list.left.length === 0 && /^\S+$/.test(text) ? text : undefined;
	}

	rows(size: Size, theme: Theme): readonly string[] {
		const { width } = size;
		const about = wrapped(`${this.#now} answers now.`, width, theme.dim);
		const none = 'No provider is set up: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OLLAMA_HOST set one up.';
		const input = this.#own === undefined ? {} : { input: this.#list.filter.row('Enter takes: ', width, theme) };
		return listRows({ title: 'Model', about, none, ...input }, this.#list, size, theme, [
			'Enter to use from now on',
			'type to filter, or any PROVIDER/NAME',
			'Esc to keep',
		]);
	}
}

function itemOf(model: ModelHere, now: string) {
	const { name, window, input, output, isDefault } = model;
	const facts = [
		...(window === undefined ? [] : [`${tokens(window)} tokens`]),
		...(input === undefined || output === undefined ? [] : [`$${input}/$${output} per M tokens`]),
		...(isDefault ? ['default'] : []),
	];
	return { value: name, label: name, detail: facts.join(' · '), mark: name === now ? '✔' : ' ' };
}

/** `200k`, `1M`. */
function tokens(count: number): string {
	return count >= 1e6 ? `${Math.round(count / 1e5) / 10}M` : `${Math.round(count / 1000)}k`;
}
