/** The laws of reading and writing, over every codec, the whole corpus and damaged copies of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Codec, codecOf, codecs, detect } from '../../src/codecs/index.ts';
import type { Block, Entry } from '../../src/model/index.ts';
import { conversation } from '../support/arbitrary.ts';
import { corpusFiles } from '../support/corpus.ts';
import {
	appendingOnlyAppends,
	checkNeverThrows,
	conversationOf,
	piecesEqualTheWhole,
	readThenWriteGivesTheSameBytes,
	validateAcceptsWhatEncodeWrites,
} from '../support/laws.ts';
import { longLine, mutatedFiles, mutation, seed } from '../support/mutate.ts';

/** A corpus file can be large; damage is tried on those that let thousands of runs pass. */
const smallFile = 200_000;

const nonEmpty = corpusFiles().filter((file) => file.bytes().length > 0);

describe.each(codecs.map((codec) => [codec.id, codec] as const))('%s', (_, codec) => {
	const files = nonEmpty.filter((file) => file.format === codec.id);

	it('law 1: read then write gives the same bytes, for every file of the corpus', () => {
		for (const file of files) readThenWriteGivesTheSameBytes(codec, file.bytes());
		expect(files.length).toBeGreaterThan(0);
	});

	it('law 3: reading in pieces from an offset equals reading once, for every file of the corpus', () => {
		for (const file of files) {
			const bytes = file.bytes();
			piecesEqualTheWhole(codec, bytes, [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2)]);
		}
	});

	it('law 4: checking answers with issues, for every file of the corpus', () => {
		for (const file of files) checkNeverThrows(codec, file.bytes());
	});

	it(`laws 1, 3, 4 and 5 hold for ${mutatedFiles} damaged files`, { timeout: 3_600_000 }, () => {
		const small = files.map((file) => file.bytes()).filter((bytes) => bytes.length < smallFile);
		fc.assert(
			fc.property(
				fc.nat(small.length - 1),
				fc.array(mutation, { minLength: 1, maxLength: 3 }),
				fc.array(fc.nat(smallFile), { maxLength: 3 }),
				(index, mutations, cuts) => {
					let bytes = small[index] as Uint8Array;
					for (const one of mutations) bytes = one.apply(bytes);
					readThenWriteGivesTheSameBytes(codec, bytes);
					piecesEqualTheWhole(codec, bytes, cuts);
					checkNeverThrows(codec, bytes);
					atMostOneClaims(bytes);
				},
			),
			{ numRuns: mutatedFiles, seed, endOnFailure: true },
		);
	});

	it('laws 1, 3 and 4 hold with a line of ten megabytes', () => {
		const bytes = longLine.apply((files[0] as (typeof files)[number]).bytes());
		readThenWriteGivesTheSameBytes(codec, bytes);
		piecesEqualTheWhole(codec, bytes, [5_000_000]);
		checkNeverThrows(codec, bytes);
	});

	it.each(['client', 'published'] as const)(
		'laws 2, 7 and 8: what encode writes is accepted, says the same, only grows and is the same again (%s)',
		(profile) => {
			fc.assert(
				fc.property(conversation, fc.nat(20), (made, split) => {
					const session = validateAcceptsWhatEncodeWrites(codec, made, profile);
					const holdsAll = profile === 'client' && codec.capabilities.images && codec.capabilities.thinking;
					const said = (entries: readonly Entry[]) => conversationOf(holdsAll ? entries : plain(entries));
					expect(said(session.entries)).toEqual(said(made.entries));
					appendingOnlyAppends(codec, made, profile, Math.min(split, made.entries.length));
					const again = { profile, ...made };
					expect(codec.write.encode(again)).toEqual(codec.write.encode(again));
				}),
				{ numRuns: 100, seed },
			);
		},
	);
});

/** What every format holds of a conversation: without pictures, for which a text may stand, and without thoughts. */
function plain(entries: readonly Entry[]): readonly Entry[] {
	const isPlain = (block: Block): boolean =>
		block.type !== 'image' && block.type !== 'thinking' && !(block.type === 'text' && block.text.startsWith('[image'));
	return entries.map((entry) =>
		entry.kind === 'message' ? { ...entry, content: entry.content.filter(isPlain) } : entry,
	);
}

describe('detection', () => {
	it('law 5: exactly one codec claims each file of the corpus, the one of its folder', () => {
		const wrong = nonEmpty.flatMap((file) => {
			const found = detect(codecs, { head: file.bytes(), complete: true });
			const id = typeof found === 'object' ? found.codec.id : undefined;
			return id === file.format ? [] : [`${file.name}: ${id}`];
		});
		expect(wrong).toEqual([]);
	});

	it('law 5: at most one codec claims any record of the corpus', () => {
		for (const file of nonEmpty) atMostOneClaims(file.bytes());
	});

	it('a head that ends inside the first record asks for more', () => {
		const bytes = Buffer.from(`{"type":"user","uuid":"a","sessionId":"s","x":"${'x'.repeat(1000)}"}\n`);
		expect(detect(codecs, { head: bytes.subarray(0, 100), complete: false })).toBe('more');
	});

	it('every format has a codec', () => {
		for (const id of ['claude-code', 'cline', 'clido', 'openclaw']) expect(codecOf(id)?.id).toBe(id);
	});
});

function atMostOneClaims(bytes: Uint8Array): void {
	for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
		if (line.length > 100_000) continue;
		let value: unknown;
		try {
			value = JSON.parse(line);
		} catch {
			continue;
		}
		const claiming = codecs
			.filter((codec: Codec) => codec.read.claims(value as never) !== undefined)
			.map((codec) => codec.id);
		expect(claiming.length, line.slice(0, 300)).toBeLessThanOrEqual(1);
	}
}
