/** What the web searches of all providers share: the wording of their prompt, how wanted and unwanted hosts stand in it, and what is counted. */
import type { WebSearchPart, WebSearchRequest } from '../agent/contracts.ts';
import { ReplyBuilder } from '../agent/replies/reply-builder.ts';
import type { AssistantMessage } from '../model/index.ts';
import type { Service } from './service.ts';

export const searchSystem = 'You perform web searches for a coding agent.';

export function searchPrompt(query: string): string {
	return `Perform a web search for the query: ${query.toWellFormed()}`;
}

/** The query with the hosts that are wanted or not, for searches that have no other place for them. */
export function withSites({
	query,
	allowedDomains = [],
	blockedDomains = [],
}: Omit<WebSearchRequest, 'model'>): string {
	const wanted = allowedDomains.map((domain) => `site:${domain}`).join(' OR ');
	return [query, wanted, ...blockedDomains.map((domain) => `-site:${domain}`)].filter((one) => one !== '').join(' ');
}

/** The pages once each, before what is said of them; none where none was found. */
export function foundParts(
	query: string,
	links: readonly { readonly title: string; readonly url: string }[],
	texts: readonly string[],
): readonly WebSearchPart[] {
	const distinct = links.filter(({ url }, at) => links.findIndex((one) => one.url === url) === at);
	return [{ is: 'links', query, links: distinct }, ...texts.map((text) => ({ is: 'text', text }) as const)];
}

/** A reply that says nothing and was paid for. */
export function searchReply(
	{ api, id, now }: Service,
	model: string,
	usage: Parameters<ReplyBuilder['count']>[0],
): AssistantMessage {
	const reply = new ReplyBuilder({ api, provider: id, model, now: now() });
	reply.count(usage);
	return reply.message;
}
