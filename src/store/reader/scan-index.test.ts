/** Laws of the index made by scanning. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../../../test/support/corpus.ts';
import { mutation, seed } from '../../../test/support/mutate.ts';
import { BrokenLine, codecOf, type LineIndex, parsedIndex } from '../../codecs/index.ts';
import { isObject, type Json, memorySource } from '../../model/index.ts';
import { scanIndex } from './scan-index.ts';

const paths = [
	'type',
	'uuid',
	'parentUuid',
	'timestamp',
	'isSidechain',
	'message.id',
	'message.role',
	'id',
	'parentId',
	'subtype',
];
const files = corpusFiles().filter((file) => file.format !== 'cline' && file.bytes().length > 0);

/** Scalars as they are; of an object or list only that it is there. */
const small = (value: Json | undefined): unknown => (isObject(value) || Array.isArray(value) ? {} : value);

/** Everything the index says, without lines that turn out not to be JSON. */
function told(make: (broken: ReadonlySet<number>) => LineIndex): readonly unknown[] {
	const broken = new Set<number>();
	for (;;) {
		const index = make(broken);
		try {
			return Array.from({ length: index.length }, (_, line) => ({
				keys: Object.keys(index.value(line)), // a whole value may be nested deeper than a comparison can follow
				...index.position(line),
				fields: paths.map((path) => small(index.field(line, path))),
			}));
		} catch (error) {
			if (!(error instanceof BrokenLine)) throw error;
			broken.add(error.position.at);
		}
	}
}

function same(bytes: Uint8Array, format: string): void {
	const codec = codecOf(format);
	if (!codec) throw new Error(format);
	const scanned = told((broken) => scanIndex(memorySource(bytes), paths, { broken }));
	expect(scanned).toEqual(told(() => parsedIndex(codec, bytes)));
}

describe('an index by scanning', () => {
	it('says what parsing every line says, for every file of the corpus', () => {
		for (const file of files) same(file.bytes(), file.format);
	});

	it('says what parsing every line says, for damaged files', () => {
		const little = files.filter((file) => file.bytes().length < 60_000);
		fc.assert(
			fc.property(fc.nat(little.length - 1), fc.array(mutation, { minLength: 1, maxLength: 2 }), (index, mutations) => {
				const file = little[index];
				if (!file) return;
				same(
					mutations.reduce((bytes, one) => one.apply(bytes), file.bytes()),
					file.format,
				);
			}),
			{ numRuns: 300, seed },
		);
	});
});
