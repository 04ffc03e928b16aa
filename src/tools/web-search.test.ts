/** Searching the web: by a provider's server, by one of the user's own, and where there is none. */
import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { localServer } from '../../test/support/local-server.ts';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import type { SearchWeb } from '../agent/contracts.ts';
import { nodeHost } from '../host/node-host.ts';
import { anthropic } from '../providers/anthropic.ts';
import { google } from '../providers/google.ts';
import { openAiResponses } from '../providers/openai-responses.ts';
import { searxngSearch } from './searxng.ts';
import { webSearch } from './web-search.ts';

function bench(search?: SearchWeb) {
	const made = toolBench();
	if (search) made.context.searchWeb = (request) => search({ ...request, model: 'm' }, made.control.signal);
	return made;
}

const links = [
	{ title: 'One', url: 'https://one.example/a' },
	{ title: 'Two', url: 'https://sub.two.example/b' },
];
const reminder = 'REMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.';

describe('WebSearch', () => {
	it('by Anthropic: one request, and what was found in it', async () => {
		let asked: unknown;
		const url = await localServer(async (request, response) => {
			asked = await json(request);
			response.setHeader('content-type', 'application/json').end(
				JSON.stringify({
					content: [
						{ type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'exact words' } },
						{
							type: 'web_search_tool_result',
							tool_use_id: 's1',
							content: links.map((one) => ({ type: 'web_search_result', ...one })),
						},
						{ type: 'text', text: 'Two pages.' },
						{
							type: 'web_search_tool_result',
							tool_use_id: 's2',
							content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
						},
						{ type: 'odd' },
						null,
					],
					usage: { input_tokens: 10, output_tokens: 5 },
				}),
			);
		});
		const { search } = anthropic({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' } });
		const { use, updates } = bench(search);
		const output = await use(webSearch, { query: 'words', allowed_domains: ['one.example'] });
		expect(asked).toMatchObject({
			model: 'm',
			tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['one.example'] }],
			messages: [{ role: 'user', content: 'Perform a web search for the query: words' }],
		});
		expect(textOf(output)).toBe(
			`Web search results for query: "words"\n\nLinks: ${JSON.stringify(links)}\n\nTwo pages.\n\nWeb search error: max_uses_exceeded\n\n${reminder}`,
		);
		expect(output.details).toEqual({
			query: 'words',
			results: [{ tool_use_id: 'c1', content: links }, 'Two pages.', 'Web search error: max_uses_exceeded'],
			durationSeconds: expect.any(Number),
		});
		expect(updates).toEqual([
			{ type: 'query_update', query: 'words' },
			{ type: 'search_results_received', resultCount: 2, query: 'exact words' },
		]);
	});

	it('by OpenAI: one request, pages that it names before those that it looked at', async () => {
		let asked: unknown;
		const looked = [{ type: 'url', url: 'https://sub.two.example/b' }, { url: 'https://blocked.example/' }, { url: 5 }];
		const url = await localServer(async (request, response) => {
			asked = { path: request.url, body: await json(request) };
			const cited = { type: 'url_citation', title: 'One', url: 'https://one.example/a', start_index: 0, end_index: 3 };
			const output = [
				{ type: 'reasoning', summary: [] },
				{ type: 'web_search_call', action: { type: 'search', query: 'exact words', sources: looked } },
				{ type: 'web_search_call', action: { type: 'open_page', url: 'https://one.example/a' } },
				{ type: 'message', content: [{ type: 'output_text', text: 'Two pages.', annotations: [cited, cited, 3] }] },
				null,
			];
			const usage = { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } };
			response.setHeader('content-type', 'application/json').end(JSON.stringify({ output, usage }));
		});
		const { search } = openAiResponses({ env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' } });
		const { use, updates } = bench(search);
		const output = await use(webSearch, { query: 'words', blocked_domains: ['blocked.example'] });
		expect(asked).toMatchObject({
			path: '/v1/responses',
			body: {
				...{ model: 'm', store: false, tools: [{ type: 'web_search' }], tool_choice: 'required' },
				input: 'Perform a web search for the query: words -site:blocked.example',
			},
		});
		const found = [links[0], { title: 'https://sub.two.example/b', url: 'https://sub.two.example/b' }];
		expect(textOf(output)).toBe(
			`Web search results for query: "words"\n\nLinks: ${JSON.stringify(found)}\n\nTwo pages.\n\n${reminder}`,
		);
		expect(updates).toEqual([
			{ type: 'query_update', query: 'words' },
			{ type: 'search_results_received', resultCount: 2, query: 'exact words' },
		]);
		await use(webSearch, { query: 'words', allowed_domains: ['one.example'] });
		expect(asked).toMatchObject({ body: { tools: [{ filters: { allowed_domains: ['one.example'] } }] } });
		const answer = await search?.({ query: 'q', model: 'm' }, new AbortController().signal);
		expect(answer).toMatchObject({ reply: { provider: 'openai', usage: { input: 6, output: 5, cacheRead: 4 } } });
	});

	it('by Google: one request, and the hosts that its addresses lead to', async () => {
		let asked: unknown;
		const through = (title: string) => ({ web: { uri: `https://search.google.example/to/${title}`, title } });
		const url = await localServer(async (request, response) => {
			asked = { path: request.url, body: await json(request) };
			const parts = [{ text: 'Thinking.', thought: true }, { text: 'Two ' }, { text: 'pages.' }];
			const groundingChunks = [through('one.example'), through('two.example'), through('one.example'), {}];
			const groundingMetadata = { webSearchQueries: ['exact words'], groundingChunks };
			const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 1 };
			const body = { candidates: [{ content: { role: 'model', parts }, groundingMetadata }], usageMetadata };
			response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
		});
		const { search } = google({ env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'k' } });
		const { use } = bench(search);
		const output = await use(webSearch, { query: 'words', allowed_domains: ['one.example', 'x.example'] });
		expect(asked).toMatchObject({
			path: '/v1beta/models/m:generateContent',
			body: {
				tools: [{ googleSearch: {} }],
				contents: [
					{ parts: [{ text: 'Perform a web search for the query: words site:one.example OR site:x.example' }] },
				],
			},
		});
		const found = [{ title: 'one.example', url: 'https://search.google.example/to/one.example' }];
		expect(textOf(output)).toBe(
			`Web search results for query: "words"\n\nLinks: ${JSON.stringify(found)}\n\nTwo pages.\n\n${reminder}`,
		);
		const answer = await search?.({ query: 'q', model: 'm' }, new AbortController().signal);
		expect(answer).toMatchObject({ reply: { provider: 'google', usage: { input: 3, output: 3 } } });
	});

	it('what it used is counted', async () => {
		const url = await localServer((_, response) => {
			response
				.setHeader('content-type', 'application/json')
				.end(JSON.stringify({ content: 7, usage: { input_tokens: 3 } }));
		});
		const { search } = anthropic({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' } });
		const answer = await search?.({ query: 'q', model: 'm' }, new AbortController().signal);
		expect(answer).toMatchObject({ parts: [], reply: { model: 'm', usage: { input: 3 } } });
	});

	it.each([
		['Anthropic', (url: string) => anthropic({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' } })],
		['OpenAI', (url: string) => openAiResponses({ env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'k' } })],
		['Google', (url: string) => google({ env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'k' } })],
	])('a provider that refuses is one clear line: %s', async (_, provider) => {
		const url = await localServer((_, response) => {
			response
				.writeHead(400, { 'content-type': 'application/json' })
				.end('{"error":{"type":"invalid_request_error","message":"no search here"}}');
		});
		const { search } = provider(url);
		const output = await bench(search).use(webSearch, { query: 'words' });
		expect(output.isError).toBe(true);
		expect(textOf(output)).toMatch(/^Web search failed: .*no search here/);
	});

	it('by a server of the user, within the hosts that are wanted', async () => {
		let path = '';
		const results = [
			...links.map((one) => ({ ...one, content: `About ${one.title}` })),
			{ url: 'javascript:x' },
			{ title: 5 },
			null,
		];
		const url = await localServer((request, response) => {
			path = request.url ?? '';
			response.end(JSON.stringify({ results }));
		});
		const { use } = bench(searxngSearch(`${url}/search?lang=en`, nodeHost()));
		const output = await use(webSearch, { query: 'a & b' });
		expect(path).toBe('/search?lang=en&q=a+%26+b&format=json');
		expect(textOf(output)).toContain(`Links: ${JSON.stringify(links)}\n\nOne: About One\n\nTwo: About Two`);
		expect(textOf(await use(webSearch, { query: 'xx', allowed_domains: ['two.example'] }))).not.toContain(
			'one.example',
		);
		expect(textOf(await use(webSearch, { query: 'xx', blocked_domains: ['two.example', 'one.example'] }))).toContain(
			'No links found.',
		);
	});

	it.each<[string, RequestListener]>([
		['did not answer in JSON', (_, response) => response.end('<html>')],
		['did not answer: it answered 403', (_, response) => response.writeHead(403).end()],
		['did not answer: socket hang up', (_, response) => response.socket?.destroy()],
	])('a server that %s is one clear line', async (text, listener) => {
		const { use } = bench(searxngSearch(await localServer(listener), nodeHost()));
		const output = await use(webSearch, { query: 'words' });
		expect(output.isError).toBe(true);
		expect(textOf(output)).toContain(text);
	});

	it('where nobody searches, that is said', async () => {
		expect(textOf(await bench().use(webSearch, { query: 'words' }))).toContain('There is no web search here');
		expect(textOf(await bench(searxngSearch('nowhere', nodeHost())).use(webSearch, { query: 'words' }))).toContain(
			'nowhere is not the address',
		);
	});

	it('hosts are either wanted or not wanted', async () => {
		const output = await bench().use(webSearch, { query: 'words', allowed_domains: ['a'], blocked_domains: ['b'] });
		expect(textOf(output)).toBe(
			'<tool_use_error>Error: Cannot specify both allowed_domains and blocked_domains in the same request</tool_use_error>',
		);
		expect(textOf(await bench().use(webSearch, { query: 'q' }))).toContain(
			'Too small: expected string to have >=2 characters',
		);
	});
});
