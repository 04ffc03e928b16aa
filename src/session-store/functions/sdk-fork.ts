/** A fork as the SDK makes it: which lines are copied or left out, and all messages under new ids, each with the one that it was copied from. */
import { randomUUID } from 'node:crypto';
import { compact, isObject } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import type { SessionStoreEntry } from '../contract.ts';

/** Types that are about the old session alone. */
const left = /^(tag|progress|custom-title|ai-title|file-history-.*)$/;
/** Types without ids of which the last one says what holds. */
const latches: readonly string[] = ['atis-latch', 'tools-used'];

export interface Forking {
	readonly sessionId: string;
	readonly title: string;
	readonly upToMessageId?: string;
}

/** True for lines that the SDK writes: messages with ids of their own. */
export function areNative(entries: readonly SessionStoreEntry[]): boolean {
	return entries.some(({ uuid, message }) => typeof uuid === 'string' && isObject(message));
}

export function forkedEntries(
	entries: readonly SessionStoreEntry[],
	{ sessionId, title: customTitle, upToMessageId }: Forking,
): { readonly id: string; readonly made: readonly SessionStoreEntry[] } {
	const said = entries.filter(
		({ uuid, type, isSidechain }) => typeof uuid === 'string' && !left.test(type) && isSidechain !== true,
	);
	const last = upToMessageId === undefined ? said.length - 1 : said.findIndex(({ uuid }) => uuid === upToMessageId);
	if (last === -1) {
		const what =
			upToMessageId === undefined || said.length === 0 ? 'has no messages to fork' : `has no ${upToMessageId}`;
		throw new InputError('unknown-entry', `Session ${sessionId} ${what}`);
	}
	const fresh = new Map(said.map(({ uuid }) => [uuid, randomUUID()]));
	const parents = new Map(entries.map((entry) => [entry.uuid, entry.parentUuid]));
	/** The new id of an entry, or of the nearest before it that was copied. */
	const renamed = (id: unknown): string | null => {
		for (let at = id, steps = 0; typeof at === 'string' && steps <= parents.size; at = parents.get(at), steps += 1)
			if (fresh.has(at)) return fresh.get(at) ?? null;
		return null;
	};
	const id = randomUUID();
	const timestamp = new Date().toISOString();
	const copied = said.slice(0, last + 1).map(({ slug: _, sourceToolAssistantUUID: __, ...entry }, at) => ({
		...entry,
		// The SDK takes the time of the last message for that of the session.
		...(at === last ? { timestamp } : {}),
		uuid: renamed(entry.uuid) ?? randomUUID(),
		parentUuid: renamed(entry.parentUuid),
		...('logicalParentUuid' in entry ? { logicalParentUuid: renamed(entry.logicalParentUuid) } : {}),
		...(isObject(entry.compactMetadata) ? { compactMetadata: withIds(entry.compactMetadata, fresh) } : {}),
		isSidechain: false,
		sessionId: id,
		forkedFrom: { sessionId, messageUuid: entry.uuid },
	})) as SessionStoreEntry[];
	const latched = latches.flatMap((type) => entries.findLast((entry) => entry.type === type) ?? []);
	const title = { type: 'custom-title', sessionId: id, customTitle, uuid: randomUUID(), timestamp };
	return { id, made: [...copied, ...latched.map((entry) => ({ ...entry, sessionId: id })), compact(title)] };
}

/** What a compaction kept is named by ids. */
function withIds(metadata: object, fresh: ReadonlyMap<unknown, string>): unknown {
	return JSON.parse(JSON.stringify(metadata, (_, value: unknown) => fresh.get(value) ?? value));
}
