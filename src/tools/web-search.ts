/** WebSearch: what the web has on a question, by the provider's own search or a server of the user's. */
import { z } from 'zod';
import { failed, refused, said } from '../agent/calls/outputs.ts';
import type { ToolContext, WebSearchPart } from '../agent/contracts.ts';
import { defineTool } from './define.ts';

const input = () =>
	z.strictObject({
		query: z.string().min(2).describe('What to search for'),
		allowed_domains: z.array(z.string()).optional().describe('Only pages of these hosts'),
		blocked_domains: z.array(z.string()).optional().describe('No pages of these hosts'),
	});

/** The tool WebSearch: searches the web. */
export const webSearch = defineTool({
	name: 'WebSearch',
	description:
		'Searches the web, and gives titles and addresses of pages with what is known of them. Name the pages that an answer relies on.',
	effect: 'net',
	input,
	subjects: ({ query }) => [query],
	async run({ query, allowed_domains, blocked_domains }, context) {
		if (allowed_domains?.length && blocked_domains?.length)
			return refused('Error: Cannot specify both allowed_domains and blocked_domains in the same request');
		if (!context.searchWeb) return failed(nobody);
		const began = context.host.now();
		context.update({ type: 'query_update', query });
		const domains = {
			...(allowed_domains?.length ? { allowedDomains: allowed_domains } : {}),
			...(blocked_domains?.length ? { blockedDomains: blocked_domains } : {}),
		};
		const answer = await context.searchWeb({ query, ...domains });
		if ('problem' in answer) return failed(`Web search failed: ${answer.problem}`);
		const durationSeconds = Math.max(0, context.host.now() - began) / 1000;
		return said(told(query, answer.parts), {
			query,
			results: answer.parts.map((part) => recorded(part, context)),
			durationSeconds,
		});
	},
});

const nobody =
	'There is no web search here: the provider of this model has none, and REPRISE_SEARCH_URL names no server that searches (SearXNG or one like it).';

function told(query: string, parts: readonly WebSearchPart[]): string {
	const shown = parts.map((part) => {
		if (part.is === 'text') return part.text;
		return part.links.length === 0 ? 'No links found.' : `Links: ${JSON.stringify(part.links)}`;
	});
	const sources =
		'REMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.';
	return [`Web search results for query: "${query}"`, ...shown.filter((text) => text.trim() !== ''), sources].join(
		'\n\n',
	);
}

/** As transcripts keep it; those who watch hear how many pages were found. */
function recorded(part: WebSearchPart, { callId, update }: ToolContext) {
	if (part.is === 'text') return part.text;
	update({ type: 'search_results_received', resultCount: part.links.length, query: part.query });
	return { tool_use_id: callId, content: part.links.map(({ title, url }) => ({ title, url })) };
}
