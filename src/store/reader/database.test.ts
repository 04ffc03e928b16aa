/** Laws of reading sessions out of OpenClaw's database. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { corpusRoot } from '../../../test/support/corpus.ts';
import { scratchMachine } from '../../../test/support/scratch.ts';
import { openHandle } from '../handle/handle.ts';
import { checkFile } from './check.ts';
import { databasePath, databaseSessions, databaseTranscript } from './database.ts';
import { openSession } from './session-reader.ts';

const folder = join(corpusRoot, 'openclaw/2026.9.6');
const scenarios = readdirSync(folder);
const scratch = mkdtempSync(join(tmpdir(), 'reprise-db-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function copyOf(scenario: string): string {
	const to = join(mkdtempSync(join(scratch, 'copy-')), 'openclaw-agent.sqlite');
	cpSync(join(folder, scenario, 'home/.openclaw/agents/main/agent/openclaw-agent.sqlite'), to);
	return to;
}

interface ExpectedRow {
	readonly session_id: string;
	readonly event: unknown;
}

function expectedRows(scenario: string): readonly ExpectedRow[] {
	const text = readFileSync(join(folder, scenario, 'expected.transcript-events.jsonl'), 'utf8');
	return text
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as ExpectedRow);
}

describe('a database of sessions', () => {
	it.each(scenarios)('yields exactly the recorded transcript, compressed events included (%s)', (scenario) => {
		const file = copyOf(scenario);
		const expected = expectedRows(scenario);
		for (const { id } of databaseSessions(file) ?? []) {
			const lines = Buffer.from(databaseTranscript(file, id)).toString('utf8').trimEnd().split('\n');
			const wanted = expected.filter((row) => row.session_id === id).map((row) => row.event);
			expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(wanted);
		}
		expect(new Set(expected.map((row) => row.session_id))).toEqual(
			new Set(databaseSessions(file)?.map(({ id }) => id)),
		);
	});

	it('has sessions with a title and a leaf, and a rewind of one makes a file', async () => {
		const file = copyOf('text');
		using mine = scratchMachine();
		for (const { id } of databaseSessions(file) ?? []) {
			const path = `${file}#${id}`;
			const session = await openSession(path);
			await using handle = await openHandle(path, { machine: mine.machine });
			expect(handle.session.header.title ?? '').toBe(session.header.title ?? '');
			const first = session.entries.find((entry) => entry.kind === 'message');
			const { fork, leaf } = await handle.rewind(first?.id ?? '');
			expect([fork?.path.endsWith('.jsonl'), leaf]).toEqual([true, first?.id]);
		}
	});

	it('leaves nothing beside the client’s file', () => {
		const file = copyOf('text');
		databaseSessions(file);
		expect(readdirSync(join(file, '..'))).toEqual(['openclaw-agent.sqlite']);
	});

	it('is readable while the client writes to it', () => {
		const file = copyOf('text');
		const client = new DatabaseSync(file);
		client.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF');
		const id = databaseSessions(file)?.[0]?.id ?? '';
		const before = databaseTranscript(file, id).length;
		client.exec('BEGIN IMMEDIATE');
		const insert = client.prepare(
			'INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)',
		);
		insert.run(id, 9999, '{"type":"custom","id":"x","parentId":null}', 0);
		expect(databaseTranscript(file, id).length).toBe(before);
		client.exec('COMMIT');
		expect(databaseTranscript(file, id).length).toBeGreaterThan(before);
		client.close();
	});

	it('opens by DB#SESSION as a session of its own, and by the database alone when there is only one', async () => {
		const file = copyOf('thinking-tool');
		const id = databaseSessions(file)?.[0]?.id ?? '';
		const session = await openSession(`${file}#${id}`);
		expect(session).toMatchObject({ format: 'openclaw', id });
		expect((await openSession(file)).entries).toEqual(session.entries);
		expect(checkFile(`${file}#${id}`).format).toBe('openclaw');
		await expect(openSession(`${file}#nobody`)).rejects.toThrow('nobody');
	});

	it('a # in a file’s name is part of the name', () => {
		expect(databasePath('/none/a#b')).toEqual({ file: '/none/a', session: 'b' });
		expect(databasePath(import.meta.filename)).toEqual({ file: import.meta.filename });
	});
});
