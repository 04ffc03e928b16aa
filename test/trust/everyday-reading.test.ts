/** Reading, finding and listing sessions as people do it every day. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';
import { sampleOf } from '../support/sessions.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());
beforeAll(() => cpSync(join(corpusRoot, 'claude-code/generated/mixed-home-a/home'), stage.home, { recursive: true }));

/** A session of Claude Code in the stage's project; the path of its file. */
function session(id: string, prompt: string): string {
	const folder = join(stage.home, '.claude/projects/p');
	mkdirSync(folder, { recursive: true });
	const base = { sessionId: id, cwd: stage.cwd, timestamp: '2026-03-02T09:00:00.000Z' };
	const lines = [
		{ ...base, type: 'user', uuid: `${id}-1`, parentUuid: null, message: { role: 'user', content: prompt } },
		{
			...base,
			type: 'assistant',
			uuid: `${id}-2`,
			parentUuid: `${id}-1`,
			message: { id: `m${id}`, role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Yes.' }] },
		},
	];
	const path = join(folder, `${id}.jsonl`);
	writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
	return path;
}

const flaky = '41936071';

describe('show', () => {
	it('prints ids on request, and fork and rewind take them', async () => {
		const plain = (await stage.run(['show', flaky])).out;
		const { out } = await stage.run(['show', flaky, '--ids']);
		const [, id = ''] = /^([0-9a-f-]{36})\n❯ continue: step 1/m.exec(out) ?? [];
		expect(id).not.toBe('');
		expect(plain).not.toContain(id);
		expect((await stage.run(['fork', flaky, '--at', id, '-o', join(stage.cwd, 'fork.jsonl')])).code).toBe(0);
		expect((await stage.run(['show', flaky, '--md', '--ids'])).out).toContain(`\`${id}\``);
		for (const command of ['fork', 'rewind']) {
			expect((await stage.run([command, '--help'])).out.replace(/\s+/g, ' ')).toContain('show --ids lists them');
		}
		const nowhere = await stage.run(['rewind', flaky, '--to', 'nonsense']);
		expect(nowhere.err).toContain('`reprise show SESSION --ids` lists entries');
		const unknown = await stage.run(['show', flaky, '--at', 'nonsense']);
		expect(unknown.err).toContain('reprise show SESSION --ids lists them');
	});

	it('says where ids are found to whoever does not know one', async () => {
		for (const args of [
			['show', flaky, '--at', 'nonsense'],
			['fork', flaky, '--at', 'nonsense'],
			['rewind', flaky, '--to', 'nonsense'],
		])
			expect((await stage.run(args)).err, args.join(' ')).toContain('--ids');
	});

	it('has the title that ls has, also where nobody gave one', async () => {
		session('aaaaaaaa-1', 'Paint   the\nshed');
		const { out } = await stage.run(['show', 'aaaaaaaa-1']);
		expect(out.split('\n')[0]).toBe('Paint the shed');
		expect((await stage.run(['show', 'aaaaaaaa-1', '--md'])).out.split('\n')[0]).toBe('# Paint the shed');
	});

	it.each([
		[
			'a command',
			'<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>the parser</command-args>',
			'/review the parser',
		],
		['a file', '<file name="/p/a.txt">line\nline</file>\nwhat is this?', '@/p/a.txt what is this?'],
		['what was typed in Cline', '<user_input mode="act">Say hello</user_input>', 'Say hello'],
		['a reminder', '<system-reminder>be nice</system-reminder>\nSay hello', 'Say hello'],
		['a tag of its author’s own', '<div>what is wrong with this?</div>', '<div>what is wrong with this?</div>'],
	])('tells %s as a person would write it, in the title too', async (_, prompt, told) => {
		session('bbbbbbbb-1', prompt);
		const { out } = await stage.run(['show', 'bbbbbbbb-1']);
		expect(out.split('\n')[0]).toBe(told);
		expect(out).toContain(`❯ ${told}\n`);
		expect((await stage.run(['ls'])).out).toContain(told);
	});

	it('mentions lines that cannot be read', async () => {
		const path = join(stage.cwd, 'damaged.jsonl');
		const lines = readFileSync(sampleOf.clido, 'utf8').trimEnd().split('\n');
		writeFileSync(path, [...lines.slice(0, 5), 'nonsense{', ...lines.slice(5), '{"type":"ass'].join('\n'));
		const { out } = await stage.run(['show', path]);
		expect(out).toMatch(/2 lines of the file are not readable \(6, \d+\); reprise check says/);
		expect(JSON.parse((await stage.run(['show', path, '--json'])).out)).toMatchObject({
			unreadable: [6, lines.length + 2],
		});
	});
});

describe('search', () => {
	it('that finds nothing exits with 1, and the document is there all the same', async () => {
		expect(await stage.run(['search', '--all', 'nowhere-to-be-found'])).toMatchObject({
			code: 1,
			out: '',
			err: 'reprise: nothing found\n',
		});
		const { code, out } = await stage.run(['search', '--all', 'nowhere-to-be-found', '--json']);
		expect([code, JSON.parse(out)]).toEqual([1, { hits: [], total: 0 }]);
		expect((await stage.run(['search', '--all', 'healthcheck'])).code).toBe(0);
	});

	it('names a session once, however many hits it has', async () => {
		const prompts = ['wisteria', 'wisteria and more wisteria', 'wisteria, roses and a lot of other plants'];
		for (const id of ['ffffffff-1', 'ffffffff-2']) {
			const path = session(id, `Trim ${id}`);
			const [first = ''] = readFileSync(path, 'utf8').split('\n');
			for (const [index, prompt] of prompts.entries()) {
				const more = first.replace(`"${id}-1"`, `"${id}-${index + 3}"`).replace('null', `"${id}-${index + 2}"`);
				appendFileSync(path, `${more.replace(`Trim ${id}`, `${prompt} ${id}`)}\n`);
			}
		}
		const { out } = await stage.run(['search', 'wisteria']);
		const heads = out.split('\n').filter((line) => line.startsWith('Trim '));
		expect(heads).toHaveLength(2);
		expect(heads.join()).toContain('3 hits');
	});

	it('groups hits by session and folds what forks have copied', async () => {
		const copy = JSON.parse((await stage.run(['fork', flaky, '--json'])).out) as { id: string };
		const { out } = await stage.run(['search', '--all', 'te*', '--limit', '200']);
		const heads = out.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
		const sessions = heads.slice(0, -1).map((head) => head.replace(/ · \d+ hits$/, ''));
		expect(sessions.length).toBeGreaterThan(1);
		const { hits, total } = JSON.parse(
			(await stage.run(['search', '--all', 'flaky', '--limit', '500', '--json'])).out,
		) as {
			hits: { entry: string; role: string; copies?: { session: string }[] }[];
			total: number;
		};
		const said = hits.filter(({ role }) => role === 'user' || role === 'assistant');
		expect(new Set(said.map(({ entry }) => entry)).size).toBe(said.length);
		expect(total).toBe(hits.length);
		expect(said.every(({ copies }) => copies?.some((one) => one.session === copy.id))).toBe(true);
		const text = (await stage.run(['search', '--all', 'flaky', '--limit', '1'])).out;
		expect(text).toContain(`also in `);
		expect(text).toContain(copy.id.slice(0, 8));
	});
});

describe('ls', () => {
	it('marks what was put away', async () => {
		session('eeeeeeee-1', 'Sweep the yard');
		await stage.run(['archive', 'eeeeeeee-1']);
		expect((await stage.run(['ls', '--archived'])).out).toContain('(archived) Sweep the yard');
	});

	it('lists by tag, and marks what was put away', async () => {
		session('cccccccc-1', 'Water the plants');
		session('dddddddd-1', 'Mow the lawn');
		await stage.run(['tag', 'cccccccc-1', 'garden']);
		const tagged = (await stage.run(['ls', '--tag', 'garden'])).out;
		expect(tagged).toContain('#garden Water the plants');
		expect(tagged).not.toContain('Mow the lawn');
		expect((await stage.run(['ls', '--tag', 'kitchen'])).out).toContain('No sessions tagged kitchen');
		await stage.run(['archive', 'dddddddd-1']);
		expect((await stage.run(['ls'])).out).not.toContain('Mow the lawn');
		expect((await stage.run(['ls', '--archived'])).out).toContain('(archived) Mow the lawn');
	});
});
