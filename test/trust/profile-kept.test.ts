/** A session goes on in the profile that it was begun in, and the user can say otherwise. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage, type Ended, framesIn } from '../support/client.ts';
import { startModelServer } from '../support/model-server.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const formats = {
	'claude-code': 'session.jsonl',
	cline: 'session.messages.json',
	clido: 'session.jsonl',
	openclaw: 'session.jsonl',
} as const;

let count = 0;

/** A new session of the profile `published` in a file of its own. */
async function published(format: keyof typeof formats, reply = 'first answer'): Promise<string> {
	count += 1;
	const folder = join(stage.cwd, '..', `published-${count}`);
	const file = join(folder, formats[format]);
	const flags = ['--session-format', format, '--session-profile', 'published', '--session-file', file];
	const { code, err } = await ask('first prompt', reply, ...flags);
	expect({ code, err }).toEqual({ code: 0, err: '' });
	return file;
}

function ask(prompt: string, reply: string, ...flags: readonly string[]): Promise<Ended> {
	return stage.run(['-p', prompt, '--script', stage.script([{ text: reply }]), ...flags]);
}

async function errorsOf(file: string): Promise<readonly unknown[]> {
	const { out } = await stage.run(['check', file, '--profile', 'published', '--json']);
	return (JSON.parse(out) as { issues: { severity: string; rule: string }[] }).issues.filter(
		({ severity }) => severity !== 'info',
	);
}

interface ClineDocument {
	readonly origin?: unknown;
	readonly messages: readonly { readonly role: string; readonly content: readonly { readonly text?: string }[] }[];
}

describe('a published file that goes on stays published', () => {
	it.each(Object.keys(formats) as (keyof typeof formats)[])(
		'%s: the document has nothing against what -r added',
		async (format) => {
			const file = await published(format);
			const before = readFileSync(file, 'utf8');
			expect(await errorsOf(file)).toEqual([]);
			expect((await ask('second prompt', 'second answer', '-r', file)).code).toBe(0);
			const after = readFileSync(file, 'utf8');
			expect(await errorsOf(file)).toEqual([]);
			expect(after).toContain('second answer');
			if (format !== 'cline') expect(after.startsWith(before)).toBe(true);
		},
	);

	it('Claude Code: version and lines are the document’s, also after a fork', async () => {
		const file = await published('claude-code');
		await ask('second prompt', 'second answer', '-r', file);
		const { out } = await stage.run(['fork', file, '-o', join(file, '../fork.jsonl'), '--json']);
		await ask('third prompt', 'third answer', '-r', join(file, '../fork.jsonl'));
		expect(out).toContain('fork.jsonl');
		for (const one of [file, join(file, '../fork.jsonl')]) {
			const lines = framesIn(readFileSync(one, 'utf8'));
			const versions = lines.flatMap((line) => (line.version === undefined ? [] : [line.version]));
			expect(new Set(versions)).toEqual(new Set(['2.1.29']));
			const types = new Set(lines.map(({ type }) => type));
			expect([...types].sort()).toEqual(['assistant', 'file-history-snapshot', 'system', 'user']);
			for (const line of lines) if (line.type === 'user') expect(line).toHaveProperty('isMeta');
		}
	});

	it('Cline: prompts are not wrapped, only the last reply of a turn has metrics, and no manifest appears', async () => {
		const file = await published('cline');
		const script = stage.script([
			{ content: [{ type: 'tool_use', name: 'Read', input: { file_path: 'a.txt' } }], usage: { input: 10, output: 5 } },
			{ text: 'second answer', usage: { input: 20, output: 7 } },
		]);
		await stage.run(['-p', 'second prompt', '--script', script, '-r', file]);
		const document = JSON.parse(readFileSync(file, 'utf8')) as ClineDocument;
		expect(document.origin).toBeUndefined();
		expect(document.messages.map(({ content }) => content[0]?.text)).toContain('second prompt');
		const replies = document.messages.filter(({ role }) => role === 'assistant');
		expect(replies.map((reply) => 'metrics' in reply)).toEqual([true, false, true]);
		expect(replies.at(-1)).toMatchObject({ metrics: { outputTokens: 12 } });
		expect((await stage.run(['fork', file, '-o', join(file, '../x/x.messages.json')])).code).toBe(0);
		expect(JSON.parse(readFileSync(join(file, '../x/x.messages.json'), 'utf8'))).not.toHaveProperty('origin');
	});

	it.each([
		['no input wrapper', (text: string) => text.includes('<user_input')],
		['no metrics before the last reply of a turn', (text: string) => text.match(/"metrics"/g)?.length !== 2],
	])('Cline: %s', async (_, isWrong) => {
		const file = await published('cline');
		const read = { type: 'tool_use' as const, name: 'Read', input: { file_path: 'a.txt' } };
		const script = stage.script([{ content: [read], usage: { input: 10, output: 5 } }, { text: 'second answer' }]);
		await stage.run(['-p', 'second prompt', '--script', script, '-r', file]);
		const text = readFileSync(file, 'utf8');
		expect(text).toContain('second answer');
		expect(isWrong(text)).toBe(false);
	});

	it('the seed’s own complete example goes on as it was begun', async () => {
		const sample = join(import.meta.dirname, '../seeds/claude-code-session-protocol/11-full-conversation.jsonl');
		const file = join(stage.cwd, '..', 'seed.jsonl');
		writeFileSync(file, readFileSync(sample));
		expect((await ask('go on', 'on it', '-r', file)).code).toBe(0);
		const added = framesIn(readFileSync(file, 'utf8').slice(readFileSync(sample, 'utf8').length));
		expect(added[0]).toMatchObject({ type: 'user', isMeta: false, version: '2.1.29', parentUuid: 'eee-555' });
	});
});

describe('a Clido session that goes on', () => {
	it('ends with the result of its own run, and the document’s recipe adds up to what was spent', async () => {
		const turns = [100, 300, 50].map((input) => ({ text: 'answer', usage: { input: input * 1000, output: 10 } }));
		await using server = await startModelServer({ turns });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		const file = join(stage.cwd, '..', 'costs', 'session.jsonl');
		const model = ['--model', 'anthropic/claude-sonnet-4-5', '--output-format', 'json'];
		const begin = ['--session-format', 'clido', '--session-profile', 'published', '--session-file', file];
		let spent = 0;
		for (const [index, prompt] of ['one', 'two', 'three'].entries()) {
			const { out } = await stage.run(['-p', prompt, ...model, ...(index === 0 ? begin : ['-r', file])], { env });
			spent += (JSON.parse(out) as { total_cost_usd: number }).total_cost_usd;
			const lines = framesIn(readFileSync(file, 'utf8'));
			expect(lines.at(-1)).toMatchObject({ type: 'result', exit_status: 'success', num_turns: 1 });
			expect(lines.filter(({ type }) => type === 'result')).toHaveLength(index + 1);
		}
		// jq -r 'select(.type == "result") | .total_cost_usd' | paste -sd+ | bc
		const results = framesIn(readFileSync(file, 'utf8')).filter(({ type }) => type === 'result');
		const recipe = results.reduce((sum, { total_cost_usd }) => sum + Number(total_cost_usd), 0);
		expect(spent).toBeGreaterThan(0.3);
		expect(recipe).toBeCloseTo(spent, 9);
	});

	it('costs what all its runs have cost, also among the client’s own', async () => {
		const turns = [100, 300].map((input) => ({ text: 'answer', usage: { input: input * 1000, output: 10 } }));
		await using server = await startModelServer({ turns });
		const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'key' };
		const model = ['--model', 'anthropic/claude-sonnet-4-5', '--output-format', 'json'];
		const first = await stage.run(['-p', 'one', ...model, '--session-format', 'clido'], { env });
		const { session_id: id, total_cost_usd: begun } = JSON.parse(first.out) as {
			session_id: string;
			total_cost_usd: number;
		};
		const second = await stage.run(['-p', 'two', ...model, '-r', id], { env });
		const { total_cost_usd: more } = JSON.parse(second.out) as { total_cost_usd: number };
		const { out } = await stage.run(['cost', '--by', 'session', '--json']);
		const { rows } = JSON.parse(out) as { rows: readonly { costUsd: number | null }[] };
		const costs = rows.map(({ costUsd }) => costUsd ?? 0);
		expect(
			costs.some((cost) => Math.abs(cost - begun - more) < 1e-9),
			JSON.stringify(costs),
		).toBe(true);
	});

	it('in the client’s own files the exit words are the client’s', async () => {
		const result = await stage.json(
			'-p',
			'one',
			'--script',
			stage.script([{ text: 'a' }]),
			'--session-format',
			'clido',
		);
		const file = await stage.pathOf(result.session_id);
		await ask('two', 'b', '-r', file);
		const lines = framesIn(readFileSync(file, 'utf8'));
		expect(lines.at(-1)).toMatchObject({ type: 'result', exit_status: 'completed' });
	});
});

describe('--session-profile', () => {
	it('overrides what the file says', async () => {
		const file = await published('clido');
		expect((await ask('second', 'b', '-r', file, '--session-profile', 'client')).code).toBe(0);
		expect(framesIn(readFileSync(file, 'utf8')).at(-1)).toMatchObject({ exit_status: 'completed' });
	});

	it('never brings the document’s profile among a client’s own sessions', async () => {
		const { session_id: id } = await stage.json('-p', 'one', '--script', stage.script([{ text: 'a' }]));
		const before = readFileSync(await stage.pathOf(id));
		for (const flags of [[], ['--fork-session']]) {
			const { code, err } = await ask('two', 'b', '-r', String(id), '--session-profile', 'published', ...flags);
			expect(code).toBe(1);
			expect(err).toMatch(/does not belong among a client’s own sessions/);
		}
		expect(readFileSync(await stage.pathOf(id)).equals(before)).toBe(true);
	});
});
