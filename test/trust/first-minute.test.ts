/** What somebody meets in the first minute: a welcome, help in groups, and errors that lead on. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';
import { unusedUrl } from '../support/local-server.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const root = join(import.meta.dirname, '../..');

describe('reprise without anything', () => {
	it('is a short welcome with five commands to begin with', async () => {
		const { code, out, err } = await stage.run([]);
		expect([code, err]).toEqual([0, '']);
		expect(out.match(/^ {2}reprise /gm)).toHaveLength(5);
		expect(out.split('\n').length).toBeLessThan(14);
		expect(out).toContain('were found on this machine yet');
		expect(out).toContain('reprise --help');
	});

	it('says how what comes through a pipe is sent', async () => {
		const { code, err } = await stage.run([], { input: 'hi\n' });
		expect([code, err]).toEqual([
			0,
			'reprise: what comes through a pipe was not read: reprise -p sends it to a model\n',
		]);
	});

	it('says which sessions it has found', async () => {
		cpSync(join(corpusRoot, 'claude-code/generated/mixed-home-a/home'), stage.home, { recursive: true });
		expect((await stage.run([])).out).toContain('Found on this machine: 8 of claude-code.');
	});
});

describe('help', () => {
	it('has groups, with what people do every day first', async () => {
		const { out } = await stage.run(['--help']);
		const headings = out.split('\n').filter((line) => /^\S.*:$/.test(line));
		expect(headings[0]).toBe('Every day:');
		expect(headings.at(-1)).toBe('Options:');
		const places = [' ls ', ' handoff ', ' rename ', ' inspect ', ' demo ', '-p, --print'].map((text) =>
			out.indexOf(text),
		);
		expect(places).toEqual(places.toSorted((a, b) => a - b));
		expect(places).not.toContain(-1);
	});
});

describe('a mistake', () => {
	it.each([
		[['show'], "reprise: missing required argument 'session' (see reprise show --help)\n"],
		[['ls', '--bogus'], "reprise: unknown option '--bogus' (see reprise ls --help)\n"],
		[['help', 'nothing'], 'reprise: there is no command nothing (see reprise --help)\n'],
		[['version'], 'reprise: there is no command version; did you mean reprise --version? (see reprise --help)\n'],
		[['vault', 'add'], 'reprise: name a session, or add --all (see reprise vault --help)\n'],
		[['shwo'], "reprise: unknown command 'shwo'; did you mean show? (a prompt goes after -p; see reprise --help)\n"],
		[
			['hello', 'there'],
			`reprise: unknown command 'hello'; did you mean help? (a prompt of several words is quoted: reprise 'hello there'; see reprise --help)\n`,
		],
		[['-p', '--bogus'], "reprise: unknown option '--bogus' (see reprise --help)\n"],
	])('%j is one line that says who speaks and where to read more', async (args, err) => {
		expect(await stage.run(args)).toEqual({ code: 2, out: '', err });
	});

	it.each(['list', 'log', 'sessions'])('%s leads to the command that is meant', async (name) => {
		expect(await stage.run([name])).toEqual({
			code: 2,
			out: '',
			err: `reprise: there is no command ${name}; did you mean reprise ls? (see reprise --help)\n`,
		});
	});
});

describe('the Node that is needed', () => {
	it('is the same in package.json, in the starter, in npm scripts and in the README', () => {
		const text = (path: string) => readFileSync(join(root, path), 'utf8');
		expect(JSON.parse(text('package.json'))).toMatchObject({ engines: { node: '>=22.19' } });
		for (const path of ['bin/reprise.js', 'scripts/require-node.js', 'README.md']) {
			expect(text(path), path).toContain('22.19');
			expect(text(path), path).not.toContain('22.15');
		}
	});
});

describe('the README', () => {
	const readme = readFileSync(join(root, 'README.md'), 'utf8');

	it('says how to get the command, in three ways, each with the Node that it needs', () => {
		for (const way of ['npm install -g reprise', 'npx reprise', 'node bin/reprise.js'])
			expect(readme.split('\n').find((line) => line.includes(way) && /\b(22\.19|20)\b/.test(line))).toBeDefined();
	});

	it('opens with a picture of the console, and has one of what people do: find, read, price, go on, hand over, bring home', () => {
		const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+\.svg)\)/g)].map(([, path = '']) => path);
		const [console = '', shown = ''] = pictures.map((path) => readFileSync(join(root, path), 'utf8'));
		expect(readme.indexOf(pictures[0] ?? '?')).toBeLessThan(readme.indexOf('\n## '));
		expect(console).toMatch(/Allow\sit\?/);
		for (const command of ['ls', 'search', 'show', 'cost', '-c', 'handoff', 'return'])
			expect(shown).toMatch(new RegExp(`reprise [^<]*${command}\\b`));
	});

	it('shows no cost that nobody knows as nothing', () => {
		expect(readme).not.toContain('$0.00 ');
	});
});

describe('words that a stranger would stumble over', () => {
	it('are not in what return says without a session', async () => {
		const { code, err } = await stage.run(['return']);
		expect(code).not.toBe(0);
		expect(err).toMatch(/^reprise: name the session .*\n$/);
		expect(err).not.toContain('shall');
	});

	it('are not in the help of any command', async () => {
		const { out } = await stage.run(['--help']);
		const names = [...out.matchAll(/^ {2}(?:reprise )?([a-z]+)\b/gm)].map(([, name = '']) => name);
		expect(names).toContain('handoff');
		for (const name of names) {
			const help = (await stage.run([name, '--help'])).out;
			expect(help, name).not.toMatch(/\bshall\b|is no JSON|goes behind|none of the dollars/);
		}
	});
});

describe('a server that is not running', () => {
	it('is told at once, with how to start it: nobody waits half a minute for a refused connection', async () => {
		using stage = new ClientStage();
		const began = Date.now();
		const url = await unusedUrl();
		const env = { OLLAMA_HOST: url };
		const { code, out, err } = await stage.run(['-p', 'hi', '--model', 'ollama/llama3'], { env });
		expect([code, out]).toEqual([3, '']);
		expect(err).toBe(
			`reprise: Ollama is not running at ${url} (ECONNREFUSED): start it with \`ollama serve\`, or check the address.\n`,
		);
		expect(err).not.toContain('Trying again');
		// Far less than the waits of even two more tries, far more than a busy machine needs.
		expect(Date.now() - began).toBeLessThan(20_000);
	});
});
