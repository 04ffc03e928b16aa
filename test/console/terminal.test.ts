/** The console and the terminal it is in: the full screen, signals, a terminal that goes away, jobs, bells, odd ones. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { afterGuard, hasTmux, Tmux } from '../support/tmux.ts';

const slow = (text: string) => ({ text, chunk: 3, chunkDelayMs: 20 });
const rows = (name: string, count: number) =>
	Array.from({ length: count }, (_, at) => `${name} ${at} is said.`).join('\n\n');

function send(tmux: Tmux, text: string): void {
	tmux.type(text);
	tmux.press('Enter');
}

const flag = (tmux: Tmux, name: string) => tmux.tmux('display-message', '-p', `#{${name}}`).trim();

async function isGone(pid: number, withinMs: number): Promise<boolean> {
	for (const until = Date.now() + withinMs; Date.now() < until; await sleep(50)) {
		try {
			process.kill(pid, 0);
		} catch {
			return true;
		}
	}
	return false;
}

describe.skipIf(!hasTmux)('/fullscreen', { timeout: 60_000 }, () => {
	it('scrolls and searches what was said, and leaves what was said in it on the main screen, once', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ text: rows('Before', 40) }, { text: rows('Within', 40) }, { text: 'After.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'one']);
		await tmux.shows('Before 39');
		send(tmux, '/fullscreen');
		await tmux.shows('/fullscreen goes back');
		expect(flag(tmux, 'alternate_on')).toBe('1');
		send(tmux, 'two');
		await tmux.shows('Within 39');
		for (let page = 0; page < 8; page += 1) tmux.press('PPage');
		await tmux.shows('Before 0 is');
		tmux.press('C-f');
		await sleep(200);
		tmux.type('Within 20');
		await tmux.shows(/Within 20 is[\s\S]*1\/1|1\/1[\s\S]*Within 20 is/);
		tmux.press('Escape');
		await sleep(200);
		tmux.resize(70, 24);
		send(tmux, '/context');
		await tmux.shows('The next request holds');
		tmux.press('Escape');
		await tmux.shows('❯ /context');
		send(tmux, '/fullscreen');
		await tmux.shows(/❯ \/context\n\n❯ \/fullscreen\n─/);
		expect(flag(tmux, 'alternate_on')).toBe('0');
		const all = tmux.all();
		for (let at = 0; at < 40; at += 1) expect(all.split(`Within ${at} is`), `Within ${at}`).toHaveLength(2);
		expect(all).toContain('before the start');
		send(tmux, 'three');
		await tmux.shows('● After.');
	});

	it('switches while an answer is written, with all that was said until then, and back; each row stands there once', async () => {
		using stage = new ClientStage();
		const answer = { text: rows('Within', 60), chunk: 12, chunkDelayMs: 40 };
		const script = stage.script([{ text: rows('Before', 5) }, answer]);
		using tmux = new Tmux(stage, ['--script', script, 'one']);
		await tmux.shows('Before 4');
		send(tmux, 'two');
		await tmux.shows('Within 8 is');
		send(tmux, '/fullscreen');
		const full = await tmux.shows('/fullscreen goes back');
		expect(flag(tmux, 'alternate_on')).toBe('1');
		expect(full).toContain('esc to interrupt');
		for (let page = 0; page < 3; page += 1) tmux.press('PPage');
		await tmux.shows(/Before 4 is[\s\S]*❯ two[\s\S]*● Within 0 is/);
		send(tmux, '/fullscreen');
		for (let tries = 0; flag(tmux, 'alternate_on') === '1' && tries < 100; tries += 1) await sleep(50);
		await tmux.shows(/Within 59 is said\.\n[\s\S]*❯/);
		const all = tmux.all();
		for (let at = 0; at < 60; at += 1) expect(all.split(`Within ${at} is`), `Within ${at}`).toHaveLength(2);
	});

	it('comes back from the editor, and exiting leaves the conversation and a terminal as it was', async () => {
		using stage = new ClientStage();
		const editor = stage.file('editor.sh');
		writeFileSync(editor, '#!/bin/sh\nprintf "from the editor" > "$1"\n', { mode: 0o755 });
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'Said in full.' }])], { EDITOR: editor });
		await tmux.shows('? lists the keys');
		send(tmux, '/fullscreen');
		await tmux.shows('/fullscreen goes back');
		tmux.press('C-g');
		await tmux.shows('❯ from the editor');
		expect(flag(tmux, 'alternate_on')).toBe('1');
		tmux.press('Enter');
		await tmux.shows('● Said in full.');
		const since = performance.now();
		tmux.press('C-d');
		const left = await tmux.shows('ended with 0');
		// A hint that is still to be seen for a while keeps nobody waiting.
		expect(performance.now() - since).toBeLessThan(3000);
		expect(left).toMatch(/❯ from the editor\n\n● Said in full\.\nResume this session with:/);
		expect([flag(tmux, 'alternate_on'), flag(tmux, 'mouse_any_flag'), flag(tmux, 'cursor_flag')]).toEqual([
			'0',
			'0',
			'1',
		]);
	});
});

describe.skipIf(!hasTmux)('a terminal', { timeout: 60_000 }, () => {
	const throwing = `--import=data:text/javascript,process.on('SIGUSR2',()=>{throw%20new%20Error('boom')})`;

	it.each([false, true])('is as it was after a mistake of our own (full screen: %s)', async (isFull) => {
		using stage = new ClientStage();
		const script = stage.script([{ text: 'It is kept.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'first'], { NODE_OPTIONS: throwing });
		await tmux.shows('● It is kept.');
		if (isFull) {
			send(tmux, '/fullscreen');
			await tmux.shows('/fullscreen goes back');
		}
		process.kill(tmux.pid(), 'SIGUSR2');
		const left = await tmux.shows('ended with 1');
		expect(left).toContain('boom');
		expect(left).not.toContain('-icanon');
		expect([flag(tmux, 'alternate_on'), flag(tmux, 'mouse_any_flag'), flag(tmux, 'cursor_flag')]).toEqual([
			'0',
			'0',
			'1',
		]);
		const [session] = await stage.sessions();
		expect(await stage.run(['check', session?.path ?? ''])).toMatchObject({ code: 0 });
	});

	it('whose program is updated meanwhile stays open, and says what to do', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ text: 'It is said.' }]);
		const hooks = [
			"import{registerHooks}from'node:module'",
			'let gone=false',
			"process.on('SIGUSR2',()=>{gone=true})",
			"const missing=()=>Object.assign(new Error('no'),{code:'ERR_MODULE_NOT_FOUND'})",
			"registerHooks({resolve(name,at,next){if(gone&&name.includes('/session-cost'))throw missing();return next(name,at)}})",
		];
		const code = encodeURIComponent(hooks.join(';'));
		using tmux = new Tmux(stage, ['--script', script], { NODE_OPTIONS: `--import=data:text/javascript,${code}` });
		await tmux.shows('? lists the keys');
		process.kill(tmux.pid(), 'SIGUSR2');
		send(tmux, 'say it');
		const screen = await tmux.shows('Reprise was updated');
		const [session] = await stage.sessions();
		expect(screen).toContain('● It is said.');
		expect(screen).toContain(`reprise -r ${session?.id}`);
		send(tmux, '/exit');
		await tmux.shows('ended with 0');
	});

	it('that is closed while an answer streams ends the process', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([slow('Long answer. '.repeat(300))]), 'go']);
		await tmux.shows('Long answer.');
		const pid = tmux.pid();
		tmux.tmux('kill-server');
		expect(await isGone(pid, 8000)).toBe(true);
	});

	it('that is closed ends the process also while a command runs that heeds no signal', async () => {
		using stage = new ClientStage();
		const command = "trap '' HUP TERM INT; echo stuck-$((40+2)); for i in 1 2 3 4 5 6; do sleep 1; done";
		const call = { type: 'tool_use', name: 'Bash', input: { command } } as const;
		const flags = ['--permission-mode', 'bypassPermissions'];
		using tmux = new Tmux(stage, ['--script', stage.script([{ content: [call] }]), ...flags, 'go']);
		await tmux.shows('stuck-42');
		const pid = tmux.pid();
		tmux.tmux('kill-server');
		// Two seconds are promised, and measured where nothing else runs.
		expect(await isGone(pid, 5500)).toBe(true);
	});

	it('is given back with Ctrl-Z, and taken again with fg', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ text: 'First.' }, { text: 'Second.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'one'], {}, 80, 30, true);
		await tmux.shows('● First.');
		tmux.type('a draft');
		await tmux.shows('❯ a draft');
		tmux.press('C-z');
		await tmux.shows('fg brings it back');
		send(tmux, 'echo in-the-$((1+1))-shell');
		await tmux.shows('in-the-2-shell');
		tmux.resize(60, 20);
		send(tmux, 'fg');
		await tmux.shows(/─\n❯ a draft\n─/);
		tmux.press('Enter');
		await tmux.shows('● Second.');
		tmux.press('C-d');
		await tmux.shows('Resume this session with');
	});

	it('rings when a question waits and when a long answer has ended, and not where that is switched off', async () => {
		using stage = new ClientStage();
		const call = { type: 'tool_use', name: 'Write', input: { file_path: 'made.txt', content: 'made\n' } } as const;
		const script = stage.script([{ content: [call] }, { text: 'Now it is made.', delayMs: 5200 }]);
		const ring = async (): Promise<readonly number[]> => {
			using tmux = new Tmux(stage, ['--script', script]);
			await tmux.shows('? lists the keys');
			const bytes = join(stage.own, `bytes-${Math.random()}`);
			tmux.recordIn(bytes);
			const bells = () => readFileSync(bytes, 'utf8').split('\u0007').length - 1;
			send(tmux, 'make it');
			await tmux.shows('Allow it?');
			await afterGuard();
			const asked = bells();
			tmux.press('1');
			await tmux.shows('Now it is made.');
			await sleep(300);
			return [asked, bells()];
		};
		expect(await ring()).toEqual([1, 2]);
		rmSync(stage.file('made.txt'));
		writeFileSync(join(stage.own, 'console.json'), '{"notify": "off"}');
		expect(await ring()).toEqual([0, 0]);
	});

	it('is as it was after Ctrl-O, whose page begins at the end, also with options of less that its user has', async () => {
		for (const env of [{}, { LESS: '-R -Plooking' }]) {
			using stage = new ClientStage();
			using tmux = new Tmux(stage, ['--script', stage.script([{ text: rows('Row', 40) }]), 'one'], env);
			await tmux.shows(/Row 39[\s\S]*❯/);
			await sleep(300);
			const before = tmux.all();
			tmux.press('C-o');
			await tmux.shows('LESS' in env ? 'looking' : '(END)');
			expect(flag(tmux, 'alternate_on')).toBe('1');
			expect(tmux.screen()).toContain('Row 39');
			tmux.press('q');
			for (let tries = 0; flag(tmux, 'alternate_on') === '1' && tries < 100; tries += 1) await sleep(50);
			await tmux.shows(/Row 39[\s\S]*❯/);
			await sleep(300);
			expect(tmux.all()).toBe(before);
		}
	});

	it('that sends Alt-key as Esc and a key does not interrupt', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([slow(rows('On', 9))]), 'go']);
		await tmux.shows('On 0 is');
		tmux.press('M-t', 'M-x');
		await tmux.shows('On 8 is said.');
		expect(tmux.screen()).not.toContain('interrupted');
	});

	it('that is dumb gets plain lines and numbered questions', async () => {
		using stage = new ClientStage();
		const call = { type: 'tool_use', name: 'Write', input: { file_path: 'made.txt', content: 'made\n' } } as const;
		const thought = { type: 'thinking', thinking: 'two words' } as const;
		const script = stage.script([{ content: [thought, call] }, { text: 'It is **made**.' }]);
		using tmux = new Tmux(stage, ['--script', script, 'make it'], { TERM: 'dumb' });
		const bytes = stage.file('bytes');
		tmux.recordIn(bytes);
		await tmux.shows('Allow? 1 yes (y), 2 always (a), 3 no (n)');
		send(tmux, '7');
		await tmux.shows('7 is none of the answers');
		send(tmux, '1');
		await tmux.shows('It is made.');
		send(tmux, '/exit');
		await tmux.shows('ended with 0');
		const written = readFileSync(bytes, 'utf8');
		expect(written).not.toContain('\u001b');
		expect(written).toMatch(/Thought, 2 words\r?\n/);
	});

	it('in plain lines breaks them between words, at its own width', async () => {
		using stage = new ClientStage();
		const script = stage.script([{ text: 'unbroken '.repeat(40) }]);
		using tmux = new Tmux(stage, ['--plain', '--script', script, 'say it'], {}, 60);
		const screen = await tmux.shows(/unbroken[\s\S]*^> *$/m);
		expect(screen.match(/\bunbroken\b/g)).toHaveLength(40);
	});

	it('in plain lines loses no line that is pasted or typed ahead', async () => {
		using stage = new ClientStage();
		const call = { type: 'tool_use', name: 'Write', input: { file_path: 'made.txt', content: 'made\n' } } as const;
		const answers = ['Slow.', 'Two.', 'Three.', 'Pasted.'].map((text) => ({ text }));
		const script = stage.script([{ content: [call] }, ...answers]);
		using tmux = new Tmux(stage, ['--plain', '--script', script, 'make it']);
		await tmux.shows('Allow?');
		send(tmux, '3');
		await tmux.shows('Why not?');
		tmux.type('too early\nask me later\n');
		await tmux.shows('Slow.');
		// Two lines are there before they are asked for: the command that runs meanwhile takes its time.
		send(tmux, '!sleep 1');
		await tmux.shows('> !sleep 1');
		await new Promise((resolve) => setTimeout(resolve, 300));
		send(tmux, 'second');
		send(tmux, 'third');
		await tmux.shows('Three.');
		await new Promise((resolve) => setTimeout(resolve, 300));
		tmux.type('pa\npb\npc');
		await new Promise((resolve) => setTimeout(resolve, 200));
		send(tmux, ' and the end');
		await tmux.shows('Pasted.');
		const [session] = await stage.sessions();
		const written = readFileSync(session?.path ?? '', 'utf8');
		expect(written).toContain('the user said no: too early\\nask me later');
		for (const prompt of ['second', 'third', 'pa\\npb\\npc and the end']) expect(written).toContain(`"${prompt}"`);
	});

	it('in plain lines what was typed before a question does not answer it, and is the next prompt', async () => {
		using stage = new ClientStage();
		const call = { type: 'tool_use', name: 'Write', input: { file_path: 'made.txt', content: 'made\n' } } as const;
		const script = stage.script([
			{ content: [call], delayMs: 2000 },
			{ text: 'Asked.' },
			{ when: '"y"', text: 'Why.' },
		]);
		using tmux = new Tmux(stage, ['--plain', '--script', script, 'make it']);
		await tmux.shows('> make it');
		send(tmux, 'y');
		tmux.type('y');
		const asked = await tmux.shows('Allow?');
		expect(asked).toContain('kept for the next prompt: y');
		expect(asked).toContain('not taken as its answer: y');
		await sleep(500);
		expect(tmux.screen()).not.toContain('Asked.');
		send(tmux, 'n');
		await tmux.shows('Why not?');
		send(tmux, '');
		await tmux.shows(/Asked\.\s+> y\s+● Why\./);
		expect(existsSync(stage.file('made.txt'))).toBe(false);
	});

	it('a paste of 100 KB is a marker at once, and reaches the session whole', async () => {
		using stage = new ClientStage();
		using tmux = new Tmux(stage, ['--script', stage.script([{ text: 'Read it.' }])]);
		await tmux.shows('? lists the keys');
		const text = Array.from({ length: 2000 }, (_, at) => `line ${at} ${'x'.repeat(41)}`).join('\n');
		tmux.paste(text);
		await tmux.shows('[paste #1 +2000 lines]');
		tmux.press('Enter');
		await tmux.shows('● Read it.');
		const [session] = await stage.sessions();
		expect(readFileSync(session?.path ?? '', 'utf8')).toContain(JSON.stringify(text).slice(1, -1));
	});

	it('a session of 10,000 entries is there at once, and scrolls', async () => {
		using stage = new ClientStage();
		const path = stage.file('long.jsonl');
		const id = '11111111-2222-4333-8444-555555555555';
		const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
		const lines = Array.from({ length: 10_000 }, (_, at) => {
			const role = at % 2 === 0 ? 'user' : 'assistant';
			const content = [{ type: 'text', text: `${role} says number ${at}.` }];
			return JSON.stringify({
				...{ parentUuid: at === 0 ? null : uuid(at - 1), isSidechain: false, userType: 'external', cwd: stage.cwd },
				...{ sessionId: id, version: '2.1.29', gitBranch: '', type: role, uuid: uuid(at) },
				message: role === 'user' ? { role, content } : { ...modelMessage, id: `msg_${at}`, role, content },
				timestamp: new Date(1_760_000_000_000 + at * 1000).toISOString(),
			});
		});
		writeFileSync(path, `${lines.join('\n')}\n`);
		const began = performance.now();
		using tmux = new Tmux(stage, [
			'-r',
			path,
			'--script',
			stage.script({ turns: [], default: { text: 'Here I am.' } }),
		]);
		await tmux.shows('❯');
		const painted = performance.now() - began;
		await tmux.shows('● assistant says number 9999.');
		expect(painted).toBeLessThan(5000);
		send(tmux, '/fullscreen');
		await tmux.shows('/fullscreen goes back');
		for (let page = 0; page < 20; page += 1) tmux.press('PPage');
		await tmux.shows(/assistant says number 9[67]\d\d\./);
		send(tmux, 'go on');
		await tmux.shows('● Here I am.');
	});
});

const usage = { input_tokens: 1, output_tokens: 1 };
const modelMessage = { type: 'message', model: 'script', stop_reason: 'end_turn', stop_sequence: null, usage };

describe('without a terminal', () => {
	it('closed input and closed output end without a crash', async () => {
		using stage = new ClientStage();
		const bin = join(import.meta.dirname, '../../bin/reprise.js');
		const run = (redirected: string) =>
			spawnSync('/bin/sh', ['-c', `"${process.execPath}" "${bin}" ${redirected}`], {
				...{ cwd: stage.cwd, env: stage.env as NodeJS.ProcessEnv, encoding: 'utf8', timeout: 20_000 },
			});
		for (const redirected of ['<&-', '</dev/null', '>&-', '| true']) {
			const { status, stderr } = run(redirected);
			expect([redirected, status, stderr]).toEqual([redirected, 0, '']);
		}
	});
});
