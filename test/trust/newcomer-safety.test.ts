/** What runs, is believed and is said where somebody tries things out in folders and with sessions of others. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClientStage } from '../support/client.ts';
import { newStage } from '../support/new-stage.ts';
import { bash, tryCalls } from '../support/permission-run.ts';

describe('a repository that somebody else prepared', () => {
	/** A repository in the project, and git as its owner runs it. */
	function repository(): { stage: ClientStage; git: (...args: string[]) => void } {
		const stage = newStage();
		const env = { ...stage.env, GIT_CONFIG_NOSYSTEM: '1' };
		const git = (...args: string[]): void => {
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
				cwd: stage.cwd,
				env,
				stdio: 'pipe',
			});
		};
		git('init', '-q');
		return { stage, git };
	}
	const decision = async (stage: ClientStage, command: string, ...flags: string[]): Promise<string> =>
		(await stage.run(['allowed', 'Bash', command, ...flags])).out;

	it('runs nothing by commands that only look, until its folder is trusted', async () => {
		const { stage, git } = repository();
		git('config', 'core.fsmonitor', 'touch canary; false');
		const calls = [bash('git status'), bash('git diff')];
		expect((await tryCalls(stage, calls)).denied).toHaveLength(2);
		expect(existsSync(stage.file('canary'))).toBe(false);
		expect(await decision(stage, 'git status')).toBe(
			'ask: nothing allows git status: git obeys core.fsmonitor of this repository, and the folder is not trusted\n',
		);
		expect(await decision(stage, 'git status', '--trust')).toContain('allow: it only looks');
		expect((await tryCalls(stage, calls, '--trust')).denied).toEqual([]);
		expect(existsSync(stage.file('canary'))).toBe(true);
	});

	const ways: readonly [string, (stage: ClientStage, git: (...args: string[]) => void) => void][] = [
		['diff.external', (_, git) => git('config', 'diff.external', 'x')],
		['diff.textconv', (_, git) => git('config', 'diff.d.textconv', 'x')],
		['filter.clean', (_, git) => git('config', 'filter.x.clean', 'x')],
		['core.sshcommand', (_, git) => git('config', 'core.sshCommand', 'x')],
		['core.pager', (_, git) => git('config', 'core.pager', 'x')],
		['remote.uploadpack', (_, git) => git('config', 'remote.origin.uploadpack', 'x')],
		['remote.url', (_, git) => git('config', 'remote.origin.url', 'ext::x')],
		['include.path', (_, git) => git('config', 'include.path', '../c')],
		['core.worktree', (_, git) => git('config', 'core.worktree', '..')],
		['an unusual line', (stage) => appendFileSync(stage.file('.git/config'), '[core] fsmonitor = x\n')],
		['an unusual line', (stage) => appendFileSync(stage.file('.git/config'), '[user]\nname = a\\\n[core]\n')],
		['the hook post-index-change', (stage) => put(stage.file('.git/hooks/post-index-change'))],
		[
			'the hook post-index-change',
			(stage, git) => {
				git('config', 'core.hooksPath', 'tricks');
				put(stage.file('tricks/post-index-change'));
			},
		],
		[
			'core.fsmonitor',
			(stage) => {
				put(stage.file('.git/config.worktree'), '[core]\n\tfsmonitor = x\n');
			},
		],
		[
			'core.fsmonitor',
			(stage, git) => {
				git('config', 'core.fsmonitor', 'x');
				renameSync(stage.file('.git'), stage.file('elsewhere'));
				put(stage.file('.git'), 'gitdir: elsewhere\n');
			},
		],
		[
			'submodules',
			(stage, git) => {
				git('init', '-q', 'sub');
				git('-C', 'sub', 'commit', '-q', '--allow-empty', '-m', 'x');
				git('add', 'sub');
				expect(existsSync(stage.file('.git/index'))).toBe(true);
			},
		],
	];
	it.each(ways)('is asked about because of %s', async (what, prepare) => {
		const { stage, git } = repository();
		expect(await decision(stage, 'git status')).toContain('allow: it only looks');
		prepare(stage, git);
		for (const command of ['git status', 'git diff', 'git log -p'])
			expect(await decision(stage, command)).toContain(`: git obeys ${what}`);
	});

	it('is looked at without a question where its settings name no program', async () => {
		const { stage, git } = repository();
		git('commit', '-q', '--allow-empty', '-m', 'x');
		git('config', 'core.hooksPath', '.husky/_');
		put(stage.file('.husky/_/pre-commit'));
		git('config', 'user.email', 'a@b');
		git('remote', 'add', 'origin', 'git@example.com:a/b.git');
		git('config', 'branch.main.remote', 'origin');
		git('worktree', 'add', '-q', 'second');
		expect(await decision(stage, 'git status && git diff HEAD')).toContain('allow: it only looks');
		const { out } = await stage.run(['allowed', 'Bash', 'git log'], { cwd: stage.file('second') });
		expect(out).toContain('allow: it only looks');
	});
});

it.each(['claude-code', 'cline', 'clido', 'pi'])(
	'a call of a %s session that was denied is not made by replay',
	async (format) => {
		const stage = newStage();
		const canary = join(stage.home, 'canary');
		const calls = [bash(`touch ${canary}`), bash('touch fine')];
		await tryCalls(stage, calls, '--session-format', format, '--allowedTools', 'Bash(touch fine)');
		const asked = await stage.run(['replay', 'last']);
		expect(asked.code).toBe(2);
		expect(asked.err).toContain('not done  Bash: it was denied when it was recorded');
		expect(asked.err).toMatch(/run +touch fine\n/);
		const { out } = await stage.run(['replay', 'last', '--yes', '--json']);
		expect(JSON.parse(out)).toMatchObject({ same: 1, refused: [{ reason: 'it was denied when it was recorded' }] });
		expect(existsSync(canary)).toBe(false);
	},
);

function put(path: string, text = '#!/bin/sh\n'): void {
	mkdirSync(join(path, '..'), { recursive: true });
	writeFileSync(path, text, { mode: 0o755 });
}
