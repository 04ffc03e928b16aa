/**
 * A fifth format is added with its folder, one line and its id, and nothing else: to a copy of this package, where the types hold, the
 * laws hold and every command knows it. What would have to be changed besides is at fault, and not this test.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codecOf } from '../src/codecs/index.ts';
import { agents } from '../src/move/agents.ts';
import type { ScriptInput } from '../src/providers/script.ts';
import { formats, sampleOf } from './support/sessions.ts';

const root = join(import.meta.dirname, '..');
const fixture = join(root, 'test/fifth-format');
const scratch = mkdtempSync(join(tmpdir(), 'reprise-fifth-'));
const copy = join(scratch, 'package');
const home = join(scratch, 'home');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Sessions of other agents that have what Tern has not: branches, sub-agents, compactions, pictures, parallel calls, damage. */
const others = [
	...['compact-manual', 'resume-fork', 'subagents', 'thinking-tools-parallel'].map(
		(one) => `claude-code/2.1.325/${one}`,
	),
	...['compaction', 'parallel-tools', 'tool-error'].map((one) => `cline/3.0.65/${one}`),
	...['03-thinking-image-blocks', '04-crash-assistant-tool-use-never-executed', '17-crlf-line-ends'].map(
		(one) => `clido/1.0.15/${one}`,
	),
	...['lib-all-entry-types', 'rpc-fork', 'image-prompt'].map((one) => `openclaw/pi-0.87.1/${one}`),
];

/** This package as somebody has it who is about to add a format: without what is built, with few sessions to try. */
function copyPackage(): void {
	const left = /^test\/(corpus|context|fifth-format)(\/|$|\.)/;
	for (const name of [
		'src',
		'test',
		'scripts',
		'bench',
		'samples',
		'bin',
		'README.md',
		'package.json',
		'tsconfig.json',
		'tsconfig.build.json',
		'vitest.config.ts',
	])
		cpSync(join(root, name), join(copy, name), {
			recursive: true,
			filter: (path) => !left.test(path.slice(root.length + 1)),
		});
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	mkdirSync(join(copy, 'test/context'));
	for (const scenario of others)
		cpSync(join(root, 'test/corpus', scenario), join(copy, 'test/corpus', scenario), { recursive: true });
}

/** All that it takes. The sessions are there to be tried. */
function addFormat(): void {
	cpSync(join(fixture, 'tern'), join(copy, 'src/codecs/tern'), { recursive: true });
	appendFileSync(join(copy, 'src/codecs/formats.ts'), "export { tern } from './tern/index.ts';\n");
	const ids = join(copy, 'src/model/session.ts');
	const text = readFileSync(ids, 'utf8');
	writeFileSync(ids, text.replace(/(export type FormatId = [^;]*);/, "$1 | 'tern';"));
	cpSync(join(fixture, 'home'), join(copy, 'test/corpus/tern/1.0/harbour/home'), { recursive: true });
	cpSync(join(fixture, 'home'), home, { recursive: true });
}

function node(...args: readonly string[]): SpawnSyncReturns<string> {
	const env = {
		PATH: process.env.PATH,
		TMPDIR: tmpdir(),
		HOME: home,
		REPRISE_HOME: join(scratch, 'own'),
		NO_COLOR: '1',
	};
	return spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', env });
}

/** A command of the copy. */
function reprise(...args: readonly string[]): string {
	const { status, stdout, stderr } = node('bin/reprise.js', ...args);
	expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
	return stdout;
}

const json = (...args: readonly string[]): unknown => JSON.parse(reprise(...args, '--json'));

const sessions = join(home, '.tern/sessions');
const id = '6f1d2c3b-0000-4000-8000-000000000001';
const session = join(sessions, `${id}.jsonl`);
const torn = join(sessions, '6f1d2c3b-0000-4000-8000-000000000002.jsonl');
const asked = 'The tide table is off by one hour. Why?';

beforeAll(() => {
	copyPackage();
	addFormat();
	const built = node('scripts/bundle.ts');
	expect(built.status, built.stderr).toBe(0);
});

it('the types hold, in the sources, the tests, the scripts and the benchmarks', () => {
	const checked = node(join(root, 'node_modules/typescript/bin/tsc'), '--noEmit');
	expect(checked.stdout).toBe('');
	expect(checked.status).toBe(0);
});

/** What has to have been tried, by how the names of its tests begin. */
const laws = [
	'architecture every codec has the same parts',
	'tern law 1: ',
	'tern law 3: ',
	'tern law 4: ',
	'tern laws 1, 3, 4 and 5 hold for ',
	'tern laws 2, 7 and 8: ',
	'detection law 5: ',
	'law 11: tern/',
	...formats.flatMap((format) => [
		`law 11: ${format}/`,
		`from ${format} to tern and back: `,
		`from tern to ${format} and back: `,
	]),
	'from tern there and back gives the same bytes ', // law 8
	'from tern turns added there come home after the old bytes ',
	'convert every pair of formats: ',
	'convert what is said on the way to where it goes on arrives, ',
];

it('laws 1 to 5, 7, 8 and 11 hold for it, and for every conversion to and from it', { timeout: 300_000 }, () => {
	const files = ['test/laws', 'test/move/convert.test.ts', 'test/move/lineage.test.ts', 'test/architecture.test.ts'];
	const report = join(scratch, 'report.json');
	const names = '^(tern|detection|architecture|convert|from tern)\\b|^law 11: |to tern and back';
	const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--outputFile', report];
	node(...vitest, ...files, '-t', names);
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
		testResults: {
			message: string;
			assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
		}[];
	};
	const tried = testResults.flatMap((file) => file.assertionResults);
	expect(testResults.map(({ message }) => message).join('')).toBe('');
	expect(tried.filter(({ status }) => status === 'failed')).toEqual([]);
	const held = tried.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName);
	expect(laws.filter((law) => !held.some((name) => name.startsWith(law)))).toEqual([]);
});

describe('every command knows it', () => {
	it('detect: inspect, check and show', () => {
		const facts = { format: 'tern', dialect: 'tern', sessionId: id, cwd: '/home/dev/harbour', branches: 1, issues: [] };
		expect(json('inspect', session)).toMatchObject(facts);
		expect(json('check', session)).toMatchObject({ format: 'tern', ok: true, issues: [] });
		expect(reprise('check', torn)).toContain('tern/torn');
		expect(reprise('show', session, '--no-pager')).toContain(asked);
	});

	it('list, search, cost and stats', () => {
		const listed = { agent: 'tern', id, title: 'Tide table in summer time' };
		expect(json('ls', '--all')).toMatchObject({ sessions: expect.arrayContaining([expect.objectContaining(listed)]) });
		expect(reprise('search', 'winter', 'time', '--all')).toContain(id);
		const row = { key: 'tern', responses: 7, inputTokens: 1600, outputTokens: 294, costUsd: 0.0126 };
		expect(json('cost', '--all', '--by', 'agent')).toMatchObject({ rows: [expect.objectContaining(row)] });
		expect(reprise('stats', '--all')).toContain('Bash 2, Edit 1, Read 1');
	});

	it.each(formats)('convert to %s and back: the same bytes', (format) => {
		const there = join(scratch, `there-${format}${ending(format)}`);
		const back = join(scratch, `back-from-${format}.jsonl`);
		reprise('convert', session, '--to', format, '-o', there);
		expect(json('check', there)).toMatchObject({ format, ok: true });
		expect(reprise('show', there, '--no-pager')).toContain(asked);
		reprise('convert', there, '--to', 'tern', '-o', back);
		expect(readFileSync(back).equals(readFileSync(session))).toBe(true);
	});

	it.each(formats)('convert from %s and back: the same bytes', (format) => {
		const there = join(scratch, `from-${format}.jsonl`);
		const back = join(scratch, `back-to-${format}${ending(format)}`);
		reprise('convert', sampleOf[format], '--to', 'tern', '-o', there);
		expect(json('check', there)).toMatchObject({ format: 'tern', ok: true, issues: [] });
		expect(json('inspect', there)).toMatchObject({ title: 'Why does the parser test fail?', cwd: '/home/dev/notes' });
		reprise('convert', there, '--to', format, '-o', back);
		expect(readFileSync(back).equals(readFileSync(sampleOf[format]))).toBe(true);
	});

	it.each(agents.map(({ name }) => name))('handoff to %s, and what was said there returns', (agent) => {
		const handed = json('handoff', session, '--to', agent, '--cwd', copy) as { readonly out: readonly string[] };
		const before = readFileSync(session, 'utf8');
		reprise('-p', `And from ${agent}?`, '-r', handed.out[0] ?? '', '--script', script([{ text: 'From there too.' }]));
		expect(json('return', handed.out[0] ?? '')).toMatchObject({ format: 'tern', id, messages: 2 });
		const after = readFileSync(session, 'utf8');
		expect(after.startsWith(before)).toBe(true);
		expect(after).toContain(`And from ${agent}?`);
	});

	it('handoff to it: its own command resumes the session, which goes on here and comes home', () => {
		const made = json('handoff', sampleOf.clido, '--to', 'tern') as {
			readonly id: string;
			readonly out: readonly string[];
		};
		expect(made).toMatchObject({ agent: 'tern', command: `tern --resume ${made.id}` });
		expect(dirname(made.out[0] ?? '')).toBe(sessions);
		reprise('-p', 'Go on.', '-r', made.id, '--script', script([{ text: 'Gladly.' }]));
		expect(json('return', made.id, '-o', join(scratch, 'home.jsonl'))).toMatchObject({ format: 'clido', messages: 2 });
	});

	it('an agent writes it, and forks, rewinds, renames and tags what it wrote', () => {
		const call = { type: 'tool_use', name: 'Read', input: { file_path: join(copy, 'package.json') } } as const;
		const work = script([{ content: [call] }, { text: 'It is the package.' }]);
		reprise('-p', 'What is it?', '--script', work, '--session-format', 'tern');
		reprise('-p', 'Thanks.', '-c', '--script', script([{ text: 'Gladly.' }]));
		// Its files are the same in both profiles, so that naming one is no reason to refuse.
		const profile = ['--session-profile', 'published'];
		reprise('-p', 'Bye.', '-c', ...profile, '--script', script([{ text: 'Goodbye.' }]));
		expect(json('check', 'last')).toMatchObject({ format: 'tern', ok: true, issues: [] });
		const { parts } = json('show', 'last') as { readonly parts: readonly { readonly entry: string }[] };
		expect(json('fork', 'last', '-o', join(scratch, 'fork.jsonl'))).toMatchObject({ format: 'tern', losses: [] });
		expect(json('rewind', 'last', '--to', parts[0]?.entry ?? '')).toMatchObject({
			fork: { format: 'tern', losses: [] },
		});
		reprise('rename', 'last', 'Package');
		reprise('tag', 'last', 'later');
		expect(reprise('ls')).toContain('Package');
	});

	it('the documents that are made from the code have it, and so has the tour', () => {
		const made = node('scripts/docs.ts');
		expect(made.status, made.stderr).toBe(0);
		expect(readFileSync(join(copy, 'docs/rules.md'), 'utf8')).toContain('## Tern (`tern`)');
		expect(readFileSync(join(copy, 'docs/cli.md'), 'utf8')).toMatch(/ openclaw\s+\(writes\s[^)]*\),\s+tern\b/);
		expect(readFileSync(join(copy, 'README.md'), 'utf8')).toMatch(/^2026-03-02 .* tern /m);
		expect(reprise('demo')).toContain('5 sessions, 5 identical copies.');
	});
});

let scripts = 0;
/** The path of a script that a model follows. */
function script(turns: ScriptInput): string {
	const path = join(scratch, `script-${++scripts}.json`);
	writeFileSync(path, JSON.stringify(turns));
	return path;
}

const ending = (format: string): string | undefined => codecOf(format)?.places.ending;
