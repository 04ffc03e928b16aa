/** What is special about writing pi's files: a file written again, also a damaged one, and one that is continued. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversation } from '../../../test/support/arbitrary.ts';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { conversationOf } from '../../../test/support/laws.ts';
import { mutation, seed } from '../../../test/support/mutate.ts';
import type { Profile } from '../../model/index.ts';
import { checkBytes } from '../shared/check/check.ts';
import { decodeBytes } from '../shared/read/read.ts';
import { openclaw } from './index.ts';

const files = corpusFiles('openclaw');
const profiles: readonly Profile[] = ['client', 'published'];

describe('over every file of the corpus', () => {
	test('the first line that can be parsed is claimed', () => {
		for (const file of files) {
			const first = Buffer.from(file.bytes()).toString('utf8').split('\n')[0] ?? '';
			if (first !== '') expect(openclaw.read.claims(JSON.parse(first))).toBeDefined();
		}
	});

	test('writing the entries again gives a file with the same conversation, path and usage', () => {
		for (const file of files) {
			const session = decodeBytes(openclaw, file.bytes(), 'id');
			if (session.entries.length === 0) continue;
			const { id, header, entries } = session;
			const encoded = openclaw.write.encode({ profile: 'client', id, header, entries });
			const again = decodeBytes(openclaw, encoded.bytes, id);
			expect(conversationOf(again.entries), file.name).toEqual(conversationOf(entries));
			expect(again.entries.filter((entry) => entry.parent !== undefined).length, file.name).toBeGreaterThanOrEqual(
				entries.filter((entry) => entry.parent !== undefined).length,
			);
			expect(
				encoded.losses.filter((loss) => loss.how === 'dropped'),
				file.name,
			).toEqual([]);
		}
	});
});

describe('over damaged files', () => {
	test('what was read from a damaged file can be written again, and is then sound', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), mutation, (one, { apply }) => {
				const session = decodeBytes(openclaw, apply(one.bytes()), 'id');
				for (const profile of profiles) {
					const encoded = openclaw.write.encode({
						profile,
						id: 'id',
						header: session.header,
						entries: session.entries,
					});
					const structural = /\/(id|parent|header|bare|torn|not)-?/;
					const wrong = checkBytes(openclaw, encoded.bytes).filter(
						(issue) => issue.severity === 'error' && issue.profile !== 'client' && structural.test(issue.rule),
					);
					expect(wrong).toEqual([]);
				}
			}),
			{ numRuns: 100, seed },
		);
	});
});

describe('over made-up sessions', () => {
	test.each(profiles)('the conversation goes on where more is appended (%s)', (profile) => {
		fc.assert(
			fc.property(conversation, fc.nat(20), (made, share) => {
				const split = share % (made.entries.length + 1);
				const base = { profile, id: made.id, header: made.header };
				const before = openclaw.write.encode({ ...base, entries: made.entries.slice(0, split) }).bytes;
				const after = decodeBytes(openclaw, before, made.id);
				const added = openclaw.write.encode({ ...base, entries: made.entries.slice(split), after }).bytes;
				const whole = Buffer.concat([before, added]);
				expect(conversationOf(decodeBytes(openclaw, whole).entries)).toEqual(conversationOf(made.entries));
				const wrong = checkBytes(openclaw, whole).filter(
					(issue) => issue.severity === 'error' && (issue.profile ?? profile) === profile,
				);
				expect(wrong).toEqual([]);
			}),
			{ numRuns: 60, seed },
		);
	});
});
