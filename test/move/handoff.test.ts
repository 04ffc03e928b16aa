/** Hand-off: everything where the agent finds it, one command to go on, nothing written over and nothing half-written. */
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codecOf } from '../../src/codecs/index.ts';
import { loadSqlite } from '../../src/log/load-sqlite.ts';
import { agents, handOff, lineages, returnSession } from '../../src/move/index.ts';
import { diskFolders } from '../../src/store/find/folders.ts';
import { checkFile } from '../../src/store/reader/check.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { corpusRoot } from '../support/corpus.ts';
import { Scratch, sampleOf } from '../support/sessions.ts';

const foreignTo = (format: string): string => (format === 'clido' ? sampleOf['claude-code'] : sampleOf.clido);

function filesIn(folder: string): readonly string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('own'));
}

describe.each(agents.map((agent) => [agent.name, agent] as const))('to %s', (name, agent) => {
	it('the session is where the agent looks, under the id that its command names', async () => {
		using scratch = new Scratch();
		const cwd = join(scratch.folder, 'project');
		mkdirSync(cwd);
		const made = await handOff(foreignTo(agent.format), { to: name, cwd, machine: scratch.machine });
		const [main = ''] = made.out;
		const listed = [...(codecOf(agent.format)?.places.sessions(scratch.machine, diskFolders) ?? [])];
		expect(listed).toContainEqual(expect.objectContaining({ path: main, id: made.id }));
		expect(made.command).toContain(name === 'pi' ? main : made.id);
		expect(checkFile(main, 'client').ok).toBe(true);
		const session = await openSession(main);
		expect(session.id).toBe(made.id);
		expect(session.header.cwd).toBe(cwd);
	});

	it('what exists is not written over', async () => {
		using scratch = new Scratch();
		const options = { to: name, cwd: scratch.folder, machine: scratch.machine };
		const made = await handOff(foreignTo(agent.format), options);
		const [main = ''] = made.out;
		writeFileSync(main, 'mine');
		await expect(handOff(foreignTo(agent.format), options)).rejects.toThrow('exists already: nothing was written');
		expect(readFileSync(main, 'utf8')).toBe('mine');
	});
});

describe('hand-off', () => {
	it('a folder that does not exist is refused, and nothing is written', async () => {
		using scratch = new Scratch();
		const cwd = join(scratch.folder, 'gone');
		const asked = handOff(sampleOf.clido, { to: 'pi', cwd, machine: scratch.machine });
		await expect(asked).rejects.toThrow(`the folder ${cwd} does not exist`);
		expect(filesIn(scratch.folder)).toEqual([]);
	});

	it('an unknown agent is refused by name', async () => {
		await expect(handOff(sampleOf.clido, { to: 'vim' })).rejects.toThrow('vim is not an agent');
	});

	it('Cline’s manifest names the messages by their absolute path', async () => {
		using scratch = new Scratch();
		const made = await handOff(sampleOf.clido, { to: 'cline', cwd: scratch.folder, machine: scratch.machine });
		const [main = '', manifest = ''] = made.out;
		expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ messages_path: main, status: 'completed' });
		expect(made.notes).toEqual([]);
	});

	const recorded = join(corpusRoot, 'cline/3.0.65/text/home/.cline/data/db/sessions.db');

	function withIndex(scratch: Scratch): string {
		const index = join(scratch.folder, '.cline/data/db/sessions.db');
		mkdirSync(dirname(index), { recursive: true });
		cpSync(recorded, index);
		return index;
	}

	it('Cline’s index gets one row when its table is the known one', async () => {
		using scratch = new Scratch();
		const index = withIndex(scratch);
		const made = await handOff(sampleOf.clido, { to: 'cline', cwd: scratch.folder, machine: scratch.machine });
		using database = new (loadSqlite().DatabaseSync)(index);
		const rows = database.prepare('select session_id, messages_path, cwd, status from sessions').all();
		expect(rows).toHaveLength(2);
		expect(rows[1]).toMatchObject({
			session_id: made.id,
			messages_path: made.out[0],
			cwd: scratch.folder,
			status: 'completed',
		});
	});

	it('another table is left alone, and a note says so', async () => {
		using scratch = new Scratch();
		const index = withIndex(scratch);
		{
			using database = new (loadSqlite().DatabaseSync)(index);
			database.exec('alter table sessions add column more text');
		}
		const made = await handOff(sampleOf.clido, { to: 'cline', cwd: scratch.folder, machine: scratch.machine });
		expect(made.notes).toEqual([expect.stringContaining('was left alone')]);
		expect(existsSync(made.out[0] ?? '')).toBe(true);
		using database = new (loadSqlite().DatabaseSync)(index);
		expect(database.prepare('select count(*) as n from sessions').get()).toMatchObject({ n: 1 });
	});
});

describe.each([
	['pi', 'openclaw'],
	['openclaw', 'pi'],
] as const)('%s and %s share a format', (one, other) => {
	const time = '2026-01-01T00:00:00.000Z';
	const line = (value: object): string => `${JSON.stringify(value)}\n`;
	const said = (id: string, parentId: string | null, text: string): string => {
		const message = { role: 'user', content: [{ type: 'text', text }], timestamp: Date.parse(time) };
		return line({ type: 'message', id, parentId, timestamp: time, message });
	};
	const id = '01a1f285-0000-7000-8000-000000000001';

	/** A session at the place of the first agent. */
	function sessionOf(scratch: Scratch): string {
		const header = { type: 'session', version: 3, id, timestamp: time, cwd: scratch.folder };
		const path = codecOf('openclaw')?.places.place(
			scratch.machine,
			{ id, cwd: scratch.folder, created: time, profile: one === 'pi' ? 'client' : 'published' },
			diskFolders,
		);
		if (path === undefined) return expect.fail('no place');
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, line(header) + said('aaaaaaaa', null, 'first'));
		return path;
	}

	const textOf = (path: string): string => readFileSync(path, 'utf8');

	it('what is said in the copy comes home as it is, again and again', async () => {
		using scratch = new Scratch();
		const { machine } = scratch;
		const home = sessionOf(scratch);
		const made = await handOff(home, { to: other, machine });
		const [copy = ''] = made.out;
		expect([made.id, made.losses, textOf(copy)]).toEqual([id, [], textOf(home)]);
		expect(lineages(machine)).toMatchObject([{ source: { path: home }, target: { path: copy } }]);
		for (const [name, parent] of [
			['bbbbbbbb', 'aaaaaaaa'],
			['cccccccc', 'bbbbbbbb'],
		] as const) {
			appendFileSync(copy, said(name, parent, `said as ${name}`));
			expect(await returnSession(copy, { machine })).toMatchObject({ out: [home], messages: 1, losses: [] });
			expect(textOf(home)).toBe(textOf(copy));
			expect(await returnSession(copy, { machine })).toMatchObject({ out: [], messages: 0 });
		}
		await expect(returnSession(home, { machine })).rejects.toThrow('nothing is stored about where');
	});

	it('behind a title that was given at home', async () => {
		using scratch = new Scratch();
		const { machine } = scratch;
		const home = sessionOf(scratch);
		const [copy = ''] = (await handOff(home, { to: other, machine })).out;
		appendFileSync(
			home,
			line({ type: 'session_info', id: 'dddddddd', parentId: 'aaaaaaaa', timestamp: time, name: 'Mine' }),
		);
		appendFileSync(copy, said('bbbbbbbb', 'aaaaaaaa', 'there'));
		await returnSession(copy, { machine });
		const { header, entries } = await openSession(home);
		expect(header.title).toBe('Mine');
		expect(entries.filter((entry) => entry.kind === 'message')).toHaveLength(2);
	});

	it('once one of them has gone on, another hand-off is a copy with an id of its own, which comes home too', async () => {
		using scratch = new Scratch();
		const { machine } = scratch;
		const home = sessionOf(scratch);
		const [copy = ''] = (await handOff(home, { to: other, machine })).out;
		await expect(handOff(home, { to: other, machine })).rejects.toThrow('exists already: nothing was written');
		appendFileSync(home, said('eeeeeeee', 'aaaaaaaa', 'gone on'));
		const before = textOf(copy);
		const second = await handOff(home, { to: other, machine });
		const [next = ''] = second.out;
		expect(second.id).not.toBe(id);
		expect(textOf(copy)).toBe(before);
		appendFileSync(next, said('ffffffff', 'eeeeeeee', 'said there'));
		expect(await returnSession(next, { machine })).toMatchObject({ out: [home], messages: 1 });
		expect(textOf(home)).toContain('said there');
	});

	it('handed back instead of returned, it says what brings it home', async () => {
		using scratch = new Scratch();
		const { machine } = scratch;
		const home = sessionOf(scratch);
		const [copy = ''] = (await handOff(home, { to: other, machine })).out;
		appendFileSync(copy, said('bbbbbbbb', 'aaaaaaaa', 'there'));
		const back = await handOff(copy, { to: one, machine });
		expect(back.notes.join()).toContain(`brings what is new home into ${one}:${id}`);
		expect(back.out).not.toContain(home);
	});
});
