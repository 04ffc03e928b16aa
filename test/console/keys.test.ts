/** Keys that stop, leave and take back, in a real terminal: whatever goes on, they do what the hints say, and nothing that was typed is lost. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { afterGuard, hasTmux, Tmux } from '../support/tmux.ts';

const bash = (command: string) => ({ type: 'tool_use', name: 'Bash', input: { command } }) as const;
const slow = { text: 'The first answer goes on and on. '.repeat(60), chunk: 3, chunkDelayMs: 20 };
/** A model that takes no for no answer. */
const stubborn = { when: { last: '^go|said no' }, repeat: true, content: [bash('rm -rf x')] };

describe.skipIf(!hasTmux)('keys of the console', { timeout: 60_000 }, () => {
	it.each(['Escape', 'C-c'])(
		'%s says no to a question and ends the turn, however often the model would ask',
		async (key) => {
			using stage = new ClientStage();
			using tmux = new Tmux(stage, ['--script', stage.script([stubborn, { text: 'Next answer.' }]), 'go']);
			await tmux.shows('Allow it?');
			await afterGuard();
			tmux.press(key);
			await tmux.shows('interrupted by the user');
			await sleep(500);
			expect(tmux.screen()).not.toContain('Allow it?');
			tmux.type('what now');
			tmux.press('Enter');
			await tmux.shows('● Next answer.');
			const [session] = await stage.sessions();
			const written = readFileSync(session?.path ?? '', 'utf8');
			expect(written).toContain('[Request interrupted by user for tool use]');
			expect(await stage.run(['check', session?.path ?? ''])).toMatchObject({ code: 0 });
		},
	);

	it('No with a reason or without goes on, and Esc there goes back to the question', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ content: [bash('touch R1')] }, { text: 'Then not.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'go']);
		await tmux.shows('Allow it?');
		await afterGuard();
		tmux.press('3');
		await tmux.shows('Why not?');
		tmux.press('Escape');
		await tmux.shows('Allow it?');
		tmux.press('3');
		await tmux.shows('Why not?');
		tmux.press('Enter');
		await tmux.shows('● Then not.');
	});

	it('the question of a sub-agent stops the whole turn, too', async () => {
		using stage = new ClientStage();
		const task = { description: 'do it', prompt: 'HELPER', subagent_type: 'general-purpose' };
		const script = stage.script([
			{ when: { last: 'HELPER' }, content: [bash('touch R1')] },
			{ when: { last: '^go' }, content: [{ type: 'tool_use', name: 'Task', input: task }] },
			{ text: 'Went on.' },
		]);
		using tmux = new Tmux(stage, ['--script', script, 'go']);
		await tmux.shows('Allow it?');
		await afterGuard();
		tmux.press('Escape');
		await tmux.shows('interrupted by the user');
		expect(tmux.screen()).not.toContain('Went on.');
	});

	it('Ctrl-C pressed twice leaves while something is asked', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([stubborn]), 'go']);
		await tmux.shows('Allow it?');
		await afterGuard();
		tmux.press('C-c', 'C-c');
		await tmux.shows('ended with 0');
	});

	it('Esc twice in one read is Esc twice: it clears the line, and stops an answer', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([slow])]);
		await tmux.shows('? lists the keys');
		tmux.type('some words');
		await tmux.shows('❯ some words');
		tmux.press('Escape', 'Escape');
		await tmux.shows(/─\n❯\n─/);
		tmux.type('go');
		tmux.press('Enter');
		await tmux.shows('The first answer');
		tmux.press('Escape', 'Escape');
		await tmux.shows('interrupted by the user');
	});

	it('a command and a prompt that wait are never one text: Esc gives back the last, holds the others, and ↑ gives each by itself', async () => {
		using stage = new ClientStage();
		const script = stage.script([slow, { when: 'fix the tests', text: 'Fixed.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'go']);
		await tmux.shows('The first answer');
		for (const text of ['/rename Good title', 'please also fix the tests']) {
			tmux.type(text);
			await tmux.shows(`❯ ${text}`);
			tmux.press('Enter');
			await tmux.shows(/[↑] edits the last/);
		}
		tmux.press('Escape');
		const stopped = await tmux.shows('interrupted by the user');
		expect(stopped).toMatch(/❯ \(held\) \/rename Good title[\s\S]*─\n❯ please also fix the tests\n─/);
		tmux.press('Enter');
		await tmux.shows('● Fixed.');
		expect(tmux.screen()).toContain('(held) /rename Good title');
		tmux.press('Enter');
		await tmux.shows('Good title”');
		expect(tmux.screen()).not.toContain('Good title please');
	});

	it('what waits for the end of the turn still does when it was taken back and sent again', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([slow])]);
		await tmux.shows('? lists the keys');
		tmux.type('go');
		tmux.press('Enter');
		await tmux.shows('The first answer');
		tmux.type('one');
		await tmux.shows('❯ one');
		tmux.press('Enter');
		tmux.type('two');
		await tmux.shows('❯ two');
		tmux.press('Tab');
		await tmux.shows('(after this turn) two');
		tmux.press('Up');
		await tmux.shows(/─\n❯ two/);
		expect(tmux.screen()).toMatch(/^ {2}❯ one$/m);
		tmux.type(' more');
		tmux.press('Enter');
		await tmux.shows('(after this turn) two more');
	});

	it('what is chosen in a screen is done, also where the answer has ended before it was chosen', async () => {
		using stage = new ClientStage();
		const brief = { text: 'A short answer. '.repeat(4), chunk: 3, chunkDelayMs: 40 };
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'First.' }, brief]), 'one']);
		await tmux.shows('● First.');
		tmux.type('two');
		tmux.press('Enter');
		await tmux.shows('A short');
		tmux.type('/tree');
		await tmux.shows('/tree');
		tmux.press('Enter');
		await tmux.shows(/Enter to/);
		await sleep(2500);
		tmux.press('Up', 'Up', 'Enter');
		const after = await tmux.shows(/─\n❯/);
		expect(after).not.toContain('(after this turn)');
		await tmux.shows('goes on from');
	});

	it('a built-in command with more lines below it is not carried out, and says so', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'Here.' }]), 'go']);
		await tmux.shows('● Here.');
		tmux.paste('/clear\nand fix the tests');
		await tmux.shows('and fix the tests');
		tmux.press('Enter');
		await tmux.shows('/clear is one line');
	});

	it('no file name puts a code on the screen, and tabs of a paste are tabs in the session', async () => {
		using stage = new ClientStage();
		writeFileSync(stage.file('b\u001b]0;pwned\u0007.txt'), 'hostile');
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'Read.' }])]);
		await tmux.shows('? lists the keys');
		const raw = stage.file('raw');
		tmux.recordIn(raw);
		tmux.type('@pwned');
		await tmux.shows('b\\x1b]0;pwned\\x07.txt');
		tmux.press('Tab');
		await tmux.shows('❯ @b\\x1b]0;pwned\\x07.txt');
		const pasted = Array.from({ length: 80 }, (_, at) => `\tif (${at}) {\t}`).join('\n');
		tmux.paste(pasted);
		await tmux.shows('[paste #1 +80 lines]');
		tmux.press('Enter');
		await tmux.shows('● Read.');
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
		expect(readFileSync(raw, 'latin1')).not.toMatch(/\u001b\]0|\u0007/);
		const [session] = await stage.sessions();
		const written = readFileSync(session?.path ?? '', 'utf8');
		expect(written).toContain(JSON.stringify(pasted).slice(1, -1));
		expect(written).toContain('hostile');
	});

	it('Ctrl-R gives the prompts of this project first, and pressed again the next older one', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'x', repeat: true }])]);
		await tmux.shows('? lists the keys');
		for (const text of ['first here', 'second here']) {
			tmux.type(text);
			await tmux.shows(`❯ ${text}`);
			tmux.press('Enter');
			await tmux.shows(new RegExp(`❯ ${text}[\\s\\S]*● x[\\s\\S]*─\n❯\n`));
		}
		tmux.press('C-r');
		await tmux.shows(/❯ second here/);
		tmux.press('C-r', 'Enter');
		await tmux.shows(/─\n❯ first here/);
	});
});
