/** `check` calls nothing an error in a file that its client wrote and resumes with every message. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkFile } from '../../src/store/reader/check.ts';
import { ClientStage } from '../support/client.ts';
import { type CorpusFile, corpusFiles, corpusRoot } from '../support/corpus.ts';

const stage = new ClientStage();
afterAll(() => stage[Symbol.dispose]());

const compacted = join(
	corpusRoot,
	'claude-code/2.1.325/compact-auto/home/.claude/projects/-tmp-proj-demo-app/33333333-3333-4333-8333-333333333333.jsonl',
);

describe('a session that Claude Code 2.1.325 has compacted by itself', () => {
	it('has no problem', async () => {
		const { code, out } = await stage.run(['check', compacted]);
		expect(code).toBe(0);
		expect(out).toContain('no problems');
	});

	it.each(['cline', 'openclaw'])('takes its summary along to %s', async (to) => {
		const out = join(stage.cwd, '..', `compacted.${to === 'cline' ? 'messages.json' : 'jsonl'}`);
		await stage.run(['convert', compacted, '--to', to, '-o', out, '--no-lineage']);
		const { out: printed } = await stage.run(['context', out, '--json']);
		const { messages } = JSON.parse(printed) as { messages: { content: unknown }[] };
		expect(JSON.stringify(messages[0])).toContain('This session is being continued from a previous conversation');
		expect(messages.length).toBeLessThan(12);
	});

	it('is what the document describes when it is converted to it: a summary, a boundary, a new root', async () => {
		const out = join(stage.cwd, '..', 'compacted-published.jsonl');
		await stage.run(['convert', compacted, '--to', 'claude-code', '--profile', 'published', '-o', out]);
		const lines = readFileSync(out, 'utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as { type: string; parentUuid?: string | null });
		const at = lines.findIndex(({ type }) => type === 'summary');
		expect(lines[at + 1]).toMatchObject({ type: 'system', subtype: 'compact_boundary', parentUuid: null });
		expect(lines[at + 2]).toMatchObject({ parentUuid: null });
		expect(lines.slice(at + 3).filter(({ parentUuid }) => parentUuid === null)).toEqual([]);
	});
});

function errorsIn(file: CorpusFile): readonly string[] {
	const { issues } = checkFile(file.path, 'client');
	return [...new Set(issues.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))];
}

/** Cases of the corpus that a client resumes, and what it loses of them or its model's API refuses: that is an error all the same. */
const lossy: { readonly [scenario: string]: string } = {
	compact_seed_style_summary_boundary_user_null: 'the text of the summary',
	no_message_id: 'which replies are which: they become one',
	no_parentUuid: 'all but the last message',
	parentUuid_all_null: 'all but the last message',
	two_roots_no_parent_link: 'what is before the second root',
	orphan_tool_result: 'the result without a call',
	thinking_unsigned: 'nothing, but the API refuses it',
	tool_use_without_result_mid_user_text_follows: 'the reply with the call',
	truncated_last_line: 'the line that was cut off',
};

describe('no rule is an error', () => {
	it('for any file that a real client wrote', () => {
		const recorded = corpusFiles().filter((file) => !file.handWritten);
		expect(recorded.length).toBeGreaterThan(100);
		expect(recorded.flatMap((file) => errorsIn(file).map((rule) => `${file.name} ${rule}`))).toEqual([]);
	});

	it('for a generated home, but for the line that was cut off on purpose', () => {
		const generated = corpusFiles().filter(({ version }) => version === 'generated');
		expect(new Set(generated.flatMap(errorsIn))).toEqual(new Set(['claude-code/torn']));
	});

	it('for a hand-written file that the newest client resumes with every message', () => {
		const cases = corpusFiles('claude-code').filter(({ version }) => version === 'resume-cases');
		const wrong = cases.flatMap((file) => {
			const path = join(file.folder, 'expected.2.1.325.json');
			const { outcome } = JSON.parse(existsSync(path) ? readFileSync(path, 'utf8') : '{}') as { outcome?: string };
			if (outcome !== 'resumed' || file.scenario in lossy) return [];
			return errorsIn(file).map((rule) => `${file.scenario} ${rule}`);
		});
		expect(cases.length).toBeGreaterThan(60);
		expect(wrong).toEqual([]);
	});

	it('for a hand-written file that Cline, Clido or pi sends in full', () => {
		const wrong = corpusFiles().flatMap((file) => {
			if (file.format === 'claude-code' || !file.handWritten || isRefused(file)) return [];
			return errorsIn(file).map((rule) => `${file.format} ${file.scenario} ${rule}`);
		});
		expect(wrong).toEqual([]);
	});
});

/** Told by what the clients did: an error of the reader, a session that does not load, a torn or unlinked line that is left out. */
function isRefused({ folder, scenario }: CorpusFile): boolean {
	const left = /torn|broken-parent|bare|string-content|empty|cli-foreign-resume/;
	if (left.test(scenario)) return true;
	const names = ['expected.1.0.15.json', 'expected.load.pi-0.87.1.json'].map((name) => join(folder, name));
	return names.some((path) => {
		if (!existsSync(path)) return false;
		const expected = JSON.parse(readFileSync(path, 'utf8')) as {
			load_error?: string;
			strict_error?: string;
			ok?: boolean;
		};
		return expected.load_error !== undefined || expected.strict_error !== undefined || expected.ok === false;
	});
}
