/** Searching the web by a server of the user's own that answers like SearXNG (`URL?q=…&format=json`): how many results, how long a snippet, after how long it is given up. */
import type { Host, SearchWeb } from '../agent/contracts.ts';
import { isWantedHost } from '../model/hosts.ts';
import { isObject, type Json, stringAt } from '../model/index.ts';

const mostResults = 10;
const mostBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;
/** Characters of what is told of each result. */
const longestSnippet = 500;

/** `endpoint` is the user's own word: it may be on this machine. */
export function searxngSearch(endpoint: string, host: Pick<Host, 'fetchPage'>): SearchWeb {
	return async ({ query, ...domains }, signal) => {
		if (!URL.canParse(endpoint)) return { problem: `${endpoint} is not the address of a search server` };
		const url = new URL(endpoint);
		url.searchParams.set('q', query);
		url.searchParams.set('format', 'json');
		const page = await host.fetchPage({ url: url.href, allowPrivate: true, mostBytes, timeoutMs }, signal);
		if (page.is !== 'page' || page.status >= 400) {
			const why = page.is === 'failed' ? page.why : `it answered ${page.status}`;
			return { problem: `the search server ${url.origin} did not answer: ${why}` };
		}
		const found = resultsIn(page.bytes);
		if (!found)
			return {
				problem: `the search server ${url.origin} did not answer in JSON: its settings have to allow that format`,
			};
		const links = found.filter(({ url: link }) => isWantedHost(new URL(link).hostname, domains)).slice(0, mostResults);
		const snippets = links.filter(({ text }) => text !== '').map(({ title, text }) => `${title}: ${text}`);
		return {
			parts: [
				{ is: 'links', query, links: links.map(({ title, url: link }) => ({ title, url: link })) },
				...(snippets.length === 0 ? [] : [{ is: 'text', text: snippets.join('\n\n') } as const]),
			],
		};
	};
}

interface Result {
	readonly title: string;
	readonly url: string;
	readonly text: string;
}

function resultsIn(bytes: Uint8Array): readonly Result[] | undefined {
	let answer: Json;
	try {
		answer = JSON.parse(new TextDecoder().decode(bytes)) as Json;
	} catch {
		// A page for people: the server was asked for JSON and does not give it.
		return undefined;
	}
	if (!isObject(answer) || !Array.isArray(answer.results)) return undefined;
	return (answer.results as readonly Json[]).filter(isObject).flatMap((one) => {
		const url = stringAt(one, 'url');
		if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return [];
		return [
			{ title: stringAt(one, 'title') ?? url, url, text: (stringAt(one, 'content') ?? '').slice(0, longestSnippet) },
		];
	});
}
