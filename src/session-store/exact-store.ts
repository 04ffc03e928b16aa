/** Makes a store of a backend that keeps lines: checks keys, keeps the order of calls, and translates entries to text. */
import { createHash } from 'node:crypto';
import { isObject, parsedJson } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import type {
	ExactStore,
	SessionKey,
	SessionStoreEntry,
	SessionSummaryEntry,
	StoredLine,
	StoredSession,
} from './contract.ts';

/** Where lines are kept. An append is never empty, and never begins before the one before it for that key has ended. */
export interface Backend {
	append(key: SessionKey, lines: readonly StoredLine[], written?: number): Promise<void>;
	load(key: SessionKey): Promise<readonly string[] | null>;
	sizes(keys: readonly SessionKey[]): Promise<readonly number[]>;
	listSessions(projectKey: string): Promise<StoredSession[]>;
	listSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
	delete(key: SessionKey): Promise<void>;
	listSubkeys(key: Pick<SessionKey, 'projectKey' | 'sessionId'>): Promise<string[]>;
	close(): Promise<void>;
}

export function exactStore(backend: Backend): ExactStore {
	const calls = new InOrder();
	const appendLines: ExactStore['appendLines'] = async (key, lines, written) => {
		checkKey(key);
		for (const { text } of lines) if (/[\n\0]/.test(text) || lineFrom(text) === undefined) throw notALine();
		if (lines.length === 0) return;
		// The caller may change its list once we have returned.
		const taken = [...lines];
		await calls.run(nameOf(key), () => backend.append(key, taken, wholeTime(written)));
	};
	const loadLines: ExactStore['loadLines'] = async (key) => {
		checkKey(key);
		return await backend.load(key);
	};
	const { listSummaries } = backend;
	return {
		appendLines,
		loadLines,
		async sizes(keys) {
			for (const key of keys) checkKey(key);
			return keys.length === 0 ? [] : await backend.sizes(keys);
		},
		append: async (key, entries) => await appendLines(key, entries.map(lineOf)),
		async load(key) {
			const lines = await loadLines(key);
			return lines?.map((line) => JSON.parse(line) as SessionStoreEntry) ?? null;
		},
		listSessions: async (projectKey) => (await backend.listSessions(projectKey)).sort(newestFirst),
		...(listSummaries
			? { listSessionSummaries: async (project: string) => (await listSummaries(project)).sort(newestFirst) }
			: {}),
		async delete(key) {
			checkKey(key);
			await calls.run(nameOf(key), () => backend.delete(key));
		},
		listSubkeys: async (key) => (await backend.listSubkeys(key)).sort(),
		close: () => backend.close(),
		[Symbol.asyncDispose]: () => backend.close(),
	};
}

/** The line of an entry as `append` gets it. */
function lineOf(entry: SessionStoreEntry): StoredLine {
	const text = JSON.stringify(entry);
	return typeof entry.uuid === 'string' ? { text, id: entry.uuid } : { text };
}

/** A line of a transcript with the id that its own uuid gives it. Undefined for one that is no JSON object. */
export function lineFrom(text: string): StoredLine | undefined {
	const value = parsedJson(text);
	if (!isObject(value)) return undefined;
	return typeof value.uuid === 'string' ? { text, id: value.uuid } : { text };
}

/** The id of a line without a uuid: what it says, and how many that say the same come before it in its transcript. */
export function contentId(text: string, before: number): string {
	return `#${createHash('sha256').update(text).digest('base64url').slice(0, 24)}.${before}`;
}

/** The one text by which a key is known. */
export function nameOf({ projectKey, sessionId, subpath }: SessionKey): string {
	return JSON.stringify(subpath === undefined ? [projectKey, sessionId] : [projectKey, sessionId, subpath]);
}

/** No text of ours is older than 1970, and what is no time says nothing. */
function wholeTime(written: number | undefined): number | undefined {
	return written !== undefined && written > 0 && Number.isFinite(written) ? Math.floor(written) : undefined;
}

function newestFirst(a: StoredSession, b: StoredSession): number {
	return b.mtime - a.mtime || (a.sessionId < b.sessionId ? -1 : 1);
}

/** Refuses names that one backend or another could not tell apart from others. */
function checkKey({ projectKey, sessionId, subpath }: SessionKey): void {
	for (const [what, name] of Object.entries({ projectKey, sessionId, subpath: subpath ?? '-' })) {
		if (typeof name !== 'string' || name === '' || name.includes('\0') || !name.isWellFormed())
			throw new InputError('session-key', `the ${what} of a session key must be a text that is not empty`);
	}
}

function notALine(): InputError {
	return new InputError('session-line', 'an entry must be a JSON object in one line');
}

/** Runs what is given under one name one after the other, in the order of the calls. */
class InOrder {
	readonly #last = new Map<string, Promise<unknown>>();

	async run<T>(name: string, work: () => Promise<T>): Promise<T> {
		const before = this.#last.get(name) ?? Promise.resolve();
		// Whether the one before failed is its caller's to know.
		const mine = before.then(work, work);
		this.#last.set(name, mine);
		try {
			return await mine;
		} finally {
			if (this.#last.get(name) === mine) this.#last.delete(name);
		}
	}
}
