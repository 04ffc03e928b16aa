/** Going on with a session: what is appended, where, and what happens when others write too. */
import { appendFileSync, chmodSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conversationOf } from '../../../test/support/laws.ts';
import { mountable, SmallDisk } from '../../../test/support/mount.ts';
import { bytesAt, fileNamed, formats, prompt, reply, Scratch, sampleOf } from '../../../test/support/sessions.ts';
import { diskCalls, type FileCalls } from '../../log/calls.ts';
import { filesLog } from '../../log/index.ts';
import { type Entry, path } from '../../model/index.ts';
import { checkFile } from '../reader/check.ts';
import { contextOf } from '../reader/context.ts';
import { openSession } from '../reader/session-reader.ts';
import { openHandle, SessionConflict } from './handle.ts';

describe.each(formats)('%s', (format) => {
	test('a turn is appended behind the leaf, and nothing before it changes', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		const before = bytesAt(file);
		const old = await openSession(file);
		await using handle = await openHandle(file, { machine: scratch.machine });
		expect(handle.session.format).toBe(format);
		expect(handle.session.id).toBe(old.id);
		expect(handle.leaf).toBe(old.leaf);
		const { entries } = await handle.append(prompt('and now?'), reply('done, all of it'));
		expect(conversationOf(entries)).toEqual(['user: and now?', 'assistant: done, all of it']);
		const now = await openSession(file);
		expect(handle.leaf).toBe(now.leaf);
		expect(conversationOf(path(now))).toEqual([
			...conversationOf(path(old)),
			'user: and now?',
			'assistant: done, all of it',
		]);
		if (format !== 'cline') expect(bytesAt(file).subarray(0, before.length).equals(before)).toBe(true);
		expect(checkFile(file, 'client').issues.filter((issue) => issue.severity === 'error')).toEqual([]);
	});

	test('what a handle reports is what reading the whole file gives', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		await using handle = await openHandle(file, { machine: scratch.machine });
		const made: Entry[] = [];
		for (let n = 0; n < 5; n += 1) made.push(...(await handle.append(prompt(`p${n}`), reply(`r${n}`))).entries);
		const whole = await openSession(file);
		expect(made).toEqual(whole.entries.slice(-made.length));
	});

	test('appends that are made together are all there, in order', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		await using handle = await openHandle(file, { machine: scratch.machine, durable: true });
		await Promise.all(
			Array.from({ length: 20 }, (_, n) => handle.append(prompt(`question ${n}`), reply(`answer ${n}`))),
		);
		const said = conversationOf(path(await openSession(file))).slice(-40);
		expect(said).toEqual(
			Array.from({ length: 20 }, (_, n) => [`user: question ${n}`, `assistant: answer ${n}`]).flat(),
		);
	});

	test('what another writer appended meanwhile is read, and the draft follows it', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		await using mine = await openHandle(file, { machine: scratch.machine });
		{
			await using other = await openHandle(file, { machine: scratch.machine });
			await other.append(prompt('from elsewhere'), reply('answered elsewhere'));
		}
		await mine.append(prompt('mine'));
		const said = conversationOf(path(await openSession(file))).slice(-3);
		expect(said).toEqual(['user: from elsewhere', 'assistant: answered elsewhere', 'user: mine']);
	});

	test('a clock that goes backwards does not change the order', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		let now = Date.parse('2026-06-01T12:00:00Z');
		await using handle = await openHandle(file, { machine: scratch.machine, now: () => (now -= 60_000) });
		for (let n = 0; n < 3; n += 1) await handle.append(prompt(`p${n}`), reply(`r${n}`));
		const session = await openSession(file);
		const times = path(session).flatMap((entry) => (entry.time === undefined ? [] : [Date.parse(entry.time)]));
		expect(times.slice(-6)).toEqual([...new Set(times.slice(-6))].sort((a, b) => a - b));
		expect(checkFile(file, 'client').issues.filter((issue) => issue.severity === 'error')).toEqual([]);
	});

	test('a second writer gets an error that names the first', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		await using first = await openHandle(file, { machine: scratch.machine });
		await first.append(prompt('mine'));
		await using second = await openHandle(file, { machine: scratch.machine });
		await expect(second.append(prompt('too'))).rejects.toThrow(`process ${process.pid}`);
	});

	test('a rewind makes the conversation go on from an earlier entry', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		const original = bytesAt(file);
		await using handle = await openHandle(file, { machine: scratch.machine });
		const old = await openSession(file);
		const target = path(old).filter((entry) => entry.kind === 'message' && entry.role === 'assistant')[0] as Entry;
		const done = await handle.rewind(target.id);
		const kept = conversationOf(path(old, target.id));
		if (done.fork) {
			expect(bytesAt(file).equals(original)).toBe(true);
			await using forked = await openHandle(done.path, { machine: scratch.machine });
			await forked.append(prompt('another way'));
		} else {
			expect(handle.leaf).toBe(done.leaf);
			await handle.append(prompt('another way'));
		}
		const said = conversationOf(path(await openSession(done.path)));
		expect(said.slice(0, kept.length)).toEqual(kept);
		expect(said.at(-1)).toBe('user: another way');
	});

	test('a session that may only be read can be forked elsewhere and continued there', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		chmodSync(file, 0o400);
		await using handle = await openHandle(file, { machine: scratch.machine });
		const to = join(scratch.folder, 'elsewhere', fileNamed(format, 'f'));
		const forked = await handle.fork(undefined, { to });
		expect(forked.path).toBe(to);
		expect(statSync(to).mode & 0o777).toBe(0o600);
		await using next = await openHandle(to, { machine: scratch.machine });
		expect(next.session.id).toBe(forked.id);
		expect(next.session.id).not.toBe(handle.session.id);
		await next.append(prompt('on'));
		expect(conversationOf(path(await openSession(to))).at(-1)).toBe('user: on');
	});
});

describe.skipIf(!mountable)('on a disk that is read-only', () => {
	test.each(formats)(
		'a session of %s is read and followed by its leaf, and forked to a disk that is not',
		async (format) => {
			using scratch = new Scratch();
			using disk = new SmallDisk(join(scratch.folder, 'disk'), '1m');
			const name = fileNamed(format, 's');
			const file = join(disk.path, name);
			cpSync(sampleOf[format], file);
			const before = bytesAt(file);
			disk.protect();
			await using handle = await openHandle(file, { machine: scratch.machine });
			expect(handle.leaf).not.toBeNull();
			await expect(handle.append(prompt('on'))).rejects.toThrow(/read-only; fork the session to another place/);
			const forked = await handle.fork(undefined, { to: join(scratch.folder, 'elsewhere', name) });
			await using next = await openHandle(forked.path, { machine: scratch.machine });
			await next.append(prompt('on there'));
			const said = conversationOf(path(await openSession(forked.path)));
			expect(said).toEqual([...conversationOf(path(await openSession(file))), 'user: on there']);
			expect(bytesAt(file)).toEqual(before);
		},
	);
});

test('a branch that another client opened meanwhile is not built upon', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('claude-code');
	await using handle = await openHandle(file, { machine: scratch.machine });
	const session = await openSession(file);
	const first = path(session).find((entry) => entry.kind === 'message');
	{
		await using other = await openHandle(file, { machine: scratch.machine });
		await other.rewind(first?.id ?? '');
		await other.append(prompt('another way'));
	}
	const before = bytesAt(file);
	await expect(handle.append(prompt('mine'))).rejects.toThrow(SessionConflict);
	expect(bytesAt(file).equals(before)).toBe(true);
});

test('a write that fails leaves nothing behind, and the next one is made as if it had never been tried', async () => {
	using scratch = new Scratch();
	for (const format of formats) {
		const file = scratch.copy(format);
		const before = bytesAt(file);
		let full = false;
		const calls: FileCalls = {
			...diskCalls,
			write(to, from, at, length) {
				if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
				return diskCalls.write(to, from, at, length);
			},
		};
		const log = filesLog({ locks: join(scratch.folder, 'locks'), calls });
		await using handle = await openHandle(file, { machine: scratch.machine, log });
		full = true;
		await expect(handle.append(prompt('lost'))).rejects.toThrow('disk is full');
		expect(bytesAt(file).equals(before)).toBe(true);
		full = false;
		await handle.append(prompt('found'));
		const said = conversationOf(path(await openSession(file)));
		expect(said.at(-1)).toBe('user: found');
		expect(said).not.toContain('user: lost');
	}
});

test('Clido and Reprise in turn: the lines of each are read by the other', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('clido');
	const started = contextOf(file).messages.length;
	for (let round = 1; round <= 3; round += 1) {
		await using handle = await openHandle(file, { machine: scratch.machine });
		await handle.append(prompt(`reprise ${round}`), reply(`of reprise ${round}`));
		// What Clido itself writes for a turn, in its own key order.
		appendFileSync(
			file,
			[
				`{"type":"user_message","role":"user","content":[{"text":"clido ${round}","type":"text"}]}`,
				`{"type":"assistant_message","content":[{"text":"of clido ${round}","type":"text"}]}`,
				'{"type":"result","exit_status":"success","total_cost_usd":0.0,"num_turns":1,"duration_ms":10}\n',
			].join('\n'),
		);
		await handle.append(prompt(`again ${round}`), reply(`of again ${round}`));
	}
	const { messages, refused } = contextOf(file);
	expect(refused).toBeUndefined();
	const texts = JSON.stringify(messages.slice(started));
	const all = [1, 2, 3].flatMap((n) => [`reprise ${n}`, `clido ${n}`, `again ${n}`]);
	for (const text of all.flatMap((one) => [`"${one}"`, `"of ${one}"`])) expect(texts).toContain(text);
	expect(messages.length - started).toBe(18);
});

test('a torn tail stays, and the next append starts on its own line', async () => {
	using scratch = new Scratch();
	for (const format of ['claude-code', 'openclaw', 'clido'] as const) {
		const file = scratch.copy(format);
		appendFileSync(file, '{"type":"user","mess');
		const before = bytesAt(file);
		await using handle = await openHandle(file, { machine: scratch.machine });
		await handle.append(prompt('after the tear'));
		const after = bytesAt(file);
		expect(after.subarray(0, before.length).equals(before)).toBe(true);
		expect(after[before.length]).toBe(10);
		expect(conversationOf((await openSession(file)).entries).at(-1)).toBe('user: after the tear');
	}
});

test('a last line that only lacks its newline is the one that is followed', async () => {
	using scratch = new Scratch();
	for (const format of ['claude-code', 'openclaw', 'clido'] as const) {
		const file = scratch.copy(format);
		writeFileSync(file, bytesAt(file).subarray(0, -1));
		const old = await openSession(file);
		await using handle = await openHandle(file, { machine: scratch.machine });
		await handle.append(prompt('next'));
		const said = conversationOf(path(await openSession(file)));
		expect(said).toEqual([...conversationOf(path(old)), 'user: next']);
	}
});

test('the document that a handle replaces is kept as it was', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('cline');
	const before = bytesAt(file);
	await using handle = await openHandle(file, { machine: scratch.machine });
	await handle.append(prompt('one'));
	await handle.append(prompt('two'));
	const originals = join(scratch.folder, 'own', 'originals');
	const [name] = readdirSync(originals).filter((one) => !one.startsWith('.'));
	expect(readFileSync(join(originals, name ?? '')).equals(before)).toBe(true);
});
