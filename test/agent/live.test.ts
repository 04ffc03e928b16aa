/** What each client's files say while a run is written into them, beyond the conversation itself. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, Profile } from '../../src/model/index.ts';
import type { ScriptInput } from '../../src/providers/script.ts';
import { type Setting, scripted, stage } from '../support/agent.ts';

const use = (name: string, input: Record<string, string>) => ({ type: 'tool_use' as const, name, input });
const edited: ScriptInput = [
	{
		content: [
			{ type: 'text', text: 'I look.' },
			use('Read', { file_path: 'a.txt' }),
			use('Bash', { command: 'echo hi' }),
		],
	},
	{ error: { status: 529, message: 'busy' } },
	{ content: [use('Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hullo' })] },
	{ text: 'Changed.' },
];

interface Left {
	readonly path: string;
	readonly text: string;
	readonly lines: readonly JsonObject[];
	/** A file relative to the session's folder. */
	beside(name: string): string | undefined;
}

/** A run of `edited`, and the files that it left. */
async function left(
	setting: Setting,
	then: (files: Left) => void | Promise<void>,
	script: ScriptInput = edited,
): Promise<void> {
	await using work = await stage(scripted(script), setting);
	await work.run('Change a.txt');
	await work.handle[Symbol.asyncDispose]();
	const { path } = work.handle;
	const text = readFileSync(path, 'utf8');
	const lines = path.endsWith('.jsonl')
		? text
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line) as JsonObject)
		: [];
	await then({
		path,
		text,
		lines,
		beside(name) {
			const file = join(dirname(path), name);
			return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
		},
	});
}

const ofType = (lines: readonly JsonObject[], type: string): readonly JsonObject[] =>
	lines.filter((line) => line.type === type);
const profiles: readonly Profile[] = ['client', 'published'];

describe.each(profiles)('Claude Code, %s', (profile) => {
	const format = 'claude-code';

	it('every line of the conversation has the whole envelope, in one chain', () =>
		left({ format, profile }, ({ path, lines }) => {
			const chained = lines.filter((line) => line.uuid !== undefined && line.type !== 'progress');
			let parent: Json = null;
			for (const line of chained) {
				expect(line).toMatchObject({
					parentUuid: parent,
					isSidechain: false,
					userType: 'external',
					version: profile === 'client' ? '2.1.325' : '2.1.29',
					gitBranch: 'main',
					cwd: expect.stringContaining('project'),
					timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				});
				expect(path).toContain(String(line.sessionId));
				parent = line.uuid ?? null;
			}
		}));

	it('a prompt says its mode and the session’s name', () =>
		left({ format, profile }, ({ lines }) => {
			const [prompt] = ofType(lines, 'user');
			expect(prompt).toMatchObject({
				permissionMode: 'bypassPermissions',
				slug: expect.stringMatching(/^[a-z]+-[a-z]+-[a-z]+$/),
			});
			if (profile === 'published') expect(prompt).toMatchObject({ isMeta: false });
			else expect(ofType(lines, 'permission-mode')).toHaveLength(1);
		}));

	it('a reply is a line per block, together by message and request, and the last says why it ended and what it used', () =>
		left({ format, profile }, ({ lines }) => {
			const replies = ofType(lines, 'assistant').slice(0, 3) as unknown as readonly {
				message: JsonObject;
				requestId: string;
			}[];
			expect(new Set(replies.map(({ message }) => message.id)).size).toBe(1);
			expect(new Set(replies.map(({ requestId }) => requestId)).size).toBe(1);
			expect(replies.map(({ message }) => (message.content as readonly Json[]).length)).toEqual([1, 1, 1]);
			expect(replies.map(({ message }) => message.stop_reason)).toEqual([null, null, 'tool_use']);
			expect(replies[2]?.message.usage).toMatchObject({
				input_tokens: 120,
				output_tokens: 45,
				cache_read_input_tokens: 10,
			});
		}));

	it('the state of files is kept before they change, and a turn ends with its duration', () =>
		left({ format, profile }, ({ lines, beside }) => {
			const [first, second] = ofType(lines, 'file-history-snapshot') as readonly {
				snapshot: JsonObject;
				isSnapshotUpdate: boolean;
				messageId: string;
			}[];
			const [prompt] = ofType(lines, 'user');
			expect(first).toMatchObject({
				isSnapshotUpdate: false,
				messageId: prompt?.uuid,
				snapshot: { trackedFileBackups: {} },
			});
			const kept = ((second?.snapshot.trackedFileBackups ?? {}) as JsonObject)['a.txt'];
			if (profile === 'published') expect(kept).toBe('hello\nworld\n');
			else {
				const { backupFileName } = kept as { readonly backupFileName: string };
				const [session] = lines.flatMap((line) => (typeof line.sessionId === 'string' ? [line.sessionId] : []));
				expect(beside(join('..', '..', 'file-history', session ?? '', backupFileName))).toBe('hello\nworld\n');
			}
			expect(lines.at(-1)).toMatchObject({ type: 'system', subtype: 'turn_duration', durationMs: expect.any(Number) });
		}));

	it('a failed attempt is recorded in the chain', () =>
		left({ format, profile }, ({ lines }) => {
			expect(ofType(lines, 'system').map(({ subtype }) => subtype)).toEqual(['api_error', 'turn_duration']);
		}));

	it('what a long command prints is recorded beside the chain', () =>
		left(
			{ format, profile },
			({ lines }) => {
				const progress = (
					ofType(lines, 'progress') as readonly {
						data: JsonObject;
						toolUseID: string;
						uuid: string;
					}[]
				).at(-1);
				expect(progress?.data).toMatchObject({
					type: 'bash_progress',
					fullOutput: 'a\nb\n',
					output: expect.any(String),
				});
				expect(lines.some((line) => line.parentUuid === progress?.uuid)).toBe(false);
			},
			[{ content: [use('Bash', { command: 'echo a; sleep 2.1; echo b; sleep 1.2' })] }, { text: 'done' }],
		));
});

describe('Cline', () => {
	it.each([
		['completed', 0, [{ text: 'yes' }]],
		['failed', 1, [{ error: { status: 401, message: 'no' } }]],
	] as const)('the manifest says that a run has %s, and what it used', (status, exit, script) =>
		left(
			{ format: 'cline' },
			({ path, beside }) => {
				const manifest = JSON.parse(beside(path.replace(/^.*\//, '').replace('.messages.json', '.json')) ?? '{}');
				expect(manifest).toMatchObject({
					status,
					exit_code: exit,
					messages_path: path,
					prompt: 'Change a.txt',
					model: 'claude-sonnet-4-5',
				});
				expect(manifest.metadata.usage.inputTokens).toBe(status === 'completed' ? 135 : 0);
				expect(manifest.metadata.git).toEqual({ branch: 'main' });
			},
			[...script],
		),
	);

	it('what happens is logged for those who watch, where the client and the contract have it', async () => {
		for (const [profile, name] of [
			['client', '../../logs/hooks.jsonl'],
			['published', 'hooks.jsonl'],
		] as const) {
			await left({ format: 'cline', profile }, ({ beside }) => {
				const hooks = (beside(name) ?? '')
					.trimEnd()
					.split('\n')
					.map((line) => JSON.parse(line).hook);
				expect(hooks[0]).toBe('prompt_submit');
				expect(hooks.filter((hook) => hook === 'tool_call_before')).toHaveLength(3);
				expect(hooks.filter((hook) => hook === 'tool_call_after')).toHaveLength(3);
				expect(hooks.at(-1)).toBe('run_end');
			});
		}
	});
});

describe.each(profiles)('Clido, %s', (profile) => {
	it('lines come in the order of the document, with what tools took and changed', () =>
		left({ format: 'clido', profile }, ({ lines }) => {
			expect(lines.map(({ type, subtype }) => (subtype === undefined ? type : `${type} ${subtype}`))).toEqual([
				'meta',
				'user_message',
				'assistant_message',
				'tool_call',
				'tool_call',
				'tool_result',
				'tool_result',
				'system error',
				'assistant_message',
				'tool_call',
				'tool_result',
				'assistant_message',
				'result',
			]);
			const [read, , edit] = ofType(lines, 'tool_result');
			const hash = profile === 'client' ? /^[0-9a-f]{64}$/ : /^sha256:[0-9a-f]{64}$/;
			for (const one of [read, edit]) {
				expect(one).toMatchObject({
					duration_ms: expect.any(Number),
					path: expect.stringMatching(/a\.txt$/),
					mtime_nanos: expect.any(Number),
				});
			}
			expect(edit).toMatchObject({ content_hash: expect.stringMatching(hash) });
			// The client would refuse to go on with a session in which a file was read and then changed.
			if (profile === 'client') expect(read).not.toHaveProperty('content_hash');
			else expect(read).toMatchObject({ content_hash: expect.stringMatching(hash) });
			expect(lines.at(-1)).toMatchObject({ total_cost_usd: 0, num_turns: 3, duration_ms: expect.any(Number) });
		}));

	it('a limit that was reached is a warning, a cut reply too', () =>
		left(
			{ format: 'clido', profile, config: { limits: { turns: 1 } } },
			({ lines }) => {
				expect(ofType(lines, 'system')).toMatchObject([
					{ subtype: 'warning', message: expect.stringContaining('limit of 1 turn') },
				]);
			},
			[{ content: [use('Bash', { command: 'true' })] }],
		));
});

describe('OpenClaw', () => {
	it('pi finds its header, its model, and replies with all their costs', () =>
		left(
			{
				format: 'openclaw',
				config: { price: () => ({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4, total: 10 }) },
			},
			({ lines }) => {
				expect(lines[0]).toMatchObject({ type: 'session', version: 3 });
				expect(lines[1]).toMatchObject({ type: 'model_change', modelId: 'claude-sonnet-4-5' });
				const replies = lines.flatMap((line) =>
					(line.message as JsonObject)?.role === 'assistant' ? [line.message] : [],
				);
				expect(replies).toHaveLength(3);
				for (const reply of replies) {
					expect(reply).toMatchObject({
						api: 'anthropic-messages',
						provider: 'offline',
						model: 'claude-sonnet-4-5',
						usage: { input: 120, output: 45, cost: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, total: 10 } },
					});
				}
			},
		));

	it('another model is told before it answers', async () => {
		await using work = await stage(scripted([{ text: 'one' }, { text: 'two' }]), { format: 'openclaw' });
		await work.run('first');
		Object.assign(work.config, { model: 'claude-opus-4-5', thinking: 'high' });
		await work.run('second');
		const lines = readFileSync(work.handle.path, 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as JsonObject);
		const types = lines.map(({ type, message }) => (type === 'message' ? (message as JsonObject).role : type));
		expect(types).toEqual([
			'session',
			'model_change',
			'user',
			'assistant',
			'model_change',
			'thinking_level_change',
			'user',
			'assistant',
		]);
	});

	it('by the document every line is a message', () =>
		left({ format: 'openclaw', profile: 'published' }, ({ lines }) => {
			expect(lines.map(({ role }) => role)).toEqual([
				'user',
				'assistant',
				'toolResult',
				'toolResult',
				'assistant',
				'toolResult',
				'assistant',
			]);
		}));
});
