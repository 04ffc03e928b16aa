/** Searching the web: by Anthropic's server, by one of the user's own, and where there is none. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { textOf, toolBench } from '../../test/support/tool-bench.ts';
import type { SearchWeb } from '../agent/contracts.ts';
import { nodeHost } from '../host/node-host.ts';
import { anthropic } from '../providers/anthropic.ts';
import { searxngSearch } from './searxng.ts';
import { webSearch } from './web-search.ts';

async function server(listener: RequestListener): Promise<string> {
	const listening = createServer(listener);
	await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
	onTestFinished(async () => {
		listening.closeAllConnections();
		await new Promise((done) => listening.close(done));
	});
	return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

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
		const url = await server(async (request, response) => {
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

	it('what it used is counted', async () => {
		const url = await server((_, response) => {
			response
				.setHeader('content-type', 'application/json')
				.end(JSON.stringify({ content: 7, usage: { input_tokens: 3 } }));
		});
		const { search } = anthropic({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' } });
		const answer = await search?.({ query: 'q', model: 'm' }, new AbortController().signal);
		expect(answer).toMatchObject({ parts: [], reply: { model: 'm', usage: { input: 3 } } });
	});

	it('a provider that refuses is one clear line', async () => {
		const url = await server((_, response) => {
			response
				.writeHead(400, { 'content-type': 'application/json' })
				.end('{"error":{"type":"invalid_request_error","message":"no search here"}}');
		});
		const { search } = anthropic({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' } });
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
		const url = await server((request, response) => {
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
		const { use } = bench(searxngSearch(await server(listener), nodeHost()));
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
