/** The recorders of transcript, file history and context collapse. */
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { prompt, Scratch } from '../../../test/support/sessions.ts';
import { checkFile } from '../reader/check.ts';
import { openSession } from '../reader/session-reader.ts';
import { openHandle } from './handle.ts';
import { recordContextCollapseSnapshot, recordFileHistorySnapshot, recordTranscript } from './records.ts';

/** A session where the client keeps it, so that copies of files have their place. */
function placed(scratch: Scratch): string {
	const file = join(scratch.folder, 'projects', '-home-dev-notes', 'session.jsonl');
	mkdirSync(dirname(file), { recursive: true });
	renameSync(scratch.copy('claude-code'), file);
	return file;
}

test('recordTranscript appends what the session reads back', async () => {
	using scratch = new Scratch();
	const file = placed(scratch);
	await using handle = await openHandle(file, { machine: scratch.machine });
	const { entries } = await recordTranscript(handle, prompt('recorded'));
	expect((await openSession(file)).entries.slice(-1)).toEqual(entries);
});

test('recordFileHistorySnapshot keeps a copy per state of a file, and never writes over one', async () => {
	using scratch = new Scratch();
	const file = placed(scratch);
	await using handle = await openHandle(file, { machine: scratch.machine });
	const message = handle.leaf ?? '';
	await recordFileHistorySnapshot(handle, { message, files: { 'src/a.ts': 'one', 'src/new.ts': null } });
	await recordFileHistorySnapshot(handle, { message, files: { 'src/a.ts': 'one' }, update: true });
	await recordFileHistorySnapshot(handle, { message, files: { 'src/a.ts': 'two' }, update: true });
	const checkpoints = (await openSession(file)).entries.filter((entry) => entry.kind === 'checkpoint').slice(-3);
	const states = checkpoints.map((entry) => entry.files.find((one) => one.path === 'src/a.ts')?.state);
	expect(states.map((state) => (state?.is === 'backup' ? state.version : state?.is))).toEqual([1, 1, 2]);
	expect(checkpoints[0]?.files.find((one) => one.path === 'src/new.ts')?.state).toEqual({
		is: 'absent',
		version: 1,
	});
	expect(checkpoints.map((entry) => [entry.of, entry.update])).toEqual([
		[message, false],
		[message, true],
		[message, true],
	]);
	const folder = join(scratch.folder, 'file-history', 'session');
	const texts = states.map((state) => (state?.is === 'backup' ? readFileSync(join(folder, state.name), 'utf8') : ''));
	expect(texts).toEqual(['one', 'one', 'two']);
	expect(checkFile(file, 'client').issues.filter((issue) => issue.severity === 'error')).toEqual([]);
});

test('recordContextCollapseSnapshot writes a line that the conversation does not go through', async () => {
	using scratch = new Scratch();
	const file = placed(scratch);
	await using handle = await openHandle(file, { machine: scratch.machine });
	const { leaf } = handle;
	await recordContextCollapseSnapshot(handle, { summary: 'what was said', savedTokens: 1200 });
	expect(handle.leaf).toBe(leaf);
	const last = (await openSession(file)).entries.at(-1);
	expect(last).toMatchObject({ kind: 'event', event: { type: 'collapse', of: 'context-collapse-snapshot' } });
	expect(last?.kind === 'event' && 'data' in last.event && last.event.data).toMatchObject({ savedTokens: 1200 });
});

test('what only Claude Code records is refused elsewhere, by name', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('openclaw');
	await using handle = await openHandle(file, { machine: scratch.machine });
	await expect(recordFileHistorySnapshot(handle, { message: 'x', files: {} })).rejects.toThrow(
		'records no file history',
	);
});
