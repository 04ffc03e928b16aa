/** A copy of a session has the sub-agents that it speaks of: they are read and gone on with there, and the original's stay as they are. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { entries } from '../support/rewinding.ts';

interface Listed {
	readonly agents: readonly {
		readonly id: string;
		readonly path: string;
		readonly state: string;
		readonly report: string;
	}[];
}

const starts = (prompt: string) => ({
	content: [
		{
			type: 'tool_use' as const,
			name: 'Task',
			input: { description: prompt, prompt, subagent_type: 'general-purpose' },
		},
	],
});

/** Two prompts, each of which starts a sub-agent; the first one's starts another. */
async function begin(stage: ClientStage, format: string): Promise<void> {
	const one = [
		{ when: { first: 'MAIN' }, ...starts('CHILD') },
		{ when: { first: '^CHILD' }, ...starts('GRANDCHILD') },
		{ when: { first: '^GRANDCHILD' }, text: 'The grandchild is done.' },
		{ when: { first: '^CHILD' }, text: 'The child is done.' },
		{ when: { first: 'MAIN' }, text: 'First.' },
	];
	const two = [
		{ when: { first: 'MAIN' }, ...starts('LATER') },
		{ when: { first: '^LATER' }, text: 'The later one is done.' },
		{ when: { first: 'MAIN' }, text: 'Second.' },
	];
	const all = '--dangerously-skip-permissions';
	const first = await stage.run([
		'-p',
		'MAIN',
		'--script',
		stage.script(one as never),
		all,
		'--session-format',
		format,
	]);
	expect(first).toMatchObject({ code: 0, out: 'First.\n' });
	const second = await stage.run(['-c', '-p', 'MAIN again', '--script', stage.script(two as never), all]);
	expect(second).toMatchObject({ code: 0, out: 'Second.\n' });
}

async function agentsOf(stage: ClientStage, session: string): Promise<Listed['agents']> {
	const { out, err } = await stage.run(['agents', session, '--json']);
	if (out === '') throw new Error(err);
	return (JSON.parse(out) as Listed).agents;
}

describe.each(['claude-code', 'cline', 'pi', 'clido'])('a copy of a %s session', (format) => {
	it('has them, up to the entry that it ends with, and goes on with them by itself', { timeout: 60_000 }, async () => {
		using stage = new ClientStage();
		await begin(stage, format);
		const [session] = await stage.sessions();
		const before = await agentsOf(stage, session?.path ?? '');
		expect(before.map(({ report }) => report).sort()).toEqual([
			'The child is done.',
			'The grandchild is done.',
			'The later one is done.',
		]);
		const texts = before.map(({ path }) => readFileSync(path, 'utf8'));
		const whole = JSON.parse((await stage.run(['fork', session?.path ?? '', '--json'])).out) as {
			readonly path: string;
		};
		const copied = await agentsOf(stage, whole.path);
		expect(copied.map(({ id, report, state }) => [id, report, state])).toEqual(
			before.map(({ id, report, state }) => [id, report, state]),
		);
		for (const { path } of [whole, ...copied])
			expect(JSON.parse((await stage.run(['check', path, '--json'])).out), path).toMatchObject({ issues: [] });
		const [, second = ''] = await entries(stage, 'prompt', session?.path);
		const part = [
			'fork',
			session?.path ?? '',
			'--at',
			(await repliesBefore(stage, session?.path ?? '', second)) ?? '',
			'--json',
		];
		const half = JSON.parse((await stage.run(part)).out) as { readonly path: string };
		expect((await agentsOf(stage, half.path)).map(({ report }) => report).sort()).toEqual([
			'The child is done.',
			'The grandchild is done.',
		]);
		const child = copied.find(({ report }) => report === 'The child is done.');
		const go = [
			'agents',
			whole.path,
			'more',
			'--resume',
			child?.id ?? '',
			'--script',
			stage.script([{ text: 'More.' }]),
		];
		expect((await stage.run(go)).code).toBe(0);
		expect((await agentsOf(stage, whole.path)).map(({ report }) => report)).toContain('More.');
		expect(before.map(({ path }) => readFileSync(path, 'utf8'))).toEqual(texts);
	});
});

/** The last reply before a prompt. */
async function repliesBefore(stage: ClientStage, session: string, prompt: string): Promise<string | undefined> {
	const { parts } = JSON.parse((await stage.run(['show', session, '--json'])).out) as {
		readonly parts: readonly { readonly kind: string; readonly entry?: string }[];
	};
	const at = parts.findIndex(({ entry }) => entry === prompt);
	return parts.slice(0, at).findLast(({ kind }) => kind === 'reply')?.entry;
}

it('so has the session that uncompact makes, and the one that a rewind makes', { timeout: 60_000 }, async () => {
	using stage = new ClientStage();
	await begin(stage, 'claude-code');
	const summary = stage.script([{ text: '<summary>Short.</summary>' }]);
	expect((await stage.run(['-c', '-p', '/compact', '--script', summary])).code).toBe(0);
	const { path } = JSON.parse((await stage.run(['uncompact', 'last', '--json'])).out) as { readonly path: string };
	expect(await agentsOf(stage, path)).toHaveLength(3);
	using other = new ClientStage();
	await begin(other, 'cline');
	const [, second = ''] = await entries(other, 'prompt');
	expect((await other.run(['rewind', 'last', '--to', second])).code).toBe(0);
	expect((await agentsOf(other, 'last')).map(({ report }) => report).sort()).toEqual([
		'The child is done.',
		'The grandchild is done.',
	]);
});
