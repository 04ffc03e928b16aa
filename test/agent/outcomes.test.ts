/** How runs end: every outcome provoked for real, in all formats, and the session can always be gone on with. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AgentConfig, Outcome } from '../../src/agent/config.ts';
import type { Decision, Hook } from '../../src/agent/contracts.ts';
import { resumeConversation } from '../../src/agent/recording/resume.ts';
import { startRun } from '../../src/agent/run.ts';
import { codecOf } from '../../src/codecs/index.ts';
import { type Entry, type FormatId, type Profile, path } from '../../src/model/index.ts';
import { anthropic } from '../../src/providers/index.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import { openHandle } from '../../src/store/handle/handle.ts';
import { checkFile } from '../../src/store/reader/check.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { type Stage, scripted, stage } from '../support/agent.ts';
import { startModelServer } from '../support/model-server.ts';
import { formats } from '../support/sessions.ts';

const profiles: readonly Profile[] = ['client', 'published'];
const everywhere = formats.flatMap((format) => profiles.map((profile) => [format, profile] as const));
const use = (name: string, input: object) => ({
	type: 'tool_use' as const,
	name,
	input: input as Record<string, never>,
});

/** What the file says afterwards, after one more run that succeeds. */
async function afterwards(work: Stage): Promise<readonly Entry[]> {
	const file = work.handle.path;
	const { profile } = work.handle;
	await work.handle[Symbol.asyncDispose]();
	const { conversation } = resumeConversation(file);
	await using handle = await openHandle(file, { machine: work.scratch.machine, profile });
	const config = { ...work.config, provider: scripted([{ text: 'still here' }]) };
	const { outcome } = await startRun(handle, conversation, 'are you there?', config).result;
	expect(outcome).toBe('success');
	const { issues } = await checkFile(file);
	expect(issues.filter((issue) => issue.severity === 'error' && (issue.profile ?? profile) === profile)).toEqual([]);
	return path(await openSession(file));
}

const said = (entries: readonly Entry[], role: string): readonly string[] =>
	entries.flatMap((entry) =>
		entry.kind === 'message' &&
		entry.role === role &&
		entry.audience === undefined &&
		entry.response?.error === undefined
			? entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
			: [],
	);

interface Case {
	readonly outcome: Outcome;
	readonly script: ScriptInput;
	readonly config?: Partial<AgentConfig>;
	readonly problem?: string;
	/** Interrupts when this event comes. */
	readonly until?: string;
}

const expensive = { price: () => ({ input: 1, output: 0, cacheRead: 0, cacheWrite: 0, total: 1 }) };
const call = { content: [use('Bash', { command: 'echo x' })] };

/** One line for every way a run can end, with what the user is told. */
const cases: { readonly [name: string]: Case } = {
	'a reply': { outcome: 'success', script: [{ text: 'yes' }] },
	'too many turns': {
		outcome: 'max_turns',
		script: [call, call, call],
		config: { limits: { turns: 2 } },
		problem: 'the limit of 2 turns was reached',
	},
	'a budget that is spent': {
		outcome: 'max_budget',
		script: [call, call],
		config: { limits: { costUsd: 1 }, ...expensive },
		problem: 'the budget of $1.00 is spent',
	},
	'a wrong key': { outcome: 'error', script: [{ error: { status: 401, message: 'invalid x-api-key' } }] },
	'an unknown model': {
		outcome: 'error',
		script: [{ error: { status: 404, type: 'not_found_error', message: 'model: x' } }],
	},
	'too long a conversation': {
		outcome: 'error',
		script: [
			{
				error: {
					status: 400,
					type: 'invalid_request_error',
					message: 'prompt is too long: 300000 tokens > 200000 maximum',
				},
			},
		],
	},
	'a server that stays busy': {
		outcome: 'error',
		script: { turns: [], default: { error: { status: 529, message: 'Overloaded' } } },
	},
	'a stream that is always cut': {
		outcome: 'error',
		script: { turns: [], default: { text: 'half of an answer', chunk: 4, cut: { chunks: 2, how: 'close' } } },
	},
	'a model that goes round in circles': {
		outcome: 'error',
		script: { turns: [], default: { content: [use('Bash', { command: 'echo same' })] } },
		problem: 'the same call 10 times',
	},
	'an interruption in a reply': {
		outcome: 'interrupted',
		script: [{ text: 'once upon a time there was', chunk: 3, chunkDelayMs: 15 }],
		until: 'text_delta',
	},
	'an interruption in a tool': {
		outcome: 'interrupted',
		script: [{ content: [use('Bash', { command: 'sleep 20' }), use('Read', { file_path: 'a.txt' })] }],
		until: 'tool_execution_start',
	},
	'an interruption between a call and its tool': {
		outcome: 'interrupted',
		script: [{ content: [{ type: 'text', text: 'I run' }, use('Bash', { command: 'echo never' })] }],
		until: 'toolcall_end',
	},
};

async function provoke(
	one: Case,
	format: FormatId,
	profile: Profile,
	then: (work: Stage) => Promise<void>,
): Promise<void> {
	const retry = { times: 2, firstWaitMs: 1, longestWaitMs: 2 };
	await using work = await stage(scripted(one.script), { format, profile, config: { retry, ...one.config } });
	const run = work.start('please', (event) => {
		const type = event.type === 'message_update' ? event.assistantMessageEvent.type : event.type;
		if (type === one.until) setTimeout(() => run.interrupt(), 5);
	});
	const result = await run.result;
	expect([result.outcome, result.problem]).toEqual([
		one.outcome,
		one.outcome === 'success' ? undefined : expect.any(String),
	]);
	if (one.problem) expect(result.problem).toContain(one.problem);
	expect(result.problem ?? '').not.toMatch(/\n|\bat .*:\d+:\d+/);
	await then(work);
}

describe.each(Object.entries(cases))('%s', (_name, one) => {
	it.concurrent.each(everywhere)('in %s, %s, leaves a session that goes on', async (format, profile) => {
		await provoke(one, format, profile, async (work) => {
			const entries = await afterwards(work);
			expect(said(entries, 'user')).toContain('please');
			expect(said(entries, 'assistant').at(-1)).toBe('still here');
		});
	});
});

describe('Clido says how each run ended', () => {
	const words: readonly (readonly [string, string, string])[] = [
		['a reply', 'completed', 'success'],
		['too many turns', 'max_turns_reached', 'max_turns'],
		['a budget that is spent', 'budget_exceeded', 'max_budget'],
		['a wrong key', 'error', 'error'],
		['an interruption in a reply', 'interrupted', 'interrupted'],
	];
	it.each(words)('%s: %s in the words of the client, %s in those of the document', async (name, client, published) => {
		for (const [profile, word] of [
			['client', client],
			['published', published],
		] as const) {
			await provoke(cases[name] as Case, 'clido', profile, async (work) => {
				const last = readFileSync(work.handle.path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
				expect(JSON.parse(last)).toMatchObject({ type: 'result', exit_status: word, num_turns: expect.any(Number) });
			});
		}
	});
});

describe('the outcome cases of Cline’s contract', () => {
	it.each(everywhere)('a failure before any output adds no reply and no usage: %s, %s', async (format, profile) => {
		await provoke(cases['a wrong key'] as Case, format, profile, async (work) => {
			const entries = await afterwards(work);
			expect(said(entries, 'assistant')).toEqual(['still here']);
			expect(said(entries, 'user').filter((text) => !text.startsWith('['))).toEqual(['please', 'are you there?']);
		});
	});

	it.each(everywhere)('after a transient failure the reply has its own usage: %s, %s', async (format, profile) => {
		const script = [
			{ text: 'first', usage: { input: 11, output: 1 } },
			{ error: { status: 500 } },
			{ text: 'second', usage: { input: 22, output: 2 } },
		];
		await using work = await stage(scripted(script), { format, profile });
		await work.run('one');
		await work.run('two');
		const entries = await afterwards(work);
		const used = entries.flatMap((entry) =>
			entry.kind === 'message' && entry.response?.usage ? [entry.response.usage.input] : [],
		);
		if (codecOf(format)?.capabilities.usage) expect(used.slice(0, 2)).toEqual([11, 22]);
		expect(said(entries, 'assistant')).toEqual(['first', 'second', 'still here']);
	});

	it.each(profiles)(
		'of several replies in one turn, only the last has the metrics in the document (%s)',
		async (profile) => {
			const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0 };
			await using work = await stage(
				scripted([
					{ ...call, usage },
					{ ...call, usage },
					{ text: 'done', usage },
				]),
				{ format: 'cline', profile },
			);
			await work.run('go');
			const { messages } = JSON.parse(readFileSync(work.handle.path, 'utf8'));
			const replies = messages.filter((message: { role: string }) => message.role === 'assistant');
			expect(replies.map((message: { modelInfo?: object }) => message.modelInfo !== undefined)).toEqual([
				true,
				true,
				true,
			]);
			const metrics = replies.map((message: { metrics?: { inputTokens: number } }) => message.metrics?.inputTokens);
			expect(metrics).toEqual(profile === 'published' ? [undefined, undefined, 30] : [10, 10, 10]);
		},
	);
});

describe('while a run goes on', () => {
	it('prompts wait in a queue, are recorded, and are answered in order', async () => {
		const slow = { text: 'one', chunk: 1, chunkDelayMs: 10 };
		await using work = await stage(scripted([slow, { text: 'two' }, { text: 'three' }]));
		const run = work.start('first');
		run.queue('second');
		run.queue('third');
		expect((await run.result).outcome).toBe('success');
		const lines = readFileSync(work.handle.path, 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line));
		const queue = lines
			.filter(({ type }) => type === 'queue-operation')
			.map(({ operation, content }) => [operation, content]);
		expect(queue).toEqual([
			['enqueue', 'second'],
			['enqueue', 'third'],
			['dequeue', undefined],
			['dequeue', undefined],
		]);
		const entries = await afterwards(work);
		expect(said(entries, 'user')).toEqual(['first', 'second', 'third', 'are you there?']);
		expect(said(entries, 'assistant')).toEqual(['one', 'two', 'three', 'still here']);
	});

	it('hooks see every step, may change it, and are recorded', async () => {
		const seen: string[] = [];
		const note = <T>(what: string, answer: T): T => {
			seen.push(what);
			return answer;
		};
		const hooks: readonly Hook[] = [
			{
				on: 'SessionStart',
				name: 'b',
				run: async ({ source }) => note(`begin ${source}`, { context: 'in this project' }),
			},
			{
				on: 'UserPromptSubmit',
				name: 'u',
				run: async ({ prompt }) => note(`prompt ${prompt}`, { context: 'be kind' }),
			},
			{
				on: 'PreToolUse',
				name: 'p',
				run: async ({ call: one }) =>
					note(`pre ${one.tool.name}`, { decision: { is: 'allow' as const, input: { command: 'echo changed' } } }),
			},
			{ on: 'PostToolUse', name: 'q', run: async () => note('post', { context: 'noted' }) },
			{
				on: 'Stop',
				name: 's',
				run: async ({ text }) => note(`stop ${text}`, text === 'done' ? { continueWith: 'one more thing' } : undefined),
			},
			{ on: 'Stop', name: 'broken', run: () => Promise.reject(new Error('a hook that fails')) },
		];
		await using work = await stage(scripted([call, { text: 'done' }, { text: 'really done' }]), { config: { hooks } });
		const { result } = await work.run('go');
		expect(result.text).toBe('really done');
		expect(seen).toEqual(['begin startup', 'prompt go', 'pre Bash', 'post', 'stop done', 'stop really done']);
		const results = result.messages.filter((message) => message.role === 'toolResult');
		expect(JSON.stringify(results)).toContain('changed');
		expect(JSON.stringify(results)).toContain('noted');
		const written = readFileSync(work.handle.path, 'utf8');
		expect(written).toContain('hook_progress');
		expect(written).toContain('"isMeta":true');
	});

	it('a hook may stop a prompt before anybody is asked', async () => {
		const hooks: readonly Hook[] = [{ on: 'UserPromptSubmit', name: 'u', run: async () => ({ block: 'not today' }) }];
		await using work = await stage(scripted([]), { config: { hooks } });
		expect((await work.run('go')).result).toMatchObject({
			outcome: 'error',
			problem: expect.stringContaining('not today'),
		});
	});

	it('a hook that denies is heard, whatever another one answered before it', async () => {
		const answers: readonly Decision[] = [{ is: 'allow' }, { is: 'ask' }, { is: 'deny', reason: 'not this one' }];
		const hooks = answers.map(
			(decision): Hook => ({ on: 'PreToolUse', name: decision.is, run: async () => ({ decision }) }),
		);
		await using work = await stage(scripted([call, { text: 'done' }]), { config: { hooks } });
		const { result } = await work.run('go');
		expect(JSON.stringify(result.messages.filter(({ role }) => role === 'toolResult'))).toContain('not this one');
	});

	it('a denial is a result that the model reads', async () => {
		const touch = { content: [use('Bash', { command: 'touch x' })] };
		await using work = await stage(scripted([touch, { text: 'I see' }]), { config: { mode: 'default' } });
		const { result } = await work.run('go');
		expect(result.outcome).toBe('success');
		expect(result.denials).toMatchObject([{ tool: 'Bash', input: { command: 'touch x' } }]);
		expect(JSON.stringify(result.messages)).toContain('requires approval');
	});

	it('whoever is asked may allow, change, refuse, or end the run', async () => {
		const two = { content: [use('Bash', { command: 'touch a' }), use('Bash', { command: 'touch b' })] };
		const answers = [
			{ allow: true, input: { command: 'echo other' } },
			{ allow: false, reason: 'no', interrupt: true },
		] as const;
		let asked = 0;
		const ask = async () => answers[asked++] ?? { allow: false as const, reason: 'no' };
		await using work = await stage(scripted([two, { text: 'never' }]), { config: { mode: 'default', ask } });
		const { result } = await work.run('go');
		expect(result.outcome).toBe('interrupted');
		expect(JSON.stringify(result.messages)).toContain('other');
		const entries = await afterwards(work);
		expect(said(entries, 'assistant')).toEqual(['still here']);
	});

	it('tools that are unknown, called with the wrong input or with no JSON, answer so', async () => {
		const content = [
			use('Fly', {}),
			use('Read', { path: 'a' }),
			{ type: 'tool_use' as const, name: 'Bash', rawInput: '{"command": "ec' },
		];
		await using work = await stage(scripted([{ content }, { text: 'sorry' }]));
		const { result } = await work.run('go');
		const texts = result.messages.flatMap((message) =>
			message.role === 'toolResult' ? [JSON.stringify(message.content)] : [],
		);
		expect(texts).toEqual([
			expect.stringContaining('No such tool available: Fly'),
			expect.stringContaining('file_path'),
			expect.stringContaining('could not be parsed as JSON'),
		]);
		expect(said(await afterwards(work), 'assistant')).toEqual(['sorry', 'still here']);
	});
});

describe('servers that cannot be reached', () => {
	it('a refused connection is one clear line', async () => {
		const gone = await startModelServer();
		await gone.close();
		const provider = anthropic({ env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: gone.url } });
		await using work = await stage(provider, { config: { retry: { times: 0 } } });
		const { result } = await work.run('go');
		expect(result.outcome).toBe('error');
		expect(result.problem).toContain(gone.url);
		expect(result.problem).not.toContain('\n');
	});
});
