/** Key bindings: the defaults, how keys are spelled, those that nobody can take away, and what is said of collisions. What an action does: key-actions.ts. */
import { compact } from '../model/index.ts';

/** Each action with what it does, as help shows it, and its keys. Keys of lists and dialogs are fixed: their hints name them. */
export const actions = {
	submit: { about: 'send the prompt', keys: ['enter'] },
	newline: { about: 'begin a new line', keys: ['shift+enter', 'alt+enter', 'ctrl+j'] },
	interrupt: { about: 'stop what runs; twice on an empty line: rewind', keys: ['escape'] },
	clear: { about: 'clear the line, then stop, twice: leave', keys: ['ctrl+c'] },
	exit: { about: 'leave, on an empty line', keys: ['ctrl+d'] },
	suspend: { about: 'go to the background (fg comes back)', keys: ['ctrl+z'] },
	mode: { about: 'the next permission mode', keys: ['shift+tab'] },
	expand: { about: 'show all of the last output', keys: ['ctrl+o'] },
	tasks: { about: 'show or hide the task list', keys: ['ctrl+t'] },
	thinking: { about: 'show or hide what was thought', keys: ['alt+t'] },
	editor: { about: 'write the prompt in your editor', keys: ['ctrl+g'] },
	picture: { about: 'take a picture from the clipboard along', keys: ['ctrl+v'] },
	history: { about: 'search earlier prompts', keys: ['ctrl+r'] },
	later: { about: 'while an answer is written: send the prompt after it', keys: ['tab'] },
	queued: { about: 'take queued prompts back to edit them', keys: ['alt+up'] },
	model: { about: 'choose who answers', keys: ['alt+m'] },
	redraw: { about: 'draw the screen anew', keys: ['ctrl+l'] },
} as const satisfies { readonly [action: string]: { readonly about: string; readonly keys: readonly string[] } };

export type Action = keyof typeof actions;
export const actionNames = Object.keys(actions) as readonly Action[];

/** The user's: one key or several by action; an empty list takes all away. */
export type KeySettings = { readonly [action in Action]?: readonly string[] };

export interface Bindings {
	/** What a key does; undefined for one that is typed. */
	of(key: string): Action | undefined;
	keysOf(action: Action): readonly string[];
	/** What was wrong, one line each. */
	readonly notes: readonly string[];
}

/** Keys that nothing takes away: without them nobody could leave, or send anything. */
const fixed = { 'ctrl+c': 'clear', enter: 'submit' } as const satisfies { readonly [key: string]: Action };

/** A key that can be pressed for a binding: one that neither types something nor moves through a text or a list. */
export function isBindable(key: string): boolean {
	return /^(?:ctrl|alt)\+|^f\d/.test(keyName(key) ?? '');
}

const named =
	/^(?:up|down|left|right|enter|escape|tab|backspace|delete|pageup|pagedown|home|end|space|insert|f(?:[1-9]|1[0-2]))$/;

/** `Ctrl-O`, `C-o` and `ctrl+o` are `ctrl+o`; undefined for what is no key, or one that types something. */
export function keyName(text: string): string | undefined {
	const parts = text
		.trim()
		.toLowerCase()
		.split(/[+-](?=.)/);
	const name = spelled(parts.pop() ?? '');
	const modifiers = new Set(parts.map((part) => (Object.hasOwn(long, part) ? (long[part] ?? part) : part)));
	if (![...modifiers].every((one) => order.includes(one))) return undefined;
	const isChar = [...name].length === 1;
	if (!isChar && !named.test(name)) return undefined;
	if (isChar && !modifiers.has('ctrl') && !modifiers.has('alt')) return undefined;
	return [...order.filter((one) => modifiers.has(one)), name].join('+');
}

const order: readonly string[] = ['ctrl', 'alt', 'shift'];
const long: { readonly [short: string]: string } = {
	c: 'ctrl',
	control: 'ctrl',
	m: 'alt',
	meta: 'alt',
	option: 'alt',
	s: 'shift',
};
const others: { readonly [name: string]: string } = {
	esc: 'escape',
	return: 'enter',
	del: 'delete',
	pgup: 'pageup',
	pgdn: 'pagedown',
};

function spelled(name: string): string {
	return Object.hasOwn(others, name) ? (others[name] ?? name) : name;
}

/** `Ctrl-O`, as hints show it. */
export function keyLabel(key: string): string {
	return key
		.split(/\+(?=.)/)
		.map((part) =>
			part.length === 1 ? part.toUpperCase() : (labels[part] ?? part.charAt(0).toUpperCase() + part.slice(1)),
		)
		.join('-');
}

const labels: { readonly [name: string]: string } = {
	escape: 'Esc',
	pageup: 'PgUp',
	pagedown: 'PgDn',
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
};

/** The user's bindings come before the defaults; of two for one key, the first counts, and the other is told. */
export function bindings(settings: KeySettings = {}): Bindings {
	const byKey = new Map<string, Action>();
	const notes: string[] = [];
	const bind = (action: Action, given: readonly string[], tell: boolean): void => {
		for (const text of given) {
			const key = keyName(text);
			const taken = key === undefined ? undefined : byKey.get(key);
			if (key === undefined) notes.push(`keys.${action}: ${text} is no key that can be bound`);
			else if (taken === undefined) byKey.set(key, action);
			else if (tell && taken !== action)
				notes.push(`${keyLabel(key)} is to ${actions[taken].about}: it cannot also ${actions[action].about}`);
		}
	};
	for (const [key, action] of Object.entries(fixed)) byKey.set(key, action);
	if (settings.clear !== undefined) notes.push(`keys.clear: it stays ${actions.clear.keys.map(keyLabel).join(', ')}`);
	const own = actionNames.filter((action) => action !== 'clear' && settings[action] !== undefined);
	for (const action of own) bind(action, settings[action] ?? [], true);
	for (const action of actionNames) if (!own.includes(action)) bind(action, actions[action].keys, false);
	const keysOf = (action: Action): readonly string[] =>
		[...byKey].flatMap(([key, bound]) => (bound === action ? [key] : []));
	for (const action of actionNames) {
		if (keysOf(action).length > 0 || own.includes(action)) continue;
		const taken = actions[action].keys.map(
			(key) => `${keyLabel(key)} is to ${actions[byKey.get(key) ?? action].about}`,
		);
		notes.push(`No key is left to ${actions[action].about}: ${taken.join(', ')}`);
	}
	return { of: (key) => byKey.get(key), keysOf, notes };
}

/** What is typed beside the keys that can be bound. */
const signs: readonly (readonly [string, string])[] = [
	['↑ ↓', 'the cursor, then what was typed before; on an empty line: what waits to be sent'],
	['\\ Enter', 'a new line in any terminal'],
	['/', 'a command'],
	['@', 'a file'],
	['!', 'a shell command, which the model is told of'],
	['?', 'on an empty line: these keys'],
];

/** Every key with what it does, as help shows it. */
export function keyList(bound: Bindings): readonly (readonly [string, string])[] {
	return [
		...actionNames.map(
			(action) => [bound.keysOf(action).map(keyLabel).join(', ') || '(no key)', actions[action].about] as const,
		),
		...signs,
	];
}

/** The settings with other keys for an action; its own defaults are no setting. */
export function rebound(settings: KeySettings, action: Action, keys: readonly string[] | undefined): KeySettings {
	return compact({ ...settings, [action]: keys }) as KeySettings;
}
