/** What validation finds, and what it leaves alone. */
import { describe, expect, test } from 'vitest';
import {
	at,
	changed,
	check,
	found,
	type Line,
	message,
	session,
} from '../../../../test/support/claude-code-checked.ts';
import type { JsonObject } from '../../../model/index.ts';
import { claudeCode } from '../index.ts';

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
		claudeCode.check.rules
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
