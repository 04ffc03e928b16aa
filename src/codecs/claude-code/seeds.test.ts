/** Every sample of the published document: typed, valid, and the same bytes again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkNeverThrows, readThenWriteGivesTheSameBytes } from '../../../test/support/laws.ts';
import type { Entry } from '../../model/index.ts';
import { checkBytes, issuesIn } from '../shared/check/check.ts';
import { decodeBytes } from '../shared/read/read.ts';
import { claudeCode } from './index.ts';

const folder = join(import.meta.dirname, '../../../test/seeds/claude-code-session-protocol');
const files = readdirSync(folder).sort();
const bytesOf = (name: string): Uint8Array => readFileSync(join(folder, name));
const sessionOf = (name: string) => decodeBytes(claudeCode, bytesOf(name));
const word = (entry: Entry): string => (entry.kind === 'event' ? entry.event.type : entry.kind);

/** The kinds of entries in each fixture, one letter per message, in file order. */
const expected: { readonly [name: string]: string } = {
	'3-envelope': 'message',
	'4.1.1-direct-user-input': 'message',
	'4.1.2-skill-expansion': 'message message message',
	'4.1.3-tool-result': 'message message message message',
	'4.2.1-text-block': 'message message',
	'4.2.2-tool-use-block': 'message message message message',
	'4.2.3-thinking-block': 'message message message',
	'4.3.1-compact-boundary': 'message message summary compaction message message',
	'4.3.2-turn-duration': 'message message timing',
	'4.3.3-local-command': 'message message command',
	'4.4-summary': 'message message summary',
	'4.5.1-bash-progress': 'message message progress message message',
	'4.5.2-agent-progress': 'message message progress message message',
	'4.5.3-hook-progress': 'progress message message',
	'4.5.4-query-update': 'message message progress message message',
	'4.5.4-search-results-received': 'message message progress message message',
	'4.5.5-waiting-for-task': 'message message progress message message',
	'4.6-initial-snapshot': 'message checkpoint message',
	'4.6-update-snapshot': 'message message checkpoint message message',
	'4.7-queue-operation': 'queue message message',
	'4.8-pr-link': 'message message pr_link',
	'5-parent-chain': 'message message message message message message message',
	'7.1-tool-invocation': 'message message message message',
	'7.2-tool-result': 'message message message message',
	'7.3-bash': 'message message message message',
	'7.3-edit': 'message message message message',
	'7.3-glob': 'message message message message',
	'7.3-read': 'message message message message',
	'7.3-task': 'message message message message',
	'7.3-todo-write': 'message message message message',
	'7.3-write': 'message message message message',
	'8-parent-session': 'message message message message',
	'8-subagent-session': 'message message message message message message',
	'9-context-compaction': 'message message summary compaction message message',
	'10-block-splitting': 'message message message message message message message message',
	'11-full-conversation': 'checkpoint message message message message timing',
};

test('every sample of the document is a fixture with an expectation', () => {
	expect(files.map((name) => name.replace(/\.jsonl$/, '')).sort()).toEqual(Object.keys(expected).sort());
});

test('every sample decodes to typed entries of the expected kind', () => {
	for (const [name, kinds] of Object.entries(expected)) {
		const session = sessionOf(`${name}.jsonl`);
		expect(session.entries.map(word).join(' '), name).toBe(kinds);
		expect(session.issues, name).toEqual([]);
		for (const entry of session.entries) {
			if (entry.kind !== 'message') continue;
			for (const block of entry.content) expect(block.type, name).not.toBe('opaque');
		}
	}
});

test('every sample passes check in profile published without error or warning', () => {
	for (const name of files) {
		const issues = issuesIn('published', checkBytes(claudeCode, bytesOf(name)));
		expect(
			issues.filter((issue) => issue.severity !== 'info'),
			name,
		).toEqual([]);
	}
});

test('every sample round-trips byte for byte', () => {
	for (const name of files) {
		readThenWriteGivesTheSameBytes(claudeCode, bytesOf(name));
		checkNeverThrows(claudeCode, bytesOf(name));
	}
});

describe('what the samples say', () => {
	test("each tool's structured result is kept whole", () => {
		for (const tool of ['read', 'glob', 'bash', 'write', 'edit', 'todo-write', 'task']) {
			const name = `7.3-${tool}.jsonl`;
			const line = Buffer.from(bytesOf(name)).toString('utf8').split('\n')[2] ?? '';
			const { toolUseResult } = JSON.parse(line) as { toolUseResult: unknown };
			const details = sessionOf(name).entries.flatMap((entry) =>
				entry.kind === 'message'
					? entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.details] : []))
					: [],
			);
			expect(details, tool).toEqual([toolUseResult]);
		}
	});

	test("a sub-agent's file shares the session's id and has its own agent id", () => {
		const parent = sessionOf('8-parent-session.jsonl');
		const agent = sessionOf('8-subagent-session.jsonl');
		expect(agent.header).toMatchObject({ id: parent.id, agent: 'ab97f57' });
		expect(agent.entries[0]).toMatchObject({ parent: null, agent: 'ab97f57' });
		const details = parent.entries.flatMap((entry) =>
			entry.kind === 'message' ? entry.content.map((block) => 'details' in block && block.details) : [],
		);
		expect(details).toContainEqual(expect.objectContaining({ agentId: 'ab97f57', status: 'completed' }));
	});

	test('the parent chain of the document is one path from A to G', () => {
		const { entries } = sessionOf('5-parent-chain.jsonl');
		entries.forEach((entry, index) => {
			expect(entry.parent).toBe(entries[index - 1]?.id ?? null);
		});
		expect(entries[1]).toMatchObject({ audience: 'model' });
	});

	test('the blocks of one reply share request and message id', () => {
		const blocks = sessionOf('10-block-splitting.jsonl').entries.slice(1, 5);
		for (const block of blocks) expect(block).toMatchObject({ response: { id: 'msg_X', request: 'req_X' } });
		expect(blocks.map((block) => block.kind === 'message' && block.response?.stop)).toEqual([
			undefined,
			undefined,
			undefined,
			'tool',
		]);
	});
});
