/** Help: the keys as they are bound, the commands that can be called, those of files, and skills. */
import { actionNames, actions, type Bindings, keyLabel } from '../keys.ts';
import type { ListItem } from './list.ts';
import type { Screen } from './screen.ts';
import { type Tab, TabsScreen } from './tabs.ts';

export interface HelpCommand {
	readonly name: string;
	readonly hint?: string | undefined;
	readonly about: string;
	readonly kind: 'built in' | 'command' | 'skill' | 'prompt';
}

/** The command to write into the prompt: `/name`. */
export type HelpAnswer = string | undefined;

/** What is typed into an empty prompt, beside the keys. */
const signs: readonly (readonly [string, string])[] = [
	['/', 'a command'],
	['@', 'a file'],
	['!', 'a shell command, which the model is told of'],
	['\\ Enter', 'a new line in any terminal'],
];

export function helpScreen(bindings: Bindings, commands: readonly HelpCommand[]): Screen<HelpAnswer> {
	const keys: readonly ListItem<HelpAnswer>[] = [
		...actionNames.map((action) => ({
			value: undefined,
			label: bindings.keysOf(action).map(keyLabel).join(', ') || '(no key)',
			detail: actions[action].about,
		})),
		...signs.map(([label, detail]) => ({ value: undefined, label, detail })),
	];
	const tab = (name: string, kind: HelpCommand['kind'], none: string): Tab<HelpAnswer> => ({
		name,
		none,
		items: commands.filter((one) => one.kind === kind).map(itemOf),
	});
	return new TabsScreen<HelpAnswer>({ title: 'Help', enter: 'write it into the prompt' }, [
		{ name: 'Keys', items: keys, none: '' },
		tab('Commands', 'built in', ''),
		tab('Own', 'command', 'There are no commands in .claude/commands.'),
		tab('Skills', 'skill', 'There are no skills in .claude/skills.'),
		...(commands.some(({ kind }) => kind === 'prompt') ? [tab('Prompts', 'prompt', '')] : []),
	]);
}

function itemOf({ name, hint, about }: HelpCommand): ListItem<HelpAnswer> {
	return { value: `/${name}`, label: `/${name}${hint === undefined ? '' : ` ${hint}`}`, below: about };
}
