/** What the console says where it cannot do what was asked: each names the way on. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { afterGuard, hasTmux, Tmux } from '../support/tmux.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function send(tmux: Tmux, text: string): void {
	tmux.type(text);
	tmux.press('Enter');
}

/** Words as they were before the screen broke them into rows. */
const unbroken = (text: string): string => text.replace(/\s+/g, ' ');

describe.skipIf(!hasTmux)('the console says', { timeout: 60_000 }, () => {
	it('what another window has added while this one was idle, and both go on', async () => {
		using stage = new ClientStage();
		using first = new Tmux(stage, [
			'--script',
			stage.script([{ text: 'First answer.' }, { text: 'Back again.' }]),
			'begin',
		]);
		await first.shows('● First answer.');
		using second = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'From the second.' }])]);
		await second.shows('● First answer.');
		send(second, 'go on');
		await second.shows('● From the second.');
		send(first, 'and here');
		await first.shows('● Back again.');
		expect(unbroken(first.screen())).toContain('the session has gone on elsewhere: 2 messages were read');
		const [session] = await stage.sessions();
		const said = await stage.run(['show', session?.path ?? '']);
		expect(said.out).toMatch(/First answer[\s\S]*From the second[\s\S]*Back again/);
	});

	it('that another window is writing to the session, and /fork goes on in a copy', async () => {
		using stage = new ClientStage();
		const script = [{ text: 'First answer.' }, { text: 'Slowly.', delayMs: 60_000 }];
		using first = new Tmux(stage, ['--script', stage.script(script), 'begin']);
		await first.shows('● First answer.');
		using second = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'In the copy.' }])]);
		await second.shows('● First answer.');
		send(first, 'take your time');
		await first.shows('esc to interrupt');
		send(second, 'go on');
		await second.shows('is writing to this session');
		const told = unbroken(second.screen());
		expect(told).toContain('/fork goes on in a copy of it here');
		expect(told).toMatch(/reprise -r [\da-f-]{36} --fork-session/);
		send(second, '/fork');
		await second.shows('From here');
		second.press('Enter');
		await second.shows('goes on in a copy.');
		send(second, 'go on');
		await second.shows('● In the copy.');
	});

	it('that an answer has stopped at the output limit', async () => {
		using stage = new ClientStage();
		const script = stage.script({ turns: [], default: { text: 'Half a', stop: 'max_tokens' } });
		using tmux = new Tmux(stage, ['--script', script, 'begin']);
		await tmux.shows('· the answer stopped at the output limit');
		using plain = new Tmux(stage, ['--plain', '--script', script, 'begin']);
		await plain.shows('· the answer stopped at the output limit');
	});

	it('that a model has answered with nothing', async () => {
		using stage = new ClientStage();
		const script = stage.script({ turns: [], default: { content: [] } });
		using tmux = new Tmux(stage, ['--script', script, 'begin']);
		await tmux.shows('· the model answered with nothing');
		const { out, err, code } = await stage.run(['-p', 'begin', '--script', script]);
		expect({ out, code }).toEqual({ out: '', code: 0 });
		expect(err).toContain('the model answered with nothing');
	});

	it('nothing of the offline model when a real one goes on from it', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['hello there']);
		await tmux.shows('I am the offline model');
		tmux.press('C-d');
		await tmux.shows('ended with 0');
		using again = new Tmux(stage, ['-c'], { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' });
		await again.shows('I am the offline model');
		await again.shows(/claude-\w+.*· claude-code/);
		expect(unbroken(again.screen())).not.toContain('not available');
	});

	it('every command that goes on with a copy when it is left, and names what a copy does not have', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'Said.' }]), 'begin'], {}, 120, 40);
		await tmux.shows('● Said.');
		for (const agent of ['cline', 'clido']) {
			send(tmux, `/handoff ${agent}`);
			await tmux.shows(new RegExp(`finds it:\\s+${agent}:[\\s\\S]*Go on with:[\\s\\S]*❯`));
		}
		expect(tmux.all()).not.toContain('more kinds');
		expect(tmux.all()).toMatch(/also gone: \w+/);
		expect(unbroken(tmux.all())).not.toMatch(/\d+ entries|an entry,/);
		expect(tmux.all()).toMatch(/Go on with:\n +cd /);
		tmux.press('C-d');
		const left = unbroken(await tmux.shows('ended with 0'));
		expect(left).toMatch(/Go on with its copies elsewhere with: .*cline --id \S+ .*clido \S/);
	});

	it('which copies can come back, and how one goes on where both it and its session have gone on since', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(
			stage,
			['--script', stage.script([{ text: 'Said.' }, { text: 'Here.' }]), 'begin'],
			{},
			120,
			40,
		);
		await tmux.shows('● Said.');
		for (const agent of ['cline', 'pi']) {
			send(tmux, `/handoff ${agent}`);
			await tmux.shows(new RegExp(`finds it:\\s+${agent}:[\\s\\S]*Go on with:[\\s\\S]*❯`));
		}
		const copy = (await stage.sessions()).find(({ agent }) => agent === 'pi')?.path ?? '';
		await stage.run(['-r', copy, '-p', 'there', '--script', stage.script([{ text: 'There.' }])]);
		send(tmux, 'here');
		await tmux.shows('● Here.');
		send(tmux, '/return');
		expect(await tmux.shows(/❯ pi:[\s\S]*written last: now[\s\S]* cline:/)).toContain('Return');
		tmux.press('Enter');
		await tmux.shows('have both gone on since');
		const told = unbroken(tmux.screen());
		expect(told).toMatch(/\. \/resume pi:\S+ goes on with the copy; in a shell, reprise return pi:\S+ -o FILE/);
		expect(told).not.toContain('name a new file');
		send(tmux, '/uncompact');
		await tmux.shows('✗ /uncompact: this session goes on from the whole conversation already');
	});

	it('where a picture from outside the folders could come from, and that a refused one is left behind with /rewind', async () => {
		using stage = new ClientStage();
		const outside = join(stage.own, '../shots/shot.png');
		mkdirSync(join(outside, '..'));
		for (const path of [outside, stage.file('dot.png')]) writeFileSync(path, Buffer.from(png, 'base64'));
		const refused = { error: { status: 400, type: 'invalid_request_error', message: 'Could not process image' } };
		using tmux = new Tmux(stage, [
			'--script',
			stage.script([{ text: 'Nothing to see.' }, refused, { text: 'Better.' }]),
		]);
		await tmux.shows('? lists the keys');
		tmux.type(`look at ${outside}`);
		await tmux.shows('shot.png');
		tmux.press('Enter');
		await tmux.shows('● Nothing to see.');
		const told = tmux.screen().replace(/\n\s*/g, '').replaceAll(' ', '');
		expect(told).toContain(`--add-dir${join(outside, '..')}`);
		send(tmux, 'look at dot.png');
		await tmux.shows('Could not process image');
		expect(unbroken(tmux.screen())).toContain('/rewind goes back to before the prompt that brought it');
	});

	it('a plan as the Markdown that it is, before it is carried out', async () => {
		using stage = new ClientStage();
		const plan = '## Steps\n\n1. **Read** the file\n2. Write it';
		const call = { type: 'tool_use', name: 'ExitPlanMode', input: { plan } } as const;
		const script = stage.script([{ content: [call] }, { text: 'Carried out.' }]);
		using tmux = new Tmux(stage, ['--script', script, '--permission-mode', 'plan', 'plan it']);
		const asked = await tmux.shows('Carry it out?');
		expect(asked).toMatch(/│ Steps\n\s+│\n\s+│ 1\. Read the file\n\s+│ 2\. Write it/);
		await afterGuard();
		tmux.press('1');
		const done = await tmux.shows('● Carried out.');
		expect(done).toMatch(/● Plan\(approved\)\n {2}⎿ {2}Steps\n\n {5}1\. Read the file\n {5}2\. Write it/);
		expect(done).not.toContain('start coding');
		expect(done).not.toContain('**Read**');
		using again = new Tmux(stage, ['-c', '--script', script]);
		await again.shows(/● Plan\(approved\)\n {2}⎿ {2}Steps\n\n {5}1\. Read the file/);
	});
});
