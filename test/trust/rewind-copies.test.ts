/** A copy of a session knows what its original changed: what both share goes back from either, and nobody else's work is lost. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { entries, git, prompt, runs, says, treeIn } from '../support/rewinding.ts';

function newStage(): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	git(stage.cwd, 'init');
	git(stage.cwd, 'add', '-A');
	git(stage.cwd, 'commit', '-m', 'begin');
	return stage;
}

const steps = [runs('echo 1 > s.txt; rm a.txt'), runs('echo 2 >> s.txt')];

/** A session of two prompts, each of which changes files. */
async function begin(stage: ClientStage, format: string): Promise<void> {
	await prompt(stage, steps.slice(0, 1), ['--session-format', format]);
	await prompt(stage, steps.slice(1), ['-c']);
}

const text = (stage: ClientStage): string => readFileSync(stage.file('s.txt'), 'utf8');
const undo = ['rewind', 'last', '--undo', '-y'];

describe.each(['claude-code', 'cline', 'clido', 'pi'])('a copy of a %s session', (format) => {
	it('brings back the files of every prompt that it shares with its original', async () => {
		const stage = newStage();
		const before = treeIn(stage.cwd);
		await begin(stage, format);
		expect((await stage.run(['fork', 'last'])).code).toBe(0);
		await prompt(stage, [runs('echo 3 >> s.txt')], ['-c', '--fork-session']);
		const [first = '', second = ''] = await entries(stage, 'prompt');
		expect(await stage.run(['rewind', 'last', '--to', second, '--only-files', '-y'])).toMatchObject({
			code: 0,
			err: '',
		});
		expect(text(stage)).toBe('1\n');
		expect(await stage.run(['rewind', 'last', '--to', first, '--only-files', '-y'])).toMatchObject({
			code: 0,
			err: '',
		});
		expect(treeIn(stage.cwd)).toEqual(before);
	});

	it('leaves alone what its original has changed since', async () => {
		const stage = newStage();
		await begin(stage, format);
		const [original] = await stage.sessions();
		const { id } = JSON.parse((await stage.run(['fork', 'last', '--json'])).out) as { readonly id: string };
		await prompt(stage, [runs('echo more >> s.txt')], ['-r', original?.id ?? '']);
		const [first = ''] = await entries(stage, 'prompt', id);
		const { code, err } = await stage.run(['rewind', id, '--to', first, '--only-files', '-y']);
		expect([code, err]).toEqual([1, expect.stringContaining('s.txt: somebody has changed it since')]);
		expect(text(stage)).toBe('1\n2\nmore\n');
	});
});

describe.each(['claude-code', 'cline', 'clido', 'pi'])('a rewind of a %s session', (format) => {
	it('is undone from where -c goes on, and so is the undoing', async () => {
		const stage = newStage();
		await begin(stage, format);
		const [, second = ''] = await entries(stage, 'prompt');
		expect(await stage.run(['rewind', 'last', '--to', second, '--files', '-y'])).toMatchObject({ code: 0, err: '' });
		await prompt(stage, [runs('echo other >> s.txt')], ['-c']);
		expect(text(stage)).toBe('1\nother\n');
		for (const expected of ['1\n2\n', '1\nother\n', '1\n2\n']) {
			expect(await stage.run(undo)).toMatchObject({ code: 0, err: '' });
			expect(text(stage)).toBe(expected);
			expect(await entries(stage, 'prompt')).toHaveLength(2);
			expect((await stage.run(['context', 'last'])).out).toContain(expected.includes('2') ? 'echo 2' : 'echo other');
		}
		const go = ['-c', '-p', 'on', '--script', stage.script([says('On.')])];
		expect(await stage.run(go)).toMatchObject({ code: 0, out: 'On.\n' });
		expect((await stage.run(['check', 'last'])).code).toBe(0);
	});

	it('to a prompt takes it back and prints it, so that no two prompts stand in a row', async () => {
		const stage = newStage();
		await begin(stage, format);
		for (const left of [2, 1]) {
			const to = (await entries(stage, 'prompt'))[left - 1] ?? '';
			const { code, out } = await stage.run(['rewind', 'last', '--to', to]);
			expect([code, out]).toEqual([0, expect.stringMatching(/taken back, to be edited and sent again:\ngo\n$/)]);
			expect(await entries(stage, 'prompt')).toHaveLength(left - 1);
			await prompt(stage, [], ['-c']);
			const context = JSON.parse((await stage.run(['context', 'last', '--json'])).out) as {
				readonly messages: readonly { readonly role: string }[];
			};
			const roles = context.messages.map(({ role }) => role);
			expect(roles.some((role, index) => role === 'user' && roles[index + 1] === 'user')).toBe(false);
			expect(await entries(stage, 'prompt')).toHaveLength(left);
			expect((await stage.run(['check', 'last'])).code).toBe(0);
			if (left === 2) expect(await stage.run(undo)).toMatchObject({ code: 0 });
		}
	});

	it('to a reply keeps the reply', async () => {
		const stage = newStage();
		await begin(stage, format);
		const [reply = ''] = await entries(stage, 'reply');
		const { out } = await stage.run(['rewind', 'last', '--to', reply]);
		expect(out).not.toContain('taken back');
		expect(await entries(stage, 'reply')).toHaveLength(1);
	});
});

it('the beginning of the conversation is undone to, too', async () => {
	const stage = newStage();
	await begin(stage, 'claude-code');
	const [first = ''] = await entries(stage, 'prompt');
	for (const command of [['rewind', 'last', '--to', first, '--files', '-y'], undo, undo]) {
		expect((await stage.run(command)).code).toBe(0);
		expect(existsSync(stage.file('s.txt'))).toBe(command === undo && (await entries(stage, 'prompt')).length > 0);
	}
	expect(await entries(stage, 'prompt')).toEqual([]);
	expect((await stage.run(['context', 'last'])).out.trim()).toBe('');
});

it.each(['claude-code', 'cline', 'pi'])('a %s session that was uncompacted has its files as well', async (format) => {
	const stage = newStage();
	await begin(stage, format);
	// Long enough that a compaction makes it shorter; the last exchange stays as it is.
	for (const reply of ['all of it '.repeat(2000), 'yes']) await prompt(stage, [says(reply)], ['-c']);
	const compact = ['-c', '-p', '/compact', '--script', stage.script([says('SUMMARY')])];
	expect((await stage.run(compact)).code).toBe(0);
	await prompt(stage, [runs('echo 3 >> s.txt')], ['-c']);
	expect((await stage.run(['uncompact', 'last'])).code).toBe(0);
	const [, second = ''] = await entries(stage, 'prompt');
	expect(await stage.run(['rewind', 'last', '--to', second, '--only-files', '-y'])).toMatchObject({ code: 0, err: '' });
	expect(text(stage)).toBe('1\n');
});

it('the next prompt does not hear of files that a rewind has restored, and still hears of others', async () => {
	const stage = newStage();
	const write = (content: string) => ({
		content: [{ type: 'tool_use', name: 'Write', input: { file_path: stage.file('w.txt'), content } }],
	});
	await prompt(stage, [write('one\n')]);
	await prompt(
		stage,
		[{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: stage.file('w.txt') } }] }, write('two\n')],
		['-c'],
	);
	const [, second = ''] = await entries(stage, 'prompt');
	expect((await stage.run(['rewind', 'last', '--to', second, '--files', '-y'])).code).toBe(0);
	const go = () => stage.run(['-c', '-p', 'on', '--script', stage.script([says('On.')])]);
	expect((await go()).err).not.toContain('since the session last saw it');
	expect((await stage.run(['resume', 'last', '--check'])).out).not.toContain('since the session last saw it');
	appendFileSync(stage.file('w.txt'), 'mine\n');
	expect((await go()).err).toContain('w.txt was edited since the session last saw it');
});

it('--dry-run names ignored files that have changed since, and not those that have not', async () => {
	const stage = newStage();
	writeFileSync(stage.file('.gitignore'), '.env\nold.log\nout/\n');
	writeFileSync(stage.file('.env'), 'A=1\n');
	writeFileSync(stage.file('old.log'), 'old\n');
	await new Promise((resolve) => setTimeout(resolve, 50));
	await prompt(stage, [
		runs('echo B=2 >> .env; mkdir out; for i in 1 2 3 4 5; do echo $i > out/$i; done; echo 1 > s.txt'),
	]);
	const [first = ''] = await entries(stage, 'prompt');
	const { out } = await stage.run(['rewind', 'last', '--to', first, '--files', '--dry-run']);
	expect(out).toContain('files that git ignores are not kept');
	expect(out).toContain('  .env\n  out/ (5 files)\n');
	expect(out).not.toContain('old.log');
});

it('the question is short however many files there are, and names every file that somebody else has changed', async () => {
	const stage = newStage();
	await prompt(stage, [runs('for i in $(seq 100 160); do echo $i > $i.txt; done')]);
	appendFileSync(stage.file('160.txt'), 'mine\n');
	const [first = ''] = await entries(stage, 'prompt');
	const { err, code } = await stage.run(['rewind', 'last', '--to', first, '--files', '--conflicts', 'keep']);
	expect(code).toBe(2);
	expect(err).toContain('  … and 40 more, which --dry-run lists');
	expect(err).toContain('  removed  160.txt\n    ! somebody has changed it since');
	expect(err.split('\n').length).toBeLessThan(35);
});

describe('/rewind', () => {
	it('takes the files too, and never overwrites what somebody else has changed', async () => {
		const stage = newStage();
		await prompt(stage, [runs('echo 1 > s.txt; echo 1 > t.txt')]);
		await prompt(stage, [runs('echo 2 >> s.txt; echo 2 >> t.txt')], ['-c']);
		appendFileSync(stage.file('t.txt'), 'mine\n');
		const [, second = ''] = await entries(stage, 'prompt');
		const { code, out } = await stage.run(['-c', '-p', `/rewind ${second} --files`]);
		expect(code).toBe(0);
		expect(out).toMatch(/These files were restored: s\.txt\.\nt\.txt stays as it is: somebody has changed it since\./);
		expect(out).toMatch(/Taken back, to be edited and sent again:\ngo\n$/);
		expect([text(stage), readFileSync(stage.file('t.txt'), 'utf8')]).toEqual(['1\n', '1\n2\nmine\n']);
		expect(await entries(stage, 'prompt')).toHaveLength(1);
		expect((await stage.run(['-c', '-p', '/rewind --undo'])).code).toBe(0);
		expect(text(stage)).toBe('1\n2\n');
		expect(await entries(stage, 'prompt')).toHaveLength(2);
		expect((await stage.run(['-c', '-p', `/rewind ${second} --only-files`])).code).toBe(0);
		expect(text(stage)).toBe('1\n');
		expect(await entries(stage, 'prompt')).toHaveLength(2);
		expect((await stage.run(['-c', '-p', `/rewind ${second} --all`])).code).toBe(1);
		expect((await stage.run(['check', 'last'])).code).toBe(0);
	});

	it('holds for the prompts that follow in the same run', async () => {
		const stage = newStage();
		const line = (content: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
		await prompt(stage, [runs('echo 1 > s.txt')]);
		const [first = ''] = await entries(stage, 'prompt');
		const script = stage.script([{ text: 'Again.' }]);
		const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--script', script];
		const input = line(`/rewind ${first} --files`) + line('anew');
		const { code } = await stage.run(['-c', '-p', ...flags], { input });
		expect(code).toBe(0);
		expect(existsSync(stage.file('s.txt'))).toBe(false);
		expect((await stage.run(['context', 'last'])).out).toMatch(/^user\n {2}anew\n\nassistant\n {2}Again\.\n$/);
	});
});

it('what a sub-agent changes belongs to the call that waited for it, and what it changes when it is resumed goes back too', async () => {
	const stage = newStage();
	const before = treeIn(stage.cwd);
	const task = { description: 'write', prompt: 'write', subagent_type: 'general-purpose' };
	const turns = [
		{ content: [{ type: 'tool_use', name: 'Task', input: task }] },
		runs('echo child > c.txt'),
		says('child done'),
		runs('echo parent > p.txt'),
	];
	await prompt(stage, turns);
	const { agents } = JSON.parse((await stage.run(['agents', 'last', '--json'])).out) as {
		readonly agents: readonly { readonly id: string }[];
	};
	const script = stage.script([runs('echo later > d.txt'), says('more')] as never);
	const flags = ['--resume', agents[0]?.id ?? '', '--script', script, '--permission-mode', 'bypassPermissions'];
	expect((await stage.run(['agents', 'last', 'on', ...flags])).code).toBe(0);
	const [session] = await stage.sessions();
	const result = (await stage.lines(session?.id)).find(({ toolUseResult }) => toolUseResult !== undefined)?.uuid;
	expect(await stage.run(['rewind', 'last', '--to', String(result), '--only-files', '-y'])).toMatchObject({ code: 0 });
	expect([existsSync(stage.file('c.txt')), existsSync(stage.file('p.txt')), existsSync(stage.file('d.txt'))]).toEqual([
		...[true, false, false],
	]);
	const [first = ''] = await entries(stage, 'prompt');
	expect(await stage.run(['rewind', 'last', '--to', first, '--only-files', '-y'])).toMatchObject({ code: 0 });
	expect(treeIn(stage.cwd)).toEqual(before);
});
