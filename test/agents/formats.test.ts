/** Sub-agents in each format: where their files are, what those say, and that all of them can be listed, read and checked. */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentsStage, type ListedAgent, says, task, turn, use } from '../support/agents-stage.ts';

let stage: AgentsStage;
beforeEach(() => {
	stage = new AgentsStage();
});
afterEach(() => stage[Symbol.dispose]());

const turns = [
	turn('MAIN', task('HELPER-A'), task('HELPER-B', { subagent_type: 'Explore' })),
	turn('HELPER-A', use('Read', { file_path: 'a.txt' })),
	says('HELPER-A', 'A has read it.'),
	says('HELPER-B', 'B has nothing to do.'),
	says('MAIN', 'Both are done.'),
];

const formats = ['claude-code', 'cline', 'openclaw', 'clido'];

async function checked(path: string): Promise<void> {
	const { out } = await stage.run(['check', path, '--json']);
	expect(JSON.parse(out)).toMatchObject({ ok: true, issues: [] });
}

describe.each(formats)('two sub-agents at once in a session of %s', (format) => {
	it('are listed with what they were to do and what they said, and read like a session', async () => {
		const { out, err } = await stage.play(turns, '--session-format', format);
		expect({ out, err }).toEqual({ out: 'Both are done.\n', err: '' });
		const agents = [...(await stage.agents())].sort((a, b) => (a.report < b.report ? -1 : 1));
		expect(agents).toMatchObject([
			{ type: 'general-purpose', description: 'about HELPER-A', state: 'completed', toolUses: 1 },
			{ type: 'Explore', description: 'about HELPER-B', state: 'completed', report: 'B has nothing to do.' },
		]);
		expect(agents.map(({ tokens }) => tokens)).toEqual([180, 180]);
		const listed = await stage.run(['agents', 'last']);
		expect(listed.out).toMatch(/^id +type +state +tokens +age +description\n.* (general-purpose|Explore) +completed/);
		const [first] = agents;
		const read = await stage.run(['agents', 'last', first?.id ?? '', '--json']);
		const { parts } = JSON.parse(read.out) as { readonly parts: readonly { readonly kind: string }[] };
		expect(parts.map(({ kind }) => kind)).toEqual(['prompt', 'tool', 'reply']);
		await checked('last');
		for (const agent of agents) await checked(agent.path);
	});

	it('stay out of the list of sessions, and the session goes on', async () => {
		await stage.play(turns, '--session-format', format);
		expect(await stage.sessions()).toHaveLength(1);
		const again = await stage.run(['-c', '-p', 'And?', '--script', stage.script([{ text: 'Fine.' }])]);
		expect(again).toMatchObject({ code: 0, out: 'Fine.\n' });
		await checked('last');
	});

	it('one that failed is an error, and goes on when it is resumed', async () => {
		await stage.play(
			[
				turn('MAIN', task('HELPER-A')),
				turn('HELPER-A', use('Read', { file_path: 'a.txt' })),
				{ when: { first: 'HELPER-A' }, error: { status: 400, message: 'no' } },
				says('MAIN', 'it failed'),
			],
			...['--session-format', format],
		);
		const [agent] = await stage.agents();
		expect(agent?.state).not.toBe('completed');
		const script = stage.script([says('HELPER-A', 'now it works')] as never);
		const resumed = await stage.run(['agents', 'last', 'Try again', '--resume', agent?.id ?? '', '--script', script]);
		expect(resumed).toMatchObject({ code: 0, out: 'now it works\n', err: '' });
		expect(await stage.agents()).toMatchObject([{ id: agent?.id, state: 'completed', report: 'now it works' }]);
		await checked(agent?.path ?? '');
	});
});

it('shown with their session under their calls, where the client has no place for them too', async () => {
	for (const format of formats) {
		await stage.play(turns, '--session-format', format);
		const { out } = await stage.run(['show', 'last', '--subagents', '--json']);
		const { parts } = JSON.parse(out) as { readonly parts: readonly { readonly kind: string }[] };
		expect(parts.map(({ kind }) => kind)).toEqual(['prompt', 'tool', 'subagent', 'tool', 'subagent', 'reply']);
	}
});

interface ClineDocument {
	readonly agent: string;
	readonly sessionId: string;
	readonly taskType?: string;
	readonly origin?: object;
	readonly messages: readonly {
		readonly role: string;
		readonly content: readonly object[];
		readonly metrics?: object;
		readonly modelInfo?: object;
	}[];
}

/** Cline's contract has four ways in which a turn may end; they are the same in the files of sub-agents and of teammates. */
describe.each([
	{ kind: 'sub-agent', background: false },
	{ kind: 'teammate', background: true },
])('a $kind’s file of Cline', ({ kind, background }) => {
	async function child(
		...own: readonly object[]
	): Promise<{ readonly agent: ListedAgent; readonly file: ClineDocument }> {
		const helper = turn('MAIN', task('HELPER', { run_in_background: background }));
		await stage.play([helper, ...own, { ...says('MAIN', 'ok'), repeat: true }], '--session-format', 'cline');
		const [agent] = await stage.agents();
		if (!agent) throw new Error('no sub-agent is listed');
		await checked(agent.path);
		return { agent, file: JSON.parse(readFileSync(agent.path, 'utf8')) as ClineDocument };
	}

	it('success: it says whose it is and what it is, and holds its task as it was given', async () => {
		const { agent, file } = await child(says('HELPER', 'done'));
		const root = basename(dirname(agent.path));
		expect(agent.id).toMatch(background ? /^general-purpose__\w{6}$/ : /^agent_\d+_\w{6}$/);
		expect(basename(agent.path)).toBe(`${agent.id}.messages.json`);
		expect(agent.call).toEqual(expect.any(String));
		const names = background
			? { agent: 'teammate', sessionId: `${root}__teamtask__${agent.id}`, taskType: 'team' }
			: { agent: 'subagent', sessionId: `${root}__${agent.id}`, taskType: 'subagent_task' };
		const origin = background
			? { mode: 'team', sessionId: names.sessionId, parentThreadId: root, subagent: 'general-purpose' }
			: { mode: 'subagent', sessionId: names.sessionId, parentThreadId: root, subagent: agent.id };
		expect(file).toMatchObject({ ...names, origin });
		expect(file.messages).toMatchObject([
			{ role: 'user', content: [{ type: 'text', text: 'HELPER' }] },
			{ role: 'assistant', content: [{ type: 'text', text: 'done' }], metrics: {}, modelInfo: {} },
		]);
	});

	it('failure before anything came: the task stays, and no usage is made up', async () => {
		const { file } = await child({ when: { first: 'HELPER' }, error: { status: 401, message: 'no key' } });
		expect(file.messages[0]).toMatchObject({ role: 'user' });
		expect(file.messages.filter(({ metrics }) => metrics !== undefined)).toEqual([]);
	});

	it('a failure that passes: the next try takes its place', async () => {
		const { file } = await child(
			{ when: { first: 'HELPER' }, error: { status: 529, message: 'busy', headers: { 'retry-after': '0' } } },
			says('HELPER', 'second try'),
		);
		expect(file.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
	});

	it('several replies: each is a message, and results stand between them', async () => {
		const { file } = await child(turn('HELPER', use('Read', { file_path: 'a.txt' })), says('HELPER', 'read'));
		expect(file.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
	});

	it('a second task goes on with the first, in its file and in a copy of the session', async () => {
		const { agent } = await child(says('HELPER', 'done'));
		const script = stage.script([says('HELPER', 'done again')] as never);
		const again = ['agents', 'last', 'Second task', '--resume', agent.id, '--script', script];
		expect(await stage.run(again)).toMatchObject({ code: 0, out: 'done again\n' });
		await checked(agent.path);
		const forked = await stage.run(['fork', 'last', '--json']);
		const { id } = JSON.parse(forked.out) as { readonly id: string };
		for (const session of ['last', id]) {
			const found = (await stage.agents(session)).map(
				({ path }) => JSON.parse(readFileSync(path, 'utf8')) as ClineDocument,
			);
			const texts = ['HELPER', 'done', 'Second task', 'done again'].map((text) => ({
				content: [{ type: 'text', text }],
			}));
			expect(found).toMatchObject([{ agent: background ? 'teammate' : 'subagent', messages: texts }]);
			expect(found[0]?.sessionId).toContain(background ? '__teamtask__general-purpose__' : '__agent_');
		}
		const { out } = await stage.run(['show', 'last', '--subagents']);
		expect(out, kind).toContain('done again');
	});
});

it('pi: a sub-agent is a session of its own that names its parent’s file', async () => {
	await stage.play(turns, '--session-format', 'openclaw');
	const [session] = await stage.sessions();
	const [agent] = await stage.agents();
	expect(stage.linesOf(agent)[0]).toMatchObject({ type: 'session', id: agent?.id, parentSession: session?.path });
	expect(dirname(agent?.path ?? '')).toBe(session?.path.replace(/\.jsonl$/, ''));
});

it('Clido has no place for them: its file has the reports alone', async () => {
	await stage.play(turns, '--session-format', 'clido');
	const [session] = await stage.sessions();
	expect(readFileSync(session?.path ?? '', 'utf8')).not.toContain('hello');
	const [agent] = await stage.agents();
	expect(agent?.path.startsWith(stage.own)).toBe(true);
});
