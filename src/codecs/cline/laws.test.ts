/** The laws of DESIGN over the corpus, over damaged files and over made-up conversations. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversation } from '../../../test/support/arbitrary.ts';
import { corpusFiles } from '../../../test/support/corpus.ts';
import {
	appendingOnlyAppends,
	checkNeverThrows,
	conversationOf,
	piecesEqualTheWhole,
	readThenWriteGivesTheSameBytes,
	validateAcceptsWhatEncodeWrites,
} from '../../../test/support/laws.ts';
import { mutation, seed } from '../../../test/support/mutate.ts';
import type { Entry, Profile } from '../../model/index.ts';
import type { Codec } from '../codec.ts';
import { checkBytes } from '../shared/check/check.ts';
import { detect } from '../shared/read/detect.ts';
import { cline } from './index.ts';
import { looksLikeMessage } from './read/decode.ts';

const files = corpusFiles('cline');
const profiles: readonly Profile[] = ['client', 'published'];

describe('laws over the corpus', () => {
	test('every file comes back byte for byte, typed throughout', () => {
		expect(files.length).toBeGreaterThan(30);
		for (const file of files) {
			const session = readThenWriteGivesTheSameBytes(cline, file.bytes());
			expect(session.issues, file.name).toEqual([]);
			for (const entry of session.entries) {
				expect(entry.kind, file.name).toBe('message');
				if (entry.kind === 'message') expect(entry.content.some((block) => block.type === 'opaque')).toBe(false);
			}
		}
	});

	test('reading in pieces equals reading once', () => {
		for (const file of files) {
			const bytes = file.bytes();
			piecesEqualTheWhole(cline, bytes, [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2), bytes.length - 1]);
		}
	});

	test('every file is claimed, also by its first bytes', () => {
		for (const file of files) {
			const bytes = file.bytes();
			expect(cline.read.claims(JSON.parse(Buffer.from(bytes).toString('utf8'))), file.name).toBeDefined();
			const head = bytes.subarray(0, Math.min(bytes.length, 600));
			expect(detect([cline], { head, complete: head.length === bytes.length }), file.name).toMatchObject({
				codec: cline,
			});
		}
	});

	test('damaged files are read and checked without throwing, and keep their bytes', () => {
		const small = files.filter((file) => file.bytes().length < 100_000);
		fc.assert(
			fc.property(fc.constantFrom(...small), mutation, (file, damage) => {
				const bytes = damage.apply(file.bytes());
				readThenWriteGivesTheSameBytes(cline, bytes);
				checkNeverThrows(cline, bytes);
			}),
			{ seed, numRuns: 200 },
		);
	});

	test('damage is an error exactly when the client cannot parse the file', () => {
		const parses = (bytes: Uint8Array): boolean => {
			try {
				JSON.parse(Buffer.from(bytes).toString('utf8').trim());
				return true;
			} catch (error) {
				expect(error).toBeInstanceOf(SyntaxError);
				return false;
			}
		};
		const small = files.filter((file) => file.bytes().length < 20_000);
		fc.assert(
			fc.property(fc.constantFrom(...small), mutation, (file, damage) => {
				const bytes = damage.apply(file.bytes());
				if (Buffer.from(bytes).toString('utf8').trim() === '') return;
				const flaws = checkBytes(cline, bytes).map((issue) => issue.rule);
				expect(flaws.includes('cline/torn') || flaws.includes('cline/not-json')).toBe(!parses(bytes));
			}),
			{ seed, numRuns: 200 },
		);
	});

	test('a document over several lines is not taken for lines of another format', () => {
		const other: Codec = {
			...cline,
			id: 'openclaw',
			read: { ...cline.read, claims: (value) => (looksLikeMessage(value) ? 'bare' : undefined) },
		};
		const head = Buffer.from(
			'{"version":1,"messages":[\n{"role":"user","content":"x"},\n{"role":"user","content":"y"}\n]}\n',
		);
		expect(detect([other, cline], { head, complete: true })).toMatchObject({ codec: cline, dialect: 'contract' });
	});

	test('a document of something else is not taken for a session, whichever side of its messages says so', () => {
		for (const text of [
			'{"messages":[{"role":"user","content":"x"}],\n"model":"m"}',
			'{"model":"m",\n"messages":[]}',
		]) {
			expect(detect([cline], { head: Buffer.from(text), complete: true })).toBeUndefined();
		}
	});

	test('damaged files read in pieces equal the whole', () => {
		const small = files.filter((file) => file.bytes().length < 20_000);
		fc.assert(
			fc.property(fc.constantFrom(...small), mutation, fc.nat(20_000), (file, damage, cut) => {
				const bytes = damage.apply(file.bytes());
				if (bytes.length < 200_000) piecesEqualTheWhole(cline, bytes, [cut]);
			}),
			{ seed, numRuns: 60 },
		);
	});
});

/** The contract has no images: a text stands for each. */
const withoutImages = (entries: readonly Entry[]): readonly Entry[] =>
	entries.map((entry) =>
		entry.kind === 'message'
			? {
					...entry,
					content: entry.content.map((block) =>
						block.type === 'image' ? { type: 'text', text: `[image: ${block.mime}]` } : block,
					),
				}
			: entry,
	);

describe('laws of writing', () => {
	test.each(profiles)('validation accepts what encoding writes, and the conversation is the same (%s)', (profile) => {
		fc.assert(
			fc.property(conversation, (made) => {
				const session = validateAcceptsWhatEncodeWrites(cline, made, profile);
				const expected = profile === 'client' ? made.entries : withoutImages(made.entries);
				expect(conversationOf(session.entries)).toEqual(conversationOf(expected));
			}),
			{ seed, numRuns: 100 },
		);
	});

	test.each(profiles)('appending keeps the bytes of every message before it (%s)', (profile) => {
		fc.assert(
			fc.property(conversation, fc.nat(12), (made, split) => {
				appendingOnlyAppends(cline, made, profile, Math.min(split, made.entries.length));
			}),
			{ seed, numRuns: 100 },
		);
	});

	test('equal input gives equal bytes', () => {
		fc.assert(
			fc.property(conversation, (made) => {
				const write = () => cline.write.encode({ profile: 'client', path: '/x.messages.json', ...made });
				expect(write()).toEqual(write());
			}),
			{ seed, numRuns: 20 },
		);
	});
});
