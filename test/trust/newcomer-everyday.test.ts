/** Half an hour of everyday use: what is announced comes to be, what is normal is not called a loss, and what is asked for is understood. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newStage } from '../support/new-stage.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

const done = [{ text: 'done' }];
const use = (name: string, input: { readonly [key: string]: string }) => ({
	content: [{ type: 'tool_use' as const, name, input }],
});

it.each(['claude-code', 'cline', 'pi'])(
	'what a compaction of a %s session stands for is not lost, and a call that nobody answered is named',
	async (format) => {
		const stage = newStage();
		writeFileSync(stage.file('long.txt'), 'hello\n'.repeat(2000));
		const summary = '<analysis>hm</analysis><title>T</title><summary>1. Names are kept.</summary>';
		const when = { last: 'is about to be replaced by a summary' };
		const turns = [{ when, repeat: true, text: summary }, use('Read', { file_path: 'long.txt' }), { text: 'done' }];
		const first = ['-p', 'first', '--session-format', format];
		for (const args of [first, ...['second', '/compact keep names', 'third'].map((prompt) => ['-c', '-p', prompt])])
			expect((await stage.run([...args, '--script', stage.script(turns as never)])).code).toBe(0);
		const { out } = await stage.run(['resume', 'last', '--check']);
		expect(out).toMatch(/^not sent {2}\d+ messages: a compaction stands for it/m);
		expect(out).not.toMatch(/LOST|no result/);
		const script = stage.script([use('Bash', { command: 'touch started; sleep 30' })]);
		const child = stage.start(['-c', '-p', 'fourth', '--script', script, '--allowedTools', 'Bash']);
		for (let waited = 0; !existsSync(stage.file('started')) && waited < 20_000; waited += 50) await sleep(50);
		child.kill('SIGKILL');
		await new Promise((resolve) => child.on('close', resolve));
		const killed = (await stage.run(['resume', 'last', '--check'])).out;
		expect(killed).toContain('open      1 call (Bash) has no result: the run was ended before one came\n');
	},
);

it('words that begin with a dash are searched for, behind the first, and a mistyped option is still one', async () => {
	const stage = newStage();
	for (const prompt of ['migrating very draft', 'migration final'])
		await stage.run(['-p', prompt, '--script', stage.script(done)]);
	for (const without of ['-draft', '-very']) {
		const { code, out } = await stage.run(['search', 'migrat*', without, '--since', '2w']);
		expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('migration final') });
		expect(out).not.toContain('draft');
	}
	const wrong = await stage.run(['search', 'migrat*', '-draft', '--sinse', '2w']);
	expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--sinse'") });
	expect((await stage.run(['search', 'migrat*', '-h'])).out).toContain('Usage: reprise search');
});

it('/clear announces no session that never comes to be', async () => {
	const stage = newStage();
	await stage.run(['-p', 'one', '--script', stage.script(done)]);
	const { code, out, err } = await stage.run(['-c', '-p', '/clear', '--script', stage.script(done)]);
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(err).toContain('/clear: no prompt follows, so that nothing would begin anew');
	expect(err).not.toMatch(/[\da-f]{8}-/);
});

it('archive --undo brings back what was archived last, and only what was archived', async () => {
	const stage = newStage();
	for (const prompt of ['one', 'two', 'three']) await stage.run(['-p', prompt, '--script', stage.script(done)]);
	const never = await stage.run(['archive', 'two', '--undo']);
	expect(never).toMatchObject({
		code: 1,
		out: '',
		err: expect.stringMatching(/ is not archived: there is nothing to undo/),
	});
	const none = await stage.run(['archive', 'last', '--undo']);
	expect(none).toMatchObject({ code: 1, err: 'reprise: no session of this project is archived\n' });
	await stage.run(['archive', 'three']);
	await stage.run(['archive', 'one']);
	expect((await stage.run(['archive', 'last', '--undo'])).code).toBe(0);
	const titles = async () => (await stage.run(['ls'])).out;
	expect(await titles()).toMatch(/one/);
	expect(await titles()).not.toMatch(/three/);
});

it('a colour in a command, a file name or a title is a part of it, and is shown as text', async () => {
	const stage = newStage();
	const red = '\u001b[31mhidden';
	const script = stage.script([
		use('Bash', { command: `printf '${red}'` }),
		use('Read', { file_path: stage.file(red) }),
		{ text: 'done' },
	]);
	const { err } = await stage.run(['-p', `say ${red}`, '--script', script, '--allowedTools', 'Bash', '--verbose']);
	const { out } = await stage.run(['show', 'last']);
	const { out: list } = await stage.run(['ls']);
	for (const text of [err, out]) {
		expect(text).toContain("printf '\\x1b[31mhidden'");
		expect(text).toContain('/\\x1b[31mhidden');
	}
	for (const text of [out, list]) expect(text).toContain('say \\x1b[31mhidden');
});

it('whose kind of agent changes no file is not sent to another mode', async () => {
	const stage = newStage();
	const script = stage.script([
		{ when: { first: 'MAIN' }, ...use('Task', { description: 'd', prompt: 'CHILD', subagent_type: 'Explore' }) },
		{ when: { first: 'CHILD' }, ...use('Bash', { command: 'touch made' }) },
		{ when: { first: 'CHILD' }, text: 'I could not.' },
		{ when: { first: 'MAIN' }, text: 'done' },
	]);
	const { err } = await stage.run(['-p', 'MAIN', '--script', script, '--dangerously-skip-permissions']);
	expect(err).toContain('1 tool call was denied; an agent of the kind Explore changes no file, in no mode; ');
	expect(err).not.toContain('--permission-mode');
});

it('what may be allowed is told from what failed', async () => {
	const stage = newStage();
	const script = stage.script([use('Read', { file_path: 'nowhere' }), use('Bash', { command: 'touch made' }), ...done]);
	const { err } = await stage.run(['-p', 'go', '--script', script]);
	expect(err).toContain('1 tool call failed, 1 was denied; allow the denied one with --allowedTools');
});

it.each(['claude-code', 'cline', 'clido', 'pi'])(
	'a reply of a %s session that the user has interrupted is not shown as a finished one, and nobody goes on as if it were',
	async (format) => {
		const stage = newStage();
		const turns = [{ text: 'Half of an answer is here, and more of it comes.', chunk: 20, chunkDelayMs: 2000 }];
		const args = ['-p', 'first', '--session-format', format, '--script', stage.script(turns)];
		const child = stage.start([...args, '--output-format', 'stream-json', '--include-partial-messages', '--verbose']);
		child.stdin.end();
		child.stdout.on('data', (data) => String(data).includes('content_block_delta') && child.kill('SIGINT'));
		await new Promise((resolve) => child.on('close', resolve));
		const { out } = await stage.run(['show', 'last']);
		expect(out).toMatch(/❯ first\n\nHalf of an answer is\n\n· interrupted by the user\n/);
		expect(out.match(/interrupted/g)).toHaveLength(1);
		// Pi does not send half a reply; in the others the model is told.
		const told = format === 'pi' ? { not: 'interrupted' } : { any: 'interrupted' };
		const next = await stage.run(['-c', '-p', 'second', '--script', stage.script([{ when: told, text: 'I see.' }])]);
		expect(next).toMatchObject({ code: 0, out: 'I see.\n' });
		const third = await stage.run(['-c', '-p', 'third', '--script', stage.script([{ text: 'Yes.' }])]);
		expect(third.code).toBe(0);
		const { messages } = JSON.parse((await stage.run(['context', 'last', '--json'])).out) as { messages: unknown[] };
		const most = format === 'pi' ? 0 : 1;
		expect(JSON.stringify(messages).match(/interrupted/g) ?? []).toHaveLength(most);
	},
);

it('mirror makes no folders around its store unasked', async () => {
	const stage = newStage();
	await stage.run(['-p', 'one', '--script', stage.script(done)]);
	for (const to of ['sqlite:nope/x.db', 'nope/folder']) {
		const { code, err } = await stage.run(['mirror', '--to', to]);
		expect({ code, err }).toEqual({
			code: 1,
			err: `reprise: the folder ${stage.file('nope')} does not exist: make it, or add --parents\n`,
		});
		expect(existsSync(stage.file('nope'))).toBe(false);
	}
	expect((await stage.run(['mirror', '--to', 'sqlite:nope/x.db', '--parents'])).code).toBe(0);
});

it('a file name with a line break in it is one name to the model', async () => {
	const stage = newStage();
	writeFileSync(stage.file('one\ntwo.odd'), 'needle\n');
	const script = stage.script([use('Glob', { pattern: '*.odd' }), use('Grep', { pattern: 'needle' }), ...done]);
	await stage.run(['-p', 'go', '--script', script]);
	const { messages } = JSON.parse((await stage.run(['context', 'last', '--json'])).out) as { messages: unknown[] };
	const results = JSON.stringify(messages);
	expect(results).toContain(JSON.stringify(JSON.stringify(stage.file('one\ntwo.odd'))).slice(1, -1));
	expect(results).toContain(JSON.stringify(`Found 1 file\n${JSON.stringify('one\ntwo.odd')}`).slice(1, -1));
});

it('a file name with a line break in it is one name to the rules as well, and lines around a match belong to their file', async () => {
	const stage = newStage();
	mkdirSync(stage.file('private'));
	writeFileSync(stage.file('private/a\nb.txt'), 'needle secret\n');
	writeFileSync(stage.file('c.txt'), 'first\nneedle open\nlast\n\n\nneedle again\n');
	writeFileSync(stage.file('d.bin'), 'needle\0');
	const search = (more: object) => use('Grep', { pattern: 'needle', ...more });
	const script = stage.script([
		search({ output_mode: 'content', '-C': 1 }),
		search({ output_mode: 'count' }),
		search({ output_mode: 'content', path: stage.file('d.bin') }),
		...done,
	]);
	await stage.run(['-p', 'go', '--disallowedTools', 'Read(/private/**)', '--script', script]);
	const { out } = await stage.run(['context', 'last', '--json']);
	expect(out).not.toContain('secret');
	expect(out).not.toContain('b.txt');
	expect(out).toContain('c.txt-1-first\\nc.txt:2:needle open\\nc.txt-3-last\\n--\\nc.txt-5-\\nc.txt:6:needle again');
	expect(out).toContain('c.txt:2');
	expect(out).toContain('binary file matches');
});

it('a command file whose front matter has a list without an end is named with the field', async () => {
	const stage = newStage();
	mkdirSync(stage.file('.claude/commands'), { recursive: true });
	writeFileSync(stage.file('.claude/commands/oops.md'), '---\ndescription: [oops\n---\nDo it.\n');
	writeFileSync(stage.file('.claude/commands/fine.md'), '---\nargument-hint: [issue] [priority]\n---\nDo it.\n');
	const { err } = await stage.run(['-p', 'go', '--trust', '--script', stage.script(done)]);
	const said = 'description begins with [ that nothing closes: it is taken as text';
	expect(err).toContain(`${stage.file('.claude/commands/oops.md')}: ${said}\n`);
	expect(err).not.toContain('fine.md');
});

it('a folder in the place of a file is told as what it is', async () => {
	const stage = newStage();
	const change = stage.script([use('Bash', { command: 'echo two > a.txt' }), ...done]);
	await stage.run(['-p', 'one', '--script', stage.script(done)]);
	await stage.run(['-c', '-p', 'two', '--script', change, '--allowedTools', 'Bash']);
	const { parts } = JSON.parse((await stage.run(['show', 'last', '--json'])).out) as { parts: { entry: string }[] };
	await stage.run(['rewind', 'last', '--to', `${parts[1]?.entry}`, '--only-files', '--yes']);
	rmSync(stage.file('a.txt'));
	mkdirSync(stage.file('a.txt'));
	const { err, code } = await stage.run(['rewind', 'last', '--undo', '--yes']);
	expect(code).toBe(1);
	expect(err).toContain('an empty folder is in its place now');
	expect(err).not.toContain('removed');
});

it('a rewind to before the first prompt says what the new session is', async () => {
	const stage = newStage();
	await stage.run(['-p', 'Paint it', '--session-format', 'clido', '--script', stage.script(done)]);
	const { parts } = JSON.parse((await stage.run(['show', 'last', '--json'])).out) as { parts: { entry: string }[] };
	const { out } = await stage.run(['rewind', 'last', '--to', `${parts[0]?.entry}`]);
	expect(out).toMatch(
		/a new session was made: \S+ is empty, because nothing was said before; reprise -c -p "…" goes on in it/,
	);
	const next = await stage.run(['-c', '-p', 'Paint it red', '--script', stage.script(done)]);
	expect(next).toMatchObject({ code: 0, out: 'done\n' });
	expect((await stage.run(['show', 'last'])).out).toContain('❯ Paint it red');
});

it('a file whose name is not valid UTF-8 is passed over with a word, by replay and by rewind', async () => {
	const stage = newStage();
	writeFileSync(Buffer.concat([Buffer.from(`${stage.cwd}/bad`), Buffer.from([0xff])]), 'x\n');
	const script = stage.script([use('Bash', { command: 'echo y >> bad*; cat a.txt' }), ...done]);
	await stage.run(['-p', 'one', '--script', script, '--allowedTools', 'Bash']);
	const replayed = await stage.run(['replay', 'last', '--yes', '--project', stage.cwd]);
	expect(replayed).toMatchObject({ code: 0 });
	expect(replayed.out).toContain('bad\ufffd is not copied: its name is not valid UTF-8');
	const { parts } = JSON.parse((await stage.run(['show', 'last', '--json'])).out) as { parts: { entry: string }[] };
	const { out } = await stage.run(['rewind', 'last', '--to', `${parts[0]?.entry}`, '--files', '--dry-run']);
	expect(out).toContain('bad\ufffd has a name that is not valid UTF-8: what commands change in it is not kept');
});

it.each([
	[['help', 'shw'], 2, 'reprise: there is no command shw; did you mean reprise help show? (see reprise --help)\n'],
	[['ls', '--all', '--project', '.'], 2, expect.stringContaining('cannot be used with')],
	[['show', 'last', '--md', '--raw'], 2, expect.stringContaining('cannot be used with')],
	[['return', '--list', '--forget', 'all'], 2, expect.stringContaining('cannot be used with')],
	[['completion', 'tcsh'], 2, expect.stringContaining('Allowed choices are bash, zsh, fish (see')],
	[
		['-p', 'x', '--session-format', 'cline', '--session-profile', 'published'],
		1,
		expect.stringContaining('(--session-file)'),
	],
] as const)('%j says what would be right', async (args, code, err) => {
	const stage = newStage();
	const script = args[0] === '-p' ? ['--script', stage.script(done)] : [];
	expect(await stage.run([...args, ...script])).toMatchObject({ code, err });
});

it('in which mode a session was is said where a model is asked', async () => {
	const stage = newStage();
	await stage.run(['-p', 'one', '--script', stage.script(done), '--dangerously-skip-permissions']);
	const mode = 'the session was in the mode bypassPermissions';
	for (const command of ['/cost', '/context'])
		expect((await stage.run(['-c', '-p', command, '--script', stage.script(done)])).err).not.toContain(mode);
	expect((await stage.run(['-c', '-p', 'two', '--script', stage.script(done)])).err).toContain(mode);
});

it.runIf(hasTerminals)('questions on a narrow terminal break between words', async () => {
	const stage = newStage();
	mkdirSync(stage.file('.claude/commands'), { recursive: true });
	writeFileSync(stage.file('.claude/commands/greet.md'), 'Greet.');
	const script = stage.script([use('Bash', { command: 'touch made' }), ...done]);
	await using terminal = new Terminal(stage, ['-p', 'go', '--script', script], { NO_COLOR: '1' }, { columns: 40 });
	await terminal.shows('y yes, Enter no: ');
	terminal.type('n\r');
	await terminal.shows('why not: ');
	terminal.type('y\r');
	await terminal.shows('done');
	for (const line of terminal.text.split('\n').filter((one) => /trust|Allow|say why/.test(one)))
		expect(line.length).toBeLessThan(40);
	expect(terminal.text).toContain('Do you trust it? It can then run\ncommands as you. y yes, Enter no: ');
	expect(terminal.text).toContain('Allow? 1 yes (y), 2 always (a), 3 no\n(n), or say why not: ');
});

it('a file that a prompt names goes along, where it may be read and is one of the project', async () => {
	const stage = newStage();
	writeFileSync(stage.file('note.txt'), 'the needle\n');
	writeFileSync(stage.file('secret.txt'), 'the key\n');
	writeFileSync(join(stage.home, 'far.txt'), 'far away\n');
	const told = { any: 'the needle', not: 'the key|far away' };
	const prompt = `What do @note.txt, @secret.txt and @${stage.home}/far.txt say to me@note.txt?`;
	const script = stage.script([{ when: told, text: 'I see it.' }]);
	const { out, err } = await stage.run(['-p', prompt, '--script', script, '--disallowedTools', 'Read(secret.txt)']);
	expect({ out, err }).toMatchObject({ out: 'I see it.\n', err: expect.stringContaining('far.txt was not sent: ') });
	expect((await stage.run(['show', 'last'])).out).toContain(`❯ ${prompt.slice(0, 30)}`);
	expect((await stage.run(['check', 'last'])).code).toBe(0);
});
