/** Finds the one entry that the conversation goes on from, in a file of any size and without parsing its lines, and what counts where the file does not say. */
import { type Codec, leafIn } from '../../codecs/index.ts';
import type { EntryId, Source } from '../../model/index.ts';
import { scanIndex } from './scan-index.ts';
import { lookBack, withoutBroken } from './tail.ts';

/** The entry that the conversation goes on from; `last`, its last entry, where nothing in the file says more. */
export function leafOf(codec: Codec, dialect: string, source: Source, last: EntryId | null): EntryId | null {
	const { leaf } = leafByTail(codec, dialect, source) ?? { leaf: ask(codec, dialect, source, 0) };
	return leaf === undefined || leaf === 'more' ? last : leaf;
}

/** The leaf where the end of a large file decides it; undefined where all lines have to be known. A `leaf` that is undefined is the last entry. */
export function leafByTail(
	codec: Codec,
	dialect: string,
	source: Source,
): { readonly leaf: EntryId | null | undefined } | undefined {
	return lookBack(source, (from) => {
		const leaf = ask(codec, dialect, source, from);
		return leaf === 'more' ? undefined : { leaf };
	});
}

function ask(codec: Codec, dialect: string, source: Source, from: number): EntryId | null | undefined | 'more' {
	const envelope = codec.context.resumePath?.envelope ?? [];
	return withoutBroken((broken) =>
		// A format without links answers at once, with the last entry.
		leafIn(codec, dialect, () => scanIndex(source, envelope, { from, broken }), undefined),
	);
}
