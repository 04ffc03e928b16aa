/** Where a converted or a new session goes is exactly where its user said. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';
import { sampleOf } from '../support/sessions.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

let folder = '';
let count = 0;
beforeEach(() => {
	folder = join(stage.cwd, `case-${++count}`);
	mkdirSync(folder);
});

const sample = (format: keyof typeof sampleOf): string => sampleOf[format];
const run = (args: readonly string[], input = '') => stage.run(args, { cwd: folder, input });

describe('convert -o', () => {
	it('makes no folder that was not asked for, unless --parents does', async () => {
		const to = ['convert', sample('clido'), '--to', 'openclaw', '-o', 'a/b/c.jsonl'];
		const { code, err } = await run(to);
		expect(code).toBe(1);
		expect(err).toBe(`reprise: the folder ${join(folder, 'a/b')} does not exist: make it, or add --parents\n`);
		expect(readdirSync(folder)).toEqual([]);
		expect((await run([...to, '--parents'])).code).toBe(0);
		expect(existsSync(join(folder, 'a/b/c.jsonl'))).toBe(true);
	});

	it('OUT.json is the session, also where a manifest would have that name', async () => {
		const { code, out } = await run(['convert', sample('clido'), '--to', 'cline', '-o', 'made.json', '--json']);
		expect(code).toBe(0);
		const { out: written } = JSON.parse(out) as { out: string[] };
		expect(written[0]).toBe(join(folder, 'made.json'));
		expect(new Set(written).size).toBe(2);
		expect((await run(['show', 'made.json'])).out).toContain('The test of parse() fails on empty input.');
	});

	it('OUT/ makes OUT itself, and nothing around it', async () => {
		expect((await run(['convert', sample('clido'), '--to', 'cline', '-o', 'home/'])).code).toBe(0);
		expect(existsSync(join(folder, 'home/.cline'))).toBe(true);
		const deep = await run(['convert', sample('clido'), '--to', 'cline', '-o', 'no/where/home/']);
		expect(deep.code).toBe(1);
		expect(deep.err).toContain(`the folder ${join(folder, 'no/where')} does not exist`);
	});

	it('a name without an ending takes sub-agents along, and they are found again', async () => {
		const home = join(corpusRoot, 'claude-code/2.1.325/subagents/home/.claude/projects/-tmp-proj-demo-app');
		const [name = ''] = readdirSync(home).filter((one) => one.endsWith('.jsonl'));
		const own = await run(['convert', join(home, name), '--to', 'claude-code', '-o', 'NAME', '--json']);
		expect(own.err).toBe('');
		expect(own.code).toBe(0);
		const { out } = JSON.parse(own.out) as { out: string[] };
		expect(out[0]).toBe('NAME');
		expect(out.length).toBeGreaterThan(1);
		const { subagents } = JSON.parse((await run(['inspect', './NAME', '--json'])).out) as { subagents: object[] };
		expect(subagents).not.toEqual([]);
		// Into another format and back under such a name as well.
		expect((await run(['convert', './NAME', '--to', 'openclaw', '-o', 'there'])).code).toBe(0);
		expect((await run(['convert', './there', '--to', 'claude-code', '-o', 'BACK'])).code).toBe(0);
		expect(readFileSync(join(folder, 'BACK'))).toEqual(readFileSync(join(folder, 'NAME')));
	});
});

describe('a pipe', () => {
	it('-o - writes the session and nothing else to stdout', async () => {
		const { code, out } = await run(['convert', sample('clido'), '--to', 'clido', '-o', '-']);
		expect(code).toBe(0);
		expect(out).toBe(readFileSync(sample('clido'), 'utf8'));
		expect(readdirSync(folder)).toEqual([]);
	});

	it('convert - reads a session from stdin, and both together make a filter', async () => {
		const text = readFileSync(sample('openclaw'), 'utf8');
		const same = await run(['convert', '-', '--to', 'openclaw', '-o', '-'], text);
		expect(same).toMatchObject({ code: 0, out: text, err: '' });
		const other = await run(['convert', '-', '--to', 'claude-code', '-o', '-'], text);
		expect(other.code).toBe(0);
		expect(other.err).toContain('reprise: gone');
		const file = await run(['convert', sample('openclaw'), '--to', 'claude-code', '-o', 'x.jsonl', '--no-lineage']);
		expect(file.code).toBe(0);
		expect(other.out).toBe(readFileSync(join(folder, 'x.jsonl'), 'utf8'));
	});

	it('a session of several files is refused, and says what to do', async () => {
		const { code, out, err } = await run(['convert', sample('clido'), '--to', 'cline', '-o', '-']);
		expect([code, out]).toEqual([1, '']);
		expect(err).toContain('stdout takes one: name a file with -o FILE, or a folder with -o OUT/');
	});

	it('what is no session is named as such', async () => {
		const { code, err } = await run(['convert', '-', '--to', 'clido', '-o', '-'], 'hello');
		expect(code).toBe(1);
		expect(err).toContain('stdin');
		expect(err).not.toContain('/tmp');
	});
});

describe('--session-file', () => {
	it('FOLDER/ makes a folder that is laid out as a client’s home', async () => {
		const script = stage.script([{ text: 'hi' }]);
		const args = ['-p', 'hello', '--script', script, '--session-file', 'newdir/'];
		expect((await run(args)).code).toBe(0);
		const [project = ''] = readdirSync(join(folder, 'newdir/.claude/projects'));
		expect(readdirSync(join(folder, 'newdir/.claude/projects', project))).toHaveLength(1);
		const published = [...args.slice(0, -1), 'published/', '--session-profile', 'published'];
		expect((await run(published)).code).toBe(0);
		expect(existsSync(join(folder, 'published/.claude'))).toBe(true);
	});
});
