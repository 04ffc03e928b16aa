/** A file can be changed as often as the work needs it, and each prompt can be undone for itself. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Frame, onlyGoingOn } from '../support/client.ts';
import { newStage } from '../support/new-stage.ts';

const edit = (before: string, after: string) => ({
	content: [{ type: 'tool_use', name: 'Edit', input: { file_path: 'a.txt', old_string: before, new_string: after } }],
});
const read = { content: [{ type: 'tool_use', name: 'Read', input: { file_path: 'a.txt' } }] };
const allowed = ['--permission-mode', 'acceptEdits'];

interface Snapshot {
	readonly isSnapshotUpdate: boolean;
	readonly snapshot: { readonly trackedFileBackups: { readonly [path: string]: Backup } };
}
interface Backup {
	readonly backupFileName: string | null;
	readonly version: number;
}

const snapshots = (lines: readonly Frame[]): readonly Snapshot[] =>
	lines.filter(({ type }) => type === 'file-history-snapshot') as unknown as readonly Snapshot[];

describe.each(['claude-code', 'cline', 'clido', 'openclaw'])('in the format %s', (format) => {
	it('a file can be edited twice in one prompt, and again after -c', async () => {
		const stage = newStage();
		const first = stage.script([read, edit('hello', 'one'), edit('one', 'two'), { text: 'done' }] as never);
		const begun = await stage.run(['-p', 'go', '--script', first, ...allowed, '--session-format', format]);
		expect(begun).toEqual({ code: 0, out: 'done\n', err: '' });
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('two\nworld\n');
		const second = stage.script([edit('two', 'three'), edit('three', 'four'), { text: 'done' }] as never);
		const again = await stage.run(['-c', '-p', 'go on', '--script', second, ...allowed]);
		expect(again).toEqual({ code: 0, out: 'done\n', err: expect.stringMatching(onlyGoingOn) });
		expect(readFileSync(stage.file('a.txt'), 'utf8')).toBe('four\nworld\n');
	});
});

it('versions are counted as Claude Code counts them: one per file and prompt, and on after -c', async () => {
	const stage = newStage();
	const write = { content: [{ type: 'tool_use', name: 'Write', input: { file_path: 'new.txt', content: 'v1\n' } }] };
	const runs = [
		[read, edit('hello', 'one'), edit('one', 'two'), write, { text: 'ok' }],
		[{ text: 'nothing to do' }],
		[edit('two', 'three'), { text: 'ok' }],
		[{ text: 'nothing to do' }],
	];
	for (const [index, turns] of runs.entries()) {
		const more = index === 0 ? [] : ['-c'];
		const { err } = await stage.run([...more, '-p', 'x', '--script', stage.script(turns as never), ...allowed]);
		expect(err).toMatch(more.includes('-c') ? onlyGoingOn : /^$/);
	}
	const [session] = await stage.sessions();
	const lines = snapshots(await stage.lines(session?.id));
	const versions = lines.map(({ isSnapshotUpdate, snapshot: { trackedFileBackups: files } }) => [
		isSnapshotUpdate,
		files['a.txt']?.version,
		files['new.txt']?.version,
	]);
	expect(versions).toEqual([
		[false, undefined, undefined],
		[true, 1, undefined],
		[true, 1, 1],
		[false, 2, 2],
		[false, 2, 2],
		[false, 3, 2],
	]);
	const folder = join(stage.home, '.claude/file-history', session?.id ?? '');
	const hash = createHash('sha256').update(stage.file('a.txt')).digest('hex').slice(0, 16);
	const kept = [1, 2, 3].map((version) => readFileSync(join(folder, `${hash}@v${version}`), 'utf8'));
	expect(kept).toEqual(['hello\nworld\n', 'two\nworld\n', 'three\nworld\n']);
	expect(lines[2]?.snapshot.trackedFileBackups['new.txt']?.backupFileName).toBeNull();
});

it('the copy of a file has its bytes, whatever they are', async () => {
	const stage = newStage();
	const bytes = Buffer.from('\uFEFFA\n', 'utf16le');
	writeFileSync(stage.file('a.txt'), bytes);
	const write = { content: [{ type: 'tool_use', name: 'Write', input: { file_path: 'a.txt', content: 'B\n' } }] };
	const script = stage.script([read, write, { text: 'ok' }] as never);
	await stage.run(['-p', 'x', '--script', script, ...allowed]);
	const [session] = await stage.sessions();
	const [, second] = snapshots(await stage.lines(session?.id));
	const name = second?.snapshot.trackedFileBackups['a.txt']?.backupFileName ?? '';
	const main = session?.path ?? '';
	const copy = join(dirname(main), '../../file-history', session?.id ?? '', name);
	expect(readFileSync(copy)).toEqual(bytes);
});

it.each([
	['UTF-16', Buffer.from('\uFEFFhello\r\nworld\r\n', 'utf16le')],
	['CRLF', Buffer.from('hello\r\nworld\r\n')],
	['a byte-order mark', Buffer.from('\uFEFFhello\nworld\n')],
])('a file with %s is known again after -c', async (_, bytes) => {
	const stage = newStage();
	writeFileSync(stage.file('a.txt'), bytes);
	const first = stage.script([read, edit('hello', 'one  '), { text: 'done' }] as never);
	await stage.run(['-p', 'go', '--script', first, ...allowed]);
	const second = stage.script([edit('one', 'two'), { text: 'done' }] as never);
	expect((await stage.run(['-c', '-p', 'go on', '--script', second, ...allowed])).err).toMatch(onlyGoingOn);
	const text = bytes.toString(bytes[1] === 0xfe ? 'utf16le' : 'utf8').replace('hello', 'two');
	expect(readFileSync(stage.file('a.txt'))).toEqual(Buffer.from(text, bytes[1] === 0xfe ? 'utf16le' : 'utf8'));
});
