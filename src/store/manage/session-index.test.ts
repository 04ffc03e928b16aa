/** A session that Reprise writes for Cline is in the list that Cline's library gives to other programs. */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { corpusRoot } from '../../../test/support/corpus.ts';
import { prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import { loadSqlite } from '../../log/load-sqlite.ts';
import { createHandle } from '../handle/create.ts';
import { openHandle } from '../handle/handle.ts';

const recorded = join(corpusRoot, 'cline/3.0.65/text/home/.cline/data/db/sessions.db');

function indexIn(scratch: Scratch): string {
	return join(scratch.folder, '.cline/data/db/sessions.db');
}

/** The index as a real Cline left it, with one session of its own. */
function withIndex(scratch: Scratch, change = ''): string {
	const index = indexIn(scratch);
	mkdirSync(dirname(index), { recursive: true });
	cpSync(recorded, index);
	using database = new (loadSqlite().DatabaseSync)(index);
	database.exec(change);
	return index;
}

function rowsIn(index: string): readonly { readonly [column: string]: unknown }[] {
	using database = new (loadSqlite().DatabaseSync)(index, { readOnly: true });
	return database.prepare('select * from sessions order by started_at').all();
}

const asked = (scratch: Scratch) => ({ format: 'cline', cwd: scratch.folder, machine: scratch.machine }) as const;

test('a new session gets one row, which says what its manifest says', async () => {
	using scratch = new Scratch();
	const index = withIndex(scratch);
	const [own] = rowsIn(index);
	await using handle = await createHandle(asked(scratch));
	expect(rowsIn(index)).toHaveLength(1);
	const { losses } = await handle.append(prompt('hello'), reply('hi'));
	expect(losses.filter(({ path }) => path === 'index')).toEqual([]);
	await handle.append(prompt('more'), reply('gladly'));
	const [before, added, ...others] = rowsIn(index);
	expect(before).toEqual(own);
	expect(others).toEqual([]);
	const manifest = JSON.parse(readFileSync(handle.path.replace('.messages.json', '.json'), 'utf8'));
	expect(added).toMatchObject({
		session_id: handle.session.id,
		messages_path: handle.path,
		cwd: scratch.folder,
		status: manifest.status,
		model: manifest.model,
		prompt: 'hello',
		is_subagent: 0,
	});
});

test('a fork among Cline’s sessions gets a row of its own, and one elsewhere gets none', async () => {
	using scratch = new Scratch();
	const index = withIndex(scratch);
	await using handle = await createHandle(asked(scratch));
	await handle.append(prompt('hello'), reply('hi'));
	const fork = await handle.fork();
	const there = await handle.fork(undefined, { to: join(scratch.folder, 'elsewhere/copy.messages.json') });
	const ids = rowsIn(index).map((row) => row.session_id);
	expect(ids.slice(1)).toEqual([handle.session.id, fork.id]);
	expect(existsSync(there.path)).toBe(true);
	await using next = await openHandle(fork.path, { machine: scratch.machine });
	await next.append(prompt('on from there'));
	expect(rowsIn(index)).toHaveLength(3);
});

test('another table is left alone, and whoever appends is told', async () => {
	using scratch = new Scratch();
	const index = withIndex(scratch, 'alter table sessions add column more text');
	await using handle = await createHandle(asked(scratch));
	const { losses } = await handle.append(prompt('hello'), reply('hi'));
	expect(losses).toContainEqual(
		expect.objectContaining({ path: 'index', note: expect.stringContaining('left alone') }),
	);
	expect(rowsIn(index)).toHaveLength(1);
	expect(existsSync(handle.path)).toBe(true);
});

test('an index that cannot be read costs nothing but the row', async () => {
	using scratch = new Scratch();
	mkdirSync(indexIn(scratch), { recursive: true });
	await using handle = await createHandle(asked(scratch));
	const { losses } = await handle.append(prompt('hello'), reply('hi'));
	expect(losses).toContainEqual(
		expect.objectContaining({ path: 'index', note: expect.stringContaining('not be added') }),
	);
	expect(existsSync(handle.path)).toBe(true);
});

test('where Cline never ran no index is made', async () => {
	using scratch = new Scratch();
	await using handle = await createHandle(asked(scratch));
	await handle.append(prompt('hello'), reply('hi'));
	expect(existsSync(dirname(indexIn(scratch)))).toBe(false);
});
