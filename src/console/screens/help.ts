/** The /help screen: its tabs (keys, commands, those of files, skills, prompts), and what stands where there are none. */
import { type Bindings, keyList } from '../keys.ts';
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

export function helpScreen(bindings: Bindings, commands: readonly HelpCommand[]): Screen<HelpAnswer> {
	const keys = keyList(bindings).map(([label, detail]) => ({ value: undefined, label, detail }));
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
