/** The catalog finds what exists, and survives what happens to itself. */
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../../bench/lib/random.ts';
import { diskAccess, dump } from '../../../test/support/catalog.ts';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { codecOf, decodeBytes } from '../../codecs/index.ts';
import type { Block, Entry } from '../../model/index.ts';
import type { SessionFile } from '../cost/collect.ts';
import { collectCosts } from '../cost/collect.ts';
import { loadPrices } from '../cost/prices.ts';
import { costReport } from '../cost/report.ts';
import { Catalog } from './catalog.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-catalog-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const prices = loadPrices();
let number = 0;

const corpus: readonly SessionFile[] = corpusFiles().map((file) => ({
	path: file.path,
	id: file.name,
	agent: file.format,
	format: file.format,
}));

function freshPath(): string {
	number += 1;
	return join(scratch, `catalog${number}`, 'catalog.sqlite');
}

function open(path = freshPath(), warnings: string[] = []): Catalog {
	return new Catalog({ path, access: diskAccess, warn: (message) => warnings.push(message), patienceMs: 200 });
}

const time = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

function line(type: 'user' | 'assistant', content: unknown, minute: number): string {
	const message =
		type === 'user'
			? { role: 'user', content }
			: { role: 'assistant', id: `m${minute}`, model: 'claude-haiku-4-5', content, usage: { output_tokens: 1000 } };
	return `${JSON.stringify({ type, uuid: `u${minute}`, parentUuid: minute === 0 ? null : `u${minute - 1}`, sessionId: 's', cwd: '/p', timestamp: time(minute), message })}\n`;
}

function writeSession(name: string, lines: readonly string[]): SessionFile {
	const path = join(scratch, `${name}.jsonl`);
	writeFileSync(path, lines.join(''));
	return { path, id: name, agent: 'claude-code', format: 'claude-code' };
}

/** Each word of the corpus with the entries that a plain scan finds it in. */
function wordsOfCorpus(): Map<string, string[]> {
	const entriesWith = new Map<string, string[]>();
	for (const file of corpusFiles()) {
		const codec = codecOf(file.format);
		if (!codec) continue;
		for (const entry of decodeBytes(codec, file.bytes()).entries) {
			for (const word of new Set(plainWords(entry))) {
				const known = entriesWith.get(word);
				if (known) known.push(`${file.path} ${entry.id}`);
				else entriesWith.set(word, [`${file.path} ${entry.id}`]);
			}
		}
	}
	return entriesWith;
}

describe('search', () => {
	it('finds any word of any text of the corpus, in every entry that a plain scan finds it in', () => {
		using catalog = open();
		expect(catalog.index(corpus, prices).unread).toEqual([]);
		const entriesWith = wordsOfCorpus();
		expect(entriesWith.size).toBeGreaterThan(10_000);
		const random = randomFrom(1);
		const all = process.env.REPRISE_FUZZ === 'full';
		for (const [word, entries] of entriesWith) {
			if (!all && !random.chance(0.15)) continue;
			const { total, exact } = catalog.search(`"${word}"`, { limit: 0 });
			if (exact) expect(total, word).toBeGreaterThanOrEqual(entries.length);
			if (!random.chance(all ? 0.05 : 0.3)) continue;
			const found = new Set(catalog.search(`"${word}"`, { limit: 5000 }).hits.map((hit) => `${hit.path} ${hit.entry}`));
			expect(
				entries.filter((entry) => !found.has(entry)),
				word,
			).toEqual([]);
		}
	}, 120_000);

	it('finds nothing in pictures, and nothing that only the client’s own copy of a result has', () => {
		const picture = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 251)).toString('base64');
		const result = {
			type: 'tool_result',
			tool_use_id: 't',
			content: [
				{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
				{ type: 'text', text: 'visible' },
			],
		};
		const text = line('user', [result], 1).replace(
			'"type":"user"',
			'"toolUseResult":{"stdout":"hiddencopy"},"type":"user"',
		);
		const session = writeSession('picture', [line('user', `see ${picture}`, 0), text]);
		using catalog = open();
		catalog.index([session], prices);
		const total = (question: string) => catalog.search(question, {}).total;
		expect([total('visible'), total('see'), total('hiddencopy')]).toEqual([1, 1, 0]);
		for (const run of picture.match(/[A-Za-z0-9]{3,}/g) ?? []) expect(total(run)).toBe(0);
	});

	it('filters by role, tool, agent, project and date, newest first', () => {
		const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'echo needle' } };
		const session = writeSession('filters', [
			line('user', 'needle please', 0),
			line('assistant', [call], 1),
			line('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'needle\n' }], 2),
			line('assistant', [{ type: 'text', text: 'the needle was printed' }], 3),
		]);
		using catalog = open();
		catalog.list([session]);
		catalog.index([session], prices);
		const entries = (filters: object, question = 'needle') =>
			catalog.search(question, filters).hits.map((hit) => hit.entry);
		expect(entries({})).toEqual(['u3', 'u2', 'u1', 'u0']);
		expect(entries({ role: 'user' })).toEqual(['u0']);
		expect(entries({ role: 'tool' })).toEqual(['u2']);
		expect(entries({ tool: 'bash' })).toEqual(['u2', 'u1']);
		expect(entries({ agent: 'cline' })).toEqual([]);
		expect(entries({ project: (cwd: string) => cwd === '/p' })).toHaveLength(4);
		expect(entries({ project: (cwd: string) => cwd === '/other' })).toEqual([]);
		expect(entries({ since: Date.parse(time(2)) })).toEqual(['u3', 'u2']);
		expect(entries({ until: Date.parse(time(1)) })).toEqual(['u0']);
		expect(entries({}, '"was printed"')).toEqual(['u3']);
		expect(entries({}, '"printed was"')).toEqual([]);
		expect(entries({}, 'print*')).toEqual(['u3']);
		expect(entries({}, 'needle -printed')).toEqual(['u2', 'u1', 'u0']);
	});

	it('a hit in the midst of a text of any script is found by a part of it', () => {
		const session = writeSession('scripts', [
			line('user', '我们需要修复这个错误然后继续', 0),
			line('user', 'データベース接続', 1),
			line('user', 'Die Größe', 2),
		]);
		using catalog = open();
		catalog.index([session], prices);
		const entries = (question: string) => catalog.search(question, {}).hits.map((hit) => hit.entry);
		expect([
			entries('修复'),
			entries('错误'),
			entries('误错'),
			entries('ベース'),
			entries('grösse'),
			entries('große'),
		]).toEqual([['u0'], ['u0'], [], ['u1'], [], ['u2']]);
	});
});

function plainWords(entry: Entry): readonly string[] {
	if (entry.kind !== 'message') return [];
	const texts: string[] = [];
	const add = (block: Block): void => {
		if (block.type === 'text' || block.type === 'thinking') texts.push(block.text);
		else if (block.type === 'tool_result') block.content.forEach(add);
	};
	entry.content.forEach(add);
	return texts.flatMap((text) => text.match(/(?<![\p{M}\p{L}\p{N}])[\p{L}\p{N}]{1,40}(?![\p{M}\p{L}\p{N}])/gu) ?? []);
}

describe('the list', () => {
	it('turns and costs are null until counted, and then those of the cost report', () => {
		const session = writeSession('costs', [
			line('user', 'go', 0),
			line('assistant', [{ type: 'text', text: 'a' }], 1),
			line('user', 'on', 2),
		]);
		using catalog = open();
		expect(catalog.list([session])).toMatchObject([{ turns: null, costUsd: null, seen: { cwd: '/p', title: 'go' } }]);
		catalog.index([session], prices);
		const { totals } = costReport(collectCosts([session], diskAccess), prices, { by: 'session' });
		expect(totals.costUsd).toBe(0.005);
		expect(catalog.list([session])).toMatchObject([
			{ turns: 2, costUsd: totals.costUsd, updated: statSync(session.path).mtimeMs },
		]);
		appendFileSync(session.path, line('user', 'more', 3));
		expect(catalog.list([session])).toMatchObject([{ turns: null, costUsd: null }]);
	});

	it('costs of the whole corpus are those of the cost report', () => {
		using catalog = open();
		catalog.index(corpus, prices);
		const { rows } = costReport(collectCosts(corpus, diskAccess), prices, { by: 'session' });
		const expected = new Map(rows.map((row) => [row.key, row.costUsd]));
		for (const { session, costUsd } of catalog.list(corpus)) {
			expect(costUsd, session.path).toBe(expected.has(session.id) ? expected.get(session.id) : 0);
		}
	}, 60_000);

	it('a file that did not change is not opened again', () => {
		const session = writeSession('unopened', [line('user', 'go', 0)]);
		const path = freshPath();
		{
			using catalog = open(path);
			catalog.list([session]);
			catalog.index([session], prices);
		}
		const access = { ...diskAccess, open: () => expect.fail('opened') };
		using catalog = new Catalog({ path, access, warn: (message) => expect.fail(message) });
		expect(catalog.list([session])).toMatchObject([{ turns: 1 }]);
		expect(catalog.index([session], prices).unread).toEqual([]);
	});

	it('an appended line is read alone', () => {
		const session = writeSession(
			'appended',
			Array.from({ length: 3000 }, (_, index) => line('user', `word${index} ${'x '.repeat(400)}`, index)),
		);
		let read = 0;
		const access = {
			...diskAccess,
			open(path: string) {
				const source = diskAccess.open(path);
				const counted = { ...source, [Symbol.dispose]: () => source[Symbol.dispose]() };
				return {
					...counted,
					read(at: number, length: number) {
						const bytes = source.read(at, length);
						read += bytes.length;
						return bytes;
					},
					readInto(at: number, target: Uint8Array) {
						const got = source.readInto?.(at, target) ?? 0;
						read += got;
						return got;
					},
				};
			},
		};
		using catalog = new Catalog({ path: freshPath(), access, warn: (message) => expect.fail(message) });
		catalog.index([session], prices);
		expect(read).toBeGreaterThan(statSync(session.path).size);
		read = 0;
		appendFileSync(session.path, line('user', 'lastword', 3000));
		catalog.index([session], prices);
		expect(read).toBeLessThan(30_000);
		expect(catalog.search('lastword', {}).total).toBe(1);
		expect(catalog.search('word17', {}).total).toBe(1);
	});
});

describe('a catalog that is not what it should be', () => {
	const sessions = corpus.slice(0, 30);
	const complete = (path: string): object => {
		using catalog = open(path);
		catalog.index(sessions, prices);
		return dump(path);
	};

	it('is rebuilt when it is damaged, cut, empty, another database, or of another version', () => {
		const good = freshPath();
		const expected = complete(good);
		const harm: readonly ((path: string) => void)[] = [
			(path) => writeFileSync(path, 'this is no database at all, but quite a long text'.repeat(100)),
			(path) => truncateSync(path, 5000),
			(path) => truncateSync(path, 0),
			(path) => {
				const bytes = readFileSync(path);
				bytes.fill(0xaa, 4096, bytes.length);
				writeFileSync(path, bytes);
			},
			(path) => {
				rmSync(path);
				const other = new DatabaseSync(path);
				other.exec('CREATE TABLE files (something TEXT); PRAGMA user_version = 1');
				other.close();
			},
			(path) => {
				const old = new DatabaseSync(path);
				old.exec('PRAGMA user_version = 0; ALTER TABLE files DROP COLUMN turns');
				old.close();
			},
		];
		for (const [index, damage] of harm.entries()) {
			const path = freshPath();
			complete(path);
			damage(path);
			expect(complete(path), `damage ${index}`).toEqual(expected);
		}
	}, 60_000);

	it('is rebuilt in the midst of an answer, and the answer is complete', () => {
		const path = freshPath();
		complete(path);
		const database = new DatabaseSync(path);
		database.exec('ALTER TABLE files DROP COLUMN activity');
		database.close();
		using catalog = open(path);
		expect(catalog.list(sessions.values())).toHaveLength(sessions.length);
	});

	it('that cannot be kept is replaced by one in memory, with a word about it', () => {
		const session = writeSession('unkept', [line('user', 'needle', 0)]);
		const folder = join(scratch, 'a-file-in-the-way');
		writeFileSync(folder, '');
		const warnings: string[] = [];
		using catalog = open(join(folder, 'catalog.sqlite'), warnings);
		catalog.index([session], prices);
		expect(catalog.search('needle', {}).total).toBe(1);
		expect(warnings).toHaveLength(1);
	});

	it('that another process holds still answers from what it has', () => {
		const session = writeSession('held', [line('user', 'needle', 0)]);
		const path = freshPath();
		{
			using catalog = open(path);
			catalog.list([session]);
			catalog.index([session], prices);
		}
		const other = new DatabaseSync(path);
		other.exec('BEGIN IMMEDIATE');
		appendFileSync(session.path, line('user', 'later', 1));
		const warnings: string[] = [];
		using catalog = open(path, warnings);
		expect(catalog.index([session], prices).locked).toBe(true);
		expect(catalog.search('needle', {}).total).toBe(1);
		expect(catalog.list([session])).toHaveLength(1);
		expect(warnings).toHaveLength(1);
		other.exec('ROLLBACK');
		other.close();
		catalog.index([session], prices);
		expect(catalog.search('later', {}).total).toBe(1);
	}, 30_000);

	it('files that cannot be read are named, and the rest is there', () => {
		const session = writeSession('readable', [line('user', 'needle', 0)]);
		const folder = join(scratch, 'folder.jsonl');
		mkdirSync(folder, { recursive: true });
		using catalog = open();
		const strange: SessionFile = { path: folder, id: 'folder', agent: 'claude-code', format: 'claude-code' };
		const { unread } = catalog.index([strange, session], prices);
		expect(unread.map(({ path }) => path)).toEqual([folder]);
		expect(catalog.search('needle', {}).total).toBe(1);
	});

	it('is readable by its user alone', () => {
		const path = freshPath();
		complete(path);
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});
});
