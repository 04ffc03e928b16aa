/** Full-text search over all sessions: `reprise search`, and the library's `searchSessions`. */
import { compact } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { entriesInContext } from '../store/reader/in-context.ts';
import type { SessionFile } from './cost/collect.ts';
import type { Role } from './index/entry-text.ts';
import type { Hit, SearchAnswer } from './index/search.ts';
import { parseQuery } from './index/words.ts';
import { indexAll, openCatalog } from './open-catalog.ts';
import { filtersOf, type PeriodQuery, type SessionQuery, SessionsHere } from './sessions-here.ts';

/** `since` and `until` filter by when something was said. */
export interface SearchOptions extends SessionQuery, PeriodQuery {
	/** Keeps only what this role said. */
	readonly role?: Role;
	/** Keeps only calls and results of this tool. */
	readonly tool?: string;
	/** The most hits to return. Default 20. */
	readonly limit?: number;
}

/** An entry that matches the question. */
export interface SearchHit extends Hit {
	/**
	 * Whether the client would still send the entry to a model. Null where that is unknown: in a sub-agent's file, beside
	 * the conversation, and in a session that its client refuses.
	 */
	readonly inContext: boolean | null;
}

export interface SearchResult extends SearchAnswer {
	readonly hits: readonly SearchHit[];
}

/**
 * Every entry with all the words, newest first. `question`: words, `"a phrase"`, `pre*`, `-without`. The first search
 * reads all sessions, later ones only what is new.
 */
export function searchSessions(question: string, options: SearchOptions = {}): SearchResult {
	const { hits, total, exact } = searchWithNames(question, options);
	return { hits, total, exact };
}

/** The hits, and all sessions that exist: a short name has to differ from theirs. */
export function searchWithNames(
	question: string,
	options: SearchOptions,
): SearchResult & { readonly all: readonly SessionFile[] } {
	if (parseQuery(question).terms.length === 0) throw new InputError('no-words', 'there is no word to search for');
	const here = new SessionsHere(options.warn);
	using catalog = openCatalog(here);
	const all = [...here.all()];
	indexAll(catalog, here, all, options.progress);
	const { role, tool, limit } = options;
	const answer = catalog.search(question, {
		...filtersOf(options),
		present: new Set(all.map((session) => session.path)),
		foldCopies: true,
		...compact({ limit, role, tool }),
	});
	return { ...answer, hits: withContext(answer.hits), all };
}

/** Asks each session once which of its entries its client would still send. */
function withContext(hits: readonly Hit[]): readonly SearchHit[] {
	const known = new Map<string, ReadonlySet<string> | undefined>();
	return hits.map((hit) => {
		if (hit.subagent !== undefined || hit.role === 'note' || hit.role === 'title') return { ...hit, inContext: null };
		if (!known.has(hit.path)) known.set(hit.path, entriesInContext(hit.path));
		return { ...hit, inContext: known.get(hit.path)?.has(hit.entry) ?? null };
	});
}
