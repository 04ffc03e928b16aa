/** The wording of one-line notes in a transcript: hooks, permissions, settings, commands, errors, and how long something took. */
import { isNoted, type Noted, type PermissionFacts } from '../codecs/index.ts';
import {
	type ClientProgressEvent,
	type Entry,
	type EventEntry,
	entryText,
	type HookEvent,
	isObject,
	type JsonObject,
	jsonText,
	objectAt,
	parsedJson,
	type SessionEvent,
	type Settings,
	stringAt,
} from '../model/index.ts';

/** Undefined for what only repeats something shown elsewhere, or means nothing to a reader. */
export function noteText(entry: Entry): string | undefined {
	switch (entry.kind) {
		case 'event':
			return eventNote(entry.event);
		case 'setting':
			return settingNote(entry.set);
		case 'outcome': {
			const spent = entry.durationMs === undefined ? '' : ` after ${duration(entry.durationMs)}`;
			return `the run ended${spent}${entry.status === '' ? '' : `: ${entry.status}`}`;
		}
		case 'label':
			return entry.text === null ? `a label was taken off ${entry.target}` : `label ${entry.text}`;
		default:
			return entryText(entry);
	}
}

/** True for what a hook did, or that one was called. */
export function isHook(entry: Entry): entry is EventEntry & { readonly event: HookEvent | ClientProgressEvent } {
	if (entry.kind !== 'event') return false;
	return entry.event.type === 'hook' || (entry.event.type === 'progress' && entry.event.of === 'hook_progress');
}

/** True for the line of a hook that says how it ended, where a format keeps that with the progress: no line goes on from there. */
export function isEndedHook(entry: Entry): boolean {
	return isHook(entry) && entry.event.type === 'progress' && entry.event.data.exitCode !== undefined;
}

/** A hook with all that is known of it, a line for each fact. */
export function hookText({ event }: { readonly event: HookEvent | ClientProgressEvent }): string {
	const facts = Object.entries(event.data).flatMap(([name, value]) => {
		if (value === undefined || value === '' || toldAlready.has(name)) return [];
		const text = typeof value === 'string' ? value.trimEnd() : jsonText(value);
		return [`  ${name}: ${text.replaceAll('\n', '\n    ')}`];
	});
	return [named('hook', [hookName(event)]), ...facts].join('\n');
}

/** What the first line of a hook and its place beside a call say. */
const toldAlready: ReadonlySet<string> = new Set(['type', 'hookName', 'hookEvent', 'toolUseID']);

/** `PreToolUse:Bash`: most names begin with the event. */
function hookName(hook: HookEvent | ClientProgressEvent): string | undefined {
	const { data } = hook;
	const told = hook.type === 'hook' ? hook : { event: stringAt(data, 'hookEvent'), name: stringAt(data, 'hookName') };
	const { event, name } = told;
	if (event === undefined || name === undefined) return name ?? event;
	return name === event || name.startsWith(`${event}:`) ? name : `${event} ${name}`;
}

/** The tool call that a hook was run for. */
export function hookedCall({ data, ...event }: HookEvent | ClientProgressEvent): string | undefined {
	return stringAt(data, 'toolUseID') ?? ('call' in event ? event.call : undefined);
}

/** The input that a hook has put in the place of what the model wanted. */
export function changedInput({ data }: HookEvent | ClientProgressEvent): JsonObject | undefined {
	const decided = objectAt(objectAt(data, 'decision') ?? {}, 'updatedInput');
	if (decided) return decided;
	const answer = parsedJson(stringAt(data, 'stdout') ?? '');
	const specific = isObject(answer) ? objectAt(answer, 'hookSpecificOutput') : undefined;
	if (!specific || specific.permissionDecision === 'deny') return undefined;
	return objectAt(specific, 'updatedInput') ?? objectAt(objectAt(specific, 'decision') ?? {}, 'updatedInput');
}

/** Who let a call run, or not. */
export function permissionText({ decision, source, rule, reason, scope }: PermissionFacts): string {
	const mode = reason?.includes('in plan mode') ? 'plan mode' : 'the mode';
	const who = source === 'config' ? (rule === undefined ? mode : `the rule ${rule}`) : `the ${source}`;
	const how =
		decision === 'reject' ? `denied by ${who}` : `allowed by ${who}${scope === 'session' ? ', from now on' : ''}`;
	// Whoever was asked has allowed it: why they were asked is told by the question.
	const why = reason === undefined || (source === 'user' && decision === 'accept') ? [] : [reason];
	return named('permission', [], [how, ...why].join(': '));
}

/** What somebody was asked about. */
export function askedText({ tool, reason }: Extract<Noted, { readonly what: 'asked' }>): string {
	return named('permission', ['asked'], `${tool}: ${reason}`);
}

export function eventNote(event: SessionEvent): string | undefined {
	switch (event.type) {
		case 'hook':
			return named('hook', [hookName(event)], event.output);
		case 'queue':
			return named('queue', [event.operation, event.reason], event.content);
		case 'command':
			return named('command', [], event.content);
		case 'notice':
			return named('notice', [event.level], event.message);
		case 'error':
			return named('error', [event.attempt === undefined ? undefined : `attempt ${event.attempt}`], event.message);
		case 'attachment':
			return named('added to the context', [event.of], (event.rendered ?? []).join('\n'));
		case 'pr_link':
			return named('pull request', [], event.url);
		case 'timing':
			return `the turn took ${duration(event.durationMs)}`;
		case 'custom':
			return isNoted(event) ? undefined : named(event.type, [event.of]);
		case 'collapse':
			return named(event.type, [event.of]);
		case 'progress':
		case 'cost':
		case 'usage':
		case 'call':
		case 'request':
			return undefined;
	}
}

function named(what: string, words: readonly (string | undefined)[], text = ''): string {
	const head = [what, ...words.filter((word) => word !== undefined && word !== '')].join(' ');
	return text.trim() === '' ? head : `${head}: ${text.trim()}`;
}

const settingNames: { readonly [K in keyof Settings]: string } = {
	model: 'model',
	provider: 'provider',
	thinking: 'thinking',
	permissionMode: 'permission mode',
	mode: 'mode',
	title: 'title',
	cwd: 'folder',
	agentName: 'agent',
	tag: 'tag',
};

function settingNote(set: Settings): string | undefined {
	const told = Object.entries(settingNames).flatMap(([key, name]) => {
		const value = set[key as keyof Settings];
		return value === undefined ? [] : [value === null ? `no ${name}` : `${name} ${String(value)}`];
	});
	return told.length === 0 ? undefined : told.join(', ');
}

function duration(ms: number): string {
	if (ms < 1000) return `${Math.round(ms)} ms`;
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
