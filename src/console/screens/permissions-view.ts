/** The /permissions screen: the rules that allow, ask and deny here, which file or flag each is from, the folders, and what waits for trust. */
import type { PermissionMode } from '../../agent/contracts.ts';
import type { Rule, Rules } from '../../agent/permissions/rule.ts';
import type { Waiting } from '../../host/settings/project-offers.ts';
import type { ListItem } from './list.ts';
import type { Screen } from './screen.ts';
import { type Tab, TabsScreen } from './tabs.ts';

export interface PermissionsShown {
	readonly mode: PermissionMode;
	readonly rules: Rules;
	/** Rules that were given when somebody was asked, or that a command brought: where they are kept, or for how long they hold. */
	readonly granted: readonly Rule[];
	readonly folders: readonly string[];
	readonly trusted: boolean;
	readonly waiting: readonly Waiting[];
}

export function permissionsScreen(shown: PermissionsShown): Screen<undefined> {
	const { mode, rules, granted, folders, trusted, waiting } = shown;
	const waits = waiting.flatMap(({ what, items }) => items.map((item) => plain(item, `${what}, wait for trust`)));
	const tabs: readonly Tab<undefined>[] = [
		{ name: 'Allow', items: [...granted, ...rules.allow].map(itemOf), none: 'No rule allows anything.' },
		{ name: 'Ask', items: rules.ask.map(itemOf), none: 'No rule asks.' },
		{ name: 'Deny', items: rules.deny.map(itemOf), none: 'No rule denies anything.' },
		{ name: 'Folders', items: folders.map((folder) => plain(folder)), none: 'No folder.' },
		...(waits.length === 0 ? [] : [{ name: 'Waiting', items: waits, none: '' }]),
	];
	const about = `Mode ${mode}. The folder is ${trusted ? 'trusted' : 'not trusted'}.`;
	return new TabsScreen<undefined>({ title: 'Permissions', about }, tabs);
}

function itemOf({ text, where }: Rule): ListItem<undefined> {
	return plain(text, where ?? 'built in');
}

function plain(label: string, below?: string): ListItem<undefined> {
	return { value: undefined, label, ...(below === undefined ? {} : { below }) };
}
