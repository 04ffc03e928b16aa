/** Files that changed since a session saw them, in all four formats. */
import { createHash } from 'node:crypto';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Scratch } from '../../../test/support/sessions.ts';
import { openSession } from './session-reader.ts';
import { staleFiles } from './stale.ts';

const text = 'first line\nsecond line\n';
const other = 'first line\nanother line\n';

/** One way to record a session in `folder` that last saw `path` with the text above. */
interface Way {
	readonly name: string;
	readonly file: string;
	write(path: string, folder: string): string;
}

const jsonl = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function claude(name: string, details: (path: string) => object): Way {
	const base = { sessionId: '5e5510a0-0000-4000-8000-00000000c0de', isSidechain: false, version: '2.1.325' };
	return {
		name: `Claude Code, ${name}`,
		file: 's.jsonl',
		write: (path, cwd) =>
			jsonl(
				{
					...base,
					...{ type: 'assistant', uuid: 'a', parentUuid: null, cwd, timestamp: '2026-01-01T00:00:00.000Z' },
					message: { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input: {} }] },
				},
				{
					...base,
					...{ type: 'user', uuid: 'b', parentUuid: 'a', cwd, timestamp: '2026-01-01T00:00:01.000Z' },
					message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
					toolUseResult: details(path),
				},
			),
	};
}

function clido(name: string, spell: (hash: string) => string): Way {
	const stale = createHash('sha256').update('before').digest('hex');
	const hash = createHash('sha256').update(text).digest('hex');
	const result = (id: string, path: string, value: string) => ({
		...{ type: 'tool_result', tool_use_id: id, content: 'ok', is_error: false, path },
		...{ content_hash: spell(value), mtime_nanos: 1742560200000000 },
	});
	return {
		name: `Clido, ${name}`,
		file: 's.jsonl',
		write: (path, project_path) =>
			jsonl(
				{ type: 'meta', session_id: 's', schema_version: 1, start_time: '2026-01-01T00:00:00+00:00', project_path },
				// The session itself edited it twice: only the last note holds what it expects.
				result('1', path, stale),
				result('2', path, hash),
			),
	};
}

function pi(name: string, calls: (path: string) => readonly (readonly [string, object, string])[]): Way {
	return {
		name: `pi, ${name}`,
		file: 's.jsonl',
		write: (path, cwd) =>
			jsonl(
				{ type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd },
				...calls(path).flatMap(([tool, args, result], n) => [
					{
						...{ type: 'message', id: `0000000${2 * n}`, parentId: n === 0 ? null : `0000000${2 * n - 1}` },
						timestamp: '2026-01-01T00:00:01.000Z',
						message: { role: 'assistant', content: [{ type: 'toolCall', id: `t${n}`, name: tool, arguments: args }] },
					},
					{
						...{ type: 'message', id: `0000000${2 * n + 1}`, parentId: `0000000${2 * n}` },
						timestamp: '2026-01-01T00:00:02.000Z',
						message: {
							...{ role: 'toolResult', toolCallId: `t${n}`, toolName: tool, isError: false },
							content: [{ type: 'text', text: result }],
						},
					},
				]),
			),
	};
}

function cline(name: string, input: (path: string) => object, content: (path: string) => unknown): Way {
	return {
		name: `Cline, ${name}`,
		file: 's.messages.json',
		write: (path) =>
			JSON.stringify({
				...{ version: 1, updated_at: '2026-01-01T00:00:00.000Z', agent: 'lead', sessionId: 's' },
				messages: [
					{ id: 'a', role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input: input(path) }] },
					{ id: 'b', role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', name, content: content(path) }] },
				],
			}),
	};
}

const ways: readonly Way[] = [
	clido('bare hash', (hash) => hash),
	clido('hash with its name', (hash) => `sha256:${hash}`),
	claude('Read', (path) => ({
		type: 'text',
		file: { filePath: path, content: text, numLines: 3, startLine: 1, totalLines: 3 },
	})),
	claude('Write', (path) => ({ type: 'create', filePath: path, content: text, originalFile: null })),
	claude('Edit', (path) => ({
		...{ filePath: path, oldString: '2nd', newString: 'second', replaceAll: false },
		originalFile: text.replace('second', '2nd'),
	})),
	pi('read', (path) => [['read', { path }, text]]),
	pi('write', (path) => [['write', { path, content: text }, 'ok']]),
	pi('edit', (path) => [
		['write', { path, content: text.replace('second', '2nd') }, 'ok'],
		['edit', { path, edits: [{ oldText: '2nd', newText: 'second' }] }, 'ok'],
	]),
	cline(
		'read_files',
		(path) => ({ files: [{ path }] }),
		(path) => [{ query: path, result: '1 | first line\n2 | second line', success: true }],
	),
	cline(
		'editor',
		(path) => ({ path, new_text: text }),
		(path) => JSON.stringify({ query: `edit:${path}`, result: 'File created', success: true }),
	),
];

const states: readonly (readonly [string, (path: string) => void, string | undefined])[] = [
	['unchanged', () => undefined, undefined],
	['touched', (path) => utimesSync(path, new Date(), new Date('2030-01-01')), undefined],
	['edited', (path) => writeFileSync(path, other), 'edited'],
	['deleted', (path) => rmSync(path), 'deleted'],
];

describe.each(ways)('$name', (way) => {
	test.each(states)('a file that was left %s is reported by what happened to it', async (_, happen, change) => {
		using scratch = new Scratch();
		const path = join(scratch.folder, 'seen.txt');
		writeFileSync(path, text);
		const session = join(scratch.folder, way.file);
		writeFileSync(session, way.write(path, scratch.folder));
		happen(path);
		const found = staleFiles(await openSession(session));
		expect(found.map((file) => [file.path, file.change])).toEqual(change === undefined ? [] : [[path, change]]);
	});
});

test('a path is relative to the folder of the session', async () => {
	using scratch = new Scratch();
	const session = join(scratch.folder, 's.jsonl');
	const [way] = ways;
	writeFileSync(session, way?.write('seen.txt', scratch.folder) ?? '');
	expect(staleFiles(await openSession(session)).map((file) => file.change)).toEqual(['deleted']);
	writeFileSync(join(scratch.folder, 'seen.txt'), text);
	expect(staleFiles(await openSession(session))).toEqual([]);
});

test('a part of a file, and a change whose outcome is not recorded, say nothing about the whole', async () => {
	using scratch = new Scratch();
	const path = join(scratch.folder, 'seen.txt');
	writeFileSync(path, other);
	const silent: readonly Way[] = [
		claude('Read', (file) => ({
			type: 'text',
			file: { filePath: file, content: 'x', numLines: 1, startLine: 1, totalLines: 9 },
		})),
		claude('Edit', (file) => ({ filePath: file, oldString: 'a', newString: 'b', originalFile: null })),
		pi('read', (file) => [['read', { path: file, offset: 3 }, 'x']]),
		pi('edit', (file) => [['edit', { path: file, oldText: 'a', newText: 'b' }, 'ok']]),
	];
	for (const way of silent) {
		const session = join(scratch.folder, way.file);
		writeFileSync(session, way.write(path, scratch.folder));
		expect(staleFiles(await openSession(session))).toEqual([]);
	}
});
