/** The /context screen: what fills the next request, as a bar and in tokens; its signs and colours, and the warning where it is more than the model takes. */
import { countText } from '../../export/count-text.ts';
import { clip } from '../../terminal/print.ts';
import { textWidth } from '../../terminal/width.ts';
import type { Meaning, Theme } from '../theme.ts';
import { shown, wrapped } from './parts.ts';
import type { Screen } from './screen.ts';
import { TextScreen } from './text-screen.ts';

export interface ContextShown {
	readonly model: string;
	/** Tokens by what they are for, estimated: system prompt, tools, messages … */
	readonly parts: { readonly [part: string]: number };
	/** The tokens that the model can take, where that is known. */
	readonly window?: number;
	/** The share of the window above which the conversation is compacted by itself; absent where it is not. */
	readonly compactAt?: number;
}

const paints: readonly Meaning[] = ['accent', 'warn', 'good', 'modeEdits', 'code', 'bad'];
/** Without colours the parts differ by their signs. */
const signs: readonly string[] = ['◼', '=', '#', '+', '*', '%'];
const free = '.';

export function contextScreen(context: ContextShown): Screen<undefined> {
	return new TextScreen({
		title: 'Context',
		right: context.model,
		body: (width, theme) => bodyOf(context, width, theme),
	});
}

function bodyOf({ parts, window, compactAt }: ContextShown, width: number, theme: Theme): readonly string[] {
	const list = Object.entries(parts);
	const used = list.reduce((sum, [, tokens]) => sum + tokens, 0);
	const whole = Math.max(window ?? 0, used, 1);
	const share = (tokens: number): string => (window === undefined ? '' : ` (${percent(tokens / window)})`);
	const sum = `about ${countText(used)}${window === undefined ? '' : ` of ${countText(window)}`} tokens${share(used)}`;
	const longest = Math.max(...list.map(([name]) => textWidth(name)), 'free'.length);
	const named = Math.min(longest, width >> 1);
	const row = (sign: string, name: string, tokens: number): string => {
		const label = shown(name, named);
		const blanks = ' '.repeat(named - textWidth(label));
		return `  ${sign} ${clip(`${label}${blanks} ${countText(tokens).padStart(9)}${share(tokens)}`, width - 4)}`;
	};
	return [
		...wrapped(`The next request holds ${sum}.`, width),
		barOf(list, whole, width, theme),
		...list.map(([name, tokens], at) => row(signOf(at, theme), name, tokens)),
		...(window === undefined
			? wrapped('How much the model can take is not known.', width, theme.dim)
			: [row(theme.dim(free), 'free', Math.max(0, window - used))]),
		...(window !== undefined && compactAt !== undefined
			? wrapped(`From ${percent(compactAt)} on the conversation is compacted by itself.`, width, theme.dim)
			: []),
		...(window !== undefined && used > window
			? wrapped('It is more than the model can take: /compact makes it shorter.', width, theme.bad)
			: []),
	];
}

function signOf(at: number, theme: Theme, count = 1): string {
	return theme[paints[at % paints.length] ?? 'accent']((signs[at % signs.length] ?? '#').repeat(count));
}

/** Each part that is there has a column at least. */
function barOf(list: readonly (readonly [string, number])[], whole: number, width: number, theme: Theme): string {
	const room = Math.max(4, Math.min(width - 2, 100));
	let [row, left] = ['', room];
	for (const [at, [, tokens]] of list.entries()) {
		const columns = Math.min(left, tokens === 0 ? 0 : Math.max(1, Math.round((tokens / whole) * room)));
		row += signOf(at, theme, columns);
		left -= columns;
	}
	return `  ${row}${theme.dim(free.repeat(left))}`;
}

function percent(share: number): string {
	return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`;
}
