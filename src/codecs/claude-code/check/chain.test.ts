/** What validation finds in the links between lines and in files as a whole. */
import { describe, expect, test } from 'vitest';
import {
	at,
	changed,
	check,
	found,
	type Line,
	message,
	session,
	sessionId,
} from '../../../../test/support/claude-code-checked.ts';
import { checkBytes, issuesIn } from '../../shared/check/check.ts';
import { claudeCode } from '../index.ts';

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
