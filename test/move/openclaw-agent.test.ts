/** What is special about handing sessions to OpenClaw and taking them from its database, as users meet it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusRoot } from '../support/corpus.ts';
import { Scratch, sampleOf } from '../support/sessions.ts';

const bin = join(import.meta.dirname, '../../bin/reprise.js');

function reprise(scratch: Scratch, ...args: readonly string[]): { code: number | null; out: string; err: string } {
	const env = { PATH: process.env.PATH, HOME: scratch.folder, REPRISE_HOME: join(scratch.folder, 'own') };
	const run = spawnSync(process.execPath, [bin, ...args], { cwd: scratch.folder, encoding: 'utf8', env });
	return { code: run.status, out: run.stdout.replace(/\s+/g, ' '), err: run.stderr };
}

/** The names of the tools that are called in a session of pi or OpenClaw. */
function calledIn(path: string): readonly string[] {
	return [...readFileSync(path, 'utf8').matchAll(/"type":"toolCall","id":"[^"]*","name":"([^"]*)"/g)].map(
		([, name = '']) => name,
	);
}

const written = (run: { out: string }): string => /\S+\.jsonl/.exec(run.out)?.[0] ?? '';

describe('OpenClaw does not tell the model of calls of tools that it does not have', () => {
	it('so a call that it has under another name gets that name, and whoever hands over is told of the rest', () => {
		using scratch = new Scratch();
		const session = scratch.copy('claude-code');
		writeFileSync(session, readFileSync(session, 'utf8').replaceAll('"name":"Edit"', '"name":"TodoWrite"'));
		const run = reprise(scratch, 'handoff', session, '--to', 'openclaw', '--cwd', scratch.folder);
		expect([run.code, run.err]).toEqual([0, '']);
		expect(calledIn(written(run))).toEqual(['Read', 'Read', 'TodoWrite', 'exec']);
		expect(run.out).toContain('Bash is called exec, or openclaw would not tell the model of it');
		expect(run.out).toContain('openclaw has no tool TodoWrite, and tells the model of no such calls');
		expect(run.out).not.toContain('no tool Read');
	});

	it('also what pi called, which has the same format; it comes home as it was', () => {
		using scratch = new Scratch();
		const home = join(scratch.folder, '.pi/agent/sessions/--home--/2026-03-02T09-00-00-000Z_0c1a3000.jsonl');
		mkdirSync(dirname(home), { recursive: true });
		const mine = readFileSync(sampleOf.openclaw, 'utf8')
			.replaceAll('"Bash"', '"bash"')
			.replaceAll('"Read"', '"find"')
			.replaceAll('"/home/dev/notes"', JSON.stringify(scratch.folder));
		writeFileSync(home, mine);
		const run = reprise(scratch, 'handoff', home, '--to', 'openclaw');
		expect([run.code, run.err]).toEqual([0, '']);
		const copy = written(run);
		expect(calledIn(copy)).toEqual(['find', 'find', 'Edit', 'exec']);
		expect(run.out).toContain('openclaw has no tool find');
		expect(run.out).toContain('reprise return brings all of this back');
		expect(reprise(scratch, 'return', copy, '-o', join(scratch.folder, 'back.jsonl'))).toMatchObject({ code: 0 });
		expect(readFileSync(join(scratch.folder, 'back.jsonl'), 'utf8')).toBe(mine);
	});
});

describe('a session in OpenClaw’s database', () => {
	const stored = 'openclaw/2026.9.6/thinking-tool/home/.openclaw/agents/main/agent/openclaw-agent.sqlite';

	/** The only session of a copy of that database. */
	function storedIn(scratch: Scratch): { readonly database: string; readonly session: string } {
		const database = join(scratch.folder, '.openclaw/agents/main/agent/openclaw-agent.sqlite');
		mkdirSync(dirname(database), { recursive: true });
		cpSync(join(corpusRoot, stored), database);
		const found = /\S+\.sqlite#[\w-]+/.exec(reprise(scratch, 'ls', '--all', '--json').out.replaceAll('"', ' '));
		return { database, session: found?.[0] ?? expect.fail('no session in the database') };
	}

	it.each(['pi', 'openclaw'])('becomes a file when it is converted to %s, under whichever name it goes by', (to) => {
		using scratch = new Scratch();
		const { database, session } = storedIn(scratch);
		const before = readFileSync(database);
		const said = reprise(scratch, 'show', session).out.split('──').at(-1);
		for (const [index, name] of [session, database].entries()) {
			const out = join(scratch.folder, `${index}.jsonl`);
			expect(reprise(scratch, 'convert', name, '--to', to, '-o', out)).toMatchObject({ code: 0, err: '' });
			expect(reprise(scratch, 'check', out)).toMatchObject({ code: 0 });
			expect(reprise(scratch, 'show', out).out.split('──').at(-1)).toBe(said);
		}
		expect(readFileSync(database)).toEqual(before);
	});

	it('is not written to: a prompt to it says so, and goes on in a fork that is listed', () => {
		using scratch = new Scratch();
		const { database, session } = storedIn(scratch);
		const before = readFileSync(database);
		const script = join(scratch.folder, 'script.json');
		writeFileSync(script, JSON.stringify([{ text: 'gone on' }]));
		const asked = ['-r', session, '-p', 'go on', '--script', script];
		const refused = reprise(scratch, ...asked);
		expect(refused.code).toBe(1);
		expect(refused.err).toContain('is in a database that only its client may write to');
		expect(refused.err).not.toContain('ENOENT');
		expect(reprise(scratch, ...asked, '--fork-session')).toMatchObject({ code: 0, out: 'gone on ' });
		expect(reprise(scratch, 'fork', session)).toMatchObject({ code: 0, err: '' });
		const listed = reprise(scratch, 'ls', '--all', '--json').out.match(/"path": "[^"]*"/g) ?? [];
		expect(listed.map((path) => path.includes('/agents/main/sessions/')).sort()).toEqual([false, true, true]);
		expect(readFileSync(database)).toEqual(before);
	});
});
