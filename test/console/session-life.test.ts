/** The life of sessions at the console: chosen at the start, gone on with, looked at. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { hasTmux, Tmux } from '../support/tmux.ts';

const slow = (text: string) => ({ text, chunk: 3, chunkDelayMs: 20 });

function send(tmux: Tmux, text: string): void {
	tmux.type(text);
	tmux.press('Enter');
}

describe.skipIf(!hasTmux)('sessions at the console', { timeout: 60_000 }, () => {
	it('reprise -r opens the list of all agents’ sessions, narrows it, shows one, and goes on with it', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ text: 'The parser is fine.' }]);
		await stage.run(['-p', 'about the parser', '--session-format', 'openclaw', '--script', script]);
		await stage.run(['-p', 'about the lexer', '--script', stage.script([{ text: 'The lexer is not.' }])]);
		using tmux = new Tmux(stage, ['-r', '--script', stage.script([{ text: 'Here I am again.' }])]);
		const list = await tmux.shows('Sessions: this project');
		expect(list).toMatch(/about the lexer\n.* · claude-code/);
		expect(list).toMatch(/about the parser\n.* · pi/);
		tmux.type('pars');
		await tmux.shows(/Filter: pars[\s\S]*❯ about the parser/);
		tmux.press('Right');
		await tmux.shows('The parser is fine.');
		tmux.press('Enter');
		await tmux.shows('● The parser is fine.');
		tmux.type('go on');
		tmux.press('Enter');
		await tmux.shows('● Here I am again.');
		expect(await stage.sessions()).toHaveLength(2);
	});

	it('the list is searched by what was said, and left with Ctrl-C as with Esc', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'first words', '--script', stage.script([{ text: 'A peculiar answer.' }])]);
		using tmux = new Tmux(stage, ['-r']);
		await tmux.shows('❯ first words');
		tmux.press('Tab');
		await tmux.shows('Type what was said.');
		tmux.type('peculiar');
		await tmux.shows(/❯ first words.*\n.*peculiar/);
		tmux.press('C-c');
		await tmux.shows('ended with 1');
	});

	it('prompts of the project come first, however --cwd names it', async () => {
		using stage = new ClientStage();
		const typed = (text: string, cwd: string) => `${JSON.stringify({ text, cwd, at: 1 })}\n`;
		mkdirSync(stage.own, { recursive: true });
		const history = typed('of the project', stage.cwd) + typed('from elsewhere', stage.home);
		writeFileSync(join(stage.own, 'console-history.jsonl'), history);
		using tmux = new Tmux(stage, ['--cwd', '.']);
		await tmux.shows('No model is set up');
		tmux.press('Up');
		await tmux.shows('❯ of the project');
	});

	it('a key whose work fails says why, and the console stays', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'first words', '--script', stage.script([{ text: 'An answer.' }])]);
		const [session] = await stage.sessions();
		using tmux = new Tmux(stage, ['-c'], { TMPDIR: '/nowhere' });
		await tmux.shows('● An answer.');
		tmux.press('C-g');
		await tmux.shows('cannot keep the text for the editor in /nowhere: there is no such file');
		rmSync(session?.path ?? '');
		tmux.press('C-o');
		await tmux.shows('does not exist');
		tmux.press('C-d');
		await tmux.shows('ended with 0');
	});

	it('a session that another process writes is running, and one that nobody writes is not', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'an ended talk', '--script', stage.script([{ text: 'Done.' }])]);
		using other = new Tmux(stage, ['--script', stage.script([slow('It goes on. '.repeat(300))]), 'a long talk']);
		await other.shows('It goes on.');
		using tmux = new Tmux(stage, ['-r']);
		const list = await tmux.shows('Sessions: this project');
		expect(list).toMatch(/● a long talk\n\s+running · claude-code/);
		expect(list).toMatch(/ {2}an ended talk\n\s+(—|idle)/);
	});

	it('the session that is open is renamed from the list and by /rename, and goes on', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script({ turns: [], default: { text: 'Said.' } }), 'base']);
		await tmux.shows('● Said.');
		send(tmux, '/resume');
		await tmux.shows('open here');
		tmux.press('C-r');
		await tmux.shows('Title:');
		tmux.type(' and more');
		tmux.press('Enter');
		await tmux.shows('❯ ● base and more');
		tmux.press('Escape');
		await tmux.shows(/^❯$/m);
		send(tmux, '/rename another name');
		await tmux.shows('The session is called “another name” now.');
		send(tmux, 'go on');
		await tmux.shows(/go on\n+● Said\./);
		expect((await stage.run(['ls'])).out).toContain('another name');
	});

	it('reprise alone begins anew, and says how many sessions are here', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'an earlier talk', '--script', stage.script([{ text: 'Done.' }])]);
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'x' }])]);
		await tmux.shows('1 session is here: /resume opens it');
		expect(tmux.screen()).not.toContain('an earlier talk');
	});

	it('/fork goes on in a copy, from here or from before a prompt, and says how to get back', async () => {
		using stage = new ClientStage();
		const script = stage.script(['One.', 'Two.', 'Only in the copy.', 'In the second copy.'].map((text) => ({ text })));
		using tmux = new Tmux(stage, ['--script', script, 'first']);
		await tmux.shows('● One.');
		send(tmux, 'second');
		await tmux.shows('● Two.');
		const [original] = await stage.sessions();
		send(tmux, '/fork');
		await tmux.shows('❯ From here: all that was said');
		tmux.press('Enter');
		const said = await tmux.shows('goes back to it.');
		expect(said.replace(/\s+/g, ' ')).toContain(
			`goes on in a copy. What was copied stays as it is: /resume ${original?.id} goes back to it.`,
		);
		send(tmux, 'third');
		await tmux.shows('● Only in the copy.');
		send(tmux, '/fork');
		await tmux.shows('❯ From here');
		tmux.type('second');
		await tmux.shows('❯ second');
		tmux.press('Enter');
		await tmux.shows(/─\n❯ second/);
		tmux.press('Enter');
		await tmux.shows('● In the second copy.');
		const { out } = await stage.run(['show', original?.path ?? '']);
		expect([out.includes('Two.'), out.includes('copy')]).toEqual([true, false]);
		expect(await stage.sessions()).toHaveLength(3);
	});

	it('a prompt that a killed console has left without an answer says so when the session is reopened', async () => {
		using stage = new ClientStage();
		{
			using tmux = new Tmux(stage, ['--script', stage.script([slow('It goes on. '.repeat(300))]), 'a long talk']);
			await tmux.shows('It goes on.');
			process.kill(tmux.pid(), 'SIGKILL');
			await tmux.shows('ended with 137');
		}
		using again = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'x' }])]);
		await again.shows(/❯ a long talk\n\n· not answered: it was interrupted/);
	});

	it.each(['claude-code', 'cline', 'clido', 'openclaw'])(
		'a call that a killed console has cut off is none that went well, and one that goes on is neither: %s',
		async (format) => {
			using stage = new ClientStage();
			const call = { type: 'tool_use' as const, name: 'Bash', input: { command: 'echo begun; sleep 60' } };
			const script = stage.script([{ content: [call] }, { text: 'x' }]);
			const flags = ['--session-format', format, '--permission-mode', 'bypassPermissions'];
			{
				using tmux = new Tmux(stage, ['--script', script, ...flags, 'take your time'], { PAGER: 'cat; sleep 2' });
				await tmux.shows(/● Bash\(echo begun; sleep 60\) · 1s/);
				tmux.press('C-o');
				await tmux.shows(/● Bash\(echo begun; sleep 60\)\n {2}⎿ {2}\(no result yet\)/);
				process.kill(tmux.pid(), 'SIGKILL');
				await tmux.shows('ended with 137');
			}
			using again = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'On we go.' }])]);
			await again.shows(/✗ Bash\(echo begun; sleep 60\)\n {2}⎿ {2}It was cut off: there is no result\./);
			send(again, 'go on');
			await again.shows('● On we go.');
			expect((await stage.run(['show', 'last'])).out).toMatch(/[✗?] Bash echo begun/);
		},
	);

	it('an answer that its user has stopped is no loss to be asked about when the session goes on', async () => {
		using stage = new ClientStage();
		const script = stage.script([slow('An answer that is stopped in its middle. '.repeat(20))]);
		const format = ['--session-format', 'openclaw'];
		{
			using tmux = new Tmux(stage, ['--script', script, ...format, 'begin']);
			await tmux.shows('● An answer that is');
			tmux.press('Escape');
			await tmux.shows('interrupted by the user');
			tmux.press('C-d');
			await tmux.shows('ended with 0');
		}
		const { out } = await stage.run(['resume', 'last', '--check']);
		expect(out).toContain('not sent  1 message: it was interrupted');
		using again = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'On.' }])]);
		await again.shows(/interrupted by the user[\s\S]*❯/);
		send(again, 'go on');
		await again.shows('● On.');
	});

	it('a call that a hook has put off says so, and not that it was cut off', async () => {
		using stage = new ClientStage();
		const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } };
		const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: `echo '${JSON.stringify(answer)}'` }] }] };
		const call = { type: 'tool_use' as const, name: 'Bash', input: { command: 'touch later' } };
		const script = stage.script([{ content: [call] }, { text: 'x' }]);
		await stage.run(['-p', 'do it', '--script', script, '--settings', JSON.stringify({ hooks })]);
		using tmux = new Tmux(stage, ['-c', '--script', script]);
		expect(await tmux.shows('a hook has put off a call of Bash')).not.toContain('cut off');
	});

	it('a session that has gone back to its beginning has cost what it has cost', async () => {
		using stage = new ClientStage();
		const usage = { input: 100_000, output: 10_000 };
		await stage.run(['-p', 'an old talk', '--script', stage.script([{ text: 'Paid for.', usage }])]);
		const [{ path } = { path: '' }] = await stage.sessions();
		const text = readFileSync(path, 'utf8').replaceAll('"model":"script"', '"model":"claude-sonnet-4-5"');
		writeFileSync(path, text);
		using tmux = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'Free.' }])]);
		await tmux.shows(/● Paid for\.[\s\S]*❯\n.*\n.*· 110k tokens · \$0\.45/);
		const prompt = text.split('\n').find((line) => line.includes('an old talk')) ?? '';
		tmux.type(`/rewind ${/"uuid":"([^"]+)"/.exec(prompt)?.[1]}`);
		await tmux.shows('❯ /rewind');
		await new Promise((resolve) => setTimeout(resolve, 200));
		tmux.press('Enter');
		await tmux.shows(/goes on from its beginning[\s\S]*❯\n.*\n {2}script · \$0\.45/);
		send(tmux, '/cost');
		await tmux.shows(/\$0\.45 for 1 reply/);
	});

	it('the status line says at once what the session has cost, as /cost counts it, also of a copy', async () => {
		using stage = new ClientStage();
		const usage = { input: 100_000, output: 10_000 };
		await stage.run(['-p', 'an old talk', '--script', stage.script([{ text: 'Paid for.', usage }])]);
		const [{ path } = { path: '' }] = await stage.sessions();
		writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"model":"script"', '"model":"claude-sonnet-4-5"'));
		using tmux = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'Free.' }])]);
		await tmux.shows(/● Paid for\.[\s\S]*❯\n.*\n.*· \$0\.45/);
		send(tmux, '/cost');
		await tmux.shows(/\$0\.45 for 1 reply/);
		tmux.press('Escape');
		await tmux.shows(/^❯$/m);
		send(tmux, 'go on');
		await tmux.shows(/● Free\.[\s\S]*❯\n.*\n.*· \$0\.45/);
		send(tmux, '/clear');
		await tmux.shows(/❯\n.*\n(?!.*\$0\.4)/);
		send(tmux, '/resume an old talk');
		await tmux.shows(/❯\n.*\n.*· \$0\.45/);
		send(tmux, '/fork');
		await tmux.shows('❯ From here: all that was said');
		tmux.press('Enter');
		await tmux.shows(/goes back to it\.[\s\S]*❯\n.*\n.*· \$0\.45/);
	});

	it('/handoff lets its user choose the agent, and shows the command that goes on there, whole at the end', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'One.' }]), 'first']);
		await tmux.shows('● One.');
		send(tmux, '/handoff');
		const list = await tmux.shows('Hand off');
		expect(list).not.toContain('  claude-code');
		tmux.type('pi');
		await tmux.shows('❯ pi');
		tmux.press('Enter');
		await tmux.shows('A copy of the session is where pi finds it');
		const handed = (await stage.sessions()).find(({ agent }) => agent === 'pi')?.path ?? '?';
		tmux.press('C-d');
		await tmux.shows('ended with 0');
		expect(tmux.tmux('capture-pane', '-p', '-J', '-S', '-')).toContain(`pi --session ${handed}`);
	});

	it('/export proposes a file, and writes it', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'One.' }]), 'About the Parser']);
		await tmux.shows('● One.');
		send(tmux, '/export');
		await tmux.shows('❯ /export about-the-parser.md');
		tmux.press('Enter');
		await tmux.shows(/The session is in\s/);
		expect(readFileSync(stage.file('about-the-parser.md'), 'utf8')).toContain('One.');
	});

	it('/resume --check says what going on would mean, and goes nowhere', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'One.' }]), 'first']);
		await tmux.shows('● One.');
		send(tmux, '/resume --check');
		await tmux.shows(/sent +\d+ messages[\s\S]*not sent +nothing: all that was said is in it/);
		expect(await stage.sessions()).toHaveLength(1);
	});

	it('plain lines number the sessions', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'an earlier talk', '--script', stage.script([{ text: 'It was said.' }])]);
		using tmux = new Tmux(stage, ['-r', '--plain']);
		await tmux.shows(/1\. an earlier talk[\s\S]*Number of the session/);
		tmux.type('1');
		tmux.press('Enter');
		await tmux.shows('● It was said.');
	});

	it('plain lines say how many sessions they leave out', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'an earlier talk', '--script', stage.script([{ text: 'It was said.' }])]);
		const [session] = await stage.sessions();
		const { path = '', id = '' } = session ?? {};
		const text = readFileSync(path, 'utf8');
		for (let at = 10; at < 34; at += 1) {
			const other = `${id.slice(0, -2)}${at}`;
			if (other !== id) writeFileSync(path.replace(id, other), text.replaceAll(id, other));
		}
		using tmux = new Tmux(stage, ['-r', '--plain']);
		await tmux.shows(/20\. an earlier talk[\s\S]*… [45] more[\s\S]*Number of the session/);
	});
});

describe('without a terminal', () => {
	it('-r without a session is refused with what it needs', async () => {
		using stage = new ClientStage();
		for (const args of [['-r'], ['-p', 'x', '-r'], ['--resume', '-p', 'x']]) {
			const { code, err } = await stage.run(args);
			expect([code, err]).toEqual([2, expect.stringContaining('-r needs a session: a file, an id, a title, or last')]);
		}
	});
});
