/** What validation says about the corpus. */
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import type { Issue, Severity } from '../../../model/index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import { claudeCode } from '../index.ts';

describe('the corpus', () => {
	/** The issue that each hand-written file must have. Files that both clients resume whole have none. */
	const verdicts: { readonly [scenario: string]: readonly [Severity, string] } = {
		all_sidechain: ['error', 'all-sidechain'],
		assistant_content_string: ['warning', 'assistant-string'],
		chain_broken_mid_parent_missing: ['warning', 'broken-parent'],
		compact_seed_style_summary_boundary_user_null: ['error', 'compaction-summary'],
		dup_tool_result: ['warning', 'repeated-result'],
		empty_file: ['error', 'no-messages'],
		empty_whitespace_assistant_text: ['warning', 'blank-text'],
		invalid_timestamps: ['error', 'leaf-time'],
		no_message_id: ['error', 'message-id'],
		no_parentUuid: ['error', 'several-roots'],
		no_timestamp: ['error', 'leaf-time'],
		no_type: ['error', 'type'],
		non_uuid_session_id: ['error', 'session-uuid'],
		only_type_uuid_parentUuid_message: ['error', 'leaf-time'],
		orphan_tool_result: ['error', 'orphan-result'],
		parallel_real_style_each_result_parent_its_tool_use: ['warning', 'parallel-results'],
		parentUuid_all_null: ['error', 'several-roots'],
		thinking_unsigned: ['error', 'block.thinking/signature'],
		tool_use_without_result_at_end: ['warning', 'interrupted'],
		tool_use_without_result_mid_user_text_follows: ['error', 'unanswered-call'],
		truncated_last_line: ['error', 'torn'],
		two_leaves_later_ts_earlier_in_file: ['warning', 'leaf-choice'],
		two_roots_no_parent_link: ['error', 'several-roots'],
		unknown_type_as_chain_link: ['warning', 'unknown-link'],
	};
	const cases = corpusFiles('claude-code').filter((file) => file.version === 'resume-cases');
	const issuesOf = (scenario: string): readonly Issue[] =>
		cases.filter((file) => file.scenario === scenario).flatMap((file) => checkBytes(claudeCode, file.bytes()));

	test('every case that a client refuses or loses messages in is reported', () => {
		for (const [scenario, [severity, rule]] of Object.entries(verdicts)) {
			const issues = issuesOf(scenario).map((issue) => `${issue.severity} ${issue.rule}`);
			expect(issues, scenario).toContain(`${severity} claude-code/${rule}`);
		}
	});

	test('a case that both clients resume whole has no error', () => {
		expect(new Set(cases.map((file) => file.scenario)).size).toBe(62);
		for (const file of cases) {
			if (file.scenario in verdicts) continue;
			const errors = issuesOf(file.scenario).filter((issue) => issue.severity === 'error');
			expect(errors, file.scenario).toEqual([]);
		}
	});

	test('a warning about one version names it', () => {
		for (const [scenario, [severity, rule]] of Object.entries(verdicts)) {
			if (severity !== 'warning') continue;
			const issue = issuesOf(scenario).find((one) => one.rule === `claude-code/${rule}`);
			expect(issue?.message, scenario).toContain('2.1.29');
		}
	});

	test('a file that a real client wrote has no error', () => {
		for (const file of corpusFiles('claude-code')) {
			// The files for the session picker were written by hand to see what it lists.
			if (file.handWritten || file.scenario === 'list-picker') continue;
			const errors = checkBytes(claudeCode, file.bytes()).filter((issue) => issue.severity === 'error');
			expect(errors, file.name).toEqual([]);
		}
	});

	test('where 2.1.29 broke its own chain the message says so', () => {
		const file = corpusFiles('claude-code').find((one) => one.name.includes('2.1.29/plan-mode') && one.role === 'main');
		const issue = checkBytes(claudeCode, file?.bytes() ?? new Uint8Array()).find(
			(one) => one.rule === 'claude-code/broken-parent',
		);
		expect(issue?.message).toContain('2.1.29 itself writes such gaps');
	});
});
