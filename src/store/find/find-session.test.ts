/** Finds the session that a person means. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { findSession, namedSession, sessionPath } from './find-session.ts';

const scratch = scratchMachine();
const { machine } = scratch;
afterAll(() => scratch[Symbol.dispose]());

const project = scratch.folder('repo');
const elsewhere = scratch.folder('elsewhere');
const options = { machine, cwd: elsewhere };

/** A session of Claude Code with one prompt, last changed at that second. */
function make(id: string, cwd: string, prompt: string, second: number): string {
	const folder = join(scratch.home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
	mkdirSync(folder, { recursive: true });
	const path = join(folder, `${id}.jsonl`);
	const message = { role: 'user', content: prompt };
	const line = { type: 'user', uuid: id, parentUuid: null, sessionId: id, cwd, timestamp: '2026-01-01T00:00:00.000Z' };
	writeFileSync(path, `${JSON.stringify({ ...line, message })}\n`);
	utimesSync(path, second, second);
	return path;
}

let one: string;
let two: string;
let three: string;
beforeAll(() => {
	mkdirSync(join(project, '.git'));
	mkdirSync(join(project, 'src'));
	one = make('aaaa1111', join(project, 'src'), 'Fix the parser', 1000);
	two = make('aaaa2222', '/gone', 'Write the docs', 2000);
	three = make('bbbb3333', '/gone', 'Fix the parser', 3000);
});

describe('findSession', () => {
	it('takes a file, an id, and a unique beginning of one', () => {
		expect(findSession(one, options)).toEqual({ ok: true, path: one });
		expect(findSession('aaaa2222', options)).toMatchObject({ path: two, session: { agent: 'claude-code' } });
		expect(findSession('bb', options)).toMatchObject({ ok: true, path: three });
		expect(findSession('BBBB3', options)).toMatchObject({ ok: true, path: three });
	});

	it('where agents share an id, as after a handoff, the agent tells them apart, and the question says how', () => {
		const id = 'cccc4444-0000-4000-8000-000000000000';
		const here = make(id, '/gone', 'Handed off', 4000);
		const there = join(scratch.home, '.pi/agent/sessions/--gone--', `2026-01-01T00-00-00-000Z_${id}.jsonl`);
		mkdirSync(dirname(there), { recursive: true });
		const header = { type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/gone' };
		writeFileSync(there, `${JSON.stringify(header)}\n`);
		const unclear = findSession('cccc', options);
		expect(unclear).toMatchObject({ ok: false, rule: 'ambiguous' });
		expect(unclear.ok ? '' : unclear.message).toMatch(
			new RegExp(`pi:${id}[^]*claude-code:${id}|claude-code:${id}[^]*pi:${id}`),
		);
		expect(findSession('pi:cccc', options)).toMatchObject({ ok: true, path: there });
		expect(findSession(`claude-code:${id}`, options)).toMatchObject({ ok: true, path: here });
		expect(findSession('pi:aaaa', options)).toMatchObject({ ok: false, rule: 'missing' });
		rmSync(here);
		rmSync(there);
	});

	it('a whole id wins over a beginning of others', () => {
		const whole = make('aaaa', '/gone', 'whole', 500);
		expect(findSession('aaaa', options)).toMatchObject({ ok: true, path: whole });
	});

	it('takes a title in any case, or the prompt that stands in for one', () => {
		expect(findSession('write the DOCS', options)).toMatchObject({ ok: true, path: two });
	});

	it('where something will be written a title means a session of this project; elsewhere it is named by its id', () => {
		const writing = { machine, cwd: project, writes: true };
		expect(findSession('Fix the parser', writing)).toMatchObject({ ok: true, path: one });
		expect(findSession('Write the docs', writing)).toMatchObject({
			ok: false,
			message:
				'no session of this project has the title "Write the docs"; claude-code:aaaa2222 in /gone has it: name it by its id',
		});
	});

	it('what means several sessions is answered with all of them, the newest first', () => {
		const found = findSession('aaaa', { machine: { ...machine, home: '/nowhere' } });
		expect(found.ok).toBe(true);
		const byPrefix = findSession('aaa', options);
		expect(byPrefix).toMatchObject({ ok: false, rule: 'ambiguous' });
		if (byPrefix.ok) return;
		const [head, first] = byPrefix.message.split('\n');
		expect(head).toContain('"aaa" is the beginning of an id of 3 sessions');
		expect(first).toContain(two);
		expect(byPrefix.candidates).toHaveLength(3);
		expect(findSession('Fix the parser', options)).toMatchObject({ ok: false, rule: 'ambiguous' });
		expect(() => sessionPath('aaa', options)).toThrow('name one of them');
	});

	it('what means nothing says so, and a path that is missing is named', () => {
		expect(findSession('nonsense', options)).toMatchObject({ ok: false, rule: 'missing' });
		expect(findSession('/no/such.jsonl', options)).toMatchObject({ message: '/no/such.jsonl does not exist' });
		expect(findSession('', options)).toMatchObject({ ok: false, rule: 'missing' });
	});

	it('last is the newest of the project, from any folder in it, and nothing stands in for it', () => {
		expect(findSession('last', { machine, cwd: project })).toMatchObject({ path: one });
		expect(findSession('last', { machine, cwd: join(project, 'src') })).toMatchObject({ path: one });
		expect(findSession('last', options)).toMatchObject({
			ok: false,
			message:
				'no session of this project; the newest anywhere is claude-code:bbbb3333 in /gone: reprise show bbbb3333 shows it',
		});
		const empty = { machine: { ...machine, env: { ...machine.env, CLAUDE_CONFIG_DIR: '/nowhere' } }, cwd: project };
		expect(findSession('last', empty)).toMatchObject({ ok: false, rule: 'missing' });
	});

	it('a sub-agent is found by its id, and never is the last', () => {
		const folder = join(scratch.home, '.claude/projects/-gone/bbbb3333/subagents');
		mkdirSync(folder, { recursive: true });
		const agent = join(folder, 'agent-cccc4444.jsonl');
		writeFileSync(agent, '{"type":"user","isSidechain":true,"agentId":"cccc4444","sessionId":"bbbb3333"}\n');
		expect(findSession('cccc', options)).toMatchObject({ ok: true, path: agent });
		expect(findSession('last', { machine, cwd: '/gone' })).toMatchObject({ path: three });
	});
});

describe('namedSession', () => {
	it('knows a session by the same id whether a file or an id was given', () => {
		expect(namedSession(two, options)).toEqual(namedSession('aaaa2222', options));
		const stray = join(scratch.root, 'stray.jsonl');
		writeFileSync(stray, '{"type":"summary","summary":"x","leafUuid":"y"}\n');
		expect(namedSession(stray, options)).toMatchObject({ id: 'stray', format: 'claude-code', path: stray });
	});
});
