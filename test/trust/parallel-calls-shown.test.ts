/** Calls that a model made at once are all shown, and none of them is called another branch. */
import { afterAll, describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusFiles } from '../support/corpus.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const recorded = corpusFiles('claude-code').filter(({ role }) => role === 'main');
const isNamed = (version: string, scenario: string) => (file: (typeof recorded)[number]) =>
	file.version === version && file.scenario === scenario;

/** The headings of calls, replies and prompts, without what the calls brought. */
function headings(out: string): readonly string[] {
	return out.split('\n').filter((line) => /^[^\s─]/.test(line));
}

async function shown(session: string, ...options: readonly string[]): Promise<string> {
	const { out, code } = await stage.run(['show', session, '--full', ...options]);
	expect(code).toBe(0);
	expect(out).not.toContain('another branch');
	return out;
}

async function expectOneBranch(session: string): Promise<void> {
	const { out } = await stage.run(['inspect', session, '--json']);
	expect(JSON.parse(out)).toMatchObject({ branches: 1 });
}

describe('show', () => {
	it.each(['2.1.29', '2.1.325'])(
		'has three calls made at once by Claude Code %s, with their results',
		async (version) => {
			const path = recorded.find(isNamed(version, 'thinking-tools-parallel'))?.path ?? '';
			const out = await shown(path);
			const lines = headings(out);
			const from = lines.indexOf('Now three things at once.');
			expect(lines.slice(from + 1, from + 5).map((line) => line.replace(/\/\S*\//, ''))).toEqual([
				'✓ Read index.js',
				'✓ Bash sleep 1; echo slow-first',
				'✓ Read package.json',
				'First text block.',
			]);
			for (const result of ['console.log(widgets.list());', '  slow-first', '"name":"demo-app"']) {
				expect(out.split(result)).toHaveLength(2);
			}
			const md = await shown(path, '--md');
			for (const call of ['index.js', 'slow-first', 'package.json']) expect(md).toContain(call);
			await expectOneBranch(path);
		},
	);

	it('has both sub-agents that were started at once', async () => {
		const path = recorded.find(isNamed('2.1.325', 'subagents'))?.path ?? '';
		const out = await shown(path);
		const lines = headings(out);
		const from = lines.indexOf('Launching B and C.');
		expect(lines.slice(from + 1, from + 4)).toEqual(['✓ Agent Run B', '✓ Agent Run C', 'Everything finished.']);
		for (const result of ['B result.', 'C result.']) expect(out.split(result)).toHaveLength(2);
		await expectOneBranch(path);
	});

	it('has every call of a session that the client wrote', async () => {
		const call = (word: string) => ({
			type: 'tool_use' as const,
			name: 'Bash',
			input: { command: `echo ${word}-$((1+1))` },
		});
		const content = [{ type: 'text' as const, text: 'All at once.' }, call('one'), call('two'), call('three')];
		const script = stage.script([{ content }, { text: 'Done.' }]);
		const options = ['--script', script, '--permission-mode', 'bypassPermissions'];
		const { session_id } = await stage.json('-p', 'Count', ...options);
		const out = await shown(String(session_id));
		const said = headings(out);
		expect(said.slice(said.indexOf('All at once.'))).toEqual([
			'All at once.',
			...['one', 'two', 'three'].map((word) => `✓ Bash echo ${word}-$((1+1))`),
			'Done.',
		]);
		for (const word of ['one', 'two', 'three']) expect(out.split(`${word}-2`)).toHaveLength(2);
		await expectOneBranch(String(session_id));
	});

	it('tells a second attempt at a reply once, and the first as the branch that it is', async () => {
		const path = recorded.find(isNamed('2.1.29', 'api-errors'))?.path ?? '';
		const { out } = await stage.run(['show', path]);
		expect(out.split('After error event.')).toHaveLength(2);
		expect(out).toContain('another branch begins here');
	});
});
