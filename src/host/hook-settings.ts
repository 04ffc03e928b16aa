/** The hooks of a settings file: which handler is called at which point, and for what. */
import { isObject, type Json, type JsonObject } from '../model/index.ts';

/** The points at which hooks are called. */
export const hookEvents = [
	'SessionStart',
	'SessionEnd',
	'UserPromptSubmit',
	'PreToolUse',
	'PostToolUse',
	'Stop',
	'SubagentStart',
	'SubagentStop',
	'Notification',
] as const;

export type HookEventName = (typeof hookEvents)[number];

export interface HookSetting {
	readonly event: HookEventName;
	/** A name, names with `|` between them, or a regular expression; absent: everything. */
	readonly matcher?: string;
	readonly handler: HookHandler;
}

export type HookHandler =
	| { readonly type: 'command'; readonly command: string; readonly timeoutMs: number }
	| {
			readonly type: 'http';
			readonly url: string;
			readonly headers: { readonly [name: string]: string };
			/** Variables whose values may stand in a header. */
			readonly allowedEnvVars: readonly string[];
			readonly timeoutMs: number;
	  };

/** As Claude Code waits. */
const usualTimeoutMs = 60_000;
/** The longest that a timer can wait. */
const longestTimeoutMs = 2 ** 31 - 1;

/** What can be called; `say` hears of the rest, with its field. */
export function readHooks(given: Json | undefined, say: (problem: string) => void): readonly HookSetting[] {
	if (given === undefined) return [];
	if (!isObject(given)) {
		say('hooks is not an object');
		return [];
	}
	const uncalled = Object.keys(given).filter((name) => !hookEvents.some((event) => event === name));
	if (uncalled.length > 0) say(`hooks: Reprise calls no hooks for ${uncalled.join(', ')}`);
	return hookEvents.flatMap((event) => groupsOf(event, given[event], say));
}

function groupsOf(
	event: HookEventName,
	groups: Json | undefined,
	say: (problem: string) => void,
): readonly HookSetting[] {
	if (groups === undefined) return [];
	if (!Array.isArray(groups)) {
		say(`hooks.${event} is not a list`);
		return [];
	}
	return groups.flatMap((group: Json, index) => {
		const field = `hooks.${event}[${index}]`;
		if (!isObject(group) || !Array.isArray(group.hooks)) {
			say(`${field} is left out: it has no list of hooks`);
			return [];
		}
		const { matcher } = group;
		const problem = matcherProblem(matcher);
		if (problem !== undefined) {
			say(`${field}.matcher ${problem}`);
			return [];
		}
		return group.hooks.flatMap((one: Json, place) => {
			const handler = handlerOf(one);
			if (typeof handler !== 'string')
				return [{ event, handler, ...(typeof matcher === 'string' && matcher !== '' ? { matcher } : {}) }];
			say(`${field}.hooks[${place}] is left out: ${handler}`);
			return [];
		});
	});
}

function matcherProblem(matcher: Json | undefined): string | undefined {
	if (matcher === undefined) return undefined;
	if (typeof matcher !== 'string') return 'is not a text';
	if (isPlain(matcher)) return undefined;
	try {
		new RegExp(matcher);
		return undefined;
	} catch {
		return `is no regular expression: ${matcher}`;
	}
}

/** The handler, or why it is none. */
function handlerOf(given: Json): HookHandler | string {
	if (!isObject(given)) return 'it is not an object';
	const { type, timeout } = given;
	if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
		return 'timeout is not a number of seconds';
	const timeoutMs = timeout === undefined ? usualTimeoutMs : Math.min(timeout * 1000, longestTimeoutMs);
	if (type === 'command') {
		if (typeof given.command !== 'string' || given.command.trim() === '') return 'command is missing';
		return { type, command: given.command, timeoutMs };
	}
	if (type === 'http') {
		const { url } = given;
		if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/i.test(url)) return 'url is not an http address';
		return { type, url, headers: textsOf(given.headers), allowedEnvVars: listOf(given.allowedEnvVars), timeoutMs };
	}
	return typeof type === 'string' ? `Reprise runs no hooks of the type ${type}` : 'type is missing';
}

function textsOf(given: Json | undefined): { readonly [name: string]: string } {
	const pairs = Object.entries(isObject(given) ? given : ({} as JsonObject));
	return Object.fromEntries(pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

function listOf(given: Json | undefined): readonly string[] {
	return Array.isArray(given) ? given.filter((one): one is string => typeof one === 'string') : [];
}

function isPlain(matcher: string): boolean {
	return /^[\w|]*$/.test(matcher) || matcher === '*';
}

/** True where a matcher means a tool, a source or whatever else its point asks about. */
export function matches(matcher: string | undefined, name: string): boolean {
	if (matcher === undefined || matcher === '' || matcher === '*') return true;
	if (isPlain(matcher)) return matcher.split('|').includes(name);
	return new RegExp(matcher).test(name);
}

/** A handler in a few words: what is run, or who is asked. */
export function handlerText(handler: HookHandler): string {
	return handler.type === 'command' ? handler.command : handler.url;
}
