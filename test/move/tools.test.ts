/** Laws of `--map-tools`: exact or not at all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormatId, JsonObject } from '../../src/model/index.ts';
import { mapTools } from '../../src/move/map-tools.ts';
import { translateCall } from '../../src/move/tool-translation.ts';
import { formats } from '../support/sessions.ts';

const exact: readonly (readonly [FormatId, string, JsonObject, FormatId, string, JsonObject])[] = [
	['claude-code', 'Read', { file_path: '/a' }, 'openclaw', 'read', { path: '/a' }],
	[
		'claude-code',
		'Read',
		{ file_path: '/a', offset: 3, limit: 2 },
		'openclaw',
		'read',
		{ path: '/a', offset: 3, limit: 2 },
	],
	[
		'claude-code',
		'Read',
		{ file_path: '/a', offset: 3, limit: 2 },
		'cline',
		'read_files',
		{ files: [{ path: '/a', start_line: 3, end_line: 4 }] },
	],
	['claude-code', 'Write', { file_path: '/a', content: 'x' }, 'clido', 'Write', { file_path: '/a', content: 'x' }],
	[
		'claude-code',
		'Edit',
		{ file_path: '/a', old_string: 'x', new_string: 'y', replace_all: false },
		'openclaw',
		'edit',
		{ path: '/a', edits: [{ oldText: 'x', newText: 'y' }] },
	],
	['claude-code', 'Bash', { command: 'ls', timeout: 2000 }, 'openclaw', 'bash', { command: 'ls', timeout: 2 }],
	['claude-code', 'Bash', { command: 'ls' }, 'cline', 'run_commands', { commands: ['ls'] }],
	['claude-code', 'Glob', { pattern: '*.ts' }, 'openclaw', 'find', { pattern: '*.ts' }],
	[
		'openclaw',
		'edit',
		{ path: '/a', oldText: 'x', newText: 'y' },
		'cline',
		'editor',
		{ path: '/a', old_text: 'x', new_text: 'y' },
	],
	['cline', 'editor', { path: '/a', new_text: 'x' }, 'claude-code', 'Write', { file_path: '/a', content: 'x' }],
	['cline', 'run_commands', { commands: ['ls'] }, 'openclaw', 'bash', { command: 'ls' }],
	['clido', 'Read', { file_path: 'a' }, 'openclaw', 'read', { path: 'a' }],
];

const inexact: readonly (readonly [FormatId, string, JsonObject, FormatId])[] = [
	['claude-code', 'Edit', { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true }, 'openclaw'],
	['claude-code', 'Bash', { command: 'ls', timeout: 1500 }, 'openclaw'],
	['claude-code', 'Bash', { command: 'ls', run_in_background: true }, 'openclaw'],
	['claude-code', 'Write', { file_path: '/a', content: 'x' }, 'cline'],
	['claude-code', 'Grep', { pattern: 'x' }, 'openclaw'],
	['claude-code', 'Read', { file_path: 7 }, 'openclaw'],
	['claude-code', 'mcp__srv__do', { a: 1 }, 'openclaw'],
	['cline', 'run_commands', { commands: ['a', 'b'] }, 'openclaw'],
	['cline', 'read_files', { files: [{ path: 'a' }, { path: 'b' }] }, 'claude-code'],
	[
		'openclaw',
		'edit',
		{
			path: '/a',
			edits: [
				{ oldText: 'x', newText: 'y' },
				{ oldText: 'a', newText: 'b' },
			],
		},
		'claude-code',
	],
];

describe('tools', () => {
	it.each(exact)('%s %s %j is for %s: %s', (from, name, input, to, toName, toInput) => {
		expect(translateCall({ name, input }, from, to)).toEqual({ name: toName, input: toInput, left: [] });
	});

	it.each(inexact)('%s %s %j has no exact counterpart in %s', (from, name, input, to) => {
		expect(translateCall({ name, input }, from, to)).toBeUndefined();
	});

	it('a remark that changes nothing is left out, and a loss says so', () => {
		const input = { command: 'ls', description: 'list' };
		const content = [{ type: 'tool_call', id: '1', name: 'Bash', input }] as const;
		const losses: Parameters<typeof mapTools>[3] = [];
		const [entry] = mapTools(
			[{ kind: 'message', id: 'a', parent: null, role: 'assistant', content, records: [] }],
			'claude-code',
			'openclaw',
			losses,
		);
		expect(entry).toMatchObject({ content: [{ name: 'bash', input: { command: 'ls' } }] });
		expect(losses.map((loss) => loss.how)).toEqual(['approximated', 'dropped']);
	});

	it('there and back is the same call', () => {
		const calls = exact.map(([from, name, input]) => ({ from, name, input }));
		fc.assert(
			fc.property(fc.constantFrom(...calls), fc.constantFrom(...formats), ({ from, name, input }, to) => {
				const there = translateCall({ name, input }, from, to);
				const back = there && translateCall(there, to, from);
				if (!back) return;
				expect(translateCall(back, from, to)).toEqual(there);
			}),
		);
	});
});
