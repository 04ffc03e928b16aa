/** Sessions in memory, for tests and for programs that keep nothing. */
import type { ExactStore, SessionKey, SessionStoreEntry, SessionSummaryEntry } from '../contract.ts';
import { type Backend, exactStore, nameOf } from '../exact-store.ts';
import { foldSessionSummary } from '../fold-summary.ts';

interface Transcript {
	readonly key: SessionKey;
	readonly lines: string[];
	readonly ids: Set<string>;
	mtime: number;
	summary?: SessionSummaryEntry;
}

/** A store that is gone with the process. */
export function memoryStore(): ExactStore {
	return exactStore(new MemoryBackend());
}

class MemoryBackend implements Backend {
	readonly #all = new Map<string, Transcript>();

	async append(...[key, lines, written = Date.now()]: Parameters<Backend['append']>): Promise<void> {
		const name = nameOf(key);
		const found = this.#all.get(name) ?? { key: { ...key }, lines: [], ids: new Set(), mtime: 0 };
		this.#all.set(name, found);
		const fresh: SessionStoreEntry[] = [];
		for (const { text, id } of lines) {
			if (id !== undefined && found.ids.has(id)) continue;
			if (id !== undefined) found.ids.add(id);
			found.lines.push(text);
			if (key.subpath === undefined) fresh.push(JSON.parse(text) as SessionStoreEntry);
		}
		found.mtime = Math.max(found.mtime, Math.min(written, Date.now()));
		if (key.subpath === undefined)
			found.summary = foldSessionSummary(found.summary, key, fresh, { mtime: found.mtime });
	}

	async load(key: SessionKey): Promise<readonly string[] | null> {
		const found = this.#all.get(nameOf(key));
		return found ? [...found.lines] : null;
	}

	async sizes(keys: readonly SessionKey[]): Promise<readonly number[]> {
		return keys.map((key) => this.#all.get(nameOf(key))?.lines.length ?? 0);
	}

	async listSessions(projectKey: string) {
		return this.#mains(projectKey).map(({ key, mtime }) => ({ sessionId: key.sessionId, mtime }));
	}

	listSummaries = async (projectKey: string): Promise<SessionSummaryEntry[]> =>
		this.#mains(projectKey).flatMap(({ summary }) => (summary ? [structuredClone(summary)] : []));

	async delete(key: SessionKey): Promise<void> {
		this.#all.delete(nameOf(key));
		if (key.subpath !== undefined) return;
		for (const [name, one] of this.#all) if (isOf(one.key, key)) this.#all.delete(name);
	}

	async listSubkeys(of: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]> {
		return [...this.#all.values()].flatMap(({ key }) =>
			isOf(key, of) && key.subpath !== undefined ? [key.subpath] : [],
		);
	}

	async close(): Promise<void> {
		this.#all.clear();
	}

	#mains(projectKey: string): readonly Transcript[] {
		return [...this.#all.values()].filter(({ key }) => key.projectKey === projectKey && key.subpath === undefined);
	}
}

function isOf(key: SessionKey, session: Pick<SessionKey, 'projectKey' | 'sessionId'>): boolean {
	return key.projectKey === session.projectKey && key.sessionId === session.sessionId;
}
