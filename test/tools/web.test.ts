/** WebFetch and WebSearch, case by case: what the model is told and what the session keeps. */
import { describe, expect } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { failure, refusal, said, toolTable, wrong } from '../support/tool-table.ts';

const fetches = (path: string) => ['WebFetch', { url: `{pages}${path}`, prompt: 'What is it?' }] as const;
const kept = (path: string, bytes: number, result: string, more: object = {}) => ({
	...{ bytes, code: 200, codeText: 'OK', result, durationMs: expect.any(Number), url: `{pages}${path}`, ...more },
});
const unlike29 = 'WebFetch';
const elsewhere =
	'REDIRECT DETECTED: The URL redirects to a different host.\n\nOriginal URL: {pages}/away\nRedirect URL: https://other.example/\nStatus: 302\n\nTo complete your request, I need to fetch content from the redirected URL. Please use WebFetch again with these parameters:\n- url: "https://other.example/"\n- prompt: "What is it?"';
const links = [{ title: 'One', url: 'https://one.example/' }];
const reminder = 'REMINDER: You MUST include the sources above in your response to the user using markdown hyperlinks.';

describe('with a server of pages and of searches', () => {
	toolTable(
		{
			'a page is read by the model for what is asked': {
				...said('It greets.', kept('/page', 14, 'It greets.')),
				call: fetches('/page'),
			},
			'a redirection on the same host is followed': {
				...said('It greets.', kept('/here', 14, 'It greets.')),
				call: fetches('/here'),
			},
			'a redirection to another host is told': {
				...said(elsewhere, kept('/away', 0, elsewhere, { code: 302, codeText: 'Redirect' })),
				call: fetches('/away'),
			},
			'a page that is not there': {
				...failure('Could not fetch {pages}/none: the server answered 404 Not Found.'),
				call: fetches('/none'),
				unlike29,
			},
			'what is no text': {
				...failure('{pages}/picture is no text (image/png). Fetch it with a shell command if it is needed.'),
				call: fetches('/picture'),
				unlike29,
			},
			'a private address that no rule names': {
				...failure('Could not fetch https://127.0.0.2:9/: 127.0.0.2 is not an address of the public network.'),
				call: ['WebFetch', { url: 'http://127.0.0.2:9/', prompt: 'x' }],
				unlike29,
			},
			'an address that is none': {
				told: /^<tool_use_error>InputValidationError: \[\n[\s\S]*"format": "url"/,
				...{ isError: true, kept: expect.stringMatching(/^InputValidationError: \[\n/) },
				call: ['WebFetch', { url: 'nonsense', prompt: 'x' }],
			},
			'a question is needed': {
				...wrong('WebFetch', 'The required parameter `prompt` is missing'),
				call: ['WebFetch', { url: '{pages}/page' }],
			},
			'pages that are found': {
				...said(`Web search results for query: "some words"\n\nLinks: ${JSON.stringify(links)}\n\n${reminder}`, {
					...{ query: 'some words', durationSeconds: expect.any(Number) },
					results: [{ tool_use_id: expect.stringMatching(/^toolu_row_/), content: links }],
				}),
				call: ['WebSearch', { query: 'some words' }],
			},
			'only some hosts and not others': {
				...refusal('Error: Cannot specify both allowed_domains and blocked_domains in the same request'),
				call: ['WebSearch', { query: 'some words', allowed_domains: ['a.com'], blocked_domains: ['b.com'] }],
			},
			'a query of one letter': {
				told: /^<tool_use_error>InputValidationError: \[\n[\s\S]*"too_small"/,
				...{ isError: true, kept: expect.stringMatching(/^InputValidationError: \[\n/) },
				call: ['WebSearch', { query: 'x' }],
			},
			'a query is needed': {
				...wrong('WebSearch', 'The required parameter `query` is missing'),
				call: ['WebSearch', {} as JsonObject],
			},
		},
		{
			consulted: 'It greets.',
			flags: ['--permission-mode', 'bypassPermissions', '--allowedTools', 'WebFetch(domain:127.0.0.1)'],
			env: { REPRISE_SEARCH_URL: '{pages}/search' },
			pages(request, response) {
				const path = request.url ?? '';
				if (path.startsWith('/search')) response.end(JSON.stringify({ results: links }));
				else if (path === '/here') response.writeHead(301, { location: '/page' }).end();
				else if (path === '/away') response.writeHead(302, { location: 'https://other.example/' }).end();
				else if (path === '/none') response.writeHead(404).end();
				else if (path === '/picture') response.setHeader('content-type', 'image/png').end('x');
				else response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
			},
		},
	);
});
