/** Law 11: `show`, `context`, every `convert` and an append agree on where a conversation goes on and how it got there. */
import { cpSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codecOf, codecs, decodeBytes } from '../../src/codecs/index.ts';
import { openStory } from '../../src/export/story-file.ts';
import { type Entry, type EntryId, history, inGraph, type Session } from '../../src/model/index.ts';
import { convertSession } from '../../src/move/convert.ts';
import { isReadOnly } from '../../src/move/profiles.ts';
import { InputError } from '../../src/store/errors.ts';
import { openHandle } from '../../src/store/handle/handle.ts';
import { contextOf } from '../../src/store/reader/context.ts';
import { openSession } from '../../src/store/reader/session-reader.ts';
import { corpusFiles } from '../support/corpus.ts';
import { prompt, Scratch } from '../support/sessions.ts';

const contexts = join(import.meta.dirname, '../context');
const isSession = /\/(session\.jsonl|[^/]*\.messages\.json|api_conversation_history\.json)$/;

const difficult = readdirSync(contexts, { withFileTypes: true, recursive: true })
	.map((item) => join(item.parentPath, item.name))
	.filter((path) => isSession.test(path))
	.map((path) => ({ path, name: relative(contexts, path) }));
const files = [...corpusFiles(), ...difficult].filter(({ path }) => statSync(path).size > 0);

/** The entries on the way to the leaf: by what the lines say, and by what the client puts in place of lost parents. */
function onTheWay(session: Session, sent: readonly EntryId[]): ReadonlySet<EntryId> {
	return new Set([...history(session).map((entry) => entry.id), ...sent]);
}

/** What the newest client sends on resume; empty where it would refuse the file. */
function sentBy(path: string, session: Session): readonly EntryId[] {
	const client = codecOf(session.format)?.context.clients?.at(-1);
	const { from, refused } = contextOf(path, client === undefined ? {} : { client });
	return refused === undefined ? from.flat() : [];
}

/** What was said, without summaries: each format keeps those in its own way. */
const textsOf = (entries: readonly Entry[]): readonly string[] =>
	entries.flatMap((entry) => {
		if (entry.kind !== 'message' || entry.role === 'system' || entry.agent !== undefined) return [];
		if (entry.audience === 'user' || entry.origin === 'compaction') return [];
		return entry.content.flatMap((block) =>
			block.type === 'text' && block.text.trim() !== '' ? [block.text.toWellFormed()] : [],
		);
	});

/** What `show` tells in another way than the client sends it, and why. */
const toldOtherwise: ReadonlyMap<string, string> = new Map([
	...['compaction-that-keeps', 'compaction-twice', 'pointer-to-what-a-compaction-kept'].map(
		(name) => [`claude-code/${name}/session.jsonl`, 'what a compaction kept is told once, where it was said'] as const,
	),
	['claude-code/skill-beside-another-call/session.jsonl', 'the text of a skill hangs beside a reply of parallel calls'],
]);

it('every file of the corpus and of test/context is asked', () => {
	expect(files.length).toBeGreaterThan(420);
});

describe.each(files.map((file) => [file.name, file] as const))('law 11: %s', (name, { path }) => {
	it('show ends with the leaf', async () => {
		const session = await openSession(path);
		using story = await openStory(path);
		const told = Array.from({ length: story.length }, (_, place) => story.entry(place));
		const last = told.findLast((entry) => entry !== undefined && inGraph(entry));
		expect(last?.id ?? null).toBe(session.leaf);
	});

	it('what the client sends last is on the way to the leaf', async () => {
		const session = await openSession(path);
		const last = sentBy(path, session).at(-1);
		const way = history(session).map((entry) => entry.id);
		if (last !== undefined) expect(way).toContain(last);
		if (session.leaf === null) expect(last).toBeUndefined();
	});

	it.skipIf(toldOtherwise.has(name))('show tells all that the client sends', async () => {
		const session = await openSession(path);
		using story = await openStory(path);
		const told = Array.from({ length: story.length }, (_, place) => story.entry(place)).filter(
			(one) => one !== undefined,
		);
		const ids = new Set(told.map((entry) => entry.id));
		const sent = new Set(sentBy(path, session).filter((id) => !ids.has(id)));
		// Of a line that the client wrote twice one copy is told.
		const texts = new Set(textsOf(told));
		const missing = session.entries.filter((entry) => sent.has(entry.id));
		expect(missing.filter((entry) => !textsOf([entry]).every((text) => texts.has(text)))).toEqual([]);
	});

	it('an append follows the leaf', async () => {
		const session = await openSession(path, { subagents: false });
		if (isReadOnly(session)) return;
		using scratch = new Scratch();
		const copy = join(scratch.folder, basename(path));
		cpSync(path, copy);
		await using handle = await openHandle(copy, { machine: scratch.machine });
		expect(handle.leaf).toBe(session.leaf);
		const { entries } = await handle.append(prompt('go on'));
		// Calls that were left open are answered first.
		const added = entries.filter((entry) => inGraph(entry));
		// Lines that name each other cannot name one without an id.
		const links = codecOf(session.format)?.context.resumePath?.links(session.dialect) === true;
		expect(added[0]?.parent).toBe(links && session.leaf?.startsWith('line:') ? null : session.leaf);
		if (session.header.agent === undefined)
			expect((await openSession(copy, { subagents: false })).leaf).toBe(added.at(-1)?.id);
	});

	it.each(['client', 'published'] as const)(
		'every conversion goes on from what the leaf said (%s)',
		async (profile) => {
			const session = await openSession(path);
			const way = onTheWay(session, sentBy(path, session));
			const said = textsOf(session.entries.filter((entry) => way.has(entry.id)));
			const elsewhere = textsOf(session.entries.filter((entry) => !way.has(entry.id))).filter(
				(text) => !said.includes(text),
			);
			// Where a parent is lost a conversion keeps all that is before the gap, and says that the client may not send it.
			const [root] = history(session);
			const isWhole = root?.parent == null && root?.logicalParent === undefined;
			for (const codec of codecs.filter(({ id }) => id !== session.format)) {
				const made = converted(session, codec.id, profile);
				if (!made) continue;
				const texts = textsOf(history(made));
				const last = textsOf(history(session)).at(-1);
				if (last !== undefined) expect(texts, codec.id).toContain(last);
				if (isWhole)
					expect(
						texts.filter((text) => elsewhere.includes(text)),
						codec.id,
					).toEqual([]);
			}
		},
	);
});

/** Undefined where nothing was said that a client could go on from. */
function converted(session: Session, to: string, profile: 'client' | 'published'): Session | undefined {
	const codec = codecOf(to);
	if (!codec) throw new Error(`no codec for ${to}`);
	try {
		const made = convertSession(session, codec, { profile });
		return decodeBytes(codec, made.bytes, made.id);
	} catch (error) {
		if (error instanceof InputError && error.rule === 'no-messages') return undefined;
		throw error;
	}
}
