/** The /hooks screen: the hooks that are called here, each with its event and matcher. */
import { type HookSetting, handlerText } from '../../host/hooks/hook-settings.ts';
import type { Screen } from './screen.ts';
import { TabsScreen } from './tabs.ts';

export function hooksScreen(hooks: readonly HookSetting[]): Screen<undefined> {
	const about = 'They are set up in the settings files of Claude Code.';
	return new TabsScreen<undefined>({ title: 'Hooks', about }, [
		{
			name: 'Hooks',
			none: 'No hook is called here.',
			items: hooks.map(({ event, matcher, handler }) => ({
				value: undefined,
				label: `${event}${matcher === undefined ? '' : ` (${matcher})`}`,
				below: handlerText(handler),
			})),
		},
	]);
}
