/** What runs in the background at the console: counted, told when it ends, looked at, stopped, and named before it is left. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentsStage, says, task, turn, use } from '../support/agents-stage.ts';
import { hasTmux, Tmux } from '../support/tmux.ts';

const everything = ['--permission-mode', 'bypassPermissions', 'MAIN'];

/** Ends when the test makes the file. */
const waiting = (name: string, then = '') =>
	use('Bash', {
		command: `echo begun ${name}; until [ -e ${name} ]; do sleep 0.1; done; ${then}`,
		description: `wait for ${name}`,
		run_in_background: true,
	});
const helper = task('HELPER look', { run_in_background: true });
const slow = says('HELPER', 'It takes long. '.repeat(400), { chunk: 3, chunkDelayMs: 40 });

function opened(stage: AgentsStage, turns: readonly object[], ...flags: readonly string[]): Tmux {
	return new Tmux(stage, ['--script', stage.script(turns as never), ...flags, ...everything], {}, 100, 30);
}

function send(tmux: Tmux, text: string): void {
	tmux.type(text);
	tmux.press('Enter');
}

describe.skipIf(!hasTmux)('what runs in the background', { timeout: 60_000 }, () => {
	it('is counted in the status line, and the conversation says that it has ended, and how', async () => {
		using stage = new AgentsStage();
		using tmux = opened(stage, [
			turn('MAIN', waiting('one'), waiting('two', 'exit 3'), helper),
			{ when: { first: 'HELPER' }, content: [use('Bash', { command: 'until [ -e three ]; do sleep 0.1; done' })] },
			says('HELPER', 'Seen.'),
			says('MAIN', 'All were started.'),
		]);
		await tmux.shows('● All were started.');
		await tmux.shows(/\n {2}script · 3 in the background · /);
		writeFileSync(stage.file('one'), '');
		await tmux.shows(/· the background command "echo begun one;[^"]*" has ended: exit\s+code 0 \(\/tasks shows/);
		await tmux.shows('· 2 in the background · ');
		writeFileSync(stage.file('two'), '');
		await tmux.shows(/· the background command "echo begun two; [\s\S]*has failed:\s+exit\s+code 3/);
		writeFileSync(stage.file('three'), '');
		await tmux.shows('· the background sub-agent "about HELPER look" has ended');
		await tmux.shows(/─\n❯[^·]*\n {2}script · \d+ tokens/);
	});

	it.each(['tasks', 'bashes'])('is listed by /%s with its state, shown as it goes on, and stopped', async (name) => {
		using stage = new AgentsStage();
		using tmux = opened(stage, [
			turn('MAIN', waiting('over'), waiting('one', 'echo and more; sleep 100'), helper),
			slow,
			says('MAIN', 'All were started.'),
		]);
		writeFileSync(stage.file('over'), '');
		await tmux.shows(/has ended: exit\s+code 0/);
		await tmux.shows('● All were started.');
		send(tmux, `/${name}`);
		const listed = await tmux.shows('In the background');
		expect(listed).toMatch(/❯ {3}echo begun over.*\n\s+command · completed \(exit code 0\) just now · b\w+/);
		expect(listed).toMatch(/● echo begun one.*\n\s+command · running for \d+s · b\w+/);
		expect(listed).toMatch(/● about HELPER look\n\s+general-purpose · running for \d+s · \w+/);
		tmux.press('Down', 'Enter');
		await tmux.shows(/command · running for \d+s · b\w+\nbegun one\n/);
		writeFileSync(stage.file('one'), '');
		await tmux.shows(/begun one\nand more\n/);
		tmux.press('x');
		await tmux.shows('x again to stop it');
		tmux.press('x');
		await tmux.shows(/command · stopped just now/);
		tmux.press('Escape');
		await tmux.shows(/ {3}echo begun one.*\n\s+command · stopped just now/);
		tmux.press('Down', 'Down', 'Enter');
		await tmux.shows(/❯ HELPER look\n/);
		tmux.press('x', 'x');
		await tmux.shows('general-purpose · stopped');
		tmux.press('Escape');
		await tmux.shows('In the background');
		tmux.press('Escape');
		const said = await tmux.shows(/─\n❯[^·]*\n {2}script · \d+ tokens/);
		expect(said).toMatch(/the background command "echo begun one;[\s\S]*was stopped/);
		expect(said).toContain('the background sub-agent "about HELPER look" was stopped');
	});

	it.each([
		['C-d', (tmux: Tmux) => tmux.press('C-d')],
		['/exit', (tmux: Tmux) => send(tmux, '/exit')],
	])('is named before it is left, once, and at the end: %s', async (_, leave) => {
		using stage = new AgentsStage();
		using tmux = opened(stage, [turn('MAIN', waiting('one'), helper), slow, says('MAIN', 'All were started.')]);
		await tmux.shows('· 2 in the background · ');
		await tmux.shows('● All were started.');
		leave(tmux);
		const told = (await tmux.shows('once more leaves')).replace(/\s+/g, ' ');
		expect(told).toMatch(
			/Leaving ends 1 background command and 1 background sub-agent: echo begun one.*; about HELPER look \(once/,
		);
		expect(told).not.toContain('ended with 0');
		leave(tmux);
		const left = (await tmux.shows('ended with 0')).replace(/\s+/g, ' ');
		expect(left).toMatch(
			/1 background command and 1 background sub-agent were ended with this run: echo .*; about HELPER look/,
		);
	});

	it('is named where Ctrl-C asks to be pressed again, which then leaves', async () => {
		using stage = new AgentsStage();
		using tmux = opened(stage, [turn('MAIN', waiting('one')), says('MAIN', 'Started.')]);
		await tmux.shows('● Started.');
		tmux.press('C-c');
		await tmux.shows('Press Ctrl-C again to exit (ends 1 background command: echo begun one');
		tmux.press('C-c');
		await tmux.shows('ended with 0');
	});

	it('is printed in plain lines, where leaving says first what ends, too', async () => {
		using stage = new AgentsStage();
		using tmux = opened(stage, [turn('MAIN', waiting('one')), says('MAIN', 'Started.')], '--plain');
		await tmux.shows('Started.\n');
		send(tmux, '/tasks');
		await tmux.shows(/echo begun one.*\n\s+command · running for \d+s · b\w+\n\s+begun one\n/);
		send(tmux, '/exit');
		await tmux.shows('Leaving ends 1 background command: echo begun one');
		writeFileSync(stage.file('one'), '');
		await tmux.shows(/has ended: exit\s+code 0/);
		send(tmux, '/exit');
		await tmux.shows('ended with 0');
	});
});
