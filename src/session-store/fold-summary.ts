/** What a list shows of a stored session, folded from its entries with the names that the SDK reads: which text counts as the first prompt, and how long it may be. */
import { isObject } from '../model/index.ts';
import type { SessionKey, SessionStoreEntry, SessionSummaryEntry } from './contract.ts';

/** Fields that hold what was said last, and the name that each has in the summary. */
const lastWins: { readonly [field: string]: string } = {
	customTitle: 'customTitle',
	aiTitle: 'aiTitle',
	lastPrompt: 'lastPrompt',
	summary: 'summaryHint',
	gitBranch: 'gitBranch',
};

/**
 * Adds appended entries to the summary of their session. Pure: a store keeps what it gives, and calls it for main
 * transcripts only. `mtime` comes from the clock that `listSessions` uses; without it the old one stays.
 */
export function foldSessionSummary(
	previous: SessionSummaryEntry | undefined,
	key: SessionKey,
	entries: readonly SessionStoreEntry[],
	options: { readonly mtime?: number } = {},
): SessionSummaryEntry {
	const data: Record<string, unknown> = { ...previous?.data };
	for (const entry of entries) foldEntry(data, entry);
	const { sessionId } = previous ?? key;
	return { sessionId, mtime: options.mtime ?? previous?.mtime ?? 0, data };
}

function foldEntry(data: Record<string, unknown>, entry: SessionStoreEntry): void {
	data.isSidechain ??= entry.isSidechain === true;
	const time = typeof entry.timestamp === 'string' ? Date.parse(entry.timestamp) : Number.NaN;
	if (data.createdAt === undefined && !Number.isNaN(time)) data.createdAt = time;
	if (data.cwd === undefined && isText(entry.cwd)) data.cwd = entry.cwd;
	foldPrompt(data, entry);
	for (const [field, name] of Object.entries(lastWins)) {
		if (typeof entry[field] === 'string') data[name] = entry[field];
	}
	if (entry.type === 'tag' || entry.type === 'reprise-tag') {
		if (isText(entry.tag)) data.tag = entry.tag;
		else delete data.tag;
	}
	if (entry.type === 'relocated' && isText(entry.relocatedCwd)) data.cwd = entry.relocatedCwd;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The first prompt stays. A command stands in for it as long as nothing else was said. */
function foldPrompt(data: Record<string, unknown>, entry: SessionStoreEntry): void {
	if (data.firstPromptLocked === true) return;
	for (const text of promptTexts(entry)) {
		const line = text.replaceAll('\n', ' ').trim();
		const command = /<command-name>(.*?)<\/command-name>/.exec(line)?.[1];
		if (command !== undefined) {
			if (command !== '') data.commandFallback ??= command;
			continue;
		}
		const shell = /<bash-input>(.*?)<\/bash-input>/s.exec(line)?.[1];
		if (shell === undefined && (line === '' || notAPrompt.test(line))) continue;
		data.firstPrompt = shell === undefined ? clipped(line) : `! ${shell.trim()}`;
		data.firstPromptLocked = true;
		return;
	}
}

/** What the client itself put in a user's place: something in a tag, or the note that the user interrupted it. */
const notAPrompt = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])/;
const longestPrompt = 200;

function clipped(text: string): string {
	if (text.length <= longestPrompt) return text;
	const cut = text.slice(0, longestPrompt);
	return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trim()}…`;
}

function promptTexts(entry: SessionStoreEntry): readonly string[] {
	if (entry.type !== 'user' || entry.isMeta === true || entry.isCompactSummary === true) return [];
	const content = isObject(entry.message) ? entry.message.content : undefined;
	if (typeof content === 'string') return [content];
	if (!Array.isArray(content)) return [];
	const blocks = content.filter((block) => isObject(block));
	if (blocks.some(({ type }) => type === 'tool_result')) return [];
	return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
}
