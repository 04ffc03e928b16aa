/** Session protocol §4.1.2 and §5: how the lines of a run follow each other, held against what the command wrote. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientStage, framesIn } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';
import { blocks, isResult, type Line, messageAbove, messages, profiles, SeedStage } from '../support/seed-runs.ts';

const read = (file: string) => ({ type: 'tool_use' as const, name: 'Read', input: { file_path: file } });

describe.each(profiles)('a command, two calls at once and an answer (%s)', (profile) => {
	const stage = new SeedStage(profile);
	afterAll(() => stage[Symbol.dispose]());
	let lines: readonly Line[] = [];
	let said: readonly Line[] = [];
	beforeAll(async () => {
		await stage.begin('/implement-spec 003', [
			{ content: [read('a.txt'), read('nowhere.txt')] },
			{ text: 'Both looked at.' },
		]);
		lines = stage.all();
		said = messages(lines);
	});

	it('an expanded command is a message that nobody typed, the child of the command, with its text as blocks', () => {
		const [command, expansion] = said;
		// The document shows the command as it was typed; the client writes it with three tags.
		const tags =
			'<command-message>implement-spec</command-message>\n<command-name>/implement-spec</command-name>\n<command-args>003</command-args>';
		const content = profile === 'client' ? tags : '/implement-spec 003';
		expect(command).toMatchObject({ type: 'user', message: { content } });
		expect(expansion).toMatchObject({ type: 'user', isMeta: true });
		expect(blocks(expansion)).toEqual([{ type: 'text', text: '# Spec Implementation Workflow\n\n003' }]);
		expect(expansion && messageAbove(expansion, lines)).toBe(command);
	});

	it('the picture: prompt, expansion, call, call, result, result, answer, one after the other', () => {
		const kinds = said.map((line) => (isResult(line) ? 'result' : (blocks(line)[0]?.type ?? 'prompt')));
		expect(kinds).toEqual(
			['prompt', 'text', 'tool_use', 'tool_use', 'tool_result', 'tool_result', 'text'].map((kind) =>
				kind.replace('tool_result', 'result'),
			),
		);
		for (const [index, line] of said.entries()) {
			if (index > 0) expect(messageAbove(line, lines)).toBe(said[index - 1]);
		}
	});

	it('rule 1: the first user message has no parent, and it is the only line of the conversation without one', () => {
		const roots = lines.filter((line) => line.uuid !== undefined && line.parentUuid === null);
		expect(roots).toEqual([said[0]]);
	});

	it('rule 2: every other line names a line before it as its parent, and a message the message before', () => {
		const before = new Set<string | undefined>();
		for (const line of lines) {
			if (line.uuid === undefined) continue;
			if (line.parentUuid !== null) expect(before).toContain(line.parentUuid);
			before.add(line.uuid);
		}
	});

	it('rule 3: the blocks of a reply are chained to each other, not to the prompt', () => {
		const [first, second] = said.filter(({ type }) => type === 'assistant');
		expect(second?.parentUuid).toBe(first?.uuid);
		expect(first?.message?.id).toBe(second?.message?.id);
	});

	it('rule 4: the first result follows the last block of the reply', () => {
		const calls = said.filter((line) => blocks(line).some(({ type }) => type === 'tool_use'));
		expect(said.find(isResult)?.parentUuid).toBe(calls.at(-1)?.uuid);
	});

	it('rule 5: results of parallel calls are a chain among themselves, in the order of the calls', () => {
		const [first, second] = said.filter(isResult);
		expect(second?.parentUuid).toBe(first?.uuid);
		const calls = said.flatMap((line) => blocks(line).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])));
		expect([first, second].map((line) => blocks(line)[0]?.tool_use_id)).toEqual(calls);
	});

	it('a second prompt follows the answer to the first one', async () => {
		await stage.goOn('and now?', [{ text: 'Nothing more.' }]);
		const [prompt] = messages(stage.added());
		expect(prompt?.message?.content).toBe('and now?');
		expect(prompt && messageAbove(prompt, stage.all())).toEqual(said.at(-1));
	});
});

describe('rule 6: sub-agents', () => {
	const stage = new ClientStage();
	afterAll(() => stage[Symbol.dispose]());

	it('have files of their own, whose lines are sidechain lines with the id of their session', async () => {
		const home = join(corpusRoot, 'cline/3.0.65/subagent/home/.cline/data/sessions');
		const root = readdirSync(home)[0] ?? '';
		const out = join(stage.cwd, '..', 'agents', 'session.jsonl');
		const source = join(home, root, `${root}.messages.json`);
		const flags = ['--to', 'claude-code', '--profile', 'published', '-o', out, '--no-lineage', '--json', '--parents'];
		const { code, out: printed } = await stage.run(['convert', source, ...flags]);
		expect(code).toBe(0);
		const { out: files } = JSON.parse(printed) as { out: readonly string[] };
		const main = framesIn(readFileSync(files[0] ?? '', 'utf8'));
		const agents = files.filter((file) => /agent-[0-9a-f]{7}\.jsonl$/.test(file));
		expect(agents.length).toBeGreaterThan(0);
		const lines = agents.flatMap((file) => framesIn(readFileSync(file, 'utf8')));
		for (const line of lines.filter(({ uuid }) => uuid !== undefined)) {
			expect(line).toMatchObject({ isSidechain: true, sessionId: main[0]?.sessionId });
		}
	});
});
