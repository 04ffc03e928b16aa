/** New sessions through a handle: what is written, where, when, and what a reader and a second writer find. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conversationOf } from '../../../test/support/laws.ts';
import { bytesAt, fileNamed, formats, prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import type { Block, FormatId, ModelResponse, Profile } from '../../model/index.ts';
import { path } from '../../model/index.ts';
import { checkFile } from '../reader/check.ts';
import { contextOf } from '../reader/context.ts';
import { openSession } from '../reader/session-reader.ts';
import { type CreateOptions, createHandle } from './create.ts';
import type { Draft } from './draft.ts';
import { openHandle } from './handle.ts';

const profiles: readonly Profile[] = ['client', 'published'];
const cases = formats.flatMap((format) => profiles.map((profile) => [format, profile] as const));

const usage = { input: 5, output: 7, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

function block(content: Block, id: string, end: Partial<ModelResponse> = {}): Draft {
	const response = { id, provider: 'anthropic', model: 'claude-sonnet-4-6', ...end };
	return { kind: 'message', role: 'assistant', content: [content], response };
}

const call = (id: string): Block => ({ type: 'tool_call', id, name: 'Bash', input: { command: `echo ${id}` } });
const result = (id: string): Draft => ({
	kind: 'message',
	role: 'user',
	content: [{ type: 'tool_result', call: id, content: [{ type: 'text', text: id }], isError: false }],
});

/** A turn as an agent writes it: each block and each result as soon as it exists. */
const turn = (n: number): readonly Draft[] => [
	prompt(`question ${n}`),
	block({ type: 'text', text: `looking ${n}` }, `msg_a${n}`),
	block(call(`toolu_a${n}`), `msg_a${n}`),
	block(call(`toolu_b${n}`), `msg_a${n}`, { stop: 'tool', usage, costUsd: 0.01 }),
	result(`toolu_a${n}`),
	result(`toolu_b${n}`),
	block({ type: 'text', text: `answer ${n}` }, `msg_b${n}`, { stop: 'end', usage, costUsd: 0.01 }),
];

function create(scratch: Scratch, format: FormatId, profile: Profile, more: Partial<CreateOptions> = {}) {
	const { machine } = scratch;
	const home = join(scratch.folder, 'home');
	return createHandle({ format, profile, cwd: scratch.folder, home, machine, ...more });
}

const errorsIn = (file: string, profile: Profile) =>
	checkFile(file, profile).issues.filter((issue) => issue.severity === 'error');

describe.each(cases)('%s, %s', (format, profile) => {
	test('a session is made with its first append, and everything said is in it, in order', async () => {
		using scratch = new Scratch();
		const header = { title: 'A title', model: 'claude-sonnet-4-6', provider: 'anthropic', gitBranch: 'main' };
		await using handle = await create(scratch, format, profile, { header });
		expect(existsSync(dirname(handle.path))).toBe(false);
		expect(handle.leaf).toBeNull();
		for (const draft of turn(1)) await handle.append(draft);
		const session = await openSession(handle.path);
		const said = conversationOf(path(session)).join(' | ');
		expect(said).toMatch(/question 1.*looking 1.*toolu_a1.*toolu_b1.*toolu_a1.*toolu_b1.*answer 1/);
		expect(session.format).toBe(format);
		expect(handle.session.id).toBe(session.id);
		expect(handle.session.header).toMatchObject({ ...header, cwd: scratch.folder });
		expect(errorsIn(handle.path, profile)).toEqual([]);
	});

	test('it is opened again and goes on, and its client would send every message', async () => {
		using scratch = new Scratch();
		let file: string;
		{
			await using handle = await create(scratch, format, profile);
			for (const draft of turn(1)) await handle.append(draft);
			file = handle.path;
		}
		await using again = await openHandle(file, { machine: scratch.machine, profile });
		for (const draft of turn(2)) await again.append(draft);
		expect(errorsIn(file, profile)).toEqual([]);
		// Without the names of tools, which the contract does not have, Cline's command line client refuses a session.
		const sent = JSON.stringify(contextOf(file, format === 'cline' ? { client: '0.0.86' } : {}).messages);
		for (const text of ['question 1', 'answer 1', 'question 2', 'looking 2', 'answer 2']) expect(sent).toContain(text);
		expect(sent.match(/"tool_use_id"/g)).toHaveLength(4);
		expect(sent).not.toMatch(/interrupted|No result|missing/i);
	});

	test('what is reported is what reading the whole file gives', async () => {
		using scratch = new Scratch();
		await using handle = await create(scratch, format, profile);
		const made = [];
		for (const draft of [...turn(1), ...turn(2)]) made.push(...(await handle.append(draft)).entries);
		expect(made).toEqual((await openSession(handle.path)).entries);
	});

	test('only its owner can read it, and folders are made the same way', async () => {
		using scratch = new Scratch();
		await using handle = await create(scratch, format, profile);
		await handle.append(prompt('hello'));
		for (const name of readdirSync(dirname(handle.path))) {
			expect(statSync(join(dirname(handle.path), name)).mode & 0o777).toBe(0o600);
		}
		for (let at = dirname(handle.path); at !== scratch.folder; at = dirname(at)) {
			expect(statSync(at).mode & 0o777).toBe(0o700);
		}
	});

	test('a file that is there is never written to, however it came there', async () => {
		using scratch = new Scratch();
		await using handle = await create(scratch, format, profile);
		mkdirSync(dirname(handle.path), { recursive: true });
		writeFileSync(handle.path, '');
		await expect(handle.append(prompt('hello'))).rejects.toThrow('exists already');
		expect(bytesAt(handle.path)).toHaveLength(0);
		expect(readdirSync(dirname(handle.path))).toEqual([basename(handle.path)]);
		const again = create(scratch, format, profile, { path: handle.path });
		await expect(again).rejects.toThrow('exists already');
	});

	test('a second writer of the same new session is told who writes it', async () => {
		using scratch = new Scratch();
		await using first = await create(scratch, format, profile, {
			path: join(scratch.folder, 'one', fileNamed(format, 'one')),
		});
		await using second = await create(scratch, format, profile, { path: first.path });
		await first.append(prompt('mine'));
		await expect(second.append(prompt('too'))).rejects.toThrow(`process ${process.pid}`);
	});

	test('a reply that breaks off is kept as far as it came when the handle is closed', async () => {
		using scratch = new Scratch();
		const handle = await create(scratch, format, profile);
		await handle.append(prompt('hello'));
		await handle.append(block({ type: 'text', text: 'half a' }, 'msg_1'));
		await handle[Symbol.asyncDispose]();
		expect(conversationOf(path(await openSession(handle.path)))).toEqual(['user: hello', 'assistant: half a']);
	});
});

test('the client finds a new session where it looks for its own', async () => {
	using scratch = new Scratch();
	const { machine } = scratch;
	const now = (): number => Date.parse('2026-06-01T12:00:00.000Z');
	const id = '0b6f3c1e-5a57-4d2f-9d6c-0a8f3f1f2a11';
	const slug = scratch.folder.replaceAll(/[^A-Za-z0-9]/g, '-');
	const expected: { readonly [F in FormatId]?: string } = {
		'claude-code': `.claude/projects/${slug}/${id}.jsonl`,
		cline: `.cline/data/sessions/${id}/${id}.messages.json`,
		clido: `.local/share/clido/sessions/${scratch.folder.replaceAll('/', '_')}/${id}.jsonl`,
		openclaw: `.pi/agent/sessions/--${scratch.folder.slice(1).replaceAll('/', '-')}--/2026-06-01T12-00-00-000Z_${id}.jsonl`,
	};
	for (const [format, place] of Object.entries(expected) as [FormatId, string][]) {
		await using handle = await createHandle({ format, cwd: scratch.folder, id, machine, now });
		expect(handle.path).toBe(join(scratch.folder, place));
		await handle.append(prompt('hello'));
		expect((await openSession(handle.path)).id).toBe(id);
	}
});

test('a Cline session has a manifest that leads to its messages', async () => {
	using scratch = new Scratch();
	await using handle = await create(scratch, 'cline', 'client', { header: { title: 'T', systemPrompt: 'You are.' } });
	await handle.append(prompt('hello'));
	const { id } = handle.session;
	expect(readdirSync(dirname(handle.path))).toEqual([`${id}.json`, `${id}.messages.json`]);
	const manifest = JSON.parse(bytesAt(join(dirname(handle.path), `${id}.json`)).toString());
	expect(manifest).toMatchObject({
		session_id: id,
		messages_path: handle.path,
		cwd: scratch.folder,
		status: 'completed',
	});
	expect(manifest.metadata.title).toBe('T');
	expect(JSON.parse(bytesAt(handle.path).toString()).system_prompt).toBe('You are.');
});

test('what only follows the document is not put among a client’s own sessions', async () => {
	using scratch = new Scratch();
	const { machine } = scratch;
	for (const format of formats) {
		const made = createHandle({ format, profile: 'published', cwd: scratch.folder, machine });
		await expect(made).rejects.toThrow('name a file or a folder');
	}
});

test('an id that leads elsewhere, or that the client would not find, is refused', async () => {
	using scratch = new Scratch();
	for (const format of formats) {
		for (const id of ['../evil', 'a/b', '', '..']) {
			await expect(create(scratch, format, 'client', { id })).rejects.toThrow('would not find');
		}
	}
	await expect(create(scratch, 'claude-code', 'client', { id: 'mine' })).rejects.toThrow('would not find');
	await expect(create(scratch, 'cline', 'client', { id: 'a__b' })).rejects.toThrow('would not find');
});

test('a Claude Code session notes the date once, after its first prompt: newer models need it', async () => {
	using scratch = new Scratch();
	await using handle = await create(scratch, 'claude-code', 'client', { version: '2.1.400' });
	await handle.append({ kind: 'setting', set: { permissionMode: 'plan' } });
	await handle.append(prompt('one'));
	await handle.append(reply('two'));
	await handle.append(prompt('three'));
	const lines = bytesAt(handle.path)
		.toString()
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(lines.map((line) => line.type)).toEqual(['permission-mode', 'user', 'attachment', 'assistant', 'user']);
	expect(new Set(lines.flatMap((line) => line.version ?? []))).toEqual(new Set(['2.1.400']));
	expect(errorsIn(handle.path, 'client')).toEqual([]);
});

test('nothing is left behind when the first write fails, and the next one is made as if it had never been tried', async () => {
	using scratch = new Scratch();
	await using handle = await create(scratch, 'cline', 'client', { path: join(scratch.folder, 'f', 'a.messages.json') });
	writeFileSync(join(scratch.folder, 'f'), 'in the way');
	await expect(handle.append(prompt('hello'))).rejects.toThrow('not a folder');
	rmSync(join(scratch.folder, 'f'));
	await handle.append(prompt('hello'));
	expect(conversationOf(path(await openSession(handle.path)))).toEqual(['user: hello']);
});

test('who follows a session that is not there yet is told its first entries', async () => {
	using scratch = new Scratch();
	for (const format of formats) {
		await using handle = await create(scratch, format, 'client');
		mkdirSync(dirname(handle.path), { recursive: true, mode: 0o700 });
		const stop = new AbortController();
		const changes = handle.changes(stop.signal)[Symbol.asyncIterator]();
		const next = changes.next();
		const { entries } = await handle.append(prompt('hello'));
		const { value } = await next;
		expect(value?.kind === 'removed' ? [] : conversationOf(value?.entries ?? [])).toEqual(conversationOf(entries));
		stop.abort();
	}
});

test('there is nothing to go back to or to fork before the first append', async () => {
	using scratch = new Scratch();
	for (const format of formats) {
		await using handle = await create(scratch, format, 'client');
		await expect(handle.rewind('x')).rejects.toThrow('not written yet');
		await expect(handle.fork()).rejects.toThrow('does not exist');
	}
});
