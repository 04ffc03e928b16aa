/** The hooks of a settings file: the points that are called, what a matcher fits, which fields a handler has, and the usual time limit. */
import { type Rule, readRule } from '../../agent/permissions/rule.ts';
import { compact, isObject, type Json, type JsonObject, stringsIn } from '../../model/index.ts';

/** The points at which hooks are called. */
export const hookEvents = [
	'SessionStart',
	'SessionEnd',
	'UserPromptSubmit',
	'PreToolUse',
	'PostToolUse',
	'PostToolUseFailure',
	'PostToolBatch',
	'PermissionRequest',
	'PermissionDenied',
	'Stop',
	'PreCompact',
	'PostCompact',
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

export type HookHandler = HookWays &
	(
		| { readonly type: 'command'; readonly command: string }
		| {
				readonly type: 'http';
				readonly url: string;
				readonly headers: { readonly [name: string]: string };
				/** Variables whose values may stand in a header. */
				readonly allowedEnvVars: readonly string[];
		  }
		/** A function of the process that drives this one. `strict`: where it fails, what it was asked about is stopped. */
		| { readonly type: 'callback'; readonly callback: string; readonly strict: boolean }
	);

/** When a handler is called, and how it is waited for. */
export interface HookWays {
	readonly timeoutMs: number;
	/** Only for calls that this rule names. */
	readonly only?: Rule;
	readonly once?: boolean;
	/** Nobody waits for it. */
	readonly background?: boolean;
	/** What the user sees while it runs. */
	readonly status?: string;
}

/** How long a hook is waited for whose settings name no `timeout`, as in Claude Code. */
const usualTimeoutMs = 60_000;
/** The longest that a timer can wait. */
export const longestTimeoutMs = 2 ** 31 - 1;

/**
 * The functions that a driving process wants to be called, as it names them in `initialize`: for each event matchers with
 * `hookCallbackIds`. `uncalled` are events at which Reprise calls nobody; `problem`: something in it is no hook, so that a gate would not be there.
 */
export function readCallbacks(given: Json | undefined): {
	readonly hooks: readonly HookSetting[];
	readonly uncalled: readonly string[];
	readonly problem?: string;
} {
	const hooks: HookSetting[] = [];
	const uncalled: string[] = [];
	if (given === undefined || given === null) return { hooks, uncalled };
	if (!isObject(given)) return { hooks, uncalled, problem: notHooks };
	for (const [name, groups] of Object.entries(given)) {
		const event = hookEvents.find((one) => one === name);
		if (groups === null) continue;
		if (!Array.isArray(groups) || !groups.every(isCallbacks)) return { hooks, uncalled, problem: notHooks };
		if (!event && groups.length > 0) uncalled.push(name);
		for (const group of event ? groups : []) hooks.push(...callbacksOf(event as HookEventName, group));
	}
	return { hooks, uncalled };
}

/** In the words of the real client, which refuses them, too. */
const notHooks = 'hooks must map hook events to arrays of matchers carrying hookCallbackIds arrays and string matchers';

function isCallbacks(group: Json): group is JsonObject {
	if (!isObject(group) || !Array.isArray(group.hookCallbackIds)) return false;
	const { matcher, hookCallbackIds: ids } = group;
	return ids.every((id) => typeof id === 'string') && (isText(matcher) || matcher === undefined || matcher === null);
}

const isText = (value: Json | undefined): value is string => typeof value === 'string';

function callbacksOf(event: HookEventName, group: JsonObject): readonly HookSetting[] {
	const { matcher, timeout, onFailure } = group;
	const timeoutMs = typeof timeout === 'number' && timeout > 0 ? timeout * 1000 : usualTimeoutMs;
	return stringsIn(group.hookCallbackIds).map((callback) => ({
		event,
		handler: {
			type: 'callback',
			callback,
			strict: onFailure === 'block',
			timeoutMs: Math.min(timeoutMs, longestTimeoutMs),
		},
		// What is no pattern leaves nothing out: a gate is rather asked too often.
		...(isText(matcher) && matcher !== '' && matcherProblem(matcher) === undefined ? { matcher } : {}),
	}));
}

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
			const handler = handlerOf(one, event);
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
function handlerOf(given: Json, event: HookEventName): HookHandler | string {
	if (!isObject(given)) return 'it is not an object';
	const { type } = given;
	const ways = waysOf(given, event);
	if (type === 'command') {
		if (typeof given.command !== 'string' || given.command.trim() === '') return 'command is missing';
		return typeof ways === 'string' ? ways : { type, command: given.command, ...ways };
	}
	if (type === 'http') {
		const { url } = given;
		if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/i.test(url)) return 'url is not an http address';
		if (typeof ways === 'string') return ways;
		return { type, url, headers: textsOf(given.headers), allowedEnvVars: stringsIn(given.allowedEnvVars), ...ways };
	}
	return typeof type === 'string' ? `Reprise runs no hooks of the type ${type}` : 'type is missing';
}

/** Points of one call: only there a rule can say for which calls a hook is meant. */
const callEvents: ReadonlySet<HookEventName> = new Set<HookEventName>([
	...(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied'] as const),
]);

function waysOf(given: JsonObject, event: HookEventName): HookWays | string {
	const { timeout, if: only, once, async: background, statusMessage: status } = given;
	if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
		return 'timeout is not a number of seconds';
	if (once !== undefined && typeof once !== 'boolean') return 'once is neither true nor false';
	if (background !== undefined && typeof background !== 'boolean') return 'async is neither true nor false';
	if (status !== undefined && typeof status !== 'string') return 'statusMessage is not a text';
	const timeoutMs = timeout === undefined ? usualTimeoutMs : Math.min(timeout * 1000, longestTimeoutMs);
	const ways = compact({ timeoutMs, once, background, status });
	if (only === undefined) return ways;
	if (typeof only !== 'string') return 'if is not a text';
	if (!callEvents.has(event)) return `if is for ${[...callEvents].join(', ')}, and no call is made here`;
	// As a rule that asks: what it may say is not limited to what is beyond doubt.
	const read = readRule(only, 'ask');
	return 'rule' in read ? { ...ways, only: read.rule } : `if is no permission rule: ${read.problem}`;
}

function textsOf(given: Json | undefined): { readonly [name: string]: string } {
	const pairs = Object.entries(isObject(given) ? given : ({} as JsonObject));
	return Object.fromEntries(pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
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
	if (handler.type === 'callback') return handler.callback;
	return handler.type === 'command' ? handler.command : handler.url;
}
