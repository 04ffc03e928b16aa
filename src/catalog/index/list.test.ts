/** The list shows what a session's first and last bytes tell, and the title wherever it stands. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskAccess } from '../../../test/support/catalog.ts';
import { collectCosts, type SessionFile, type Unread } from '../cost/collect.ts';
import { loadPrices } from '../cost/prices.ts';
import { costReport } from '../cost/report.ts';
import { Catalog, type CatalogAccess } from './catalog.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-list-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const prices = loadPrices();

function openCatalog(access: CatalogAccess = diskAccess, path = ':memory:'): Catalog {
	return new Catalog({ path, access, warn: (message) => expect.fail(message) });
}

let number = 0;

function write(lines: readonly (object | string)[], format: SessionFile['format'] = 'claude-code'): SessionFile {
	number += 1;
	const path = join(scratch, `${number}.jsonl`);
	writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
	return { path, id: String(number), agent: format, format };
}

const user = (content: string, fields: object = {}) => ({
	type: 'user',
	uuid: `u${content.length}`,
	cwd: '/p',
	timestamp: '2026-01-01T00:00:00.000Z',
	gitBranch: 'main',
	...fields,
	message: { role: 'user', content },
});
const filler = Array.from({ length: 40 }, (_, index) =>
	user(`${index} ${'x'.repeat(1000)}`, { gitBranch: `b${index}` }),
);

function seen(session: SessionFile): object | undefined {
	using catalog = openCatalog();
	return catalog.list([session])[0]?.seen;
}

describe('what a list tells of a session', () => {
	it('a title that its last lines give it, and the branch that they name', () => {
		const given = { type: 'custom-title', customTitle: 'The shed', sessionId: 's' };
		expect(seen(write([user('paint the shed'), ...filler, given]))).toMatchObject({
			title: 'The shed',
			gitBranch: 'b39',
			cwd: '/p',
		});
		expect(seen(write([user('paint the shed'), ...filler]))).toMatchObject({
			title: 'paint the shed',
			gitBranch: 'b39',
		});
	});

	it('the user’s own title before a later one that was made up', () => {
		const own = { type: 'custom-title', customTitle: 'Mine', sessionId: 's' };
		const made = { type: 'ai-title', aiTitle: 'Made up', sessionId: 's' };
		expect(seen(write([user('go'), own, made]))).toMatchObject({ title: 'Mine' });
		expect(seen(write([user('go'), own, ...filler, made]))).toMatchObject({ title: 'Mine' });
		expect(seen(write([user('go'), made, ...filler, own]))).toMatchObject({ title: 'Mine' });
	});

	it('titles of the other formats of lines', () => {
		const meta = {
			type: 'meta',
			session_id: 'c',
			schema_version: 1,
			start_time: '2026-01-01T00:00:00Z',
			project_path: '/p',
		};
		const prompt = { type: 'user_message', role: 'user', content: [{ text: 'go', type: 'text' }] };
		const many = Array.from({ length: 60 }, () => ({ ...prompt, content: [{ text: 'y'.repeat(900), type: 'text' }] }));
		expect(seen(write([meta, prompt, ...many, { type: 'title', title: 'Named' }], 'clido'))).toMatchObject({
			title: 'Named',
			cwd: '/p',
		});
		const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/p' };
		const line = (id: string, type: string, fields: object) => ({
			type,
			id,
			parentId: null,
			timestamp: '2026-01-01T00:00:00Z',
			...fields,
		});
		const said = Array.from({ length: 60 }, (_, index) =>
			line(`a${index}`, 'message', {
				message: { role: 'user', content: [{ type: 'text', text: `${index} ${'z'.repeat(900)}` }] },
			}),
		);
		const named = line('b', 'session_info', { name: 'Named too' });
		expect(seen(write([header, ...said, named], 'openclaw'))).toMatchObject({ title: 'Named too', cwd: '/p' });
	});

	it('a title is known wherever in the file it stands, and the last one counts', () => {
		const long = user('x'.repeat(700_000));
		const lines = [user('go'), ...filler, long, ...filler, long, long, ...filler];
		const title = (customTitle: string) => ({ type: 'custom-title', customTitle, sessionId: 's' });
		const made = { type: 'ai-title', aiTitle: 'Made up', sessionId: 's' };
		for (let at = 1; at <= lines.length; at += 1) {
			const named = [...lines.slice(0, at), title('Mine'), ...lines.slice(at)];
			expect([at, seen(write(named))]).toMatchObject([at, { title: 'Mine' }]);
			expect([at, seen(write([...named, made]))]).toMatchObject([at, { title: 'Mine' }]);
			const twice = [...named.slice(0, at), title('Before'), ...named.slice(at)];
			expect([at, seen(write(twice))]).toMatchObject([at, { title: 'Mine' }]);
		}
		const large = title('y'.repeat(20_000));
		expect(seen(write([user('go'), title('Before'), ...filler, large]))).toMatchObject({ title: large.customTitle });
	});

	it('what looks like a title in the midst of a text is none', () => {
		const quoted = JSON.stringify({ type: 'custom-title', customTitle: 'Quoted', sessionId: 's' });
		const within = { ...user('z'), note: { type: 'custom-title', customTitle: 'Within', sessionId: 's' } };
		const session = write([user('go'), ...filler, user(`\n${quoted}\n`), within, ...filler, ...filler]);
		expect(seen(session)).toMatchObject({ title: 'go' });
	});

	it('a session is read for its title once, and not at all where its last lines tell', () => {
		let read = 0;
		const access: CatalogAccess = {
			...diskAccess,
			open(path) {
				const source = diskAccess.open(path);
				return {
					size: source.size,
					[Symbol.dispose]: () => source[Symbol.dispose](),
					read(at, length) {
						const bytes = source.read(at, length);
						read += bytes.length;
						return bytes;
					},
				};
			},
		};
		const ends = (1 << 13) + (1 << 14);
		const large = JSON.stringify(user('z'.repeat(5_000_000)));
		for (const ending of ['', '\n']) {
			const session = write([user('paint the shed'), ...filler, `${large}${ending}`]);
			using catalog = openCatalog(access);
			read = 0;
			expect(catalog.list([session])).toMatchObject([{ seen: { title: 'paint the shed', cwd: '/p' }, turns: null }]);
			expect(read).toBeLessThan(large.length + (1 << 20));
			read = 0;
			expect(catalog.list([session])).toMatchObject([{ seen: { title: 'paint the shed' } }]);
			expect(read).toBe(0);
		}
		const named = write([user('go'), user(large), { type: 'custom-title', customTitle: 'Told', sessionId: 's' }]);
		using catalog = openCatalog(access);
		read = 0;
		expect(catalog.list([named])).toMatchObject([{ seen: { title: 'Told' } }]);
		expect(read).toBeLessThanOrEqual(ends);
	});

	it('what was remembered is what was seen, whatever signs it has', () => {
		const session = write([user('a \u001e b \u001f c\td', { cwd: '/p \u001e q', gitBranch: '' })]);
		const path = join(scratch, 'remembered.sqlite');
		const list = (): object => {
			using catalog = openCatalog(diskAccess, path);
			return catalog.list([session]).map((one) => one.seen);
		};
		const first = list();
		expect(list()).toEqual(first);
		expect(first).toEqual([{ title: 'a   b   c d', cwd: '/p   q', created: '2026-01-01T00:00:00.000Z' }]);
	});

	it('a file that cannot be read is told of, and the others are listed', () => {
		const loop = join(scratch, 'loop.jsonl');
		symlinkSync('loop.jsonl', loop);
		const unread: Unread[] = [];
		using catalog = openCatalog();
		const strange: SessionFile = { path: loop, id: 'loop', agent: 'claude-code', format: 'claude-code' };
		const listed = catalog.list([strange, write([user('here')])], (one) => unread.push(one));
		expect(listed.map((one) => one.seen.title)).toEqual(['here']);
		expect(unread.map((one) => one.path)).toEqual([loop]);
	});
});

describe('a session whose project has moved', () => {
	it('is found, counted and priced under the new folder', () => {
		const usage = { output_tokens: 1000 };
		const reply = {
			role: 'assistant',
			id: 'm',
			model: 'claude-haiku-4-5',
			content: [],
			stop_reason: 'end_turn',
			usage,
		};
		const session = write([user('needle'), { ...user(''), type: 'assistant', uuid: 'a', message: reply }]);
		const moved = {
			...diskAccess,
			folderOf: ({ id }: { readonly id: string }) => (id === session.id ? '/new' : undefined),
		};
		using catalog = openCatalog(moved);
		catalog.list([session]);
		catalog.index([session], prices);
		const only = (folder: string) => ({ project: (cwd: string | undefined) => cwd === folder });
		const hits = (folder: string) => catalog.search('needle', only(folder)).hits.map(({ cwd }) => cwd);
		expect([hits('/new'), hits('/p')]).toEqual([['/new'], []]);
		expect(catalog.stats('project', { present: new Set([session.path]) }).map(({ key }) => key)).toEqual(['/new']);
		const costs = (folder: string) =>
			costReport(collectCosts([session], moved), prices, { by: 'project', ...only(folder) }).rows;
		expect(costs('/new')).toMatchObject([{ key: '/new', costUsd: 0.005 }]);
		expect(costs('/p')).toEqual([]);
	});
});
