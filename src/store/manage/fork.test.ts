/** Forks: the lineage of each format, and how much of a session they hold. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { conversationOf } from '../../../test/support/laws.ts';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { bytesAt, fileNamed, formats, Scratch } from '../../../test/support/sessions.ts';
import { isManifest } from '../../codecs/cline/index.ts';
import { type Entry, type EntryId, path } from '../../model/index.ts';
import { thisMachine } from '../find/folders.ts';
import { checkFile } from '../reader/check.ts';
import { openSession } from '../reader/session-reader.ts';
import { type ForkOptions, forkSession as fork } from './fork.ts';

const elsewhere = scratchMachine();
afterAll(() => elsewhere[Symbol.dispose]());
const forkSession = (path: string, at?: string | null, options: ForkOptions = {}) =>
	fork(path, at as EntryId | null | undefined, { machine: elsewhere.machine, ...options });

const errorsIn = (file: string) => checkFile(file, 'client').issues.filter((issue) => issue.severity === 'error');

describe.each(formats)('%s', (format) => {
	test('a fork says the same up to the entry, under an id of its own, and the original is untouched', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		const before = bytesAt(file);
		const old = await openSession(file);
		for (const entry of path(old).filter((one) => one.kind === 'message')) {
			const to = join(scratch.folder, entry.id.replace(':', '-'), fileNamed(format, 'f'));
			const made = await forkSession(file, entry.id, { to });
			const fork = await openSession(made.path);
			expect(fork.id).toBe(made.id);
			expect(fork.id).not.toBe(old.id);
			expect(conversationOf(path(fork))).toEqual(conversationOf(path(old, entry.id)));
			expect(errorsIn(made.path)).toEqual([]);
		}
		expect(bytesAt(file).equals(before)).toBe(true);
	});

	test('a fork of a fork works, and nothing is ever written over', async () => {
		using scratch = new Scratch();
		const first = await forkSession(scratch.copy(format));
		const second = await forkSession(first.path);
		expect(second.path).not.toBe(first.path);
		await expect(forkSession(first.path, undefined, { to: second.path })).rejects.toThrow('exists already');
	});

	test('an entry that is not there is named', async () => {
		using scratch = new Scratch();
		await expect(forkSession(scratch.copy(format), 'nowhere')).rejects.toThrow('nowhere is not there');
	});
});

test('where our own data cannot be written a copy is made all the same, and says what it has not', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('claude-code');
	const last = (await openSession(file)).entries.findLast(({ kind }) => kind === 'message');
	const snapshot = { messageId: last?.id, trackedFileBackups: {}, timestamp: '2026-01-01T00:00:00.000Z' };
	const line = { type: 'file-history-snapshot', messageId: last?.id, snapshot, isSnapshotUpdate: false };
	appendFileSync(file, `${JSON.stringify(line)}\n`);
	const inTheWay = join(scratch.folder, 'a-file');
	writeFileSync(inTheWay, '');
	const machine = { ...thisMachine(), env: { ...process.env, REPRISE_HOME: join(inTheWay, 'own') } };
	const { path: made, losses } = await forkSession(file, undefined, {
		to: join(scratch.folder, 'copy.jsonl'),
		machine,
	});
	expect(errorsIn(made)).toEqual([]);
	const dropped = (note: string) => ({ path: 'lineage', how: 'dropped', note: expect.stringContaining(note) });
	expect(losses).toMatchObject([dropped('its file history'), dropped('which session wrote')]);
});

test('a session that is written meanwhile is copied as it was at one moment', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('claude-code');
	const old = await openSession(file);
	const last = path(old).findLast(({ kind }) => kind === 'message');
	const line =
		readFileSync(file, 'utf8')
			.split('\n')
			.find((one) => one.includes(`"uuid":"${last?.id}"`)) ?? '';
	const next = { ...JSON.parse(line), uuid: randomUUID(), parentUuid: old.leaf };
	for (let turns = 0; turns < 5; turns += 1) {
		const forking = forkSession(file, undefined, { to: join(scratch.folder, `${turns}.jsonl`) });
		// As far as the copy goes by itself, and then the session goes on.
		for (let wait = 0; wait < turns; wait += 1) await Promise.resolve();
		appendFileSync(file, `${JSON.stringify({ ...next, uuid: randomUUID() })}\n`);
		await expect(forking).resolves.toMatchObject({ format: 'claude-code' });
	}
});

test('Claude Code: lines keep their ids and bytes, but for the ids of session and prompt', async () => {
	using scratch = new Scratch();
	const recorded = corpusFiles('claude-code').filter((file) => file.scenario === 'resume-fork' && file.role === 'main');
	for (const file of recorded) {
		const copy = scratch.copy('claude-code', file.path);
		const to = join(scratch.folder, `${file.version}-${file.name.replaceAll('/', '-')}`);
		const made = await forkSession(copy, undefined, { to });
		const lines = readFileSync(to, 'utf8').trimEnd().split('\n');
		const old = new Set(readFileSync(copy, 'utf8').split('\n').map(withoutIds));
		for (const line of lines) {
			expect(JSON.parse(line).sessionId).toBe(made.id);
			expect(old.has(withoutIds(line))).toBe(true);
		}
		expect(new Set(lines.map((line) => JSON.parse(line).promptId).filter(Boolean)).size).toBeLessThan(2);
	}
	expect(recorded.length).toBeGreaterThan(1);
});

function withoutIds(line: string): string {
	return line.replace(/"(sessionId|session_id|promptId)":"[^"]*"/g, '"$1":""');
}

test('Claude Code: results that hang beside the path come along', async () => {
	using scratch = new Scratch();
	const tree = corpusFiles('claude-code').find((file) => file.scenario.startsWith('parallel_real_style'));
	const file = scratch.copy('claude-code', tree?.path);
	const made = await forkSession(file);
	const fork = await openSession(made.path);
	expect(conversationOf(fork.entries)).toEqual(conversationOf((await openSession(file)).entries));
});

test('pi: the header names the file that it came from, and labels are made anew', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('openclaw');
	const session = await openSession(file);
	const target = path(session).find((entry) => entry.kind === 'message') as Entry;
	const { leaf } = session;
	const label = { type: 'label', id: '0abe1000', parentId: leaf, timestamp: '2026-03-02T10:00:00.000Z' };
	writeFileSync(file, `${bytesAt(file)}${JSON.stringify({ ...label, targetId: target.id, label: 'here' })}\n`);
	const made = await forkSession(file, target.id);
	const fork = await openSession(made.path);
	expect(fork.header.from).toEqual({ how: 'fork', session: file });
	expect(fork.entries.at(-1)).toMatchObject({ kind: 'label', target: target.id, text: 'here' });
	const lines = new Set(bytesAt(file).toString('utf8').split('\n'));
	const copied = bytesAt(made.path).toString('utf8').trimEnd().split('\n').slice(1, -1);
	expect(copied.every((line) => lines.has(line))).toBe(true);
});

test('Clido: the first meta line is the fork’s, the second names the original', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('clido');
	const old = await openSession(file);
	const fork = await openSession((await forkSession(file)).path);
	expect(fork.header.from).toEqual({ how: 'fork', session: old.id });
	const lines = bytesAt(fork.id === '' ? file : join(dirname(file), `${fork.id}.jsonl`));
	expect(lines.subarray(lines.indexOf(10) + 1).equals(bytesAt(file))).toBe(true);
});

test('Cline: a folder of its own and a manifest that says where it came from', async () => {
	using scratch = new Scratch();
	const old = await openSession(scratch.copy('cline'));
	const folder = join(scratch.folder, 'sessions', old.id);
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `${old.id}.messages.json`);
	renameSync(join(scratch.folder, 'session.messages.json'), file);
	const { files } = await forkSession(file);
	const [main = '', manifest = ''] = files;
	expect(dirname(main)).not.toBe(folder);
	const said = JSON.parse(readFileSync(manifest, 'utf8'));
	expect(said).toMatchObject({ messages_path: main, status: 'completed' });
	expect(said.metadata.fork.forkedFromSessionId).toBe(old.id);
	expect(isManifest(said)).toBe(true);
});
