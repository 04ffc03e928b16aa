/** Session protocol appendix B, §4.5.4 and §7.3: the tools that search, list and go to the web, held against what the command wrote. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { profiles } from '../support/seed-runs.ts';

const todos = [{ content: 'Look around', status: 'in_progress', activeForm: 'Looking around' }];
const links = [{ title: 'One', url: 'https://one.example/' }];

/** Pages, and a search that finds one. */
const web = createServer((request, response) => {
	if (request.url?.startsWith('/search')) response.end(JSON.stringify({ results: links }));
	else response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
});

interface Line {
	readonly type: string;
	readonly data?: { readonly type: string };
	readonly toolUseResult?: object;
	readonly message?: { readonly content: readonly { readonly tool_use_id?: string; readonly content?: string }[] };
}

describe.each(profiles)('a run with the tools of appendix B (%s)', (profile) => {
	const stage = new ClientStage();
	let lines: readonly Line[] = [];
	let url = '';
	afterAll(async () => {
		stage[Symbol.dispose]();
		if (web.listening) await new Promise((done) => web.close(done));
	});

	beforeAll(async () => {
		if (!web.listening) await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
		url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
		const calls: readonly (readonly [string, object])[] = [
			['Glob', { pattern: '*.txt', path: stage.cwd }],
			['Grep', { pattern: 'hello', path: stage.cwd, glob: '*.txt', output_mode: 'content' }],
			['TodoWrite', { todos }],
			['WebSearch', { query: 'some words' }],
			['WebFetch', { url: `${url}/page`, prompt: 'What does it say?' }],
		];
		const content = calls.map(([name, input]) => ({ type: 'tool_use', name, input, id: `toolu_${name}` }));
		// The fourth answer is to the question about the page.
		const script = stage.script([{ content }, { text: 'It greets.' }, { text: 'Done.' }] as never);
		const file = join(stage.cwd, '..', 'session.jsonl');
		const where = ['--session-profile', profile, '--session-file', file];
		const rules = ['--permission-mode', 'bypassPermissions', '--allowedTools', 'WebFetch(domain:127.0.0.1)'];
		const env = { REPRISE_SEARCH_URL: `${url}/search` };
		const ended = await stage.run(['-p', 'go', ...where, ...rules, '--script', script], { env });
		expect(ended).toMatchObject({ code: 0, out: 'Done.\n' });
		lines = readFileSync(file, 'utf8')
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line));
	});

	const resultOf = (name: string): { readonly text: string | undefined; readonly details: object | undefined } => {
		const line = lines.find(
			({ message }) => Array.isArray(message?.content) && message.content[0]?.tool_use_id === `toolu_${name}`,
		);
		return { text: line?.message?.content[0]?.content, details: line?.toolUseResult };
	};

	it('7.3 Glob: the files, how many, how long it took, and whether there are more', () => {
		const filenames = [stage.file('a.txt')];
		const durationMs = expect.any(Number);
		expect(resultOf('Glob').details).toEqual({ filenames, durationMs, numFiles: 1, truncated: false });
		expect(resultOf('Glob').text).toBe(filenames[0]);
	});

	it('B Grep: pattern, path, glob and output_mode are obeyed', () => {
		expect(resultOf('Grep')).toEqual({
			text: 'a.txt:1:hello',
			details: { mode: 'content', numFiles: 0, filenames: [], content: 'a.txt:1:hello', numLines: 1 },
		});
	});

	it('7.3 TodoWrite: the list before and the list after', () => {
		expect(resultOf('TodoWrite').details).toEqual({ oldTodos: [], newTodos: todos });
	});

	it('B WebSearch: a query is answered with pages', () => {
		expect(resultOf('WebSearch').details).toEqual({
			query: 'some words',
			results: [{ tool_use_id: 'toolu_WebSearch', content: links }],
			durationSeconds: expect.any(Number),
		});
	});

	it('4.5.4: that a search begins and how many pages it found is told while it runs', () => {
		const told = lines.flatMap(({ type, data }) => (type === 'progress' && data ? [data] : []));
		expect(told).toEqual([
			{ type: 'query_update', query: 'some words' },
			{ type: 'search_results_received', resultCount: 1, query: 'some words' },
		]);
	});

	it('B WebFetch: a page is asked about', () => {
		expect(resultOf('WebFetch').text).toBe('It greets.');
		expect(resultOf('WebFetch').details).toMatchObject({ code: 200, codeText: 'OK', bytes: 14, result: 'It greets.' });
	});
});
