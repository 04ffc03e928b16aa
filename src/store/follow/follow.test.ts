/** Following a session while others write to it. */
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { conversationOf } from '../../../test/support/laws.ts';
import { bytesAt, formats, prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import { filesLog } from '../../log/index.ts';
import { openHandle } from '../handle/handle.ts';
import { openSession } from '../reader/session-reader.ts';
import type { SessionChange } from './follow.ts';

/** Takes changes one by one, and stops when no more are asked for. */
async function following(
	scratch: Scratch,
	file: string,
	run: (next: () => Promise<SessionChange>) => Promise<void>,
): Promise<void> {
	const log = filesLog({ locks: `${scratch.folder}/locks`, pollMs: 20 });
	await using handle = await openHandle(file, { machine: scratch.machine, log });
	const stop = new AbortController();
	const changes = handle.changes(stop.signal)[Symbol.asyncIterator]();
	try {
		await run(async () => {
			const { value } = await changes.next();
			return value as SessionChange;
		});
	} finally {
		stop.abort();
		expect((await changes.next()).done).toBe(true);
	}
}

const said = (change: SessionChange): readonly string[] =>
	change.kind === 'removed' ? ['removed'] : conversationOf(change.entries);

describe.each(formats)('%s', (format) => {
	test('what is appended is told once, as reading the whole file tells it', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		await following(scratch, file, async (next) => {
			await using other = await openHandle(file, { machine: scratch.machine });
			for (let n = 0; n < 3; n += 1) {
				await other.append(prompt(`p${n}`), reply(`r${n}`));
				const change = await next();
				expect(change.kind).toBe('added');
				expect(said(change)).toEqual([`user: p${n}`, `assistant: r${n}`]);
				const whole = await openSession(file);
				if (change.kind === 'added') expect(change.entries).toEqual(whole.entries.slice(-change.entries.length));
			}
		});
	});

	test('a file that is replaced or removed is told anew', async () => {
		using scratch = new Scratch();
		const file = scratch.copy(format);
		const old = bytesAt(file);
		await following(scratch, file, async (next) => {
			{
				await using other = await openHandle(file, { machine: scratch.machine });
				await other.append(prompt('more'));
			}
			expect(said(await next())).toEqual(['user: more']);
			writeFileSync(`${file}.new`, old);
			renameSync(`${file}.new`, file);
			const change = await next();
			expect(change.kind).toBe('reset');
			expect(said(change)).toEqual(conversationOf((await openSession(file)).entries));
			rmSync(file);
			expect((await next()).kind).toBe('removed');
			writeFileSync(file, old);
			const back = await next();
			expect(said(back)).toEqual(conversationOf((await openSession(file)).entries));
		});
	});
});

test('what the handle itself wrote before is not told again, what it writes now is', async () => {
	using scratch = new Scratch();
	for (const format of formats) {
		const file = scratch.copy(format);
		const log = filesLog({ locks: `${scratch.folder}/locks`, pollMs: 20 });
		await using handle = await openHandle(file, { machine: scratch.machine, log });
		await handle.append(prompt('before'));
		const stop = new AbortController();
		const changes = handle.changes(stop.signal)[Symbol.asyncIterator]();
		await handle.append(prompt('after'));
		const { value } = await changes.next();
		expect(said(value as SessionChange)).toEqual(['user: after']);
		stop.abort();
		await changes.next();
	}
});

test('a line is told when it is whole', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('clido');
	await following(scratch, file, async (next) => {
		const line = '{"type":"user_message","role":"user","content":[{"type":"text","text":"in two parts"}]}\n';
		appendFileSync(file, line.slice(0, 40));
		appendFileSync(file, line.slice(40));
		expect(said(await next())).toEqual(['user: in two parts']);
	});
});

test('a turn that its client took back is told by telling everything again', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('clido');
	const before = bytesAt(file).length;
	await following(scratch, file, async (next) => {
		appendFileSync(file, '{"type":"user_message","role":"user","content":[{"type":"text","text":"taken back"}]}\n');
		expect(said(await next())).toEqual(['user: taken back']);
		truncateSync(file, before);
		const change = await next();
		expect(change.kind).toBe('reset');
		expect(said(change)).not.toContain('user: taken back');
	});
});
