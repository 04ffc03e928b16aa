/** Rules and hooks of the settings as a host lists them: the file or flag that each is from, and the words for every hook event. */
import type { Rule, RuleKind, Rules } from '../../agent/permissions/rule.ts';
import type { SettingsFrom } from '../../client/flag-settings.ts';
import { type HookEventName, type HookSetting, handlerText, hookEvents } from '../../host/hooks/hook-settings.ts';
import { compact, isObject, type JsonObject } from '../../model/index.ts';

type Sources = readonly SettingsFrom[];

export function permissionRules(rules: Rules, granted: readonly Rule[], sources: Sources): readonly JsonObject[] {
	const row = (behavior: RuleKind, { text, tool, content }: Rule, source: string): JsonObject => ({
		...{ behavior, source, rule: text, editability: editability(source), toolName: tool },
		...compact({ ruleContent: content }),
	});
	const listed = (['allow', 'ask', 'deny'] as const).flatMap((kind) =>
		rules[kind].map((rule) => row(kind, rule, sourceOf(rule.text, kind, sources))),
	);
	return [...listed, ...granted.map((rule) => row('allow', rule, 'session'))];
}

/** What no file has was given on the command line. */
function sourceOf(text: string, kind: RuleKind, sources: Sources): string {
	const found = sources.findLast(({ settings: { permissions } }) => {
		const list = isObject(permissions) ? permissions[kind] : undefined;
		return Array.isArray(list) && list.includes(text);
	});
	return found?.source ?? 'cliArg';
}

function editability(source: string): string {
	if (source === 'cliArg' || source === 'session') return 'session';
	return source === 'flagSettings' ? 'readonly' : 'persistent';
}

/** For each hook event when it is called, and whether a matcher can narrow it. */
const catalog: { readonly [E in HookEventName]?: readonly [summary: string, matches: boolean] } = {
	PreToolUse: ['Before tool execution', true],
	PostToolUse: ['After tool execution', true],
	PostToolUseFailure: ['After tool execution fails', true],
	PostToolBatch: ['After all tool calls of a reply', false],
	PermissionRequest: ['When a permission is asked for', true],
	PermissionDenied: ['When a call is denied and nobody was asked', true],
	Notification: ['When notifications are sent', true],
	UserPromptSubmit: ['When the user submits a prompt', false],
	SessionStart: ['When a new session is started', true],
	Stop: ['Right before the model concludes its response', false],
	SubagentStart: ['When a sub-agent is started', true],
	SubagentStop: ['Right before a sub-agent concludes its response', true],
	PreCompact: ['Before the conversation is compacted', true],
	PostCompact: ['After the conversation was compacted', true],
	SessionEnd: ['When a session ends', true],
};

const labels: { readonly [source: string]: string } = {
	userSettings: 'User settings',
	projectSettings: 'Project settings',
	localSettings: 'Local settings',
	flagSettings: 'Settings of this run',
};

export function hooksListing(hooks: readonly HookSetting[], sources: Sources): JsonObject {
	const eventCatalog = hookEvents.map((name) => {
		const [summary, supportsMatcher] = catalog[name] ?? [name, true];
		return { name, summary, supportsMatcher };
	});
	const count = (name: string): number => hooks.filter(({ event }) => event === name).length;
	const events = eventCatalog.map((one) => ({ ...one, hookCount: count(one.name) }));
	return {
		events: events.filter(({ hookCount }) => hookCount > 0),
		hooks: hooks.map((hook) => hookRow(hook, sources)),
		eventCatalog,
		policy: { disabledByPolicy: false, managedOnly: false, pluginOnly: false, allDisabled: false, policyHookCount: 0 },
	};
}

function hookRow({ event, matcher = '', handler }: HookSetting, sources: Sources): JsonObject {
	const text = handlerText(handler);
	const source = sources.findLast(({ settings }) =>
		JSON.stringify(settings.hooks ?? null).includes(JSON.stringify(text).slice(1, -1)),
	);
	const from = source?.source ?? 'sessionHook';
	const { once, background, status, timeoutMs, type } = handler;
	return {
		...{ event, matcher, source: from, sourceLabel: labels[from] ?? 'This session', type },
		...{ displayText: status ?? text, commandText: text, contentLabel: type === 'http' ? 'URL' : 'Command' },
		timeout: timeoutMs / 1000,
		...compact({ statusMessage: status, runsOnce: once, runsInBackground: background }),
	};
}
