/** What somebody is told who tries things out: which session is meant, what was done, and what that means. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CorpusFile, corpusFiles, corpusRoot } from '../support/corpus.ts';
import { newStage } from '../support/new-stage.ts';
import { sampleOf } from '../support/sessions.ts';

const done = [{ text: 'done' }];

it('whoever does not name a session is told which one is meant, and a script is not', async () => {
	const stage = newStage();
	await stage.run(['-p', 'Paint the shed', '--script', stage.script(done)]);
	const which = '“Paint the shed” (claude-code, just now)\n';
	for (const flags of [['-c'], ['-r', 'last'], ['-c', '--fork-session']]) {
		const { err, out } = await stage.run([...flags, '-p', 'And now', '--script', stage.script(done)]);
		expect(err).toContain(`reprise: going on with ${which}`);
		expect(out).toBe('done\n');
	}
	expect((await stage.run(['check', 'last'])).err).toBe(`reprise: last is ${which}`);
	expect((await stage.run(['check', 'last', '--json'])).err).toBe('');
	for (const format of ['json', 'stream-json']) {
		const args = ['-c', '-p', 'More', '--script', stage.script(done), '--output-format', format];
		expect((await stage.run(args)).err).not.toContain('going on with');
	}
});

it.each(['claude-code', 'cline', 'clido', 'pi'])(
	'rewind of a %s session names the prompt, and an entry that show lists',
	async (format) => {
		const stage = newStage();
		await stage.run(['-p', 'Paint the shed', '--session-format', format, '--script', stage.script(done)]);
		await stage.run(['-c', '-p', 'Now the fence', '--script', stage.script(done)]);
		const { parts } = JSON.parse((await stage.run(['show', 'last', '--json'])).out) as { parts: { entry: string }[] };
		const first = parts[1]?.entry;
		const { out } = await stage.run(['rewind', 'last', '--to', `${first}`]);
		expect(out).toContain('after prompt 1, “Paint the shed” (entry ');
		// A copy has lines of its own.
		if (format !== 'clido') expect(out).toContain(`(entry ${first})\n`);
	},
);

it('what was thought and what was said stay apart in the shape of a chat', async () => {
	const stage = newStage();
	const isIt = (file: CorpusFile) => file.scenario === 'thinking-tools-parallel' && file.role === 'main';
	const { path } = corpusFiles('claude-code').find(isIt) ?? {};
	const { out } = await stage.run(['context', `${path}`, '--as', 'openai-chat', '--json']);
	const { messages } = JSON.parse(out) as { messages: { content: string }[] };
	expect(messages[1]?.content).toBe('I should read the README first.\n\nLet me read the README.');
});

it('a conversion says what is gone, how often, and whether it comes back', async () => {
	const stage = newStage();
	const convert = async (to: string, ...more: string[]) =>
		(await stage.run(['convert', sampleOf['claude-code'], '--to', to, '-o', `to.${to}${more.length}`, ...more])).out;
	const clido = await convert('clido');
	expect(clido).toContain('gone 15 times: times: Clido keeps no times but that of the start\n');
	expect(clido).toContain('gone 9 times: token counts: ');
	expect(clido.match(/fields of the client’s own/g)).toHaveLength(1);
	expect(await convert('pi')).toContain('made up 5 times: costs: ');
	const back = 'reprise return brings all of this back: the session as it was is kept\n';
	for (const to of ['clido', 'cline', 'pi']) {
		const out = await convert(to, '--no-lineage');
		expect(out).toMatch(/none of this comes back from the new session: no way back is kept\n$/);
	}
	expect(clido.endsWith(back)).toBe(true);
	const returned = await stage.run(['return', 'to.clido0', '-o', 'home.jsonl']);
	expect(returned.code).toBe(0);
	expect(readFileSync(stage.file('home.jsonl'))).toEqual(readFileSync(sampleOf['claude-code']));
});

it('plan mode does not send anybody to rules that would not help', async () => {
	const stage = newStage();
	const write = { content: [{ type: 'tool_use', name: 'Write', input: { file_path: stage.file('a'), content: 'a' } }] };
	for (const more of [[], ['--allowedTools', 'Write']]) {
		const script = stage.script([write, ...done] as never);
		const { err } = await stage.run(['-p', 'go', '--permission-mode', 'plan', '--script', script, ...more]);
		expect(err).toContain('1 tool call was denied; plan mode changes no file; another --permission-mode does; ');
	}
});

it('return lists the sessions of this project under a header, and those of all on request', async () => {
	const stage = newStage();
	await stage.run(['-p', 'Paint the shed', '--script', stage.script(done)]);
	await stage.run(['handoff', 'last', '--to', 'pi']);
	await stage.run(['convert', sampleOf.clido, '--to', 'cline', '-o', 'other.messages.json']);
	const rows = async (...more: string[]) => (await stage.run(['return', '--list', ...more])).out.trimEnd().split('\n');
	const here = await rows();
	expect(here[0]).toMatch(/^made +session +came from +kept +file that it came from$/);
	expect(here.slice(1)).toEqual([expect.stringMatching(/pi:\S+ +claude-code:/)]);
	expect(await rows('--all')).toHaveLength(3);
	const elsewhere = await stage.run(['return', '--list'], { cwd: stage.home });
	expect(elsewhere.out).toBe(`nothing is stored of ${stage.home}; --all lists all projects\n`);
});

it('repair says each thing once, and counts what is gone and made up', async () => {
	const stage = newStage();
	const text = readFileSync(sampleOf['claude-code'], 'utf8');
	writeFileSync(stage.file('torn.jsonl'), `${text}nonsense\nrubbish\n`);
	const { out } = await stage.run(['repair', 'torn.jsonl', '--dry-run']);
	expect(out.match(/not JSON/g)).toHaveLength(2);
	expect(out).toContain('torn.jsonl: 2 changes, 2 parts gone, nothing written\n');
});

it('only where a client has a list of its own is that said to be left alone', async () => {
	const stage = newStage();
	await stage.run(['-p', 'Paint the shed', '--session-format', 'pi', '--script', stage.script(done)]);
	expect((await stage.run(['delete', 'last', '--yes'])).err).toBe('');
	cpSync(join(corpusRoot, 'openclaw/2026.7.1/resume/home'), stage.home, { recursive: true });
	const { err } = await stage.run(['delete', 'openclaw:11111111', '--yes']);
	expect(err).toContain('OpenClaw’s own list (sessions.json) is left alone');
});
