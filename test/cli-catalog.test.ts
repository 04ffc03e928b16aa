/** `ls`, `search`, `cost` and `stats` as their users meet them, on a home with sessions of four agents. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStory } from '../src/export/story-file.ts';
import { transcript } from '../src/export/transcript.ts';
import { findSession } from '../src/store/find/find-session.ts';
import { corpusRoot } from './support/corpus.ts';

// Each of these starts several processes.
vi.setConfig({ testTimeout: 60_000 });
const scratch = mkdtempSync(join(tmpdir(), 'reprise-catalog-cli-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const home = join(scratch, 'home');
const project = join(scratch, 'project');
const bin = join(import.meta.dirname, '../bin/reprise.js');

beforeAll(() => {
	const homes = [
		'claude-code/generated/mixed-home-a',
		'cline/3.0.65/multi-assistant',
		'openclaw/pi-0.87.1/rpc-compaction',
		'openclaw/2026.9.6/parallel-tools',
	];
	for (const from of homes) cpSync(join(corpusRoot, from, 'home'), home, { recursive: true });
	mkdirSync(project, { recursive: true });
	const folder = join(home, '.local/share/clido/sessions/p');
	mkdirSync(folder, { recursive: true });
	const lines = [
		{ type: 'meta', session_id: 'c1', schema_version: 1, start_time: '2026-10-20T10:00:00Z', project_path: project },
		{ type: 'user_message', role: 'user', content: [{ text: 'paint the shed', type: 'text' }] },
		{ type: 'assistant_message', content: [{ text: 'painted', type: 'text' }] },
		{ type: 'result', exit_status: 'completed', total_cost_usd: 0.25, num_turns: 1, duration_ms: 5 },
	];
	writeFileSync(join(folder, 'c1.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
});

interface Run {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

function reprise(args: readonly string[], env: { readonly [name: string]: string } = {}): Run {
	const run = spawnSync(process.execPath, [bin, ...args], {
		cwd: project,
		encoding: 'utf8',
		env: { PATH: process.env.PATH, HOME: home, REPRISE_HOME: join(scratch, 'own'), TZ: 'UTC', ...env },
	});
	return { code: run.status, out: run.stdout, err: run.stderr };
}

function json(...args: readonly string[]): { readonly [key: string]: never } {
	const { code, out, err } = reprise([...args, '--json']);
	expect({ code, err }).toEqual({ code: 0, err: '' });
	return JSON.parse(out) as { [key: string]: never };
}

interface Listed {
	readonly id: string;
	readonly agent: string;
	readonly turns: number | null;
	readonly costUsd: number | null;
}

describe('cost', () => {
	it('needs no catalog and counts all agents', () => {
		const { totals, rows } = json('cost', '--all', '--by', 'agent') as unknown as {
			totals: { responses: number; costUsd: number };
			rows: { key: string; responses: number; costUsd: number | null }[];
		};
		expect(readdirSync(join(scratch, 'own'))).toEqual(['compiled']);
		const byAgent = new Map(rows.map((row) => [row.key, row]));
		expect([...byAgent.keys()].sort()).toEqual(['claude-code', 'clido', 'cline', 'openclaw', 'pi']);
		expect(byAgent.get('claude-code')).toMatchObject({ responses: 127, costUsd: 2.153024 });
		expect(byAgent.get('clido')).toMatchObject({ responses: 1, costUsd: 0.25 });
		expect(totals.responses).toBe(rows.reduce((sum, row) => sum + row.responses, 0));
	});

	it('is that of this project unless all are asked for, in the days of the user’s time zone', () => {
		expect(json('cost')).toMatchObject({ totals: { responses: 1, costUsd: 0.25 }, rows: [{ key: '2026-10-20' }] });
		const days = (zone: string) => {
			const { out } = reprise(['cost', '--all', '--agent', 'clido', '--json'], { TZ: zone });
			return (JSON.parse(out) as { rows: { key: string }[] }).rows.map((row) => row.key);
		};
		expect([days('Pacific/Kiritimati'), days('Pacific/Honolulu')]).toEqual([['2026-10-21'], ['2026-10-20']]);
	});

	it('explains every record that was counted or left out', () => {
		const { counted, excluded } = json('cost', '--all', '--agent', 'claude-code', '--explain') as unknown as {
			counted: object[];
			excluded: { reason: string }[];
		};
		expect(counted).toHaveLength(127);
		expect(new Set(excluded.map((record) => record.reason))).toEqual(new Set(['split', 'copy']));
		const { out } = reprise(['cost', '--all', '--agent', 'claude-code', '--explain']);
		expect(out).toContain('counted: 127');
		expect(out).toContain('a copy: another session wrote it first');
		// Every record stands under its file, at its line.
		expect(out.match(/^ {2}line +\d+ {2}\+ /gm)).toHaveLength(127);
		expect(out.match(/^ {2}line +\d+ {2}- /gm)).toHaveLength(excluded.length);
	});

	it('takes periods, and refuses what is none', () => {
		expect(json('cost', '--all', '--agent', 'claude-code', '--since', '2026-10-21')).toMatchObject({
			totals: { responses: 61 },
		});
		expect(json('cost', '--all', '--agent', 'claude-code', '--until', '2026-10-20')).toMatchObject({
			totals: { responses: 66 },
		});
		expect(reprise(['cost', '--since', 'soon']).code).toBe(2);
	});
});

describe('ls', () => {
	it('lists this project, or all with every documented field', () => {
		const own = json('ls') as unknown as { sessions: Listed[] };
		expect(own.sessions).toMatchObject([
			{ id: 'c1', agent: 'clido', format: 'clido', cwd: project, title: 'paint the shed', turns: null, costUsd: null },
		]);
		const { sessions } = json('ls', '--all') as unknown as { sessions: Listed[] };
		const fields = [
			'id',
			'agent',
			'format',
			'path',
			'cwd',
			'title',
			'gitBranch',
			'tag',
			'createdAt',
			'updatedAt',
			'turns',
			'costUsd',
		];
		for (const session of sessions) for (const field of fields) expect(session).toHaveProperty(field);
		expect(new Set(sessions.map((session) => session.agent))).toEqual(
			new Set(['claude-code', 'cline', 'clido', 'pi', 'openclaw']),
		);
	});

	it('keeps the project of each session, and the title, when it is narrow', () => {
		reprise(['ls', '--all', '--count']);
		const head = (columns: number) => reprise(['ls', '--all'], { COLUMNS: String(columns) }).out.split('\n')[0] ?? '';
		expect(head(200).trim().split(/\s+/)).toEqual(['updated', 'agent', 'id', 'turns', 'cost', 'project', 'title']);
		expect(head(80).trim().split(/\s+/)).toEqual(['updated', 'agent', 'id', 'cost', 'project', 'title']);
		expect(head(40).trim().split(/\s+/)).toEqual(['updated', 'id', 'title']);
	});

	it('knows turns and costs once they are counted', () => {
		const { sessions } = json('ls', '--all', '--count', '--sort', 'cost') as unknown as { sessions: Listed[] };
		expect(sessions.every((session) => session.turns !== null)).toBe(true);
		const sum = sessions.reduce((total, session) => total + (session.costUsd ?? 0), 0);
		const { totals } = json('cost', '--all') as unknown as { totals: { costUsd: number } };
		expect(sum).toBeCloseTo(totals.costUsd, 6);
	});

	it.each([40, 80, 200])('fits a terminal of %i columns', (columns) => {
		for (const command of [
			['ls', '--all'],
			['cost', '--all', '--by', 'project'],
			['cost', '--all', '--by', 'session'],
			['cost', '--all', '--by', 'model'],
			['stats', '--all'],
		]) {
			const { out } = reprise(command, { COLUMNS: String(columns) });
			const widest = Math.max(...out.split('\n').map((line) => stringWidth(line)));
			expect(widest, `${command[0]}\n${out}`).toBeLessThanOrEqual(columns);
		}
	});
});

describe('search', () => {
	it('finds words of all agents, with the entry to jump to', () => {
		const { hits, total } = json('search', 'painted') as unknown as { hits: object[]; total: number };
		expect(total).toBe(1);
		expect(hits).toMatchObject([
			{
				session: 'c1',
				agent: 'clido',
				entry: 'line:3',
				role: 'assistant',
				snippet: 'painted',
				inContext: true,
				time: null,
			},
		]);
		const all = json('search', '--all', 'healthcheck') as unknown as { hits: { agent: string }[] };
		expect(new Set(all.hits.map((hit) => hit.agent))).toEqual(new Set(['claude-code']));
	});

	it('marks what compaction has taken out of the context', () => {
		const every = json('search', '--all', '--agent', 'pi', '--limit', '100', 'a*') as unknown as {
			hits: { inContext: boolean | null }[];
		};
		expect(new Set(every.hits.map((hit) => hit.inContext))).toContain(false);
		expect(new Set(every.hits.map((hit) => hit.inContext))).toContain(true);
	});

	it('names every hit so that show takes it and tells it, in sub-agents too', async () => {
		const { out } = reprise(['search', '--all', 's*', '--limit', '400'], { COLUMNS: '80' });
		expect(out).toContain('▸ sub-agent');
		const jumps = [...out.matchAll(/^ {2}reprise show (\S+) --at (\S+) -n 1$/gm)];
		expect(jumps.length).toBeGreaterThan(100);
		const machine = { platform: 'linux', home, env: {} } as const;
		for (const [, name = '', entry = ''] of jumps) {
			const found = findSession(name, { machine });
			if (!found.ok) throw new Error(found.message);
			using story = await openStory(found.path, { at: entry });
			expect(story.entry(story.length - 1)?.id).toBe(entry);
			// A result is told with its call.
			const named = story.entry(story.length - 1);
			const isResult = named?.kind === 'message' && named.content.some((block) => block.type === 'tool_result');
			const told = [...transcript(story, { last: 1 })];
			expect(
				told.some((part) => isResult || part.from.id === entry),
				`${name} ${entry}`,
			).toBe(true);
		}
	});

	it('looks in the folder that is named, and refuses an agent that nobody knows', () => {
		const { hits } = json('search', 'case', '--project', '/home/dev/web.ui', '--limit', '100') as unknown as {
			hits: { cwd: string }[];
		};
		expect(new Set(hits.map((hit) => hit.cwd))).toEqual(new Set(['/home/dev/web.ui']));
		for (const command of [['search', 'x'], ['ls'], ['cost'], ['stats'], ['tail']]) {
			expect(reprise([...command, '--agent', 'nobody']).code).toBe(2);
		}
	});

	it('marks the words that were asked for, and no part of another', () => {
		const { out } = reprise(['search', '--all', 'test'], { FORCE_COLOR: '1' });
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours.
		const marked = [...out.matchAll(/(.?)\u001b\[32m([^\u001b]*)\u001b\[0m(.?)/g)];
		expect(marked.length).toBeGreaterThan(5);
		for (const [, before, word = '', behind] of marked) {
			expect([`${before}${behind}`, word.toLowerCase()]).toEqual([expect.not.stringMatching(/[\p{L}\p{N}]/u), 'test']);
		}
	});

	it('takes an argument with spaces for a phrase, and refuses a question without words', () => {
		expect(json('search', 'the shed')).toMatchObject({ total: 1 });
		expect(reprise(['search', 'shed the', '--json'])).toMatchObject({ code: 1, err: '' });
		expect(reprise(['search', '***']).code).toBe(1);
	});
});

describe('stats', () => {
	it('counts sessions, turns, tools, tokens and time', () => {
		const { rows } = json('stats', '--all', '--by', 'agent') as unknown as {
			rows: { key: string; sessions: number }[];
		};
		expect(rows.find((row) => row.key === 'claude-code')).toMatchObject({
			sessions: 8,
			subagents: 2,
			responses: 127,
			costUsd: 2.153024,
		});
		expect(json('stats')).toMatchObject({ rows: [{ key: project, sessions: 1, turns: 1 }] });
	});

	it.each([40, 57, 80, 200])('keeps each tool with its count on one line of %i columns', (columns) => {
		const other = join(scratch, `home${columns}`);
		const folder = join(other, '.claude/projects/p');
		mkdirSync(folder, { recursive: true });
		const content = Array.from({ length: 40 }, (_, number) => ({
			type: 'tool_use',
			id: `t${number}`,
			name: `Tool${'x'.repeat(number % 7)}`,
			input: {},
		}));
		const reply = { type: 'assistant', uuid: 'a', parentUuid: null, message: { role: 'assistant', content } };
		writeFileSync(join(folder, 's.jsonl'), `${JSON.stringify(reply)}\n`);
		const env = { HOME: other, REPRISE_HOME: join(other, 'own'), COLUMNS: String(columns) };
		const lines = reprise(['stats', '--all'], env).out.split('\n');
		expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
		const tools = lines.slice(lines.findIndex((line) => line.startsWith('  tools'))).join('\n');
		expect(tools.match(/Toolx* \d,?$|Toolx* \d, /gm)).toHaveLength(7);
	});
});

it('a catalog that cannot be kept is one line on stderr, and the answer comes', () => {
	const own = join(scratch, 'in-the-way');
	writeFileSync(own, '');
	const { code, out, err } = reprise(['search', 'painted', '--json'], { REPRISE_HOME: own });
	expect(code).toBe(0);
	expect(JSON.parse(out)).toMatchObject({ total: 1 });
	expect(err.trimEnd().split('\n')).toHaveLength(1);
	expect(readFileSync(own, 'utf8')).toBe('');
});

describe('a session that two agents have under one id', () => {
	it('is named with its agent in lists and hits, and show takes that', () => {
		const own = join(scratch, 'handed');
		cpSync(join(corpusRoot, 'claude-code/generated/mixed-home-a', 'home'), own, { recursive: true });
		const env = { HOME: own, REPRISE_HOME: join(own, '.own'), COLUMNS: '120' };
		// One that a search shows: hits in forks are folded into those of the session that they were copied from.
		const found = JSON.parse(reprise(['search', '--all', 's*', '--json', '--limit', '1'], env).out);
		const id = String(found.hits[0].session);
		expect(reprise(['convert', id, '--to', 'openclaw', '-o', `${own}/`], env).code).toBe(0);
		const short = id.slice(0, 8);
		const listed = reprise(['ls', '--all'], env).out;
		const hits = reprise(['search', '--all', 's*', '--limit', '400'], env).out;
		for (const name of [`claude-code:${short}`, `pi:${short}`]) {
			expect(listed).toContain(name);
			expect(hits).toContain(`reprise show ${name}`);
			expect(reprise(['show', name], env)).toMatchObject({ code: 0, err: '' });
		}
		const unclear = reprise(['show', short], env);
		expect(unclear.code).toBe(1);
		expect(unclear.err).toContain(`pi:${id}`);
	});
});

it('a session whose file has a line break in its name has one row in ls', () => {
	const odd = join(scratch, 'odd');
	const folder = join(odd, '.claude/projects/-p');
	mkdirSync(folder, { recursive: true });
	const line = {
		type: 'user',
		uuid: 'u',
		parentUuid: null,
		sessionId: 's',
		message: { role: 'user', content: 'hello' },
	};
	writeFileSync(join(folder, 'a\nb\u001b[31m.jsonl'), `${JSON.stringify(line)}\n`);
	const { code, out } = reprise(['ls', '--all'], { HOME: odd, REPRISE_HOME: join(odd, 'own') });
	expect([code, out.trimEnd().split('\n').length]).toEqual([0, 2]);
	expect(out).not.toContain('\u001b');
});
