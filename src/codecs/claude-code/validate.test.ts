/** What validation finds, and what it leaves alone. */
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import type { Issue, JsonObject, Severity } from '../../model/index.ts';
import { checkBytes, issuesIn } from '../check.ts';
import { claudeCode } from './index.ts';

type Line = { [key: string]: JsonObject[string] };

const sessionId = '07c9cd52-5a41-4c0e-9d0a-3b1f0a6a2c11';

/** A valid session: prompt, call, result, reply, in the published style. */
function session(): Line[] {
	const lines: Line[] = [];
	const add = (fields: Line): void => {
		const n = lines.length + 1;
		lines.push({
			uuid: `u${n}`,
			parentUuid: n === 1 ? null : `u${n - 1}`,
			sessionId,
			timestamp: `2026-01-03T10:00:0${n}.000Z`,
			isSidechain: false,
			userType: 'external',
			cwd: '/home/dev/app',
			version: '2.1.29',
			gitBranch: 'main',
			...fields,
		});
	};
	const reply = (id: string, block: JsonObject, stop: string): Line => ({
		type: 'assistant',
		requestId: `req_${id}`,
		message: {
			id: `msg_${id}`,
			type: 'message',
			role: 'assistant',
			model: 'claude-opus-4-5',
			content: [block],
			stop_reason: stop,
			usage: { input_tokens: 1, output_tokens: 1 },
		},
	});
	add({ type: 'user', message: { role: 'user', content: 'read it' } });
	add(reply('1', { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }, 'tool_use'));
	const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'text' };
	add({ type: 'user', message: { role: 'user', content: [result] } });
	add(reply('2', { type: 'text', text: 'done' }, 'end_turn'));
	return lines;
}

const check = (lines: readonly (Line | string)[]): readonly Issue[] =>
	checkBytes(
		claudeCode,
		Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
	);

const found = (lines: readonly (Line | string)[]): readonly string[] =>
	check(lines).map((issue) => `${issue.severity} ${issue.rule.replace('claude-code/', '')} ${issue.line}`);

/** The session with one line changed. */
function changed(index: number, change: (line: Line) => void): Line[] {
	const lines = session();
	const line = lines[index];
	if (line) change(line);
	return lines;
}

const at = (lines: readonly Line[], index: number): Line => lines[index] as Line;
const message = (line: Line): Line => line.message as Line;

test('a session in the published style has no issue', () => {
	expect(check(session())).toEqual([]);
});

describe('fields', () => {
	const drop = (line: Line, path: string): void => {
		const [first = '', second] = path.split('.');
		if (second === undefined) delete line[first];
		else delete message(line)[second];
	};
	const required = (type: string): readonly string[] =>
		claudeCode.rules
			.filter((rule) => rule.id.startsWith(`claude-code/${type}/`) && rule.about.includes('is required'))
			.map((rule) => rule.id.slice(`claude-code/${type}/`.length))
			.filter((path) => path !== 'type');

	test('every required field of a user line is missed under its own rule', () => {
		const paths = required('user');
		expect(paths).toEqual([
			'uuid',
			'parentUuid',
			'sessionId',
			'timestamp',
			'isSidechain',
			'userType',
			'cwd',
			'version',
			'message',
			'message.role',
			'message.content',
		]);
		for (const path of paths) {
			const rules = check(changed(0, (line) => drop(line, path))).map((issue) => issue.rule);
			expect(rules, path).toContain(`claude-code/user/${path}`);
		}
	});

	test('every required field of an assistant line is missed under its own rule', () => {
		const paths = required('assistant');
		expect(paths).toHaveLength(16);
		for (const path of paths) {
			const rules = check(changed(3, (line) => drop(line, path))).map((issue) => issue.rule);
			expect(rules, path).toContain(`claude-code/assistant/${path}`);
		}
	});

	test('every field of the wrong type is reported under its own rule', () => {
		const wrong: { readonly [path: string]: JsonObject[string] } = {
			uuid: 5,
			parentUuid: 5,
			sessionId: 5,
			timestamp: 'yesterday',
			isSidechain: 'no',
			isMeta: 'no',
			userType: 'internal',
			cwd: 5,
			version: 2,
			gitBranch: 5,
			slug: 5,
			agentId: 5,
			permissionMode: 5,
			toolUseResult: 'Error',
			message: 'text',
		};
		for (const [path, value] of Object.entries(wrong)) {
			const rules = check(
				changed(2, (line) => {
					line[path] = value;
				}),
			).map((issue) => issue.rule);
			expect(rules, path).toContain(`claude-code/user/${path}`);
		}
	});

	test('each sub-form of system, progress and snapshot lines has its own table', () => {
		const cases: readonly [Line, string][] = [
			[{ type: 'system', subtype: 'turn_duration' }, 'system.turn_duration/durationMs'],
			[{ type: 'system', subtype: 'local_command' }, 'system.local_command/content'],
			[{ type: 'system', subtype: 'compact_boundary' }, 'system.compact_boundary/compactMetadata'],
			[{ type: 'progress', data: { type: 'bash_progress' } }, 'progress.bash_progress/data.output'],
			[{ type: 'progress', data: { type: 'agent_progress' } }, 'progress.agent_progress/data.message'],
			[{ type: 'progress', data: { type: 'hook_progress' } }, 'progress.hook_progress/data.hookEvent'],
			[{ type: 'progress', data: { type: 'query_update' } }, 'progress.query_update/data.query'],
			[
				{ type: 'progress', data: { type: 'search_results_received' } },
				'progress.search_results_received/data.resultCount',
			],
			[{ type: 'progress', data: { type: 'waiting_for_task' } }, 'progress.waiting_for_task/data.taskType'],
			[{ type: 'summary' }, 'summary/leafUuid'],
			[{ type: 'file-history-snapshot' }, 'file-history-snapshot/snapshot'],
			[{ type: 'queue-operation' }, 'queue-operation/operation'],
			[{ type: 'pr-link' }, 'pr-link/prUrl'],
			[{ type: 'attachment' }, 'attachment/attachment'],
			[{ type: 'last-prompt' }, 'last-prompt/leafUuid'],
		];
		for (const [line, rule] of cases) {
			const issues = check([...session(), line]);
			expect(
				issues.map((issue) => issue.rule),
				rule,
			).toContain(`claude-code/${rule}`);
			for (const issue of issues.filter((one) => one.rule.endsWith(rule))) expect(issue.line).toBe(5);
		}
	});

	test('a block without its fields is an error, because the API rejects it', () => {
		const blocks: readonly [JsonObject, string][] = [
			[{ type: 'text' }, 'block.text/text'],
			[{ type: 'tool_use', name: 'x', input: {} }, 'block.tool_use/id'],
			[{ type: 'tool_use', id: 't', input: {} }, 'block.tool_use/name'],
			[{ type: 'tool_use', id: 't', name: 'x', input: 'x' }, 'block.tool_use/input'],
			[{ type: 'thinking', signature: 'x' }, 'block.thinking/thinking'],
			[{ type: 'thinking', thinking: 'x' }, 'block.thinking/signature'],
			[{ type: 'redacted_thinking' }, 'block.redacted_thinking/data'],
			[{ type: 'tool_result', content: 'x' }, 'block.tool_result/tool_use_id'],
		];
		for (const [block, rule] of blocks) {
			const lines = changed(3, (line) => {
				message(line).content = [block];
			});
			expect(found(lines), rule).toContain(`error ${rule} 4`);
		}
	});

	test('positions are line, byte offset and path', () => {
		const lines = changed(3, (line) => {
			message(line).content = [{ type: 'text' }];
		});
		const offset = Buffer.byteLength(
			lines
				.slice(0, 3)
				.map((line) => `${JSON.stringify(line)}\n`)
				.join(''),
		);
		expect(check(lines)).toEqual([
			expect.objectContaining({ line: 4, offset, path: 'message.content[0].text', record: 3 }),
		]);
	});
});

describe('the parent chain', () => {
	test('a second root loses what is before it', () => {
		const lines = changed(2, (line) => {
			line.parentUuid = null;
		});
		expect(found(lines)).toContain('error several-roots 1');
	});

	test('a first prompt that was taken back and asked again is no error', () => {
		const snapshot = { messageId: 'u3', trackedFileBackups: {}, timestamp: '2026-01-03T10:00:03.000Z' };
		const lines = changed(2, (line) => {
			line.parentUuid = null;
			message(line).content = 'again';
		});
		lines.splice(2, 0, { type: 'file-history-snapshot', messageId: 'u3', snapshot, isSnapshotUpdate: false });
		expect(found(lines)).toEqual(['info rewound-root 1']);
	});

	test('a missing parent is a warning that names the version', () => {
		const lines = changed(2, (line) => {
			line.parentUuid = 'gone';
		});
		const issue = check(lines).find((one) => one.rule === 'claude-code/broken-parent');
		expect(issue).toMatchObject({ severity: 'warning', line: 3, path: 'parentUuid' });
		expect(issue?.message).toContain('2.1.29');
	});

	test('a message in a line that cannot be read is an error when the chain shows it', () => {
		const lines: (Line | string)[] = session();
		lines[1] = '{"type":"assistant","uuid":"u2",';
		expect(found(lines)).toContain('error lost-record 2');
	});

	test('a cycle is found and does not hang', () => {
		const lines = changed(0, (line) => {
			line.parentUuid = 'u4';
		});
		expect(found(lines).filter((text) => text.includes('cycle'))).toHaveLength(1);
	});

	test('two lines with one uuid are an error, a repeated line is not', () => {
		const doubled = session();
		doubled.push(at(doubled, 3));
		expect(found(doubled)).toEqual(['warning repeated-line 5']);
		const reused = changed(3, (line) => {
			line.uuid = 'u3';
		});
		expect(found(reused)).toContain('error duplicate-uuid 4');
	});

	test('progress as a parent and a parent that comes later deviate from the document', () => {
		const lines = session();
		const progress = { ...at(lines, 2), type: 'progress', uuid: 'p', data: { type: 'x' } };
		delete (progress as Line).message;
		lines.splice(2, 0, progress);
		at(lines, 3).parentUuid = 'p';
		expect(found(lines)).toContain('warning progress-parent 4');
		const swapped = session();
		swapped.reverse();
		expect(found(swapped)).toContain('warning parent-order 2');
	});

	test('an unknown type in the chain is a warning that names the version', () => {
		const lines = session();
		lines.splice(2, 0, { ...at(lines, 2), type: 'x-foo', uuid: 'x' });
		at(lines, 3).parentUuid = 'x';
		const issue = check(lines).find((one) => one.rule === 'claude-code/unknown-link');
		expect(issue?.message).toContain('2.1.29');
	});

	test('blocks of a reply follow each other and results follow the last', () => {
		const lines = session();
		const second = structuredClone(at(lines, 1));
		second.uuid = 'u2b';
		second.parentUuid = 'u2';
		second.timestamp = '2026-01-03T10:00:02.500Z';
		message(second).content = [{ type: 'tool_use', id: 'toolu_2', name: 'Read', input: {} }];
		const result = structuredClone(at(lines, 2));
		result.uuid = 'u3b';
		result.parentUuid = 'u2b';
		message(result).content = [{ type: 'tool_result', tool_use_id: 'toolu_2', content: 'x' }];
		result.timestamp = '2026-01-03T10:00:03.500Z';
		lines.splice(2, 0, second);
		lines.splice(4, 0, result);
		at(lines, 5).parentUuid = 'u3b';
		expect(found(lines)).toEqual(['warning result-chain 4', 'warning parallel-results 4']);
		at(lines, 3).parentUuid = 'u2b';
		at(lines, 4).parentUuid = 'u3';
		expect(found(lines)).toEqual([]);
		at(lines, 2).parentUuid = 'u1';
		expect(found(lines)).toContain('warning block-chain 3');
	});

	test('the latest time decides where 2.1.29 goes on', () => {
		const lines = changed(3, (line) => {
			line.timestamp = '2026-01-03T10:00:03.000Z';
		});
		expect(found(lines)).toEqual(['warning leaf-choice 3']);
	});

	test('a last message without a time is an error', () => {
		const lines = changed(3, (line) => {
			delete line.timestamp;
		});
		expect(found(lines)).toContain('error leaf-time 4');
	});

	test('a pointer that keeps the client on another branch is an error', () => {
		const lines = session();
		const again = { ...at(lines, 0), uuid: 'u5', parentUuid: 'u1', timestamp: '2026-01-03T10:00:09.000Z' };
		lines.push({ type: 'last-prompt', lastPrompt: 'x', leafUuid: 'u4', sessionId }, again);
		expect(found(lines)).toContain('error stale-pointer 6');
		at(lines, 4).leafUuid = 'u1';
		expect(found(lines).filter((text) => text.startsWith('error'))).toEqual([]);
	});

	test('the first user message has no parent', () => {
		const lines = session();
		lines.unshift({ ...at(lines, 0), type: 'attachment', uuid: 'u0', attachment: { type: 'date' } });
		delete at(lines, 0).message;
		at(lines, 1).parentUuid = 'u0';
		expect(found(lines)).toContain('warning first-root 2');
	});

	test('of several messages without a uuid all but one are lost', () => {
		const lines = session();
		delete at(lines, 1).uuid;
		delete at(lines, 3).uuid;
		expect(found(lines).filter((text) => text.includes('message-uuid'))).toEqual([
			'error message-uuid 2',
			'error message-uuid 4',
		]);
	});

	test('a branch that is not continued is worth knowing', () => {
		const lines = session();
		lines.push({ ...at(lines, 0), uuid: 'u5', parentUuid: 'u1', timestamp: '2026-01-03T10:00:09.000Z' });
		expect(found(lines)).toContain('info branches 4');
	});
});

describe('replies', () => {
	test('several replies without a message id are an error, one is not', () => {
		const lines = session();
		delete message(at(lines, 3)).id;
		expect(found(lines)).toEqual(['warning assistant/message.id 4']);
		delete message(at(lines, 1)).id;
		expect(found(lines).filter((text) => text.includes(' message-id'))).toEqual([
			'error message-id 2',
			'error message-id 4',
		]);
	});

	test('one block per line and one result per line are the document’s', () => {
		const lines = session();
		message(at(lines, 3)).content = [
			{ type: 'text', text: 'a' },
			{ type: 'text', text: 'b' },
		];
		const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' };
		message(at(lines, 2)).content = [result, { ...result, tool_use_id: 'toolu_1' }];
		const issues = check(lines);
		expect(issues.filter((issue) => issue.profile === 'published').map((issue) => issue.rule)).toEqual([
			'claude-code/one-result',
			'claude-code/one-block',
		]);
	});

	test('message id and request id group the same lines', () => {
		const lines = session();
		at(lines, 3).requestId = 'req_1';
		expect(found(lines)).toEqual(['warning response-split 4']);
		message(at(lines, 3)).id = 'msg_1';
		at(lines, 3).requestId = 'req_9';
		expect(found(lines)).toContain('warning request-group 4');
	});

	test('a string, blank text, odd blocks and odd ids are reported', () => {
		const cases: readonly [JsonObject[string], string][] = [
			['text', 'warning assistant-string 4'],
			[[{ type: 'text', text: ' \n' }], 'warning blank-text 4'],
			[[{ type: 'weird' }], 'warning unknown-block 4'],
			[['x'], 'warning block-object 4'],
			[[], 'warning empty-content 4'],
			[[{ type: 'thinking', thinking: 'x', signature: '' }], 'warning thinking-signature 4'],
			[[{ type: 'tool_use', id: 'a|b', name: 'x', input: {} }], 'error tool-id 4'],
		];
		for (const [content, expected] of cases) {
			const lines = changed(3, (line) => {
				message(line).content = content;
			});
			expect(found(lines)).toContain(expected);
		}
	});
});

describe('tool calls', () => {
	test('a call without a result is an error when the conversation goes on', () => {
		const lines = changed(2, (line) => {
			message(line).content = 'never mind';
		});
		expect(found(lines)).toEqual(['error unanswered-call 2']);
		expect(found(session().slice(0, 2))).toEqual(['warning interrupted 2']);
	});

	test('a result without a call is an error, a second one a warning', () => {
		const orphan = changed(2, (line) => {
			message(line).content = [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'x' }];
		});
		expect(found(orphan)).toContain('error orphan-result 3');
		const lines = session();
		const twice = structuredClone(at(lines, 2));
		twice.uuid = 'u3b';
		twice.parentUuid = 'u3';
		lines.splice(3, 0, twice);
		at(lines, 4).parentUuid = 'u3b';
		expect(found(lines)).toContain('warning repeated-result 4');
	});

	test('two calls with one id are an error', () => {
		const lines = changed(3, (line) => {
			message(line).content = [{ type: 'tool_use', id: 'toolu_1', name: 'x', input: {} }];
		});
		expect(found(lines)).toContain('error repeated-call 4');
	});
});

describe('whole files', () => {
	test('an empty file and a file without messages hold no conversation', () => {
		expect(found([])).toEqual(['error no-messages 0']);
		expect(found([{ type: 'summary', summary: 'x', leafUuid: 'y' }])).toEqual(['error no-messages 0']);
	});

	test('a file of sidechains is refused unless it is a sub-agent’s own', () => {
		const side = session().map((line) => ({ ...line, isSidechain: true }) as Line);
		expect(found(side)).toContain('error all-sidechain 1');
		const own = side.map((line) => ({ ...line, agentId: 'ab97f57' }));
		expect(found(own)).toEqual([]);
	});

	test('a boundary without its summary as a user line loses the history in the client', () => {
		const boundary = {
			...at(session(), 0),
			type: 'system',
			subtype: 'compact_boundary',
			uuid: 'b',
			logicalParentUuid: 'u4',
			content: 'Conversation compacted',
			level: 'info',
			compactMetadata: { trigger: 'auto', preTokens: 5 },
			timestamp: '2026-01-03T10:00:05.000Z',
		} as Line;
		delete boundary.message;
		const next = { ...at(session(), 0), uuid: 'u5', timestamp: '2026-01-03T10:00:06.000Z' };
		const lines = [...session(), { type: 'summary', summary: 'S', leafUuid: 'u4' }, boundary, next];
		expect(found(lines)).toEqual(['error compaction-summary 6']);
		expect(issuesIn('published', check(lines))).toEqual([]);
		const summary = {
			...next,
			uuid: 's',
			parentUuid: 'b',
			isCompactSummary: true,
			timestamp: '2026-01-03T10:00:05.500Z',
		};
		expect(found([...lines.slice(0, 6), summary, { ...next, parentUuid: 's' }])).toEqual([]);
	});

	test('smaller deviations from the document are reported in its profile', () => {
		const cases: readonly [Line, string][] = [
			[{ ...at(session(), 0), uuid: 'x', isSidechain: true }, 'warning sidechain-agent 5'],
			[{ type: 'system', subtype: 'compact_boundary', uuid: 'x', parentUuid: 'u4' }, 'warning boundary-root 5'],
			[{ type: 'summary', summary: 'x', leafUuid: 'elsewhere' }, 'info summary-leaf 5'],
			[{ type: 'mode', mode: 'normal', sessionId }, 'info not-published 5'],
		];
		for (const [line, expected] of cases) expect(found([...session(), line])).toContain(expected);
		const stopped = changed(3, (line) => {
			message(line).stop_reason = 'max_tokens';
		});
		expect(found(stopped)).toEqual(['info stop-reason 4']);
	});

	test('a future version and an unknown line are warnings', () => {
		const lines = session().map((line) => ({ ...line, version: '3.0.0' }) as Line);
		expect(found([...lines, { type: 'x-new', sessionId }])).toEqual([
			'warning newer-version 1',
			'warning unknown-type 5',
		]);
	});

	test('lines of two sessions and a session id that is no UUID are reported once', () => {
		const lines = session().map((line) => ({ ...line, sessionId: 'sess-001' }) as Line);
		expect(found(lines)).toEqual(['error session-uuid 1']);
		at(lines, 2).sessionId = 'other';
		expect(found(lines)).toContain('warning session-ids 3');
	});

	test('a line without a type, a torn tail and a line that is no object are found', () => {
		const lines = session();
		delete at(lines, 3).type;
		expect(found(lines)).toContain('error type 4');
		expect(found([...session(), 'null'])).toEqual(['warning not-object 5']);
		const torn = Buffer.from(`${JSON.stringify(at(session(), 0))}\n{"type":"assis`);
		expect(checkBytes(claudeCode, torn).map((issue) => issue.rule)).toEqual(['claude-code/torn']);
	});
});

describe('the corpus', () => {
	/** What each hand-written file must be reported for. Files that both clients resume whole need nothing. */
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
			// The picker's files were written by hand to see what it lists.
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
