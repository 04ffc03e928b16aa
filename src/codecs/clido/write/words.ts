/** Clido's words for how a run ended, its session ids and times: the document's spelling, the client's, and what other clients' words become. */
import { deriveHex } from '../../shared/write/derive.ts';

/** The client's words for the end of a run. To its reader the field is any string. */
export const clientExitWords: ReadonlySet<string> = new Set([
	'completed',
	'max_turns_reached',
	'budget_exceeded',
	'per_turn_budget_exceeded',
	'max_wall_time_exceeded',
	'max_tool_calls_per_turn',
	'stall_detected',
	'malformed_model_output',
	'interrupted',
	'rate_limited',
	'doom_loop',
	'error',
]);

export const publishedExitWords: ReadonlySet<string> = new Set([
	'success',
	'max_turns',
	'max_budget',
	'error',
	'interrupted',
]);

export const subtypes: ReadonlySet<string> = new Set(['compaction', 'error', 'warning', 'info']);

/** One end in the document's and in the client's words, and what other clients call it. */
const sameEnd: readonly { readonly published: string; readonly client: string; readonly others: readonly string[] }[] =
	[
		{ published: 'success', client: 'completed', others: ['complete', 'done', 'end', 'end_turn', 'stop', 'finished'] },
		{ published: 'max_turns', client: 'max_turns_reached', others: ['error_max_turns'] },
		{ published: 'max_budget', client: 'budget_exceeded', others: ['error_max_budget_usd'] },
		{ published: 'interrupted', client: 'interrupted', others: ['aborted', 'cancelled', 'canceled', 'stopped'] },
		{ published: 'error', client: 'error', others: ['failed', 'error_during_execution'] },
	];

export interface ExitWord {
	readonly word: string;
	/** False when the word says less than the source's. */
	readonly exact: boolean;
}

export function exitWord(status: string, profile: 'client' | 'published'): ExitWord {
	const known = profile === 'client' ? clientExitWords : publishedExitWords;
	if (known.has(status)) return { word: status, exact: true };
	for (const end of sameEnd) {
		if (end.published === status || end.client === status || end.others.includes(status))
			return { word: end[profile], exact: true };
	}
	return { word: status === 'per_turn_budget_exceeded' ? 'max_budget' : 'error', exact: false };
}

const bareId = /^[0-9a-f]{32}$/;

export function isBareId(id: string): boolean {
	return bareId.test(id);
}

/** A session id as in the document: 32 hex digits. Any other id is replaced by one that depends on it alone. */
export function publishedId(id: string): string {
	const bare = id.replaceAll('-', '').toLowerCase();
	return isBareId(bare) ? bare : deriveHex(32, 'clido', id);
}

/** ISO 8601 in UTC: with `Z` by the document, with `+00:00` by the client. Undefined for anything but a time. */
export function utcTime(time: string, profile: 'client' | 'published'): string | undefined {
	if (Number.isNaN(Date.parse(time))) return undefined;
	const utc = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?:Z|\+00:00)$/.exec(time);
	const plain = utc?.[1] ?? new Date(time).toISOString().slice(0, -1);
	return profile === 'client' ? `${plain}+00:00` : `${plain}Z`;
}

const publishedTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

export function isPublishedTime(time: string): boolean {
	return publishedTime.test(time) && !Number.isNaN(Date.parse(time));
}

export function isAbsolutePath(path: string): boolean {
	return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}
