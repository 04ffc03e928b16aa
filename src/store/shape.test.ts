/** Inspecting a file without reading what it says gives what reading everything gives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { mutatedFiles, mutation, seed } from '../../test/support/mutate.ts';
import { type Codec, codecOf, decodeBytes } from '../codecs/index.ts';
import { branches, memorySource, type Session } from '../model/index.ts';
import { inspectFile, inspectSession } from './inspect.ts';
import { openSession } from './open.ts';
import { type ReadShapeOptions, readShape } from './shape.ts';
import { Tally } from './tally.ts';

const files = corpusFiles().filter((file) => file.bytes().length > 0);
const shaped = files.filter((file) => codecOf(file.format)?.shape !== undefined);

function codecFor(format: string): Codec {
	const codec = codecOf(format);
	if (!codec) throw new Error(format);
	return codec;
}

/** Of the header only what an inspection tells. */
function told({ header, ...counted }: ReturnType<typeof readShape>): object {
	const { dialect, id, cwd, title, version, agent } = header;
	return { ...counted, header: { dialect, id, cwd, title, version, agent } };
}

function tallied(codec: Codec, session: Session): object {
	const tally = new Tally(codec);
	tally.add(session);
	return told(tally.end(session.issues));
}

function same(format: string, bytes: Uint8Array, options?: ReadShapeOptions): void {
	const codec = codecFor(format);
	const session = decodeBytes(codec, bytes);
	const read = readShape(codec, memorySource(bytes), options);
	expect(told(read)).toEqual(tallied(codec, session));
	expect(read.branches).toBe(branches(session).length);
}

describe('the shape of a session', () => {
	it.each(files.map((file) => [file.name, file] as const))('is what opening it tells: %s', async (_, file) => {
		expect(await inspectFile(file.path)).toEqual(inspectSession(await openSession(file.path)));
	});

	it('does not depend on what is long', () => {
		for (const file of shaped) {
			same(file.format, file.bytes(), { longest: 64 });
			same(file.format, file.bytes(), { longest: 64, window: 100 });
		}
	});

	it('is what decoding tells, for damaged files', () => {
		const little = shaped.filter((file) => file.bytes().length < 60_000);
		fc.assert(
			fc.property(fc.nat(little.length - 1), fc.array(mutation, { minLength: 1, maxLength: 2 }), (index, mutations) => {
				const file = little[index];
				if (!file) return;
				const bytes = mutations.reduce((before, one) => one.apply(before), file.bytes());
				same(file.format, bytes, { longest: 64 });
			}),
			{ seed, numRuns: Math.min(mutatedFiles, 3000) },
		);
	});

	it('is found the long way where a long text is an id, a folder or a name', () => {
		const long = 'x'.repeat(400);
		const line = { type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message: { role: 'user', content: 'a' } };
		for (const change of [
			{ uuid: long },
			{ parentUuid: long },
			{ sessionId: long },
			{ cwd: long },
			{ version: long },
			{ isSidechain: true, agentId: long },
			{ message: { role: 'user', content: [{ type: long }] } },
		]) {
			const bytes = Buffer.from(`${JSON.stringify(line)}\n${JSON.stringify({ ...line, ...change })}\n`);
			same('claude-code', bytes);
			same('claude-code', Buffer.from(`${JSON.stringify({ ...line, ...change })}\n`));
		}
	});

	it('has every mark and every second entry of pi and OpenClaw', () => {
		const usage = { input: 1, output: 2, cost: { total: 0.5 } };
		const text = [{ type: 'text', text: 'x'.repeat(400) }];
		const messages = [
			{ role: 'user', content: 'x'.repeat(400) },
			{ role: 'user', content: text, __openclaw: {} },
			{ role: 'toolResult', toolCallId: 'c', toolName: 't', content: text, usage },
			{ role: 'toolResult', content: [{ type: 'image', data: 'x'.repeat(400), mimeType: 'image/png' }], usage: 'none' },
			{
				role: 'assistant',
				content: [
					{ type: 'thinking', thinking: '' },
					{ type: 'toolCall', id: 'c', name: 't' },
				],
			},
			{ role: 'bashExecution', command: 'ls', output: 'x'.repeat(400) },
			{ role: 'system', content: '', sections: { one: 'x'.repeat(400) } },
			{ role: 'system', content: '', sections: {} },
			{ role: 'x'.repeat(400), content: text },
		];
		const lines = [
			...messages.map((message) => ({ type: 'message', message })),
			{ type: 'message', message: 'none' },
			{ type: 'message', message: messages[0], appendMode: 'side' },
			{ type: 'compaction', summary: 'x'.repeat(400), firstKeptEntryId: 'e', usage },
			{ type: 'session_info', name: 'x'.repeat(400) },
			{ type: 'custom', customType: `openclaw.${'x'.repeat(400)}` },
		];
		for (const version of [1, 2, 3, 4]) {
			const header = { type: 'session', version, id: 's', cwd: '/' };
			for (const line of lines) {
				const both = [header, { id: 'a', parentId: null, ...line }, { id: 'b', parentId: 'a', ...lines[0] }];
				same('openclaw', Buffer.from(both.map((one) => `${JSON.stringify(one)}\n`).join('')));
			}
		}
	});

	it('tells a line that is not JSON deep inside', () => {
		const inside = (text: string) =>
			Buffer.from(
				`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"${'x'.repeat(5000)}${text}"}}\n`,
			);
		for (const text of ['', '\\n', '\\x', '\\u00g0', '\t', '", "x": 01, "y": "']) same('claude-code', inside(text));
		const read = readShape(codecFor('claude-code'), memorySource(inside('\\x')));
		expect(read.issues.map((issue) => issue.rule)).toEqual(['claude-code/not-json']);
	});
});
