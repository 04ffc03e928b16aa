/** Appends to files, and writes sessions of this format again. */
import { describe, expect, test } from 'vitest';
import { id, type Line, losses, reply, say, user, write } from '../../../../test/support/claude-code-entries.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import { conversationOf } from '../../../../test/support/laws.ts';
import type { Entry, JsonObject } from '../../../model/index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { claudeCode } from '../index.ts';

describe('appending', () => {
	const before = [user('e1', null, [say('one')], 1), reply('e2', 'e1', [say('two')], 2)];

	test('new lines follow the last line of the file', () => {
		const held = write(before);
		const added = write([user('e3', 'e2', [say('three')], 3)], 'client', { after: held.session });
		expect(added.lines).toHaveLength(1);
		expect(added.lines[0]?.parentUuid).toBe(held.lines.at(-1)?.uuid);
	});

	test('new lines are later than the file, whatever their own time says', () => {
		const held = write(before);
		const added = write([user('e3', 'e2', [say('three')], 0)], 'client', { after: held.session });
		expect(String(added.lines[0]?.timestamp) > String(held.lines.at(-1)?.timestamp)).toBe(true);
		expect(losses(added)).toEqual(['e3 time approximated']);
	});

	test('a branch beside the pointer of the file gets a pointer of its own', () => {
		const extra = { lastPrompt: '', explicit: true, sessionId: id };
		const pointer: Entry = { kind: 'leaf', id: 'p', records: [], target: 'e2', extra };
		const held = write([...before, pointer]);
		expect(held.lines.at(-1)).toMatchObject({ type: 'last-prompt', leafUuid: held.lines[1]?.uuid, explicit: true });
		const on = write([user('e3', 'e2', [say('on')], 3)], 'client', { after: held.session });
		expect(on.lines).toHaveLength(1);
		const again = write([user('e4', 'e1', [say('again')], 3)], 'client', { after: held.session });
		expect(again.lines[1]).toEqual({
			type: 'last-prompt',
			lastPrompt: 'again',
			leafUuid: again.lines[0]?.uuid,
			sessionId: id,
		});
	});
});

describe('a conversation that goes on from an earlier entry', () => {
	const entries = [
		user('e1', null, [say('one')], 1),
		reply('e2', 'e1', [say('two')], 2),
		user('e3', 'e1', [say('taken back')], 3),
	];

	test('gets a pointer to it, with the prompt that leads there', () => {
		const made = write(entries, 'client', { leaf: 'e2' });
		expect(made.lines.at(-1)).toMatchObject({
			...{ type: 'last-prompt', lastPrompt: 'one', explicit: true, leafUuid: made.lines[1]?.uuid },
		});
		expect(made.session.leaf).toBe(made.lines[1]?.uuid);
	});

	test('is told without what was said later in the document, which has no pointers, and a loss says so', () => {
		const made = write(entries, 'published', { leaf: 'e2' });
		expect(conversationOf(made.session.entries)).toEqual(['user: one', 'assistant: two']);
		expect(losses(made)).toContain('e3  dropped');
	});
});

describe('the same format again', () => {
	const files = corpusFiles('claude-code').filter((file) => !file.handWritten && file.scenario !== 'list-picker');

	test('a recorded session written again says the same and has no error', () => {
		for (const file of files) {
			const session = decodeBytes(claudeCode, file.bytes());
			const { bytes } = claudeCode.write.encode({
				profile: 'client',
				id: session.id,
				header: session.header,
				entries: session.entries,
			});
			const again = decodeBytes(claudeCode, bytes);
			expect(again.header, file.name).toEqual(session.header);
			expect([...conversationOf(again.entries)].sort(), file.name).toEqual([...conversationOf(session.entries)].sort());
			const graph = session.entries.filter((entry) => entry.parent !== undefined).map((entry) => entry.id);
			const written = new Set(again.entries.map((entry) => entry.id));
			expect(
				graph.filter((name) => !written.has(name)),
				file.name,
			).toEqual([]);
			const errors = checkBytes(claudeCode, bytes).filter((issue) => issue.severity === 'error');
			expect(errors, file.name).toEqual([]);
		}
	});

	test('fields that only this format has are written back', () => {
		const file = files.find((one) => one.name.includes('2.1.325/tools-all'));
		const source = Buffer.from(file?.bytes() ?? [])
			.toString('utf8')
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as Line);
		const session = decodeBytes(claudeCode, file?.bytes() ?? new Uint8Array());
		const written = write(session.entries, 'client', { id: session.id, header: session.header });
		const byUuid = new Map(written.lines.map((line) => [line.uuid, line]));
		for (const line of source) {
			if (typeof line.uuid !== 'string') continue;
			const { parentUuid: _, timestamp: __, rendered: ___, message: ____, ...fields } = line;
			expect(byUuid.get(line.uuid)).toMatchObject(fields);
		}
	});

	test('a recorded session in the published style passes its check', () => {
		for (const file of files) {
			const session = decodeBytes(claudeCode, file.bytes());
			const { issues } = write(session.entries, 'published', { id: session.id, header: session.header });
			expect(
				issues.filter((issue) => issue.severity === 'error'),
				file.name,
			).toEqual([]);
		}
	});

	test('values nested too deeply are cut, and said', () => {
		let deep: JsonObject = {};
		for (let i = 0; i < 20_000; i += 1) deep = { deep };
		const written = write([
			user('e1', null, [say('go')], 1),
			reply('e2', 'e1', [{ type: 'tool_call', id: 't', name: 'x', input: deep }], 2),
		]);
		expect(written.lines).toHaveLength(2);
		expect(losses(written)).toContain('e2  approximated');
	});
});
