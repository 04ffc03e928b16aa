/** A verdict in the words of Claude Code, as hosts and hooks give it: allowed or denied, with another input, with rules or a mode. */
import { compact, isObject, type Json, type JsonObject, stringAt } from '../../model/index.ts';
import type { PermissionMode, Verdict } from '../contracts.ts';

/** Undefined where the answer is neither yes nor no, or a yes to something that no tool takes: what was asked about is not what was allowed. */
export function verdictIn(body: JsonObject): Verdict | undefined {
	if (body.behavior === 'allow') {
		const input: Json | undefined = body.updatedInput;
		if (input !== undefined && !isObject(input)) return undefined;
		const mode = modeIn(body.updatedPermissions);
		const rules = rulesIn(body.updatedPermissions);
		return {
			allow: true,
			...compact({ input }),
			...(mode ? { mode } : {}),
			...(rules.length === 0 ? {} : { alsoAlways: rules }),
		};
	}
	if (body.behavior !== 'deny') return undefined;
	const text = stringAt(body, 'message');
	const interrupt = body.interrupt === true ? true : undefined;
	return { allow: false, reason: text ?? 'the user said no', ...compact({ text, interrupt }) };
}

/** The rules that an answer grants. They hold until the session is left; whoever asked sees to those that are to be kept. */
function rulesIn(updates: Json | undefined): readonly string[] {
	const found = Array.isArray(updates) ? (updates as readonly Json[]).filter(isObject) : [];
	return found.filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow').flatMap(ruleTexts);
}

/** The rules of one update, as they are written in settings. */
export function ruleTexts({ rules }: JsonObject): readonly string[] {
	return (Array.isArray(rules) ? (rules as readonly Json[]) : []).filter(isObject).flatMap((rule) => {
		const tool = stringAt(rule, 'toolName');
		const content = stringAt(rule, 'ruleContent');
		if (tool === undefined) return [];
		return [content === undefined ? tool : `${tool}(${content})`];
	});
}

/** The mode that an answer changes to. What needs no questions at all is chosen when the client is started, and not later. */
export function modeIn(updates: Json | undefined): PermissionMode | undefined {
	const found = Array.isArray(updates) ? (updates as readonly Json[]).filter(isObject) : [];
	const wanted = found.findLast(({ type }) => type === 'setMode')?.mode;
	return (['default', 'acceptEdits', 'plan', 'dontAsk'] as const).find((mode) => mode === wanted);
}

/** The updates that would keep anybody from being asked again: a rule, and for changes of files a mode. */
export function suggestedUpdates(rule: string | undefined, isChange: boolean): readonly Json[] {
	const parts = /^([^\s()]+)(?:\((.*)\))?$/s.exec(rule ?? '');
	const content = parts?.[2];
	const named = parts
		? { toolName: parts[1] ?? '', ...(content === undefined ? {} : { ruleContent: content }) }
		: undefined;
	return [
		...(named ? [{ type: 'addRules', rules: [named], behavior: 'allow', destination: 'localSettings' }] : []),
		...(isChange ? [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] : []),
	];
}
