/** The laws of writing: Clido's own rules accept it, appending only appends, and reading it again gives the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversation, type MadeSession } from '../../../../test/support/arbitrary.ts';
import { text } from '../../../../test/support/clido-entries.ts';
import { corpusFiles } from '../../../../test/support/corpus.ts';
import {
	appendingOnlyAppends,
	conversationOf,
	validateAcceptsWhatEncodeWrites,
} from '../../../../test/support/laws.ts';
import { seed } from '../../../../test/support/mutate.ts';
import type { Block, Entry, Profile } from '../../../model/index.ts';
import { checkBytes } from '../../shared/check/check.ts';
import { decodeBytes } from '../../shared/read/read.ts';
import { clido } from '../index.ts';

const profiles = ['client', 'published'] as const;

describe('laws', () => {
	for (const profile of profiles) {
		it(`validate accepts what encode writes (${profile})`, () => {
			fc.assert(
				fc.property(conversation, (made) => {
					const decoded = validateAcceptsWhatEncodeWrites(clido, made, profile);
					expect(conversationOf(decoded.entries)).toEqual(conversationOf(held(made, profile)));
				}),
				{ numRuns: 100, seed },
			);
		});

		it(`appending only appends (${profile})`, () => {
			fc.assert(
				fc.property(conversation, fc.nat(12), (made, split) => {
					appendingOnlyAppends(clido, made, profile, Math.min(split, made.entries.length));
				}),
				{ numRuns: 100, seed },
			);
		});
	}

	it('equal input gives equal bytes', () => {
		fc.assert(
			fc.property(conversation, (made) => {
				const once = clido.write.encode({ profile: 'client', ...made });
				expect(clido.write.encode({ profile: 'client', ...made })).toEqual(once);
			}),
			{ numRuns: 20, seed },
		);
	});

	it('what was read from Clido and written again means the same', () => {
		for (const file of corpusFiles('clido')) {
			if (file.bytes().length === 0 || checkBytes(clido, file.bytes()).some((issue) => issue.severity === 'error'))
				continue;
			const session = decodeBytes(clido, file.bytes(), 'x');
			const { bytes, losses } = clido.write.encode({ profile: 'client', ...session });
			const again = decodeBytes(clido, bytes);
			const bare = (entries: readonly Entry[]) =>
				entries
					.filter((entry) => entry.kind !== 'start' && !(entry.kind === 'event' && entry.event.type === 'call'))
					.map(({ id: _id, parent: _parent, records: _records, extra: _extra, ...rest }) => rest);
			const known = session.entries.map((entry) =>
				entry.kind === 'outcome' && entry.status === 'success' ? { ...entry, status: 'completed' } : entry,
			);
			expect(bare(again.entries)).toEqual(bare(known));
			expect(losses.filter((loss) => loss.path !== 'extra' && loss.how !== 'invented')).toEqual([]);
		}
	});
});

/** The part of a made session that the profile can hold. */
function held(made: MadeSession, profile: Profile): readonly Entry[] {
	if (profile === 'client') return made.entries;
	return made.entries.map((entry) => {
		if (entry.kind !== 'message') return entry;
		const content = entry.content
			.filter((block) => block.type !== 'thinking')
			.map((block): Block => (block.type === 'image' ? text(`[image: ${block.mime}]`) : block));
		return { ...entry, content };
	});
}
