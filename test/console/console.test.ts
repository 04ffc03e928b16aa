/** The console in a real terminal, with a scripted model: what its users see and type. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { afterGuard, hasTmux, Tmux } from '../support/tmux.ts';

const edit = { type: 'tool_use', name: 'Write', input: { file_path: 'made.txt', content: 'made\n' } } as const;
const slow = (text: string) => ({ text, chunk: 3, chunkDelayMs: 20 });

describe.skipIf(!hasTmux)('the console', { timeout: 60_000 }, () => {
	it('starts without a key, says how to set one up, answers offline, and leaves the conversation and a hint behind', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, []);
		await tmux.shows('No model is set up');
		expect(tmux.screen()).toContain('ANTHROPIC_API_KEY');
		tmux.type('hello');
		tmux.press('Enter');
		await tmux.shows('I am the offline model');
		tmux.press('C-d');
		const left = await tmux.shows('ended with 0');
		expect(left).toContain('before the start');
		expect(left).toContain('❯ hello');
		expect(left).toContain('● I am the offline model');
		expect(left).toMatch(/Resume this session with:\s+reprise -r [\da-f-]{36}/);
		expect(left).not.toContain('-icanon');
	});

	it('asks before something is written, shows all of it, and does what the answer says', async () => {
		using stage = new ClientStage();
		const script = stage.script([
			{ content: [{ type: 'text', text: 'I write it.' }, edit] },
			{ text: 'It is **written**.' },
		]);
		using tmux = new Tmux(stage, ['--script', script, 'make a file']);
		const asked = await tmux.shows('Allow it?');
		expect(asked).toContain('+made');
		expect(asked).toMatch(/❯ 1\. Yes, once/);
		await afterGuard();
		tmux.press('1');
		const done = await tmux.shows('It is written.');
		const written = '● Write(made.txt)\n  ⎿  +1 -0\n     +made';
		expect(done).toContain(written);
		expect(readFileSync(stage.file('made.txt'), 'utf8')).toBe('made\n');
		tmux.press('C-d');
		await tmux.shows('ended with 0');
		using again = new Tmux(stage, ['-c', '--script', script]);
		expect(await again.shows('It is written.')).toContain(written);
	});

	it('a no with a reason is told to the model, and nothing is written', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ content: [edit] }, { when: 'not in this folder', text: 'Then elsewhere.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'make a file']);
		await tmux.shows('Allow it?');
		await afterGuard();
		tmux.press('3');
		await tmux.shows('Why not?');
		tmux.type('not in this folder');
		tmux.press('Enter');
		await tmux.shows('Then elsewhere.');
		expect(() => readFileSync(stage.file('made.txt'))).toThrow();
	});

	it('a key that was meant for the line of input answers no question, and what is typed stays', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ content: [edit], delayMs: 1500 }, { text: 'After.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'go']);
		await tmux.shows('Working…');
		for (let at = 0; at < 25; at += 1) {
			tmux.type('1');
			await new Promise((resolve) => setTimeout(resolve, 80));
		}
		await tmux.shows('Allow it?');
		await afterGuard();
		expect(tmux.screen()).toContain('Allow it?');
		tmux.press('Escape');
		await tmux.shows(/❯ 1{20,}/);
		expect(() => readFileSync(stage.file('made.txt'))).toThrow();
	});

	it('text typed beside a question makes Enter answer nothing, and a rule that does not fit the call is not taken', async () => {
		using stage = new ClientStage();
		const touch = { type: 'tool_use', name: 'Bash', input: { command: 'touch R1' } } as const;
		using tmux = new Tmux(stage, ['--script', stage.script([{ content: [touch] }, { text: 'After.' }]), 'go']);
		await tmux.shows('Allow it?');
		await afterGuard();
		tmux.type('/agents');
		await tmux.shows('Typed, not sent: /agents');
		await afterGuard();
		tmux.press('Enter', 'Down', 'Enter');
		await tmux.shows('Until when?');
		tmux.press('3', 'C-u');
		tmux.type('Bash(git push:*)');
		tmux.press('Enter');
		await tmux.shows('This rule does not allow what is asked about.');
		tmux.press('Escape', 'Escape', 'Escape');
		await tmux.shows(/interrupted by the user[\s\S]*❯ \/agents/);
		expect(() => readFileSync(stage.file('R1'))).toThrow();
	});

	it('a prompt that begins with a number, typed while a question is open, answers nothing and is sent afterwards', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ content: [edit] }, { text: 'Second.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'go']);
		await tmux.shows('Allow it?');
		await afterGuard();
		tmux.type('1 file is enough');
		tmux.press('Enter');
		await tmux.shows('Typed, not sent: 1 file is enough');
		await afterGuard();
		tmux.press('Escape');
		await tmux.shows(/interrupted by the user[\s\S]*❯ 1 file is enough/);
		tmux.press('Enter');
		await tmux.shows('● Second.');
		expect(existsSync(stage.file('made.txt'))).toBe(false);
	});

	it('rewind says how many lines of files would come and go', async () => {
		using stage = new ClientStage();
		writeFileSync(stage.file('old.txt'), 'a\nb\nc\n');
		const use = (name: string, input: { readonly [field: string]: string }) =>
			({ type: 'tool_use', name, input }) as const;
		const path = { file_path: stage.file('old.txt') };
		const script = stage.script([
			{ content: [use('Read', path)] },
			{
				content: [
					use('Edit', { ...path, old_string: 'b', new_string: '-- B' }),
					use('Write', { file_path: stage.file('new.txt'), content: '1\n2\n3\n' }),
				],
			},
			{ text: 'Done.' },
		]);
		using tmux = new Tmux(stage, ['--script', script, '--permission-mode', 'acceptEdits', 'go']);
		await tmux.shows('● Done.');
		tmux.type('/rewind');
		tmux.press('Enter');
		await tmux.shows('2 files +1 -4');
		tmux.press('Enter');
		await tmux.shows(/new\.txt \+0 -3\n *old\.txt \+1 -1/);
		tmux.press('Escape');
	});

	it('Esc interrupts, and the next prompt is answered', async () => {
		using stage = new ClientStage();
		const script = stage.script([slow('This takes long. '.repeat(60)), { text: 'Second answer.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'go']);
		await tmux.shows('This takes long');
		tmux.press('Escape');
		await tmux.shows('interrupted by the user');
		tmux.type('again');
		tmux.press('Enter');
		await tmux.shows('Second answer.');
	});

	it('a prompt that is typed meanwhile waits, can be taken back with ↑, and is answered after the turn', async () => {
		using stage = new ClientStage();
		const script = stage.script([slow('First answer goes on. '.repeat(12)), { text: 'Second answer.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'one']);
		await tmux.shows('First answer');
		tmux.type('two');
		tmux.press('Enter');
		await tmux.shows('or after this turn');
		tmux.press('Up');
		await tmux.shows(/─\n❯ two/);
		expect(tmux.screen()).not.toContain('or after this turn');
		tmux.type(' more');
		tmux.press('Enter');
		await tmux.shows('Second answer.');
		expect(tmux.all()).toContain('❯ two more');
	});

	it.each(['claude-code', 'cline', 'clido', 'openclaw'])(
		'in a session of %s, what is sent while tools run is heard with their results; Tab waits for the end of the turn',
		async (format) => {
			using stage = new ClientStage();
			const wait = {
				type: 'tool_use',
				name: 'Bash',
				input: { command: 'until [ -e go ]; do sleep 0.1; done' },
			} as const;
			const script = stage.script([
				{ content: [wait] },
				{ when: 'use tabs instead', text: 'Tabs it is.' },
				{ when: 'and now commit', text: 'Committed.' },
				{ when: 'what next', text: 'Nothing.' },
			]);
			const flags = ['--session-format', format, '--permission-mode', 'bypassPermissions'];
			using tmux = new Tmux(stage, ['--script', script, ...flags, 'begin']);
			await tmux.shows('● Bash');
			tmux.type('use tabs instead');
			tmux.press('Enter');
			tmux.type('and now commit');
			await tmux.shows(/❯ and now commit/);
			tmux.press('Tab');
			await tmux.shows('(after this turn) and now commit');
			writeFileSync(stage.file('go'), '');
			const all = await tmux.shows('Committed.');
			expect(all).toMatch(
				/● Bash[\s\S]*❯ use tabs instead[\s\S]*● Tabs it is\.[\s\S]*❯ and now commit[\s\S]*● Committed\./,
			);
			tmux.press('C-d');
			await tmux.shows('ended with 0');
			const [session] = await stage.sessions();
			expect(await stage.run(['check', session?.path ?? ''])).toMatchObject({ code: 0 });
			// Whoever goes on with the session has it all.
			using again = new Tmux(stage, ['-c', '--script', stage.script([{ when: 'what next', text: 'Nothing.' }])]);
			const stored = await again.shows(/use tabs instead[\s\S]*Tabs it is\.[\s\S]*and now commit[\s\S]*Committed\./);
			expect(stored).not.toContain('(no result)');
			again.type('what next');
			again.press('Enter');
			await again.shows('● Nothing.');
		},
	);

	it('a killed console is restarted into the same session, and nothing that was said is lost', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ text: 'The answer is kept.' }, slow('Never finished. '.repeat(200))]);
		using tmux = new Tmux(stage, ['--script', script, 'remember this']);
		await tmux.shows('The answer is kept.');
		tmux.type('and that');
		tmux.press('Enter');
		await tmux.shows('Never finished.');
		process.kill(tmux.pid(), 'SIGKILL');
		await tmux.shows('ended with 137');
		using again = new Tmux(stage, ['-c', '--script', stage.script([{ text: 'On we go.' }])]);
		const screen = await again.shows('and that');
		expect(screen).toContain('❯ remember this');
		expect(screen).toContain('● The answer is kept.');
		again.type('go on');
		again.press('Enter');
		await again.shows('On we go.');
	});

	it.each(['SIGKILL', 'SIGHUP', 'SIGTERM'] as const)(
		'what stands unsent in the line when %s ends the console is brought back by ↑, and what was cleared before that',
		async (signal) => {
			using stage = new ClientStage();
			using tmux = new Tmux(stage, []);
			await tmux.shows('No model is set up');
			tmux.type('cleared and wanted after all');
			tmux.press('C-c');
			tmux.type('half a thou');
			await tmux.shows('half a thou');
			await sleep(1000);
			process.kill(tmux.pid(), signal);
			await tmux.shows('ended with');
			using again = new Tmux(stage, []);
			await again.shows('No model is set up');
			if (signal === 'SIGKILL') await again.shows('A prompt was never sent: ↑ brings it back');
			again.press('Up');
			await again.shows('❯ half a thou');
			again.press('Up');
			await again.shows('❯ cleared and wanted after all');
			again.press('C-c');
			again.press('C-d');
			await again.shows('ended with 0');
			using third = new Tmux(stage, []);
			await third.shows('No model is set up');
			expect(third.screen()).not.toContain('never sent');
		},
	);

	it('resizing while it streams loses no row of the shell above, and the screen is whole afterwards', async () => {
		using stage = new ClientStage();
		const lines = Array.from({ length: 60 }, (_, at) => `Paragraph number ${at} of the answer.`).join('\n\n');
		const script = stage.script([{ text: lines, chunk: 8, chunkDelayMs: 10 }]);
		using tmux = new Tmux(stage, ['--script', script, 'go']);
		await tmux.shows('Paragraph number 3 ');
		const sizes = [
			[60, 24],
			[100, 36],
			[40, 12],
			[80, 30],
		] as const;
		for (const pause of [250, 60, 20]) {
			for (const [columns, rows] of sizes) {
				tmux.resize(columns, rows);
				await new Promise((resolve) => setTimeout(resolve, pause));
			}
		}
		await tmux.shows(/Paragraph number 59 of the answer\.\n[\s\S]*❯/);
		const all = tmux.all();
		expect(all).toContain('before the start');
		for (let at = 0; at < 60; at += 1) expect(all).toContain(`Paragraph number ${at} of the answer.`);
	});

	it.each([
		['SIGTERM', 143],
		['SIGHUP', 129],
	] as const)('after %s the terminal is as it was', async (signal, code) => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([slow('Long answer. '.repeat(100))]), 'go']);
		await tmux.shows('Long answer.');
		process.kill(tmux.pid(), signal);
		const left = await tmux.shows(`ended with ${code}`);
		expect(left).not.toContain('-icanon');
		expect(tmux.tmux('display-message', '-p', '#{cursor_flag}').trim()).toBe('1');
	});

	it('Ctrl-C clears, stops, and exits at the second time', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'x' }])]);
		await tmux.shows('? lists the keys');
		tmux.type('some words');
		await tmux.shows('some words');
		tmux.press('C-c');
		await tmux.shows('Press Ctrl-C again to exit');
		expect(tmux.screen()).not.toContain('some words');
		tmux.press('C-c');
		await tmux.shows('ended with 0');
	});

	it('! that still runs when a prompt is sent and answered stays on the screen, holds no call back, and shows its end', async () => {
		using stage = new ClientStage();
		const list = { type: 'tool_use', name: 'Bash', input: { command: 'echo of the model' } } as const;
		using tmux = new Tmux(stage, ['--script', stage.script([{ content: [list] }, { text: 'Answered.' }])]);
		// What is typed before the client is there waits in line.
		await tmux.shows('? lists the keys');
		tmux.type('!echo on; sleep 9; echo off');
		tmux.press('Enter');
		await tmux.shows(/⎿ {2}on|^ +on$/m);
		tmux.type('meanwhile');
		tmux.press('Enter');
		await tmux.shows(/of the model[\s\S]*● Answered\.[\s\S]*! ?echo on/);
		await tmux.shows(/● Answered\.[\s\S]*on\n +off/);
	});

	it('↑ takes the last prompt back with the cursor behind it', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, [
			'--script',
			stage.script([{ text: 'First.' }, { when: 'say it again', text: 'Second.' }]),
		]);
		await tmux.shows('❯');
		tmux.type('say it');
		tmux.press('Enter');
		await tmux.shows('● First.');
		tmux.press('Up');
		tmux.type(' again');
		await tmux.shows('❯ say it again');
		tmux.press('Enter');
		await tmux.shows('● Second.');
	});

	it('! runs a command of the user’s own, and the model is told of it', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ when: 'own-output-42', text: 'I have seen it.' }, { text: 'I have not.' }]);
		using tmux = new Tmux(stage, ['--script', script]);
		await tmux.shows('? lists the keys');
		tmux.type('!echo own-output-$((40+2))');
		// Its sign is shown once.
		await tmux.shows(/^❯ !echo own-output/m);
		tmux.press('Enter');
		await tmux.shows('⎿  own-output-42');
		tmux.type('what was it?');
		tmux.press('Enter');
		await tmux.shows('I have seen it.');
	});

	it.each(['claude-code', 'openclaw', 'cline', 'clido'])(
		'what ! ran stands in a %s session, and in the request, where it happened, and is shown so when it is reopened',
		async (format) => {
			using stage = new ClientStage();
			const ordered = 'ls-before[^]*a prompt in between[^]*ls-after[^]*a prompt at last';
			const script = stage.script([
				{ text: 'Between.' },
				{ when: { any: ordered }, text: 'In order.' },
				{ text: 'Not in order.' },
			]);
			const run = (text: string, tmux: Tmux): void => {
				tmux.type(text);
				tmux.press('Enter');
			};
			{
				using tmux = new Tmux(stage, ['--script', script, '--session-format', format]);
				await tmux.shows('? lists the keys');
				run('!echo ls-before; exit 3', tmux);
				await tmux.shows(/⎿ {2}ls-before\n +\(exit code 3\)/);
				run('a prompt in between', tmux);
				await tmux.shows('● Between.');
				run('!echo ls-after', tmux);
				await tmux.shows('⎿  ls-after');
				run('a prompt at last', tmux);
				await tmux.shows('● In order.');
				run('!echo never answered', tmux);
				await tmux.shows('⎿  never answered');
				tmux.press('C-d');
				await tmux.shows('ended with 0');
			}
			using again = new Tmux(stage, ['-c', '--script', script]);
			const shown = await again.shows('⎿  never answered');
			expect(shown).toMatch(
				/! echo ls-before; exit 3\n {2}⎿ {2}ls-before\n +\(exit code 3\)\n\n❯ a prompt in between\n\n● Between\.\n\n! echo ls-after\n {2}⎿ {2}ls-after\n\n❯ a prompt at last\n\n● In order\.\n\n! echo never answered/,
			);
			expect(shown).not.toContain('bash-');
		},
	);

	it('completes commands and files, and edits in the user’s editor', async () => {
		using stage = new ClientStage();
		execFileSync('git', ['init', '-q'], { cwd: stage.cwd });
		writeFileSync(stage.file('quaint-name.ts'), '');
		const editor = stage.file('editor.sh');
		writeFileSync(editor, '#!/bin/sh\nprintf "%s and edited" "$(cat "$1")" > "$1"\n', { mode: 0o755 });
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'x' }])], { EDITOR: editor });
		await tmux.shows('? lists the keys');
		tmux.type('/rew');
		expect(await tmux.shows('go back to before an earlier prompt')).not.toContain('\\x1b');
		tmux.press('Escape');
		await new Promise((resolve) => setTimeout(resolve, 300));
		tmux.press('C-u');
		tmux.type('look at @quai');
		await tmux.shows('quaint-name.ts');
		tmux.press('Tab');
		await tmux.shows(/❯ look at @quaint-name\.ts/);
		await new Promise((resolve) => setTimeout(resolve, 300));
		tmux.press('C-g');
		await tmux.shows('and edited');
	});

	it('a picture that a prompt names or the clipboard has goes along with it', async () => {
		using stage = new ClientStage();
		const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
		writeFileSync(stage.file('a dot.png'), Buffer.from(png, 'base64'));
		const xclip = stage.file('xclip');
		writeFileSync(stage.file('notes.md'), 'a note');
		writeFileSync(xclip, `#!/bin/sh\ncat '${stage.file('a dot.png')}'\n`, { mode: 0o755 });
		const script = stage.script([{ text: 'A dot, and another.' }]);
		using tmux = new Tmux(stage, ['--script', script], { PATH: `${stage.cwd}:${process.env.PATH}` });
		await tmux.shows('? lists the keys');
		tmux.type("look at 'a dot.png', @notes.md, @gone.md and ");
		await tmux.shows('@gone.md and');
		tmux.press('C-v');
		await tmux.shows(/pictures\/[\s\S]*\.png/);
		tmux.press('Enter');
		const screen = await tmux.shows('● A dot, and another.');
		expect(screen).toMatch(
			/⎿ {2}notes\.md · 6 bytes\n {2}⎿ {2}a dot\.png · image\/png · 70 bytes\n {2}⎿ {2}[\da-f]{12}\.png · image\/png/,
		);
		expect(screen).toContain('· @gone.md was not sent: there is no such file');
		const [session] = await stage.sessions();
		expect(readFileSync(session?.path ?? '', 'utf8').split(png)).toHaveLength(3);
	});

	it('a paste without marks is one paste, and submits nothing', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'x' }])]);
		await tmux.shows('? lists the keys');
		tmux.type('a line of text that was pasted\n'.repeat(60));
		await tmux.shows(/\[paste #1 \+\d+ lines\]/);
		expect(tmux.screen()).not.toContain('Working');
	});

	it.each(['claude-code.jsonl', 'clido.jsonl', 'cline.messages.json', 'openclaw.jsonl'])(
		'goes on with %s',
		async (sample) => {
			using stage = new ClientStage();
			const path = stage.file(sample);
			copyFileSync(join(import.meta.dirname, '../../samples', sample), path);
			using tmux = new Tmux(stage, ['-r', path, '--script', stage.script([{ text: 'Here I am again.' }])]);
			await tmux.shows('all green');
			tmux.type('go on');
			tmux.press('Enter');
			await tmux.shows('● Here I am again.');
		},
	);

	it('goes back to before a prompt together with its files, and gives the prompt back', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ content: [edit] }, { text: 'Made.' }]);
		using tmux = new Tmux(stage, ['--script', script, '--permission-mode', 'acceptEdits', 'make a file']);
		await tmux.shows('● Made.');
		tmux.press('Escape');
		await new Promise((resolve) => setTimeout(resolve, 300));
		tmux.press('Escape');
		await tmux.shows(/❯ make a file\n.*made\.txt|❯ make a file\n.*1 file/);
		tmux.press('Enter');
		await tmux.shows('What goes back?');
		tmux.press('1');
		await tmux.shows('These files were removed: made.txt');
		await tmux.shows(/─\n❯ make a file/);
		expect(existsSync(stage.file('made.txt'))).toBe(false);
	});

	it('a session is chosen from the list, and the conversation is as it was when the list is left', async () => {
		using stage = new ClientStage();
		await stage.run(['-p', 'about the parser', '--script', stage.script([{ text: 'The parser is fine.' }])]);
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'Second.' }]), 'another talk']);
		const before = await tmux.shows(/● Second\.[\s\S]*❯/);
		tmux.type('/resume');
		tmux.press('Enter');
		await tmux.shows('about the parser');
		tmux.press('Escape');
		await tmux.shows('❯ /resume');
		expect(tmux.all()).toContain(before.slice(0, before.indexOf('● Second.')).trim().slice(0, 40));
		tmux.type('/resume');
		tmux.press('Enter');
		await tmux.shows('about the parser');
		tmux.type('parser');
		await tmux.shows('Filter: parser');
		tmux.press('Enter');
		await tmux.shows('● The parser is fine.');
	});

	it('goes on on a screen of 20 by 5', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'Small.' }])], {}, 20, 5);
		await tmux.shows('❯');
		tmux.type('hi');
		tmux.press('Enter');
		await tmux.shows('Small.', () => tmux.all());
	});

	it.each([
		[20, 5],
		[80, 24],
	])(
		'leaves no old lines of input in the scrollback of a screen of %i by %i that is or becomes tiny',
		async (columns, rows) => {
			using stage = new ClientStage();
			const script = stage.script([
				{ text: 'First.' },
				slow('It is said in a few rows, one after the other. '.repeat(3)),
			]);
			using tmux = new Tmux(stage, ['--script', script, 'one'], {}, columns, rows);
			await tmux.shows('● First.', () => tmux.all());
			await new Promise((resolve) => setTimeout(resolve, 800));
			tmux.resize(20, 5);
			await new Promise((resolve) => setTimeout(resolve, 600));
			tmux.type('two');
			tmux.press('Enter');
			await tmux.shows(/after the other\.\n─+\n❯/, () =>
				tmux.all().replaceAll(/after\s+the\s+other\./g, 'after the other.'),
			);
			expect(tmux.all().match(/^─+$/gm)).toHaveLength(2);
			expect(tmux.all().match(/^❯$/gm)).toHaveLength(1);
		},
	);

	it('plain lines where the terminal is dumb or a screen reader reads', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'A **plain** answer.' }])], { ACCESSIBLE: '1' });
		await tmux.shows('Type a prompt');
		tmux.type('say something');
		tmux.press('Enter');
		expect((await tmux.shows('A plain answer.')).match(/say something/g)).toHaveLength(1);
		tmux.type('/exit');
		tmux.press('Enter');
		await tmux.shows('ended with 0');
	});
});

describe('without a terminal', () => {
	it('reprise prints what to begin with, and opens no console', async () => {
		using stage = new ClientStage();
		const { code, out } = await stage.run([]);
		expect([code, out.includes('reprise ls')]).toEqual([0, true]);
		expect(out).not.toContain('\u001b');
	});
});
