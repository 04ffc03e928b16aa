/** The laws of the design, over this format's corpus, damaged files and made-up sessions. */
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
import { claudeCode } from './index.ts';

const files = corpusFiles('claude-code');
const runs = { numRuns: 100, seed };

describe('every file of the corpus', () => {
	test('read then written gives the same bytes', () => {
		for (const file of files) readThenWriteGivesTheSameBytes(claudeCode, file.bytes());
	});

	test('is checked without an exception', () => {
		for (const file of files) checkNeverThrows(claudeCode, file.bytes());
	});

	test('read in pieces equals reading once', () => {
		for (const file of files) {
			const bytes = file.bytes();
			const third = Math.floor(bytes.length / 3);
			piecesEqualTheWhole(claudeCode, bytes, [third, third + 1, 2 * third]);
		}
	});
});

test('damaged files keep their bytes and never throw', () => {
	const small = files.filter((file) => file.bytes().length < 200_000);
	fc.assert(
		fc.property(fc.constantFrom(...small), fc.array(mutation, { minLength: 1, maxLength: 3 }), (file, damages) => {
			const bytes = damages.reduce((damaged, damage) => damage.apply(damaged), file.bytes());
			readThenWriteGivesTheSameBytes(claudeCode, bytes);
			checkNeverThrows(claudeCode, bytes);
		}),
		{ numRuns: 200, seed },
	);
});

test('damaged files read in pieces equal themselves read once', () => {
	const small = files.filter((file) => file.bytes().length < 50_000);
	fc.assert(
		fc.property(fc.constantFrom(...small), mutation, fc.nat(50_000), (file, damage, cut) => {
			const bytes = damage.apply(file.bytes());
			piecesEqualTheWhole(claudeCode, bytes, [cut % (bytes.length + 1)]);
		}),
		{ numRuns: 100, seed },
	);
});

describe.each(['client', 'published'] as const)('in profile %s', (profile) => {
	test('validation accepts what encoding writes, and the conversation stays', () => {
		fc.assert(
			fc.property(conversation, (made) => {
				const session = validateAcceptsWhatEncodeWrites(claudeCode, made, profile);
				expect(conversationOf(session.entries)).toEqual(conversationOf(made.entries));
				expect(session.header).toMatchObject({ id: made.id, cwd: '/home/dev/project' });
				expect(session.header.title).toBe(made.header.title);
			}),
			runs,
		);
	});

	test('appending only appends', () => {
		fc.assert(
			fc.property(conversation, fc.nat(20), (made, split) => {
				appendingOnlyAppends(claudeCode, made, profile, Math.min(split, made.entries.length));
			}),
			runs,
		);
	});

	test('equal input gives equal bytes', () => {
		fc.assert(
			fc.property(conversation, (made) => {
				const input = { profile, ...made };
				expect(claudeCode.write.encode(input)).toEqual(claudeCode.write.encode(input));
			}),
			{ numRuns: 20, seed },
		);
	});
});
