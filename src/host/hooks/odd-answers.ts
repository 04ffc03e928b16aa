/** Which answers of a hook are none: a gate whose answer has a slip in it must not be open without a word. */
import { isObject, type Json, type JsonObject } from '../../model/index.ts';
import { type HookEventName, hookEvents } from './hook-settings.ts';

export interface OddAnswer {
	readonly why: string;
	/** From a host, which answers one question at a time, it is the answer to another one: what it was asked about does not happen. */
	readonly stops: boolean;
}

/**
 * What is wrong with an answer; undefined where it can be used. A clear no holds whatever else is wrong with it, and a field that is null
 * says nothing.
 */
export function oddAnswer(point: HookEventName, json: JsonObject): OddAnswer | undefined {
	const { hookSpecificOutput: own, async: later } = json;
	const named = isObject(own) ? own.hookEventName : undefined;
	const isAnother = named !== point && hookEvents.some((one) => one === named);
	if (isAnother) return { why: `its hookSpecificOutput is for ${String(named)}`, stops: point === 'PreToolUse' };
	if (later === true || isNo(point, json)) return undefined;
	const why = wrongIn(json, fields) ?? (isAbsent(own) ? undefined : wrongInOwn(point, own));
	return why === undefined ? undefined : { why, stops: false };
}

function isNo(point: HookEventName, json: JsonObject): boolean {
	const { hookSpecificOutput: own, decision } = json;
	const isOurs = isObject(own) && (isAbsent(own.hookEventName) || own.hookEventName === point);
	return json.continue === false || decision === 'block' || (isOurs && own.permissionDecision === 'deny');
}

interface Wanted {
	readonly [field: string]: { readonly what: string; fits(value: Json): boolean };
}

const text = { what: 'a text', fits: (value: Json): boolean => typeof value === 'string' };
const flag = { what: 'true or false', fits: (value: Json): boolean => typeof value === 'boolean' };
const object = { what: 'an object', fits: isObject };
const oneOf = (...words: readonly string[]) => ({
	what: `one of ${words.join(', ')}`,
	fits: (value: Json): boolean => words.some((word) => word === value),
});

const fields: Wanted = {
	...{ continue: flag, suppressOutput: flag, stopReason: text, systemMessage: text, reason: text },
	...{ decision: oneOf('approve', 'block'), hookSpecificOutput: object },
};
const common: Wanted = { additionalContext: text };
const own: { readonly [P in HookEventName]?: Wanted } = {
	PreToolUse: {
		permissionDecision: oneOf('allow', 'deny', 'ask', 'defer'),
		permissionDecisionReason: text,
		updatedInput: object,
	},
};

function wrongInOwn(point: HookEventName, given: Json | undefined): string | undefined {
	if (!isObject(given)) return undefined;
	const { hookEventName: named } = given;
	if (!isAbsent(named) && named !== point) return `its hookEventName is not ${point}`;
	return wrongIn(given, { ...common, ...own[point] });
}

function wrongIn(json: JsonObject, wanted: Wanted): string | undefined {
	for (const [field, { what, fits }] of Object.entries(wanted)) {
		const value = json[field];
		if (value !== undefined && value !== null && !fits(value)) return `its ${field} is not ${what}`;
	}
	return undefined;
}

function isAbsent(value: Json | undefined): value is null | undefined {
	return value === undefined || value === null;
}
