/** A story read from a file equals the story of the session in memory. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { corpusFiles } from '../../test/support/corpus.ts';
import { mutation, seed } from '../../test/support/mutate.ts';
import { codecOf } from '../codecs/index.ts';
import { byId } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { identify } from '../store/reader/identify.ts';
import { openSession } from '../store/reader/session-reader.ts';
import type { Story, StoryOptions } from './story.ts';
import { openStory } from './story-file.ts';
import { storyOf } from './story-memory.ts';
import { type TranscriptOptions, type TranscriptPart, transcript } from './transcript.ts';

const scratch = mkdtempSync(join(tmpdir(), 'reprise-story-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const files = corpusFiles().filter((file) => file.bytes().length > 0 && codecOf(file.format) !== undefined);
const lines = files.filter((file) => codecOf(file.format)?.capabilities.container === 'lines');

/** A part without parents, which a single line does not always tell, and with sub-agents read at once. */
function plain(part: TranscriptPart): object {
	const { from, ...rest } = part;
	return {
		...rest,
		entry: from.id,
		time: from.time,
		...('parts' in rest ? { parts: Array.from(rest.parts, plain) } : {}),
	};
}

function told(story: Story, options: TranscriptOptions): object {
	const { id, format, header } = story;
	const { title, cwd, model, created } = header;
	return { id, format, title, cwd, model, created, parts: Array.from(transcript(story, options), plain) };
}

async function same(path: string, options: StoryOptions & TranscriptOptions): Promise<void> {
	using story = await openStory(path, options);
	const session = await openSession(path, { subagents: options.subagents === true });
	const wanted = storyOf(session, options);
	expect(told(story, options)).toEqual(told(wanted, options));
	const raw = (one: Story) =>
		Array.from({ length: one.length }, (_, place) => Buffer.from(one.record(place)?.bytes() ?? []).toString('latin1'));
	expect(raw(story)).toEqual(raw(wanted));
}

describe('a story told from a file', () => {
	it.each(files.map((file) => [file.name, file.path] as const))('is that of the session: %s', async (_, path) => {
		await same(path, {});
		await same(path, { thinking: true, events: true, subagents: true });
		await same(path, { last: 1 });
	});

	it('ends at any entry', async () => {
		for (const file of lines.filter((one) => one.bytes().length < 40_000)) {
			const session = await openSession(file.path, { subagents: false });
			for (const id of [...byId(session).keys()].filter((_, index) => index % 7 === 0))
				await same(file.path, { at: id });
		}
	});

	it('is that of the session, for damaged files', async () => {
		const little = lines.filter((file) => file.bytes().length < 60_000);
		await fc.assert(
			fc.asyncProperty(
				fc.nat(little.length - 1),
				fc.array(mutation, { minLength: 1, maxLength: 2 }),
				async (index, mutations) => {
					const path = join(scratch, 'damaged.jsonl');
					const bytes = little[index]?.bytes() ?? new Uint8Array();
					writeFileSync(
						path,
						mutations.reduce((before, one) => one.apply(before), bytes),
					);
					const found = identify(path);
					if (!found.ok) return;
					found.source[Symbol.dispose]();
					await same(path, { thinking: true, events: true });
				},
			),
			{ seed, numRuns: 400 },
		);
	});
});

describe('the entry that a story ends at', () => {
	it('is named by a beginning of its id, unless more than one begins so', async () => {
		const path = join(scratch, 'named.jsonl');
		const line = (uuid: string, parentUuid: string | null, text: string) =>
			`${JSON.stringify({ type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content: text } })}\n`;
		writeFileSync(path, line('aa-1', null, 'one') + line('ab-2', 'aa-1', 'two') + line('ab-3', 'ab-2', 'three'));
		const texts = async (at: string) => {
			using story = await openStory(path, { at });
			return Array.from(transcript(story), (part) => ('text' in part ? part.text : part.kind));
		};
		expect(await texts('aa')).toEqual(['one']);
		expect(await texts('ab-2')).toEqual(['one', 'two']);
		await expect(texts('ab')).rejects.toThrow(/more than one entry/);
		await expect(texts('x')).rejects.toThrow(InputError);
		await expect(texts('')).rejects.toThrow(InputError);
	});

	it.skipIf(process.platform !== 'linux')('leaves no file open where it is not there', async () => {
		const path = join(scratch, 'left.jsonl');
		const line = {
			type: 'user',
			uuid: 'a',
			parentUuid: null,
			sessionId: 's',
			message: { role: 'user', content: 'hi' },
		};
		writeFileSync(path, `${JSON.stringify(line)}\n`);
		const before = readdirSync('/proc/self/fd').length;
		for (let tries = 0; tries < 20; tries += 1)
			await expect(openStory(path, { at: 'none' })).rejects.toThrow(InputError);
		expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
	});
});
