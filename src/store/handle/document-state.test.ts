/** Documents that grow by many appends: reports stay true, and old messages are not parsed again each time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { conversationOf } from '../../../test/support/laws.ts';
import { prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import { cline, compactionFits, parseCompaction } from '../../codecs/cline/index.ts';
import { type Entry, path } from '../../model/index.ts';
import { checkFile } from '../reader/check.ts';
import { openSession } from '../reader/session-reader.ts';
import { createHandle } from './create.ts';
import type { Draft } from './draft.ts';
import { openHandle } from './handle.ts';

function toolTurn(n: number): readonly Draft[] {
	const response = { id: `msg_${n}`, provider: 'anthropic', model: 'claude-sonnet-4-6', stop: 'tool' };
	const call = { type: 'tool_call', id: `toolu_${n}`, name: 'Bash', input: { command: 'ls' } } as const;
	const result = {
		type: 'tool_result',
		call: call.id,
		content: [{ type: 'text', text: 'a b' }],
		isError: false,
	} as const;
	return [
		prompt(`question ${n}`),
		{ kind: 'message', role: 'assistant', content: [call], response },
		{ kind: 'message', role: 'user', content: [result] },
		reply(`answer ${n}`),
	];
}

test('every append to a long document is reported as reading the whole file gives it', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('cline');
	await using handle = await openHandle(file, { machine: scratch.machine });
	const before = (await openSession(file)).entries;
	const made: Entry[] = [];
	for (let n = 0; n < 11; n += 1) {
		for (const draft of toolTurn(n)) made.push(...(await handle.append(draft)).entries);
		if (n % 5 !== 0) continue;
		const whole = await openSession(file);
		expect([...before, ...made]).toEqual(whole.entries);
		expect(handle.session).toMatchObject({ id: whole.id, dialect: whole.dialect, header: whole.header });
	}
	const { issues } = checkFile(file, 'client');
	expect(issues.filter((issue) => issue.severity === 'error')).toEqual([]);
});

test('messages without ids are followed by their place in the whole document, however long it is', async () => {
	using scratch = new Scratch();
	const file = join(scratch.folder, 'old.messages.json');
	const messages = Array.from({ length: 40 }, (_, n) => ({
		role: n % 2 === 0 ? 'user' : 'assistant',
		content: [{ type: 'text', text: `text ${n}` }],
	}));
	writeFileSync(file, JSON.stringify({ version: 1, agent: 'lead', sessionId: 'old', messages }, null, 2));
	await using handle = await openHandle(file, { machine: scratch.machine });
	expect(handle.leaf).toBe('message:39');
	const [added] = (await handle.append(prompt('more'))).entries;
	expect(added?.parent).toBe('message:39');
	expect(added).toEqual((await openSession(file)).entries.at(-1));
	expect(path(await openSession(file))).toHaveLength(41);
});

test('a compaction late in a long document stands for all messages before it', async () => {
	using scratch = new Scratch();
	await using handle = await createHandle({ format: 'cline', cwd: scratch.folder, machine: scratch.machine });
	for (let n = 0; n < 20; n += 1) await handle.append(...toolTurn(n));
	await handle.append({ kind: 'compaction', summary: 'all of it', trigger: 'auto' });
	await handle.append(prompt('on'), reply('yes'));
	const sidecar = parseCompaction(readFileSync(handle.path.replace('.messages.json', '.compaction.json')));
	const { messages } = JSON.parse(readFileSync(handle.path, 'utf8'));
	expect(sidecar?.source_message_count).toBe(80);
	expect(sidecar && compactionFits(sidecar, messages)).toBe(true);
	expect(conversationOf(path(await openSession(handle.path))).slice(-2)).toEqual(['user: on', 'assistant: yes']);
});

test('what an append reads does not grow with the document', async () => {
	using scratch = new Scratch();
	await using handle = await createHandle({ format: 'cline', cwd: scratch.folder, machine: scratch.machine });
	let read = 0;
	const original = cline.read.reader.bind(cline);
	using _ = vi.spyOn(cline.read, 'reader').mockImplementation((from) => {
		const reader = original(from);
		return {
			...reader,
			push(bytes, visit) {
				read += bytes.length;
				reader.push(bytes, visit);
			},
		};
	});
	const readBy = async (turns: number): Promise<number> => {
		read = 0;
		for (let n = 0; n < turns; n += 1) await handle.append(prompt('x'.repeat(500)), reply('y'.repeat(500)));
		return read;
	};
	const first = await readBy(30);
	await readBy(30);
	expect(await readBy(30)).toBeLessThan(1.2 * first);
});
