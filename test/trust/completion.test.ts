/** Completion in a shell: what the shell itself makes of our script. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const id = 'abcdef12-0000-4000-8000-000000000001';
const tools = join(dirname(stage.cwd), 'bin');
const written: { [shell: string]: string } = {};

beforeAll(async () => {
	mkdirSync(tools);
	const starter = join(import.meta.dirname, '../../bin/reprise.js');
	writeFileSync(join(tools, 'reprise'), `#!/bin/sh\nexec "${process.execPath}" "${starter}" "$@"\n`, { mode: 0o755 });
	const path = join(stage.home, '.claude/projects/p', `${id}.jsonl`);
	mkdirSync(dirname(path), { recursive: true });
	const line = { type: 'user', uuid: 'u', parentUuid: null, sessionId: id, cwd: stage.cwd };
	writeFileSync(path, `${JSON.stringify({ ...line, message: { role: 'user', content: 'hi' } })}\n`);
	for (const shell of ['bash', 'zsh', 'fish']) {
		const { code, out, err } = await stage.run(['completion', shell]);
		expect({ shell, code, err }).toEqual({ shell, code: 0, err: '' });
		written[shell] = out;
	}
});

/** What bash offers for these words, the last of which is being typed. */
function offered(...words: readonly string[]): readonly string[] {
	const all = ['reprise', ...words].map((word) => `'${word}'`).join(' ');
	const script = `${written.bash}\nCOMP_WORDS=(${all}); COMP_CWORD=${words.length}; _reprise; printf '%s\\n' "\${COMPREPLY[@]}"`;
	const run = spawnSync('bash', ['--norc', '-c', script], {
		cwd: stage.cwd,
		encoding: 'utf8',
		env: { ...stage.env, PATH: `${tools}:${process.env.PATH}` },
	});
	expect(run.stderr).toBe('');
	return run.stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
	it('completes commands, options and their values', () => {
		expect(offered('s')).toEqual(['show', 'search', 'stats']);
		expect(offered('cost', '--e')).toEqual(['--explain']);
		expect(offered('cost', '--by', 'm')).toEqual(['month', 'model']);
		expect(offered('handoff', 'x', '--to', 'c')).toEqual(['claude-code', 'clido', 'cline']);
		expect(offered('vault', '')).toContain('sync');
		expect(offered('completion', 'z')).toEqual(['zsh']);
		expect(offered('--allowed')).toEqual(['--allowedTools']);
		expect(offered('help', 'rew')).toEqual(['rewind']);
	});

	it('completes sessions of this project, and files where there is none', () => {
		expect(offered('show', 'abc')).toEqual([id]);
		expect(offered('show', 'la')).toEqual(['last']);
		expect(offered('show', 'a.')).toEqual(['a.txt']);
		expect(offered('convert', 'x', '-o', 'a')).toEqual(['a.txt']);
	});
});

describe('every shell', () => {
	it.each([
		['bash', ['-n', '-c']],
		['zsh', ['-n', '-c']],
		['fish', ['--no-execute', '-c']],
	] as const)('%s reads its script without a complaint, where it is installed', (shell, flags) => {
		const run = spawnSync(shell, [...flags, written[shell] ?? ''], { encoding: 'utf8' });
		if (run.error !== undefined) return;
		expect(run.stderr).toBe('');
		expect(run.status).toBe(0);
	});
});
