/** A handle of a Claude Code session goes on where the real client does, however the file came to be. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextOf } from '../../../test/support/claude-code-context.ts';
import { treeFile } from '../../../test/support/claude-code-trees.ts';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { seed } from '../../../test/support/mutate.ts';
import { bytesAt, prompt, reply, Scratch } from '../../../test/support/sessions.ts';
import { Lines } from '../../codecs/claude-code/context/lines.ts';
import { newPath } from '../../codecs/claude-code/context/path-2-1-325.ts';
import { type Context, claudeCode, parsedIndex } from '../../codecs/index.ts';
import { openHandle, SessionConflict } from '../handle/handle.ts';

const newest = '2.1.325';
const oldest = '2.1.29';

/** The last message that the newest client continues after; undefined where it starts anew or refuses. */
function lastMessage(bytes: Uint8Array, at?: string): string | undefined {
	const lines = new Lines(parsedIndex(claudeCode, bytes));
	const path = newPath(lines, at === undefined ? undefined : lines.lineOf(at));
	const last = path.lines.findLast((line) => lines.isMessage(line));
	return last === undefined ? undefined : lines.entryId(last);
}

const sent = (bytes: Uint8Array, client: string): Context => contextOf(bytes, { client, exact: true });
const ids = ({ from }: Context): readonly string[] => from.flat();

/** Checks that after an append everything sent before is still sent, and what is new. */
function expectGoesOn(before: Context, after: Context, added: readonly string[]): void {
	expect(after.refused).toBeUndefined();
	const old = new Set(ids(before));
	expect(ids(after).filter((id) => old.has(id))).toEqual(ids(before));
	expect(ids(after).filter((id) => !old.has(id))).toEqual(added);
}

/** Opens a copy, goes on, and compares every step with what the clients would send. */
async function goesOn(bytes: Uint8Array, name = 'session.jsonl'): Promise<void> {
	using scratch = new Scratch();
	const file = join(scratch.folder, name);
	writeFileSync(file, bytes);
	await using handle = await openHandle(file, { machine: scratch.machine });
	const before = sent(bytes, newest);
	expect(handle.leaf === null ? undefined : lastMessage(bytes, handle.leaf)).toBe(lastMessage(bytes));
	const { entries } = await handle.append(prompt('go on'), reply('gladly'));
	const now = bytesAt(file);
	const added = entries.filter((entry) => entry.kind === 'message').map((entry) => entry.id);
	expectGoesOn(before, sent(now, newest), added);
	expect(ids(sent(now, oldest)).slice(-2)).toEqual(added.slice(-2));
	expect(handle.leaf).toBe(added.at(-1));
}

/** Goes back to an entry, then on from there; so does a second handle that was opened before. */
async function goesBack(bytes: Uint8Array, to: string, name = 'session.jsonl'): Promise<'back' | 'forked'> {
	using scratch = new Scratch();
	const file = join(scratch.folder, name);
	writeFileSync(file, bytes);
	await using handle = await openHandle(file, { machine: scratch.machine });
	const target = lastMessage(bytes, to);
	const done = await handle.rewind(to);
	if (!done.fork) {
		expect(bytesAt(file).subarray(0, bytes.length)).toEqual(Buffer.from(bytes));
		expect(lastMessage(bytesAt(file))).toBe(target);
		expect(lastMessage(bytesAt(file), handle.leaf ?? undefined)).toBe(target);
	}
	const before = sent(bytesAt(done.path), newest);
	await using next = done.fork ? await openHandle(done.path, { machine: scratch.machine }) : undefined;
	const { entries } = await (next ?? handle).append(prompt('another way'), reply('as you like'));
	const now = bytesAt(done.path);
	const added = entries.filter((entry) => entry.kind === 'message').map((entry) => entry.id);
	expectGoesOn(before, sent(now, newest), added);
	expect(ids(sent(now, oldest)).slice(-2)).toEqual(added.slice(-2));
	return done.fork ? 'forked' : 'back';
}

/** A copy in which nothing is said is no session of Claude Code. */
function isEmpty(error: unknown): undefined {
	expect(error).toMatchObject({ rule: 'empty' });
	return undefined;
}

const share = fc.double({ min: 0, max: 0.999, noNaN: true });

/** The id of some message of the session itself. */
function messageIn(bytes: Uint8Array, where: number): string {
	const lines = new Lines(parsedIndex(claudeCode, bytes));
	const places = Array.from({ length: lines.end }, (_, line) => line).filter(
		(line) => lines.isMessage(line) && !lines.isSidechain(line),
	);
	return lines.entryId(places[Math.floor(where * places.length)] ?? 0);
}

describe('any file with branches, pointers and cuts', () => {
	test('a handle’s leaf is the last entry of the context of the newest client, and what is appended follows it', async () => {
		await fc.assert(
			fc.asyncProperty(treeFile, (bytes) => goesOn(bytes)),
			{ numRuns: 200, seed },
		);
	});

	test('a prompt that is taken back is not sent any more, and the next one follows what was said before it', async () => {
		await fc.assert(
			fc.asyncProperty(treeFile, share, async (bytes, where) => {
				using scratch = new Scratch();
				const file = join(scratch.folder, 'session.jsonl');
				writeFileSync(file, bytes);
				await using handle = await openHandle(file, { machine: scratch.machine });
				const to = messageIn(bytes, where);
				const done = await handle.rewind(to, { takesBack: true }).catch(isEmpty);
				if (!done?.prompt) return;
				const before = sent(bytesAt(done.path), newest);
				expect(ids(before)).not.toContain(to);
				await using next = done.fork ? await openHandle(done.path, { machine: scratch.machine }) : undefined;
				const { entries } = await (next ?? handle).append(prompt('another way'), reply('as you like'));
				const added = entries.filter((entry) => entry.kind === 'message').map((entry) => entry.id);
				expectGoesOn(before, sent(bytesAt(done.path), newest), added);
			}),
			{ numRuns: 200, seed },
		);
	});

	test('a fork is sent as the original is, as a whole or up to any message', async () => {
		await fc.assert(
			fc.asyncProperty(treeFile, share, async (bytes, where) => {
				using scratch = new Scratch();
				const file = join(scratch.folder, 'session.jsonl');
				writeFileSync(file, bytes);
				await using handle = await openHandle(file, { machine: scratch.machine });
				if (handle.leaf !== null) {
					const whole = await handle.fork();
					expect(ids(sent(bytesAt(whole.path), newest))).toEqual(ids(sent(bytes, newest)));
				}
				const at = messageIn(bytes, where);
				const part = await handle.fork(at);
				const expected = contextOf(bytes, { client: newest, exact: true, at });
				expect(ids(sent(bytesAt(part.path), newest))).toEqual(ids(expected));
			}),
			{ numRuns: 200, seed },
		);
	});

	test('what another writer adds meanwhile moves the leaf as it moves the client', async () => {
		const counts = { behind: 0, conflict: 0 };
		await fc.assert(
			fc.asyncProperty(treeFile, share, async (bytes, where) => {
				using scratch = new Scratch();
				const file = join(scratch.folder, 'session.jsonl');
				const cut = bytes.indexOf(10, Math.floor(where * (bytes.length - 1))) + 1;
				writeFileSync(file, bytes.subarray(0, cut));
				await using handle = await openHandle(file, { machine: scratch.machine });
				const { leaf } = handle;
				handle.changes(AbortSignal.abort()); // reads what encoding needs, before the others write
				writeFileSync(file, bytes);
				const added = await handle.append(prompt('go on')).then(
					({ entries }) => entries.filter((entry) => entry.kind === 'message').map((entry) => entry.id),
					(error: unknown) => (error instanceof SessionConflict ? undefined : Promise.reject(error)),
				);
				if (added) expectGoesOn(sent(bytes, newest), sent(bytesAt(file), newest), added);
				else {
					expect(bytesAt(file)).toEqual(Buffer.from(bytes));
					expect(ids(sent(bytes, newest))).not.toContain(leaf);
				}
				counts[added ? 'behind' : 'conflict'] += 1;
			}),
			{ numRuns: 200, seed },
		);
		expect(counts.behind).toBeGreaterThan(100);
		expect(counts.conflict).toBeGreaterThan(10);
	});

	test('after a rewind both clients go on from what is appended there', async () => {
		const counts = { back: 0, forked: 0 };
		await fc.assert(
			fc.asyncProperty(treeFile, share, async (bytes, where) => {
				counts[await goesBack(bytes, messageIn(bytes, where))] += 1;
			}),
			{ numRuns: 200, seed },
		);
		expect(counts.back).toBeGreaterThan(100);
		expect(counts.forked).toBeGreaterThan(5);
	});
});

const recorded = corpusFiles('claude-code').filter((file) => !file.handWritten && file.bytes().length > 0);

describe.each(recorded.map((file) => [file.name, file] as const))('%s', (_, file) => {
	test('goes on where the newest client does', async () => {
		if (lastMessage(file.bytes()) !== undefined) await goesOn(file.bytes(), basename(file.path));
	});

	test('goes back to any prompt', async () => {
		const bytes = file.bytes();
		const lines = new Lines(parsedIndex(claudeCode, bytes));
		for (let line = 0; line < lines.end; line += 1) {
			const isPrompt = lines.type(line) === 'user' && lines.index.value(line).toolUseResult === undefined;
			if (isPrompt && !lines.isSidechain(line)) await goesBack(bytes, lines.entryId(line), basename(file.path));
		}
	});
});

const difficult = join(import.meta.dirname, '../../../test/context/claude-code');
/** The cases about where to go on; in others the client also leaves out what the next turn brings back. */
const aboutTheLeaf = readdirSync(difficult).filter((name) => /^(gap|pointer|branch|compact|rewound|broken)/.test(name));

describe('files that were written to be difficult, and shown to the real clients', () => {
	test.each(aboutTheLeaf)('%s goes on where the newest client does', async (name) => {
		const bytes = readFileSync(join(difficult, name, 'session.jsonl'));
		const { refused } = sent(bytes, newest);
		if (refused === undefined && lastMessage(bytes) !== undefined) await goesOn(bytes);
	});
});

test('in a sub-agent’s own file the conversation is the sub-agent’s, and each turn follows the one before', async () => {
	const ofAgents = recorded.filter((file) => basename(file.path).startsWith('agent-'));
	expect(ofAgents.length).toBeGreaterThan(2);
	for (const file of ofAgents) {
		using scratch = new Scratch();
		const copy = join(scratch.folder, basename(file.path));
		writeFileSync(copy, file.bytes());
		await using handle = await openHandle(copy, { machine: scratch.machine });
		const { leaf } = handle;
		const first = await handle.append(prompt('one'), reply('two'));
		const second = await handle.append(prompt('three'));
		const messages = [...first.entries, ...second.entries].filter((entry) => entry.kind === 'message');
		expect(messages.map((entry) => entry.parent)).toEqual([leaf, ...messages.slice(0, -1).map((entry) => entry.id)]);
	}
});

test('an entry of a sub-agent is no place to go back to', async () => {
	using scratch = new Scratch();
	const file = scratch.copy('claude-code');
	const aside = { type: 'user', uuid: 'aside', parentUuid: null, isSidechain: true, agentId: 'a1' };
	const message = { role: 'user', content: 'aside' };
	writeFileSync(file, `${JSON.stringify({ ...aside, timestamp: '2026-01-01T00:00:00.000Z', message })}\n`, {
		flag: 'a',
	});
	await using handle = await openHandle(file, { machine: scratch.machine });
	await expect(handle.rewind('aside')).rejects.toThrow('is a sub-agent’s');
});
