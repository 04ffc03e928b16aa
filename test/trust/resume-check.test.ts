/** `reprise resume`: going on by its everyday name, and `--check`, which says before anything happens what that would mean. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage, framesIn } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';
import { startModelServer } from '../support/model-server.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

interface Check {
	readonly messages: readonly unknown[];
	readonly dropped: readonly { readonly entry: string; readonly reason: string; readonly lost: boolean }[];
	readonly changedFiles: readonly { readonly path: string; readonly change: string }[];
	readonly tokens: number;
	readonly cacheHit: boolean;
	readonly cache: string;
	readonly costUsd: number | null;
	readonly coldCostUsd: number | null;
	readonly model?: string;
}

const project = '-tmp-proj-demo-app';
const real = (version: string, scenario: string, file: string): string =>
	join(corpusRoot, 'claude-code', version, scenario, 'home/.claude/projects', project, `${file}.jsonl`);

describe('resume --check', () => {
	const stage = new ClientStage();
	const path = join(stage.home, 'session.jsonl');
	afterAll(() => stage[Symbol.dispose]());
	beforeAll(async () => {
		const content = [{ type: 'tool_use' as const, name: 'Read', input: { file_path: stage.file('a.txt') } }];
		const usage = { input: 50, output: 20, cacheRead: 10_000, cacheWrite: 400 };
		await using server = await startModelServer({
			turns: [
				{ content, usage },
				{ text: 'It says hello.', usage },
			],
		});
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		const model = ['--model', 'anthropic/claude-sonnet-4-5'];
		await stage.run(['-p', 'what does a.txt say?', '--session-file', path, ...model], { env });
	});

	const check = async (which: string, ...flags: string[]): Promise<Check> =>
		JSON.parse((await stage.run(['resume', which, '--check', '--json', ...flags])).out) as Check;

	it('tells what is sent, as `context` does, its size by the last reply, and its cost while the cache is warm', async () => {
		const found = await check(path);
		const { messages } = JSON.parse((await stage.run(['context', path, '--json'])).out) as Check;
		expect(found).toMatchObject({ messages, dropped: [], changedFiles: [], tokens: 10_470, cacheHit: true });
		// Sonnet's prices per million tokens: 0.30 to read from the cache, 3.75 to write to it.
		expect(found.costUsd).toBeCloseTo((10_470 * 0.3) / 1e6, 9);
		expect(found.coldCostUsd).toBeCloseTo((10_470 * 3.75) / 1e6, 9);
		expect(found.cache).toMatch(/^warm: the last reply is \d+ (seconds|minutes) old, the cache keeps 5 minutes$/);
	});

	it('another model, and an older reply, find nothing in the cache', async () => {
		const other = await check(path, '--model', 'anthropic/claude-haiku-4-5');
		expect(other).toMatchObject({ cacheHit: false, model: 'claude-haiku-4-5' });
		expect(other.cache).toMatch(/claude-sonnet-4-5.* answered last/);
		const old = join(stage.home, 'old.jsonl');
		writeFileSync(
			old,
			readFileSync(path, 'utf8').replaceAll(/"timestamp":"\d{4}-\d\d-\d\dT/g, '"timestamp":"2026-01-01T'),
		);
		const cold = await check(old);
		expect(cold).toMatchObject({ cacheHit: false });
		expect(cold.costUsd).toBe(cold.coldCostUsd);
	});

	it('a model without a known price costs nobody knows what', async () => {
		expect(await check(path, '--model', 'ollama/nobody-knows')).toMatchObject({ costUsd: null, cacheHit: false });
	});

	it('names the files that have changed since', async () => {
		writeFileSync(stage.file('a.txt'), 'something else\n');
		const { changedFiles } = await check(path);
		expect(changedFiles).toMatchObject([{ path: stage.file('a.txt'), change: 'edited' }]);
		const { out } = await stage.run(['resume', path, '--check']);
		expect(out.replaceAll(/\s+/g, ' ')).toContain(`${stage.file('a.txt')} was edited since the session last saw it`);
	});

	it.each(['claude-code', 'cline', 'openclaw', 'clido'])(
		'counts system prompt and tools where no reply has, as /context does: in %s',
		async (format) => {
			using other = new ClientStage();
			const long = 'Looking into it word by word. '.repeat(300);
			const told = [
				{ text: long, usage: { input: 160_000 } },
				{ text: 'Done with it.', usage: { input: 160_000 } },
			];
			const script = (...turns: readonly object[]): string[] => ['--script', other.script([...turns])];
			await other.run(['-p', 'one', ...script(told[0] ?? {}), '--session-format', format]);
			await other.run(['-c', '-p', 'two', ...script(told[1] ?? {})]);
			// Clido records no usage, and its sessions go on with everything.
			if (format !== 'clido') {
				const compact = script({ text: '<title>T</title><summary>S</summary>' });
				expect((await other.run(['-c', '-p', '/compact', ...compact])).out).toMatch(/^Compacted: about 160,/);
			}
			const { out } = await other.run(['resume', 'last', '--check', '--json']);
			const { tokens, cache, messages } = JSON.parse(out) as Check;
			const [, shown, count] =
				/about ([\d,]+) tokens: (\d+) message/.exec((await other.run(['-c', '-p', '/context'])).out) ?? [];
			expect(Number(shown?.replaceAll(',', ''))).toBe(tokens);
			expect(tokens).toBeGreaterThan(4000);
			expect(tokens).toBeLessThan(10_000);
			expect(messages).toHaveLength(Number(count));
			if (format !== 'clido') expect(cache).toMatch(/^cold: the conversation is not the one/);
		},
	);

	it('changes nothing and needs no model that is set up', async () => {
		const before = readFileSync(path, 'utf8');
		expect(await stage.run(['resume', path, '--check'])).toMatchObject({ code: 0, err: '' });
		expect(readFileSync(path, 'utf8')).toBe(before);
	});

	it('says what the real client drops and why: parallel calls, a history cut off, what a compaction stands for', async () => {
		const parallel = await check(real('2.1.29', 'thinking-tools-parallel', '6decb090-b660-452e-9f3f-6f4b0226ff56'));
		expect(parallel.dropped.length).toBeGreaterThan(0);
		for (const one of parallel.dropped)
			expect(one).toMatchObject({ lost: true, reason: expect.stringMatching(/one of several calls/) });
		const cut = await check(real('2.1.29', 'compact-interactive', 'c42728ec-e144-48fc-bc92-a607a5dfbbb6'));
		expect(cut.dropped.filter(({ lost }) => lost)).toMatchObject([
			{ reason: expect.stringMatching(/one between them is missing/) },
		]);
		const compacted = await check(real('2.1.325', 'compact-manual', '3264b8ff-8125-4915-bb0c-2a7ed0c16bd8'));
		expect(compacted.dropped.length).toBeGreaterThan(0);
		expect(compacted.dropped.filter(({ lost }) => lost)).toEqual([]);
	});

	it('of a session that its client refuses exits with 1 and says so', async () => {
		const { code, out } = await stage.run([
			'resume',
			real('2.1.29', 'list-picker', '4444444b-4444-4444-8444-444444444444'),
			'--check',
		]);
		expect(code).toBe(1);
		expect(out).toContain('its client would refuse it');
	});
});

describe.runIf(hasTerminals)('-c on a terminal', () => {
	const stage = new ClientStage();
	afterAll(() => stage[Symbol.dispose]());

	it('reports and asks first where a part of what was said would be lost, and goes on only after a yes', async () => {
		const id = '6decb090-b660-452e-9f3f-6f4b0226ff56';
		const folder = join(stage.home, '.claude/projects', stage.cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
		const path = join(folder, `${id}.jsonl`);
		const there = readFileSync(real('2.1.29', 'thinking-tools-parallel', id), 'utf8');
		// A session of the folder that -c is called in.
		const before = there.replaceAll('"cwd":"/tmp/proj/demo-app"', `"cwd":${JSON.stringify(stage.cwd)}`);
		mkdirSync(folder, { recursive: true });
		writeFileSync(path, before);
		const args = ['-c', '-p', 'go on', '--script', stage.script([{ text: 'Gone on.' }])];
		for (const [answer, code] of [
			['n', 1],
			['y', 0],
		] as const) {
			await using terminal = new Terminal(stage, args);
			await terminal.shows('LOST');
			await terminal.shows('Go on all the same?');
			terminal.type(`${answer}\n`);
			expect(await terminal.end()).toBe(code);
			if (answer === 'n') expect(readFileSync(path, 'utf8')).toBe(before);
			else expect(terminal.text).toContain('Gone on.');
		}
	});
});

describe('resume', () => {
	const stage = new ClientStage();
	afterAll(() => stage[Symbol.dispose]());

	it('goes on with the session that is named, as -r does', async () => {
		const script = stage.script({ turns: [], default: { text: 'ok' } });
		const { session_id } = await stage.json('-p', 'one', '--script', script);
		const again = await stage.run(['resume', String(session_id), 'two', 'words', '--script', script]);
		expect(again).toMatchObject({ code: 0, out: 'ok\n', err: '' });
		const forked = await stage.run(['resume', 'last', '--fork-session', '--script', script], { input: 'three' });
		expect(forked.code).toBe(0);
		const lines = await stage.lines(session_id);
		const prompts = lines.filter(({ type }) => type === 'user').map(({ message }) => message);
		expect(prompts).toMatchObject([{ content: 'one' }, { content: 'two words' }]);
		expect(framesIn(JSON.stringify((await stage.sessions()).length))).toEqual([2]);
	});

	it('is told in one line what it needs', async () => {
		expect(await stage.run(['resume'])).toMatchObject({ code: 2 });
		const { code, err } = await stage.run(['resume', 'last', '--json']);
		expect(code).toBe(2);
		expect(err).toContain('--json is for --check');
	});
});
