/** Describes in one line what happened beside the conversation. */
import { isNoted, type PermissionFacts } from '../codecs/index.ts';
import {
	type ClientProgressEvent,
	type Entry,
	type EventEntry,
	entryText,
	type HookEvent,
	jsonText,
	type SessionEvent,
	type Settings,
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
	const words = event.type === 'hook' ? [event.event, event.name] : [];
	const facts = Object.entries(event.data).flatMap(([name, value]) => {
		if (value === undefined || value === '' || name === 'type') return [];
		const text = typeof value === 'string' ? value.trimEnd() : jsonText(value);
		return [`  ${name}: ${text.replaceAll('\n', '\n    ')}`];
	});
	return [named('hook', words), ...facts].join('\n');
}

/** Who let a call run, or not. */
export function permissionText({ decision, source, rule, reason, scope }: PermissionFacts): string {
	const mode = reason?.includes('in plan mode') ? 'plan mode' : 'the mode';
	const who = source === 'config' ? (rule === undefined ? mode : `the rule ${rule}`) : `the ${source}`;
	const how =
		decision === 'reject' ? `denied by ${who}` : `allowed by ${who}${scope === 'session' ? ', from now on' : ''}`;
	return named('permission', [], [how, ...(reason === undefined ? [] : [reason])].join(': '));
}

export function eventNote(event: SessionEvent): string | undefined {
	switch (event.type) {
		case 'hook':
			return named('hook', [event.event, event.name], event.output);
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
