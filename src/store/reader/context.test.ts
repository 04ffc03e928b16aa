/** The end of a file gives the context that the whole file gives, or says that it does not suffice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { mutatedFiles, mutation, seed } from '../../../test/support/mutate.ts';
import { BrokenLine, type Codec, type ContextOptions, codecOf } from '../../codecs/index.ts';
import { memorySource, type Source } from '../../model/index.ts';
import { buildContext, scannedFrom } from './context.ts';

const tailed = (format: string): Codec | undefined => {
	const codec = codecOf(format);
	return codec?.context.fromTail ? codec : undefined;
};
const files = corpusFiles().filter((file) => file.bytes().length > 0 && tailed(file.format));

/** The offsets at which lines begin. */
function starts(bytes: Uint8Array): readonly number[] {
	const found = [0];
	for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) found.push(at + 1);
	return found;
}

/** Undefined where a line only looks like JSON: the caller then asks again without it. */
function fromTail(codec: Codec, source: Source, from: number, options: ContextOptions): unknown {
	if (!codec.context.build || !codec.context.envelope) throw new Error('no context');
	try {
		return codec.context.build(scannedFrom(source, codec.context.envelope, from, new Set()), options);
	} catch (error) {
		if (error instanceof BrokenLine) return undefined;
		throw error;
	}
}

/** Tries every split, or some of them: each answer is `more` or the right one. Returns how many were right. */
function expectSame(codec: Codec, bytes: Uint8Array, cuts: readonly number[], options: ContextOptions): number {
	const source = memorySource(bytes);
	const whole = buildContext(codec, source, options);
	let right = 0;
	for (const cut of cuts) {
		const found = fromTail(codec, source, cut, options);
		if (found === 'more' || found === undefined) continue;
		expect(found, `from ${cut}`).toEqual(whole);
		right += 1;
	}
	return right;
}

describe('the context from the end of a file', () => {
	it.each(files.map((file) => [file.name, file] as const))('is that of the whole file: %s', (_, file) => {
		const codec = tailed(file.format) as Codec;
		const bytes = file.bytes();
		const lines = starts(bytes);
		const some = lines.length <= 60 ? lines : lines.filter((_, index) => index % Math.ceil(lines.length / 60) === 0);
		for (const client of codec.context.clients ?? []) expectSame(codec, bytes, some, { client });
		for (const tail of [64, 1000]) {
			expect(buildContext(codec, memorySource(bytes), {}, { tail })).toEqual(
				buildContext(codec, memorySource(bytes), {}),
			);
		}
	});

	it('is enough for some files', () => {
		const right = files.map((file) =>
			expectSame(tailed(file.format) as Codec, file.bytes(), starts(file.bytes()).slice(1), {}),
		);
		expect(right.some((count) => count > 0)).toBe(true);
	});

	it('is that of the whole file, for damaged files', () => {
		const little = files.filter((file) => file.bytes().length < 60_000);
		fc.assert(
			fc.property(
				fc.nat(little.length - 1),
				fc.array(mutation, { minLength: 1, maxLength: 2 }),
				fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
				(index, mutations, places) => {
					const file = little[index];
					if (!file) return;
					const bytes = mutations.reduce((before, one) => one.apply(before), file.bytes());
					const lines = starts(bytes);
					const cuts = places.map((place) => lines[Math.floor(place * (lines.length - 1))] ?? 0);
					expectSame(tailed(file.format) as Codec, bytes, cuts, {});
				},
			),
			{ seed, numRuns: Math.min(mutatedFiles, 3000) },
		);
	});

	it('has the line numbers of the whole file', () => {
		const bytes = Buffer.from('{"type":"a"}\n\n{"type":"b"}\n{"type":"c"}\n');
		const index = scannedFrom(memorySource(bytes), ['type'], 27, new Set());
		expect(index.position(0)).toEqual({ at: 27, line: 4, index: 3 });
		expect(index.partial).toBe(true);
	});
});
