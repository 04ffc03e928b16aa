/** Sub-agents at the console: looked into while they run, stopped, asked for. */
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentsStage, says, task, turn, use } from '../support/agents-stage.ts';
import { afterGuard, hasTmux, Tmux } from '../support/tmux.ts';

function open(tmux: Tmux): void {
	tmux.type('/agents');
	tmux.press('Enter');
}

describe.skipIf(!hasTmux)('/agents', { timeout: 60_000 }, () => {
	it('shows the conversation of one in the background as it grows, and stops it', async () => {
		using stage = new AgentsStage();
		const script = stage.script([
			turn('MAIN', task('HELPER look', { run_in_background: true })),
			turn('HELPER', use('Bash', { command: 'ls' })),
			says('HELPER', 'It takes long. '.repeat(200), { chunk: 3, chunkDelayMs: 40 }),
			says('MAIN', 'It was started.'),
		] as never);
		using tmux = new Tmux(stage, ['--script', script, '--permission-mode', 'bypassPermissions', 'MAIN']);
		await tmux.shows('● It was started.');
		open(tmux);
		await tmux.shows(/❯ ● about HELPER look\n\s+general-purpose · running/);
		tmux.press('Enter');
		await tmux.shows(/❯ HELPER look\n[\s\S]*● Bash\(ls\)[\s\S]*x to stop it/);
		tmux.press('x');
		await tmux.shows('x again to stop it');
		tmux.press('x');
		await tmux.shows('general-purpose · stopped');
		tmux.press('Escape');
		await tmux.shows(/❯ {3}about HELPER look\n\s+general-purpose · interrupted/);
		tmux.press('Escape');
		expect(await tmux.shows(/─\n❯/)).toContain('● It was started.');
		expect((await stage.agents()).map(({ state }) => state)).toEqual(['interrupted']);
	});

	it('lists one that is started while it is open', async () => {
		using stage = new AgentsStage();
		const script = stage.script([
			turn('MAIN', use('Bash', { command: 'until [ -e looked-at ]; do sleep 0.1; done' })),
			turn('MAIN', task('HELPER look', { run_in_background: true })),
			says('HELPER', 'Seen.'),
			says('MAIN', 'It was started.'),
		] as never);
		using tmux = new Tmux(stage, ['--script', script, '--permission-mode', 'bypassPermissions', 'MAIN']);
		await tmux.shows('until [ -e looked-at ]');
		open(tmux);
		await tmux.shows('This session 0');
		tmux.press('Left');
		writeFileSync(stage.file('looked-at'), '');
		await tmux.shows(/\[This session 1\][\s\S]*about HELPER look\n\s+general-purpose · completed/);
	});

	it('opens while the session waits for one, and its question comes before the view', async () => {
		using stage = new AgentsStage();
		const script = stage.script([
			turn('MAIN', task('HELPER write')),
			turn('HELPER', use('Bash', { command: 'until [ -e looked-at ]; do sleep 0.1; done' })),
			turn('HELPER', use('Write', { file_path: 'made.txt', content: 'made\n' })),
			says('HELPER', 'It is written.'),
			says('MAIN', 'All is done.'),
		] as never);
		using tmux = new Tmux(stage, ['--script', script, '--allowedTools=Bash', 'MAIN']);
		// It is at work: then its file is there, which the list is made from.
		await tmux.shows(/about HELPER write[\s\S]*until/);
		open(tmux);
		await tmux.shows('❯ ● about HELPER write');
		tmux.press('Enter');
		await tmux.shows(/❯ HELPER write\n[\s\S]*Esc for the list/);
		writeFileSync(stage.file('looked-at'), '');
		await tmux.shows('Allow it?');
		await afterGuard();
		tmux.press('1');
		await tmux.shows(/general-purpose · completed[\s\S]*● It is written\./);
		tmux.press('Escape');
		await tmux.shows('Sub-agents');
		tmux.press('Escape');
		await tmux.shows('● All is done.');
		expect(existsSync(stage.file('made.txt'))).toBe(true);
	});

	it('on the command line is read without a pager where that is said', async () => {
		using stage = new AgentsStage();
		const script = stage.script([
			turn('MAIN', task('HELPER look')),
			says('HELPER', 'Seen.\n\n'.repeat(40)),
			says('MAIN', 'Done.'),
		] as never);
		await stage.run(['-p', '--script', script, '--permission-mode', 'bypassPermissions', 'MAIN']);
		const [agent] = await stage.agents();
		const env = { PAGER: 'sed s/^/paged:/' };
		using paged = new Tmux(stage, ['agents', 'last', agent?.id ?? ''], env);
		await paged.shows('paged:');
		using plain = new Tmux(stage, ['agents', 'last', agent?.id ?? '', '--no-pager'], env);
		expect(await plain.shows(/Seen\.[\s\S]*ended with 0/)).not.toContain('paged:');
	});
});
