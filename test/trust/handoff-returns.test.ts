/** What /handoff promises: whatever the session has noted of the command itself, `return` brings it home. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { hasTmux, Tmux } from '../support/tmux.ts';

const handedTo = /finds it: (\S+)\.$/m;

describe('a session that /handoff gave away', { timeout: 60_000 }, () => {
	it.each([
		['claude-code', 'pi'],
		['clido', 'pi'],
		['cline', 'pi'],
		['openclaw', 'clido'],
	])('comes home to %s from %s, behind every byte that is there', async (format, to) => {
		using stage = new ClientStage();
		const script = ['--script', stage.script({ turns: [], default: { text: 'Said.' } })];
		const { session_id: id } = await stage.json('-p', 'base', '--session-format', format, ...script);
		const home = await stage.pathOf(id);
		const told = await stage.run(['-r', String(id), '-p', `/handoff ${to}`, ...script]);
		const copy = handedTo.exec(told.out)?.[1] ?? '';
		await stage.run(['-r', home, '-p', '/cost', ...script]);
		const before = readFileSync(home);
		expect(await stage.run(['-r', copy, '-p', 'said over there', ...script])).toMatchObject({ code: 0 });
		const back = await stage.run(['return', copy]);
		expect(back).toMatchObject({ code: 0, out: expect.stringMatching(/\n(?:cd .* && )\S+ .*\n$/) });
		const after = readFileSync(home);
		if (format !== 'cline') expect(after.subarray(0, before.length).equals(before)).toBe(true);
		expect((await stage.run(['show', home])).out).toMatch(/base[\s\S]*said over there/);
		expect((await stage.run(['check', home])).code).toBe(0);
		const again = await stage.run(['-r', home, '-p', 'and here', '--output-format', 'json', ...script]);
		expect(again.code).toBe(0);
	});

	it.skipIf(!hasTmux)('comes home where it was given away at the console', async () => {
		using stage = new ClientStage();
		const script = ['--script', stage.script({ turns: [], default: { text: 'Said.' } })];
		using tmux = new Tmux(stage, [...script, 'base']);
		await tmux.shows('● Said.');
		tmux.type('/handoff pi');
		tmux.press('Enter');
		const copy = /pi:[\da-f-]{36}/.exec(await tmux.shows('Go on with:'))?.[0];
		tmux.press('C-d');
		await tmux.shows('ended with 0');
		expect(copy).toMatch(/^pi:/);
		using there = new Tmux(stage, ['-r', String(copy), ...script]);
		await there.shows(/ · pi$/m);
		there.press('C-d');
		await there.shows('ended with 0');
		await stage.run(['-r', String(copy), '-p', 'said over there', ...script]);
		expect(await stage.run(['return', String(copy)])).toMatchObject({ code: 0 });
	});

	it.skipIf(!hasTmux)('comes back into the console that gave it away, with /return', async () => {
		using stage = new ClientStage();
		const script = ['--script', stage.script({ turns: [], default: { text: 'Said.' } })];
		using tmux = new Tmux(stage, [...script, 'base']);
		await tmux.shows('● Said.');
		tmux.type('/handoff pi');
		tmux.press('Enter');
		const copy = /pi:[\da-f-]{36}/.exec(await tmux.shows('Go on with:'))?.[0];
		await stage.run(['-r', String(copy), '-p', 'said over there', ...script]);
		tmux.type('/return');
		tmux.press('Enter');
		await tmux.shows(/2 messages came back/);
		await tmux.shows('❯ said over there');
		tmux.type('and here');
		tmux.press('Enter');
		await tmux.shows(/❯ and here\s+● Said\./);
	});

	it('stays away where its home has gone on', async () => {
		using stage = new ClientStage();
		const script = ['--script', stage.script({ turns: [], default: { text: 'Said.' } })];
		const { session_id: id } = await stage.json('-p', 'base', ...script);
		const home = await stage.pathOf(id);
		const told = await stage.run(['-r', String(id), '-p', '/handoff pi', ...script]);
		const copy = handedTo.exec(told.out)?.[1] ?? '';
		await stage.run(['-r', home, '-p', 'said at home', ...script]);
		await stage.run(['-r', copy, '-p', 'said over there', ...script]);
		const before = readFileSync(home);
		const { code, err } = await stage.run(['return', copy]);
		expect(code).toBe(1);
		expect(err).toContain('has gone on since it was handed off');
		expect(readFileSync(home).equals(before)).toBe(true);
	});
});
