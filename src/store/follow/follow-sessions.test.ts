/** Following many sessions while others write to them. */
import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { corpusRoot } from '../../../test/support/corpus.ts';
import { conversationOf } from '../../../test/support/laws.ts';
import { bytesAt, Scratch, sampleOf } from '../../../test/support/sessions.ts';
import { filesLog } from '../../log/index.ts';
import type { FormatId } from '../../model/index.ts';
import { isPrompt } from '../../model/index.ts';
import type { FoundSession } from '../find/discover.ts';
import { databaseSessions } from '../reader/database.ts';
import { type FollowSessionsOptions, followSessions, type SessionNews } from './follow-sessions.ts';

type Next = () => Promise<SessionNews>;

async function following(
	scratch: Scratch,
	options: Partial<FollowSessionsOptions> & Pick<FollowSessionsOptions, 'find'>,
	run: (next: Next) => Promise<void>,
): Promise<void> {
	const stop = new AbortController();
	const news = followSessions(
		{
			wanted: { last: 2, counts: isPrompt },
			log: filesLog({ locks: join(scratch.folder, 'locks'), pollMs: 20 }),
			pollMs: 20,
			...options,
		},
		stop.signal,
	);
	try {
		await run(async () => (await news.next()).value as SessionNews);
	} finally {
		stop.abort();
		expect((await news.next()).done).toBe(true);
	}
}

const session = (format: FormatId, path: string, more: Partial<FoundSession> = {}): FoundSession => ({
	path,
	id: path,
	agent: format,
	format,
	...more,
});

/** What was said; of the first news, which has more entries than asked for, only the conversation. */
const said = (news: SessionNews): readonly string[] => ('entries' in news ? conversationOf(news.entries) : [news.kind]);

const line = (text: string) =>
	`${JSON.stringify({ type: 'user_message', role: 'user', content: [{ type: 'text', text }] })}\n`;

describe('a session that is followed', () => {
	test('begins with its last entries and goes on with what is added, a line when it is whole', async () => {
		using scratch = new Scratch();
		const file = scratch.copy('clido');
		const one = session('clido', file);
		await following(scratch, { find: () => [one], startsWith: () => true }, async (next) => {
			const first = await next();
			expect(first.kind).toBe('recent');
			expect(said(first).filter((text) => text.startsWith('user:')).length).toBeGreaterThanOrEqual(2);
			appendFileSync(file, line('more').slice(0, 30));
			appendFileSync(file, line('more').slice(30));
			expect(said(await next())).toEqual(['user: more']);
		});
	});

	test('is told anew by its last entries when it is cut, replaced, or deleted and made again', async () => {
		using scratch = new Scratch();
		const file = scratch.copy('clido');
		const old = bytesAt(file);
		const one = session('clido', file);
		await following(scratch, { find: () => [one], startsWith: () => true }, async (next) => {
			expect((await next()).kind).toBe('recent');
			appendFileSync(file, line('taken back'));
			expect(said(await next())).toEqual(['user: taken back']);
			truncateSync(file, old.length);
			const cut = await next();
			expect(cut.kind).toBe('reset');
			expect(said(cut)).not.toContain('user: taken back');
			writeFileSync(`${file}.new`, Buffer.concat([old, Buffer.from(line('renamed'))]));
			renameSync(`${file}.new`, file);
			const replaced = await next();
			expect(replaced.kind).toBe('reset');
			expect(said(replaced).at(-1)).toBe('user: renamed');
			rmSync(file);
			expect((await next()).kind).toBe('removed');
			writeFileSync(file, old);
			expect((await next()).kind).toBe('reset');
			appendFileSync(file, line('goes on'));
			expect(said(await next())).toEqual(['user: goes on']);
		});
	});

	test('a document that is replaced as a whole tells what is new, and a message that changed from there on', async () => {
		using scratch = new Scratch();
		const file = scratch.copy('cline');
		const document = JSON.parse(bytesAt(file).toString()) as { messages: object[] };
		const one = session('cline', file);
		const put = (messages: readonly object[]) => {
			writeFileSync(`${file}.new`, JSON.stringify({ ...document, messages }));
			renameSync(`${file}.new`, file);
		};
		const message = (text: string) => ({
			id: 'n',
			role: 'assistant',
			content: [{ type: 'text', text }],
			ts: Date.now(),
		});
		put(document.messages);
		await following(scratch, { find: () => [one], startsWith: () => true }, async (next) => {
			expect((await next()).kind).toBe('recent');
			put([...document.messages, message('half')]);
			expect(said(await next())).toEqual(['assistant: half']);
			put([...document.messages, message('half and more')]);
			const changed = await next();
			expect(changed).toMatchObject({ kind: 'reset', same: document.messages.length });
			expect(said(changed).at(-1)).toBe('assistant: half and more');
		});
	});
});

describe('sessions that are followed', () => {
	test('of those without news nothing is told, of the others only what is new', async () => {
		using scratch = new Scratch();
		const quiet = scratch.copy('openclaw');
		const files = (['claude-code', 'clido', 'cline'] as const).map((format) => session(format, scratch.copy(format)));
		const all = [session('openclaw', quiet), ...files];
		let looked = 0;
		const find = () => {
			looked += 1;
			return all;
		};
		await following(scratch, { find }, async (next) => {
			const first = next();
			await until(() => looked > 1);
			const [, clido] = files;
			appendFileSync(clido?.path ?? '', line('one more'));
			expect(said(await first)).toEqual(['user: one more']);
			const cline = files[2]?.path ?? '';
			const document = JSON.parse(bytesAt(cline).toString()) as { messages: object[] };
			const content = [{ type: 'text', text: 'new here' }];
			const messages = [...document.messages, { id: 'n', role: 'user', content, ts: Date.now() + 1000 }];
			writeFileSync(`${cline}.new`, JSON.stringify({ ...document, messages }));
			renameSync(`${cline}.new`, cline);
			expect(said(await next())).toEqual(['user: new here']);
		});
	});

	test('one that appears is told from its beginning, once there is something in it', async () => {
		using scratch = new Scratch();
		const folder = join(scratch.folder, 'sessions');
		const file = join(folder, 'new.jsonl');
		let there = false;
		let looked = 0;
		const find = () => {
			looked += 1;
			return there ? [session('clido', file)] : [];
		};
		await following(scratch, { find }, async (next) => {
			const first = next();
			await until(() => looked > 1);
			mkdirSync(folder);
			writeFileSync(file, '');
			there = true;
			const seen = looked;
			await until(() => looked > seen + 1);
			writeFileSync(file, bytesAt(sampleOf.clido));
			expect(said(await first)[0]).toMatch(/^user: /);
		});
	});

	test('one inside a database is followed too, and others in it are not taken for it', async () => {
		using scratch = new Scratch();
		const file = join(scratch.folder, 'openclaw-agent.sqlite');
		const corpus = 'openclaw/2026.9.6/parallel-tools/home/.openclaw/agents/main/agent/openclaw-agent.sqlite';
		cpSync(join(corpusRoot, corpus), file);
		const [stored] = databaseSessions(file) ?? [];
		const one = session('openclaw', `${file}#${stored?.id}`);
		const add = (id: string, text: string) => {
			using database = new DatabaseSync(file);
			const message = { role: 'user', content: [{ type: 'text', text }] };
			const event = {
				type: 'message',
				id: `new-${text}`,
				parentId: null,
				timestamp: new Date().toISOString(),
				message,
			};
			database.exec('PRAGMA foreign_keys = OFF');
			database
				.prepare('INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)')
				.run(id, 10_000 + text.length, JSON.stringify(event), Date.now());
		};
		await following(scratch, { find: () => [one], startsWith: () => true }, async (next) => {
			expect((await next()).kind).toBe('recent');
			add('another', 'elsewhere');
			add(stored?.id ?? '', 'here');
			expect(said(await next())).toEqual(['user: here']);
		});
	});

	test('those that are not wanted stay silent', async () => {
		using scratch = new Scratch();
		const own = scratch.copy('clido');
		const other = join(scratch.folder, 'other.jsonl');
		writeFileSync(other, bytesAt(sampleOf.clido));
		const all = [session('clido', own), session('clido', other)];
		let looked = 0;
		const find = () => {
			looked += 1;
			return all;
		};
		await following(scratch, { find, isWanted: ({ path }) => path === own }, async (next) => {
			const first = next();
			await until(() => looked > 1);
			appendFileSync(other, line('not wanted'));
			appendFileSync(own, line('wanted'));
			expect(said(await first)).toEqual(['user: wanted']);
		});
	});
});

async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await new Promise((done) => setTimeout(done, 5));
}
